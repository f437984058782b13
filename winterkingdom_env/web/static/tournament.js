// A tournament while it runs and afterwards: ratings, who beats whom, games with their replays.
import { get } from "./api.js";
import { element } from "./board.js";

const byId = (id) => document.getElementById(id);
const RENEW = 2000; // milliseconds
const shown = new Map();

// Build a part of the page again only if its content differs: focus, selection and scrolling stay.
function renew(id, content, build) {
  const text = JSON.stringify(content);
  if (shown.get(id) === text) return;
  shown.set(id, text);
  const home = byId(id), scroller = home.parentElement, { scrollTop, scrollLeft } = scroller;
  home.replaceChildren(...build(content));
  Object.assign(scroller, { scrollTop, scrollLeft });
}

const head = (titles) => element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));

// The share of wins and its interval on a scale from 0 to 1, with a line at a half.
function interval({ low, middle, high, share_interval: words }) {
  const svg = element("svg", { viewBox: "0 0 160 18", class: "interval", role: "img", "aria-label": words }), x = (share) => 6 + 148 * share;
  const line = (x1, x2, y1, y2, kind = null) => svg.append(element("line", { x1: x(x1), x2: x(x2), y1, y2, class: kind }));
  if (!Number.isFinite(low) || !Number.isFinite(high)) return words ?? "";
  svg.append(element("title", {}, words));
  line(0, 1, 9, 9, "scale");
  line(0.5, 0.5, 1, 17, "scale");
  line(low, high, 9, 9);
  line(low, low, 4, 14);
  line(high, high, 4, 14);
  svg.append(element("circle", { cx: x(middle), cy: 9, r: 4 }));
  return svg;
}

function ladder(rungs) {
  const lines = rungs.map((rung) => element(
    "tr", {}, element("td", {}, rung.rank), element("th", { scope: "row" }, rung.agent), element("td", {}, element("strong", {}, rung.elo)),
    element("td", {}, rung.elo_interval), element("td", {}, rung.games), element("td", {}, rung.share), element("td", {}, interval(rung)),
    element("td", {}, rung.score), element("td", {}, rung.ms), element("td", {}, rung.forfeits),
  ));
  const titles = ["", "agent", "Elo", "interval", "games", "win share", "0 to 100 %", "mean score", "ms per move", "forfeits"];
  return [head(titles), element("tbody", {}, ...lines)];
}

function cross({ order, cross: rows }) {
  const lines = rows.map((row, i) => element("tr", {}, element("th", { scope: "row" }, order[i]), ...row.map((pair) => {
    if (!pair) return element("td", { class: "none" }, "");
    const cell = element("td", {}, pair.share, element("small", {}, pair.interval));
    cell.style.background = pair.colour;
    return cell;
  })));
  return [head(["", ...order]), element("tbody", {}, ...lines)];
}

function gameLines({ name, games }) {
  const seats = Math.max(1, ...games.map((game) => game.seats.length));
  const lines = games.map(({ id, seats: agents, scores, ranks, rounds, forfeit }) => {
    const source = `arena-${name}-${id}`, link = element("a", { href: `/replay/${encodeURIComponent(source)}` }, id);
    const word = ranks.filter((rank) => rank === 1).length > 1 ? " shares the win" : " wins";
    const cells = Array.from({ length: seats }, (_, i) => {
      if (i >= agents.length) return element("td");
      const isWinner = ranks[i] === 1 && !forfeit;
      return element("td", { class: isWinner ? "winner" : null }, `${agents[i]} `, element("strong", {}, scores[i]), isWinner ? word : "");
    });
    return element("tr", {}, element("th", { scope: "row" }, link), ...cells, element("td", {}, rounds), element("td", {}, forfeit ?? ""));
  });
  return [head(["game", ...Array.from({ length: seats }, (_, i) => `seat ${i}`), "rounds", "forfeit"]), element("tbody", {}, ...lines)];
}

function show(tournament) {
  const { name, title, players, played, planned, is_over: isOver, note, command, games, n_games: all } = tournament;
  document.title = `${name}: ${title}`;
  byId("title").textContent = name;
  byId("about").textContent = `${title} with ${players} players`;
  byId("state").textContent = isOver ? `All ${played} games are played.` : `${played} of ${planned} games are played.`;
  Object.assign(byId("progress"), { max: Math.max(1, planned), value: played });
  byId("note").textContent = note;
  byId("command").textContent = command;
  renew("ladder", tournament.ladder, ladder);
  renew("cross", { order: tournament.order, cross: tournament.cross }, cross);
  renew("games", { name, games }, gameLines);
  byId("more").textContent = all > games.length ? `The last ${games.length} of ${all} games.` : "";
  byId("main").hidden = false;
}

async function watch() {
  let isOver = false;
  try {
    const tournament = await get(`/api/tournaments/${location.pathname.split("/").pop()}`);
    byId("problem").textContent = "";
    show(tournament);
    isOver = tournament.is_over;
  } catch (error) {
    if (byId("main").hidden) byId("about").textContent = "";
    byId("problem").textContent = error.message;
    if (error.status === 404) return;
  }
  if (!isOver) setTimeout(watch, RENEW);
}

watch();
