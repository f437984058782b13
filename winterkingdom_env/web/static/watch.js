// Watching a game of agents: pace, single steps, and what the agents think.
import { thoughtMarks } from "./marks.js";
import { thoughtViews } from "./thoughts.js";

const DELAYS = [5000, 2000, 1000, 500, 200, 50, 0]; // milliseconds between two moves, from slow to fast
const byId = (id) => document.getElementById(id);

export class Watch {
  // `send`: sends a message to the server; `marks`: where thoughts are drawn on the board.
  constructor({ seats, is_open: isOpen, can_control: canControl }, send, marks) {
    Object.assign(this, { seats, send, marks, canControl: isOpen && canControl, pace: { playing: false, delay: 500 }, isOn: false, thought: null, unmarked: null });
    byId("watch").hidden = !isOpen;
    byId("speed").max = DELAYS.length - 1;
    byId("play").onclick = () => this.set({ playing: !this.pace.playing });
    byId("step").onclick = () => this.step();
    byId("speed").oninput = () => this.set({ delay: DELAYS[byId("speed").value] });
    byId("think").onchange = () => this.think(byId("think").checked);
    // After a lost connection the server has forgotten it.
    if (isOpen && byId("think").checked) this.think(true);
  }

  set(change) {
    const { playing, delay } = { ...this.pace, ...change };
    this.send({ type: "pace", playing, delay, step: false });
  }

  step() {
    this.send({ type: "pace", playing: false, delay: this.pace.delay, step: true });
  }

  think(isOn) {
    this.isOn = isOn;
    this.thought = this.unmarked = null;
    this.send({ type: "think", on: isOn });
    byId("thoughts").replaceChildren(...(isOn ? ["The next move will show them."] : []));
    this.marks.draw([]);
  }

  show(state, spots) {
    if (state.pace) this.pace = state.pace;
    // The marks are about the position before the last move: they stay with this move only. The first thoughts come before the places.
    if (state.n !== this.thought && state.n !== this.thought + 1) this.marks.draw([]);
    else if (this.unmarked) this.marks.draw(thoughtMarks(this.unmarked, spots));
    this.unmarked = null;
    byId("play").textContent = this.pace.playing ? "Pause" : "Play";
    byId("pace").hidden = !this.canControl || state.is_over;
    const near = DELAYS.map((delay) => Math.abs(delay - this.pace.delay));
    if (document.activeElement !== byId("speed")) byId("speed").value = near.indexOf(Math.min(...near));
    byId("speed").setAttribute("aria-valuetext", `${this.pace.delay} ms between moves`);
  }

  thoughts(thoughts, spots) {
    if (!this.isOn) return;
    this.thought = thoughts.n;
    this.unmarked = spots.length ? null : thoughts;
    byId("thoughts").replaceChildren(...thoughtViews(thoughts, this.seats));
    this.marks.draw(thoughtMarks(thoughts, spots));
  }

  // Whether the key was for the pace.
  key(event) {
    if (!this.canControl || event.target.closest("button, summary, a")) return false;
    if (event.key === " ") this.set({ playing: !this.pace.playing });
    else if (event.key === "ArrowRight") this.step();
    else return false;
    return true;
  }
}
