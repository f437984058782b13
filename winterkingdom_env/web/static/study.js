// A recorded game, step by step, with an agent that thinks about a position, and a new game from any position.
import { get, post } from "./api.js";
import { element } from "./board.js";
import { created } from "./kept.js";
import { Marks, thoughtMarks } from "./marks.js";
import { Replay } from "./replay.js";
import { SeatForm } from "./seatform.js";
import { thoughtViews } from "./thoughts.js";
import { timeWords } from "./words.js";

const byId = (id) => document.getElementById(id);

class Study extends Replay {
  // `source`: what the server calls the record; `about`: what it says of its games and agents.
  constructor(film, source, about) {
    super(film);
    Object.assign(this, { source, about, thoughts: new Map() });
    this.agents = about.games.find((game) => game.name === film.game)?.agents ?? [];
  }

  build() {
    super.build();
    // Not before: the board fills its element when the page is built.
    this.marks = new Marks(byId("sheet"), "weights");
    this.buildThinking();
    this.buildPlayOn();
    this.buildTools();
    this.changed(this.at);
  }

  buildThinking() {
    const { milliseconds } = this.about, agent = byId("agent"), time = byId("time");
    agent.append(...this.agents.map(({ name, words }) => element("option", { value: name }, words ? `${name}: ${words}` : name)));
    agent.value = (this.agents.find((one) => one.name === "search") ?? this.agents.find((one) => one.has_time) ?? this.agents[0])?.name;
    time.max = milliseconds.length - 1;
    time.value = Math.floor(milliseconds.length / 2);
    const update = () => {
      time.parentElement.hidden = !this.agents.find((one) => one.name === agent.value)?.has_time;
      byId("time-told").textContent = timeWords(milliseconds[time.value]);
      time.setAttribute("aria-valuetext", timeWords(milliseconds[time.value]));
    };
    agent.addEventListener("change", update);
    time.addEventListener("input", update);
    byId("study").addEventListener("submit", (event) => {
      event.preventDefault();
      this.think();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input, select")) this.think();
    });
    update();
  }

  async think() {
    if (byId("think").disabled) return;
    const at = this.at, agent = byId("agent").value, hasTime = !byId("time").parentElement.hidden;
    this.pause();
    byId("study-problem").textContent = "";
    byId("think").disabled = true;
    byId("think").textContent = "Thinking ...";
    try {
      const wanted = { source: this.source, at, agent, ...(hasTime && { milliseconds: this.about.milliseconds[byId("time").value] }) };
      this.thoughts.set(at, await post("/api/study", wanted));
      this.changed(this.at);
    } catch (error) {
      byId("study-problem").textContent = error.message;
    }
    byId("think").disabled = false;
    byId("think").textContent = "Think";
  }

  // The thoughts about a position stay with it.
  changed(n) {
    if (!this.marks) return;
    const thoughts = this.thoughts.get(n), isOver = this.film.frames[n].asked === null;
    byId("thoughts").replaceChildren(...(thoughts ? thoughtViews(thoughts, this.film.seats) : []));
    this.marks.draw(thoughts ? thoughtMarks(thoughts) : []);
    byId("study-problem").textContent = "";
    byId("shared").textContent = "";
    byId("study").hidden = isOver;
    byId("on").hidden = isOver;
    byId("study-title").textContent = isOver ? "The game is over here" : "Study this position";
  }

  buildPlayOn() {
    this.seats = new SeatForm(byId("who"), this.about.milliseconds);
    this.seats.show(this.agents, this.film.seats.length);
    byId("play-on").addEventListener("submit", async (event) => {
      event.preventDefault();
      byId("on-problem").textContent = "";
      try {
        const settings = { seed: null, seats: this.seats.value(), from: { source: this.source, at: this.at } };
        location.assign(created(await post("/api/games", settings), settings));
      } catch (error) {
        byId("on-problem").textContent = error.message;
      }
    });
  }

  buildTools() {
    const { seats, viewer } = this.film, select = byId("viewer");
    select.append(element("option", { value: "" }, "everybody (all is shown)"));
    select.append(...seats.map(({ letter, agent }, i) => element("option", { value: i }, agent ? `${letter}: ${agent}` : letter)));
    select.value = viewer ?? "";
    // The other film is another page, so that its address can be shared, too.
    select.addEventListener("change", () => location.assign(`${location.pathname}${select.value && `?viewer=${select.value}`}#${this.at}`));
    byId("download").href = `/api/record/${encodeURIComponent(this.source)}`;
    byId("share").addEventListener("click", async () => {
      const done = navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      byId("shared").textContent = (await done) ? "Copied." : "Copy the address of this page: it leads to this position.";
    });
    byId("tools").hidden = false;
  }
}

async function begin() {
  const source = decodeURIComponent(location.pathname.split("/").pop());
  const viewer = new URLSearchParams(location.search).get("viewer"), wanted = viewer ? `?viewer=${encodeURIComponent(viewer)}` : "";
  const [film, about] = await Promise.all([get(`/api/film/${encodeURIComponent(source)}${wanted}`), get("/api/about")]);
  byId("main").hidden = false;
  new Study(film, source, about).build();
}

begin().catch((error) => {
  byId("about").textContent = "";
  byId("problem").textContent = error.message;
});
