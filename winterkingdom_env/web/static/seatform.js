// Who sits where: a line per seat with a person's name, or an agent with a slider of thinking time.
import { element } from "./board.js";
import { keepName, ownName } from "./kept.js";
import { LETTERS, timeWords } from "./words.js";

const PERSON = ""; // the value of the select; no agent has this name

export class SeatForm {
  // `home`: the element to fill; `changed` is called after every choice.
  constructor(home, milliseconds, changed = () => {}) {
    Object.assign(this, { home, milliseconds, changed, lines: [] });
  }

  // Make the lines for a game. What was chosen stays where the game has it.
  show(agents, players) {
    const before = this.lines.map((line) => line.value());
    const usual = agents.find((agent) => agent.name === "greedy") ?? agents.find((agent) => agent.has_time) ?? agents[0];
    this.lines = Array.from({ length: players }, (_, i) => {
      const isKnown = before[i] && ("person" in before[i] || agents.some((agent) => agent.name === before[i].agent));
      return this.line(i, agents, isKnown ? before[i] : i ? { agent: usual.name } : { person: ownName() || `Player ${LETTERS[0]}` });
    });
    this.home.replaceChildren(...this.lines.map((line) => line.made));
  }

  line(i, agents, chosen) {
    const letter = LETTERS[i], half = Math.floor(this.milliseconds.length / 2);
    const options = agents.map(({ name, words }) => element("option", { value: name }, words ? `${name}: ${words}` : name));
    const who = element("select", { "aria-label": `who sits at ${letter}` }, element("option", { value: PERSON }, "a person"), ...options);
    const name = element("input", { type: "text", maxlength: 30, "aria-label": `name of the person at ${letter}`, autocomplete: "off" });
    const time = element("input", { type: "range", min: 0, max: this.milliseconds.length - 1, "aria-label": `time to think at ${letter}` });
    const told = element("output");
    const timed = element("span", { class: "timed" }, time, told);
    who.value = chosen.agent ?? PERSON;
    name.value = chosen.person ?? `Player ${letter}`;
    const kept = this.milliseconds.indexOf(chosen.milliseconds);
    time.value = kept < 0 ? half : kept;
    const update = () => {
      name.hidden = who.value !== PERSON;
      timed.hidden = !agents.find((agent) => agent.name === who.value)?.has_time;
      told.textContent = `${timeWords(this.milliseconds[time.value])} per move`;
      time.setAttribute("aria-valuetext", told.textContent);
    };
    update();
    for (const [input, type] of [[who, "change"], [time, "input"]]) {
      input.addEventListener(type, () => { update(); this.changed(); });
    }
    name.addEventListener("change", () => { if (i === 0) keepName(name.value.trim()); });
    const made = element("div", { class: "seat" }, element("span", { class: "letter" }, letter), who, name, timed);
    const value = () => {
      if (who.value === PERSON) return { person: name.value.trim() || `Player ${letter}` };
      return timed.hidden ? { agent: who.value } : { agent: who.value, milliseconds: this.milliseconds[time.value] };
    };
    return { made, value };
  }

  // The seats as POST /api/games takes them.
  value() {
    return this.lines.map((line) => line.value());
  }

  get people() {
    return this.value().filter((seat) => "person" in seat).length;
  }
}
