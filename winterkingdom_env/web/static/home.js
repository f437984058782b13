// The first page: a new game, the games of this server, tournaments, records to open.
import { get, post, upload } from "./api.js";
import { element } from "./board.js";
import { lists } from "./lists.js";
import { addressOf, created } from "./kept.js";
import { OptionForm } from "./optionform.js";
import { SeatForm } from "./seatform.js";

const byId = (id) => document.getElementById(id);
const RENEW = 5000; // milliseconds between two looks at the lists

class NewGame {
  constructor(about) {
    this.about = about;
    this.seats = new SeatForm(byId("seats"), about.milliseconds, () => this.update());
    this.options = new OptionForm(byId("options"));
    const wanted = new URLSearchParams(location.search).get("game");
    const first = about.games.find((game) => game.name === wanted) ?? about.games[0];
    byId("games").append(...about.games.map((game) => this.pick("game", game.title, game === first, () => this.choose(game))));
    byId("surprise").addEventListener("click", () => this.attempt(() => this.surprise()));
    byId("usual").addEventListener("click", () => this.options.set({}));
    byId("new").addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt(() => this.start());
    });
    this.choose(first);
  }

  pick(name, title, checked, chosen) {
    return element("label", {}, element("input", { type: "radio", name, checked, onchange: chosen }), ` ${title}`);
  }

  choose(game) {
    this.game = game;
    this.players = game.players.includes(this.players) ? this.players : game.players[0];
    byId("players").replaceChildren(...game.players.map((n) => this.pick("players", n, n === this.players, () => this.seat(n))));
    this.options.show(game.options);
    this.seat(this.players);
  }

  seat(players) {
    this.players = players;
    this.seats.show(this.game.agents, players);
    this.update();
  }

  update() {
    const { people } = this.seats;
    byId("place").hidden = people < 2;
    byId("start").textContent = people ? "Play" : "Watch";
    byId("hint").textContent = people ? "" : "Nobody plays: the agents do, and you watch.";
    byId("links").hidden = true;
  }

  async surprise() {
    const { options } = await get(`/api/surprise?game=${encodeURIComponent(this.game.name)}&players=${this.players}`);
    this.options.set(options);
  }

  // Empty: at random. JavaScript rounds larger numbers, so they would be other seeds.
  seed() {
    const { value, validity } = byId("seed"), seed = Number(value);
    if (value === "" && !validity.badInput) return null;
    if (value === "" || !Number.isSafeInteger(seed) || seed < 0) throw new Error(`A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
    return seed;
  }

  async start() {
    const seats = this.seats.value();
    const settings = { game: this.game.name, options: this.options.value(), seed: this.seed(), seats, from: null };
    const isSeparate = this.seats.people > 1 && document.querySelector("[name=place]:checked").value === "own";
    // The kernels of a game are compiled when it is first played on this machine.
    byId("hint").textContent = "Setting up the game. Its first use takes about a minute.";
    const made = await post("/api/games", settings).finally(() => { byId("hint").textContent = ""; });
    const address = created(made, settings, isSeparate);
    if (!isSeparate) location.assign(address);
    else this.showLinks(made, seats);
  }

  // A link per person; whoever has it sits there.
  showLinks(made, seats) {
    const lines = Object.entries(made.tokens).map(([seat, token]) => {
      const link = new URL(addressOf(made.id, { [seat]: token }), location.href).href;
      const input = element("input", { type: "text", readonly: true, value: link, "aria-label": `link of ${seats[seat].person}` });
      const copy = element("button", { type: "button" }, "Copy");
      copy.addEventListener("click", async () => {
        input.select();
        // Pages that are not on localhost or https have no clipboard: the link is selected, at least.
        await navigator.clipboard?.writeText(link).then(() => { copy.textContent = "Copied"; }, () => {});
      });
      return element("p", { class: "row" }, element("strong", {}, seats[seat].person), input, copy, element("a", { href: link }, "open"));
    });
    const links = byId("links");
    links.replaceChildren(element("h3", { tabindex: -1 }, "The game is ready. Send each person their link:"), ...lines);
    links.hidden = false;
    links.firstChild.focus();
  }

  async attempt(act) {
    byId("problem").textContent = "";
    byId("start").disabled = true;
    try {
      await act();
    } catch (error) {
      byId("problem").textContent = error.message;
    }
    byId("start").disabled = false;
  }
}

async function open(file) {
  if (!file) return;
  byId("file-problem").textContent = "Reading the record ...";
  try {
    const { source } = await upload("/api/records", file);
    location.assign(`/replay/${encodeURIComponent(source)}`);
  } catch (error) {
    byId("file-problem").textContent = error.message;
    byId("file-problem").scrollIntoView({ block: "nearest" });
  }
  byId("file").value = ""; // so that the same file can be chosen again
}

function listenForFiles() {
  const hasFile = (event) => event.dataTransfer?.types.includes("Files");
  const show = (is) => { byId("drop").hidden = !is; };
  byId("file").addEventListener("change", () => open(byId("file").files[0]));
  document.addEventListener("dragover", (event) => { if (hasFile(event)) { event.preventDefault(); show(true); } });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) show(false); });
  document.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    show(false);
    open(event.dataTransfer.files[0]);
  });
}

listenForFiles();
get("/api/about").then((about) => {
  byId("about").textContent = `Play, watch and study board games. Version ${about.version}.`;
  new NewGame(about);
}).catch((error) => { byId("problem").textContent = error.message; });

lists();
setInterval(() => { if (!document.hidden) lists(); }, RENEW);
