// The lists of the first page: one's own games, running and finished ones, tournaments.
import { get } from "./api.js";
import { element } from "./board.js";
import { addressOf, ownGames } from "./kept.js";
import { agentWords, LETTERS, listed } from "./words.js";

const titleOf = ({ title, agents }) => `${title}: ${agents.map(agentWords).join("; ")}`;

const shown = new Map(); // the text of what each list was made from

function fill(id, content, line, empty) {
  const section = document.getElementById(id), text = JSON.stringify(content);
  section.hidden = empty === null && !content.length;
  if (shown.get(id) === text) return; // so that the focus stays
  shown.set(id, text);
  section.querySelector("ul").replaceChildren(...(content.length ? content.map(line) : [element("li", { class: "soft" }, empty ?? "")]));
}

const ago = (seconds) => {
  const minutes = Math.floor(Date.now() / 60000 - seconds / 60);
  if (minutes < 1) return "just begun";
  if (minutes < 60) return `begun ${minutes} min ago`;
  return minutes < 2880 ? `begun ${Math.floor(minutes / 60)} h ago` : `begun ${Math.floor(minutes / 1440)} days ago`;
};

const counted = (moves) => `${moves} move${moves === 1 ? "" : "s"}`;

function gameLine({ game, links }) {
  const { agents, round, moves, is_over: isOver, winners, begun } = game;
  const won = winners.map((i) => `${agentWords(agents[i])} (${LETTERS[i]})`);
  const how = isOver ? `${listed(won)} won, ${counted(moves)}` : `${round ? `round ${round}, ` : ""}${counted(moves)}, ${ago(begun)}`;
  return element("li", {}, ...links.flatMap(([name, href]) => [element("a", { href }, name), " "]), element("span", { class: "soft" }, how));
}

// A game of one screen is one link; otherwise a link for each person.
function ownLinks(game, { tokens, settings, isSeparate }) {
  if (!isSeparate) return [[titleOf(game), addressOf(game.id, tokens)]];
  const seats = Object.entries(tokens).filter(([seat]) => seat !== "c");
  return seats.map(([seat, token], i) => {
    const name = settings?.seats[seat]?.person ?? game.agents[seat];
    return [i ? `as ${name}` : `${game.title} as ${name}`, addressOf(game.id, { [seat]: token })];
  });
}

function showGames(games) {
  const own = ownGames();
  const isOwn = (game) => own[game.id] && !game.is_over;
  const entry = (game, href) => ({ game, links: [[titleOf(game), href]] });
  fill("own", games.filter(isOwn).map((game) => ({ game, links: ownLinks(game, own[game.id]) })), gameLine, null);
  const running = games.filter((game) => !game.is_over && !isOwn(game)).map((game) => entry(game, addressOf(game.id, {})));
  fill("running", running, gameLine, "No other game is running.");
  const finished = games.filter((game) => game.is_over).map((game) => entry(game, `/replay/game-${encodeURIComponent(game.id)}`));
  fill("finished", finished, gameLine, "No game is finished yet.");
}

const tournamentLine = ({ name, title, agents, played, planned }) => element(
  "li", {}, element("a", { href: `/tournament/${encodeURIComponent(name)}` }, name), " ",
  element("span", { class: "soft" }, `${title}: ${agents.map(agentWords).join("; ")}; ${played} of ${planned} games`),
);

export async function lists() {
  try {
    const [{ games }, { tournaments }] = await Promise.all([get("/api/games"), get("/api/tournaments")]);
    showGames(games);
    fill("tournaments", tournaments, tournamentLine, "None. winterkingdom arena plays them.");
  } catch (error) {
    fill("running", [error.message], (words) => element("li", { class: "problem" }, words));
  }
}
