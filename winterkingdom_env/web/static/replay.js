// A recorded game, step by step: buttons, slider, keys, log, charts. It fills the elements of replay.html from a film (web/film.py).
import { Board, element } from "./board.js";
import { Chart } from "./chart.js";

const PACES = { slow: 1600, medium: 700, fast: 200 }; // milliseconds between two steps

export class Replay {
  constructor(film) {
    this.film = film;
    this.last = film.frames.length - 1;
    this.at = -1;
    this.totals = film.frames.map((frame) => frame.sheet.map((row) => row.reduce((sum, points) => sum + points, 0)));
    // For each part: the frames in which it changes, and its text from then on.
    this.changes = film.parts.map(() => ({ frames: [], texts: [] }));
    film.frames.forEach((frame, n) => {
      for (let i = 0; i < frame.parts.length; i += 2) {
        const changes = this.changes[frame.parts[i]];
        changes.frames.push(n);
        changes.texts.push(frame.parts[i + 1]);
      }
    });
    this.shown = film.parts.map(() => -1);
    this.turns = this.findTurns();
  }

  // The first frame of each turn: runs of actions of one seat in one round.
  findTurns() {
    const turns = [];
    this.film.frames.forEach((frame, n) => {
      const before = this.film.frames[n - 1];
      if (n && (n === 1 || frame.seat !== before.seat || before.round !== this.film.frames[n - 2].round)) turns.push(n);
    });
    return turns;
  }

  textAt(part, frame) {
    const { frames, texts } = this.changes[part];
    let low = 0, high = frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frames[middle] <= frame) low = middle + 1;
      else high = middle;
    }
    return low ? texts[low - 1] : -1;
  }

  build() {
    const { film } = this, byId = (id) => document.getElementById(id);
    document.title = `${film.title}: ${film.seats.map((seat) => seat.agent || seat.letter).join(", ")}`;
    byId("title").textContent = film.title;
    const seed = film.seed === null ? "" : `, seed ${film.seed}`;
    const seen = film.viewer === null ? "everything is shown" : `as seat ${film.viewer} (${film.seats[film.viewer].letter}) sees it`;
    byId("about").textContent = `${film.seats.length} players, ${this.last} actions${film.is_complete ? "" : ", not finished"}${seed}; ${seen}. `
      + `Rules ${film.env_version}, winterkingdom_env ${film.package_version}.`;
    this.board = new Board(byId("sheet"), film, film.title);
    this.slider = byId("slider");
    this.slider.max = this.last;
    this.slider.addEventListener("input", () => { this.pause(); this.show(Number(this.slider.value)); });
    for (const [id, act] of Object.entries(this.moves())) byId(id).addEventListener("click", act);
    byId("play").addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    byId("pace").addEventListener("change", () => { if (this.timer) { this.pause(); this.play(); } });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.show(this.fromAddress()));
    byId("sheet").addEventListener("click", (event) => {
      const tip = event.target.querySelector?.("title");
      if (tip) byId("tip").textContent = tip.textContent;
    });
    this.buildSeats(byId("seats"));
    this.buildLog(byId("log"));
    this.buildCharts(byId("chart"), byId("odds"));
    this.show(this.fromAddress());
  }

  // For pages that show more: called after each frame that is shown.
  changed(n) {}

  // What the buttons do. A turn begins with the position before its first action.
  moves() {
    const begins = this.turns.map((n) => n - 1);
    return {
      first: () => this.go(0),
      "turn-back": () => this.go(begins.findLast((n) => n < this.at) ?? 0),
      back: () => this.go(this.at - 1),
      next: () => this.go(this.at + 1),
      "turn-next": () => this.go(begins.find((n) => n > this.at) ?? this.last),
      last: () => this.go(this.last),
    };
  }

  go(n) {
    this.pause();
    this.show(n);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select")) {
      if (event.target !== this.slider) return;
    }
    const moves = this.moves();
    const keys = {
      ArrowLeft: event.shiftKey ? moves["turn-back"] : moves.back, ArrowRight: event.shiftKey ? moves["turn-next"] : moves.next,
      PageUp: moves["turn-back"], PageDown: moves["turn-next"], Home: moves.first, End: moves.last,
    };
    if (event.key === " " && !event.target.matches("button, summary")) (this.timer ? this.pause() : this.play());
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  }

  play() {
    if (this.at === this.last) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.last) this.pause();
    }, PACES[document.getElementById("pace").value]);
    document.getElementById("play").textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    document.getElementById("play").textContent = "Play";
  }

  fromAddress() {
    const n = Number(location.hash.slice(1));
    return location.hash && Number.isInteger(n) ? n : this.last;
  }

  show(wanted) {
    const n = Math.max(0, Math.min(this.last, wanted));
    if (n === this.at) return;
    this.film.parts.forEach((_, part) => {
      const text = this.textAt(part, n);
      if (text !== this.shown[part]) this.board.set(part, text < 0 ? "" : this.film.texts[text]);
      this.shown[part] = text;
    });
    this.board.fit();
    this.at = n;
    this.slider.value = n;
    history.replaceState(null, "", `#${n}`);
    this.tell();
    this.changed(n);
  }

  // Everything beside the board.
  tell() {
    const { film, at } = this, frame = film.frames[at], seat = film.seats[frame.seat];
    const done = frame.action === null ? "The game begins." : `${seat.letter}: ${frame.action}`;
    const next = frame.asked === null ? "The game is over." : `${film.seats[frame.asked].letter} is to act.`;
    document.getElementById("told").textContent = `${at} of ${this.last}, round ${frame.round}. ${done}. ${next}`.replace("..", ".");
    const before = this.totals[Math.max(0, at - 1)];
    film.seats.forEach((_, i) => {
      const cells = this.cells[i], paid = this.totals[at][i] - before[i], isWinner = frame.asked === null && frame.ranks[i] === 1;
      frame.sheet[i].forEach((points, column) => { cells[column].textContent = points; });
      const [total, last, odds] = cells.slice(film.columns.length);
      total.textContent = `${this.totals[at][i]}${isWinner ? " wins" : ""}`;
      last.textContent = paid > 0 ? `+${paid}` : paid || "";
      if (odds) odds.textContent = `${Math.round(100 * film.odds[at][i])} %`;
      this.heads[i].classList.toggle("asked", i === frame.asked);
    });
    this.entries.forEach((entry, n) => {
      const is = n === at;
      entry.toggleAttribute("aria-current", is);
      if (is) {
        const log = document.getElementById("log"), top = entry.offsetTop;
        if (top < log.scrollTop || top > log.scrollTop + log.clientHeight - 30) log.scrollTop = top - log.clientHeight / 2;
      }
    });
    for (const chart of this.charts) chart.mark(at);
  }

  chip(seat) {
    const { letter, colour, ink } = this.film.seats[seat];
    const made = element("span", { class: "chip" }, letter);
    made.style.background = colour;
    made.style.color = ink;
    return made;
  }

  // A column per seat: points by what pays, their sum, what the last action paid, and the win probability.
  buildSeats(table) {
    const seats = this.film.seats;
    this.heads = seats.map((seat, i) => element("th", { scope: "col" }, this.chip(i), element("small", {}, seat.agent || `seat ${i}`)));
    this.cells = seats.map(() => []);
    const names = [...this.film.columns, "total", "last action", ...(this.film.odds ? ["win probability"] : [])];
    const rows = names.map((name, i) => {
      const cells = seats.map(() => element("td"));
      cells.forEach((cell, seat) => this.cells[seat].push(cell));
      const kind = { 0: "total", 1: "paid" }[i - this.film.columns.length];
      return element("tr", { class: kind ?? null }, element("th", { scope: "row" }, name), ...cells);
    });
    table.append(element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "points"), ...this.heads)), element("tbody", {}, ...rows));
  }

  buildLog(log) {
    const begin = element("button", { type: "button", onclick: () => this.go(0) }, "start");
    this.entries = [begin];
    let line = element("li", {}, begin);
    const lines = [line], starts = new Set(this.turns);
    this.film.frames.forEach((frame, n) => {
      if (!n) return;
      if (starts.has(n)) {
        line = element("li", {}, this.chip(frame.seat), ` round ${this.film.frames[n - 1].round}: `);
        lines.push(line);
      }
      const entry = element("button", { type: "button", onclick: () => this.go(n) }, frame.action);
      this.entries.push(entry);
      line.append(entry, " ");
    });
    log.append(...lines);
  }

  // The points, and the win probabilities if the film has them.
  buildCharts(points, odds) {
    const all = this.totals.flat(), low = Math.min(0, ...all), high = Math.max(1, ...all), go = (n) => this.go(n);
    const { film } = this;
    const lines = { low, high, ticks: low < 0 && high > 0 ? [low, 0, high] : [low, high], height: 160 };
    this.charts = [new Chart(points, film.seats, this.totals, lines, go)];
    odds.hidden = !film.odds;
    if (film.odds) {
      const shares = { low: 0, high: 1, ticks: [0, 0.5, 1], height: 110, text: (share) => `${100 * share} %` };
      this.charts.push(new Chart(odds, film.seats, film.odds, shares, go));
    }
  }
}
