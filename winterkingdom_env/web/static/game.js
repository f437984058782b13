// Play or watch a game. Messages of the server come in, and everything on the page is set from them.
import { post } from "./api.js";
import { Board } from "./board.js";
import { menu, openDialog } from "./dialog.js";
import { created, keepGame, ownGames, tokensOf } from "./kept.js";
import { Marks } from "./marks.js";
import { QuestionPanel } from "./question.js";
import { chipOf, Log, SeatTable, totalsOf } from "./seats.js";
import { Connection } from "./socket.js";
import { Spots } from "./spots.js";
import { Watch } from "./watch.js";
import { agentWords, names, resultWords, sentence } from "./words.js";
import { Zoom } from "./zoom.js";

const byId = (id) => document.getElementById(id);

class GamePage {
  constructor(id, tokens) {
    Object.assign(this, { id, tokens, state: null, isWaiting: false });
    this.panel = new QuestionPanel({
      chosen: (action) => this.move(action),
      undo: () => this.send({ type: "undo", n: this.state.n, seat: this.state.question.seat }),
      refused: (words, typed) => (words ? this.tell(words) : this.ask({ action: typed })),
    });
    byId("help-button").addEventListener("click", () => openDialog("help"));
    byId("same").addEventListener("click", () => this.playAgain());
    byId("show").addEventListener("click", () => this.send({ type: "show", seat: this.state.curtain }));
    byId("cover").addEventListener("click", () => this.send({ type: "show", seat: null }));
    byId("net").querySelector("button").addEventListener("click", () => this.connection.again());
    document.addEventListener("keydown", (event) => this.key(event));
    this.connection = new Connection(id, tokens, (message) => this[`on_${message.type}`]?.(message), (words) => this.net(words));
  }

  send(message) {
    return this.connection.send(message);
  }

  net(words) {
    byId("net").hidden = !words;
    byId("net").firstElementChild.textContent = words;
    document.body.classList.toggle("offline", Boolean(words));
  }

  on_welcome(welcome) {
    const { title, yours, columns, picture } = welcome;
    const seats = welcome.seats.map((seat) => (seat.is_person ? seat : { ...seat, name: agentWords(seat.name) }));
    this.seats = seats;
    this.welcome = welcome;
    byId("main").hidden = false;
    this.state = null;
    this.board = new Board(byId("sheet"), picture, title);
    this.played = new Marks(byId("sheet"), "played");
    const weights = new Marks(byId("sheet"), "weights");
    this.spots = new Spots(byId("sheet"), {
      chosen: (actions, anchor) => (actions.length === 1 ? this.move(actions[0]) : menu(anchor, actions, (action) => this.move(action))),
      asked: (spot, tip) => this.askSpot(spot, tip),
    });
    this.table = new SeatTable(byId("seats"), seats, columns, yours);
    this.log = new Log(byId("log"), seats);
    this.watch = new Watch({ ...welcome, seats }, (message) => this.send(message), weights);
    this.zoom ??= new Zoom(byId("zoom"), byId("sheet"));
    document.title = `${title}: ${seats.map((seat) => seat.name).join(", ")}`;
    byId("title").textContent = title;
    const role = yours.length ? `You are ${yours.map((i) => `${seats[i].letter} (${seats[i].name})`).join(" and ")}.` : "You are watching.";
    byId("about").textContent = `${seats.map((seat) => `${seat.letter}: ${seat.name}`).join("; ")}. ${role}`;
    byId("again").href = `/replay/game-${encodeURIComponent(this.id)}`;
    if (yours.length || welcome.can_control) keepGame(this.id, { tokens: this.tokens });
  }

  on_state(state) {
    const before = this.state;
    this.state = state;
    document.querySelector("dialog.menu")?.close(); // it is about an earlier position
    this.isWaiting = false;
    for (let i = 0; i < state.parts.length; i += 2) this.board.set(state.parts[i], state.parts[i + 1]);
    this.board.fit();
    if (!before || state.view !== before.view || (state.spots && !state.gone)) this.spots.clear();
    if (state.spots) this.spots.change(state.spots, state.gone ?? []);
    this.zoom.update();
    this.table.show(state);
    this.log.show(state.log, state.from);
    this.watch.show(state, this.spots.list);
    if (state.n !== before?.n) this.tell(state.n < before?.n ? "A move was taken back." : "");
    if (state.note) this.tell(sentence(state.note));
    this.showQuestion(state);
    this.showLast(state, before);
    byId("round").textContent = state.is_over ? `The game ended in round ${state.round}.` : `Round ${state.round}`;
    this.showCurtain(state);
  }

  // The server ends the connection: there is nothing to see if it does so at once.
  on_end() {
    if (this.welcome) return;
    byId("about").textContent = "";
    byId("main").hidden = true;
  }

  on_thoughts(thoughts) {
    this.watch.thoughts(thoughts, this.spots.list);
  }

  on_told({ words }) {
    this.isWaiting = false;
    byId("question").removeAttribute("aria-busy");
    this.tell(sentence(words));
  }

  showQuestion({ question, told, waiting, pace, is_over: isOver, ranks, sheet }) {
    const isBusy = Boolean(waiting) && !isOver && (!this.welcome.is_open || pace?.playing);
    const words = isOver ? resultWords(this.seats, ranks, totalsOf(sheet)) : isBusy ? `${waiting} ...` : told;
    const isShared = this.welcome.yours.length > 1;
    this.panel.show(question, words, question && isShared ? chipOf(this.seats[question.seat]) : null);
    byId("question").classList.toggle("busy", isBusy);
    byId("question").removeAttribute("aria-busy");
    byId("over").hidden = !isOver;
    byId("cover").hidden = !isShared || this.state.view === null || isOver;
    this.spots.offer(question?.actions ?? []);
    if (this.spots.isLost && document.activeElement === document.body) byId("asked").focus();
    const letter = question ? `${this.seats[question.seat].letter} to act - ` : "";
    document.title = `${letter}${this.welcome.title}: ${this.seats.map((seat) => seat.name).join(", ")}`;
  }

  // Mark what the last move touched, or all moves of the others since one's own, and read them to whoever cannot see the board.
  showLast(state, before) {
    const own = this.welcome.yours, { entries } = this.log;
    const since = own.length ? entries.findLastIndex(({ seat }) => own.includes(seat)) + 1 : entries.length;
    const marks = entries.slice(Math.min(since, entries.length - 1)).flatMap(({ label, n }) => {
      const touched = this.spots.list.filter((spot) => names(label, spot.name));
      return touched.map(({ points, region }) => ({ points, region, isNew: !before || n > before.n }));
    });
    this.played.draw(marks);
    if (!before || state.n <= before.n) return;
    const news = state.log.filter(({ seat }) => !own.includes(seat)).map(({ seat, label }) => `${this.seats[seat].name}: ${label}`);
    byId("news").textContent = news.join(". ");
  }

  showCurtain({ curtain }) {
    const isDown = curtain !== null && curtain !== undefined;
    const isLifted = !isDown && !byId("curtain").hidden;
    byId("curtain").hidden = !isDown;
    byId("main").inert = isDown;
    if (isLifted) byId("asked").focus();
    if (!isDown) return;
    const { name, letter } = this.seats[curtain];
    byId("curtain-words").replaceChildren(chipOf(this.seats[curtain]), ` ${name} is next. Nobody else should look.`);
    byId("show").textContent = `I am ${name} (${letter})`;
    byId("show").focus();
  }

  tell(words) {
    byId("told").textContent = words;
  }

  // One move at a time: a second click before the answer would be about a position that nobody has seen.
  move(action) {
    const { question, n } = this.state;
    if (!question || this.isWaiting) return;
    this.isWaiting = this.send({ type: "move", n, seat: question.seat, action: action.label });
    if (this.isWaiting) byId("question").setAttribute("aria-busy", "true");
    else this.tell("There is no connection to the server; nothing was done.");
  }

  askSpot(spot, tip) {
    this.tell(tip);
    if (this.state.question) this.ask({ spot });
  }

  ask(what) {
    this.send({ type: "why", n: this.state.n, seat: this.state.question.seat, ...what });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.state || document.querySelector("dialog[open]")) return;
    if (!byId("curtain").hidden || event.target.matches("input, select, textarea, #log")) return;
    if (event.key === "?") openDialog("help");
    else if (!this.spots.key(event) && !this.panel.key(event) && !this.watch.key(event)) return;
    event.preventDefault();
  }

  async playAgain() {
    const { settings, isSeparate } = ownGames()[this.id] ?? {};
    if (!settings || isSeparate) { // without its settings, or with people elsewhere: the form makes it
      location.assign(`/?game=${encodeURIComponent(this.welcome.game)}`);
      return;
    }
    try {
      location.assign(created(await post("/api/games", { ...settings, seed: null }), { ...settings, seed: null }));
    } catch (error) {
      this.tell(error.message);
    }
  }
}

const id = decodeURIComponent(location.pathname.split("/").pop());
new GamePage(id, tokensOf(location.hash));
// Another link to this game in the same tab: somebody else's seat.
window.addEventListener("hashchange", () => location.reload());
