// What this browser remembers: the games of its user with their tokens, and the user's name. Without storage it forgets.

const GAMES = "winterkingdom.games", NAME = "winterkingdom.name", MOST = 200;

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // No storage: the address still has the tokens.
  }
}

export const ownGames = () => read(GAMES, {});
export const ownName = () => read(NAME, "");
export const keepName = (name) => write(NAME, name);

// `game`: {tokens: {"0": TOKEN, "c": TOKEN}, settings: what was sent to create it, isSeparate: a link per person}. An earlier entry
// stays unless it lacks one of the tokens: whoever created the game knows more about it.
export function keepGame(id, game) {
  const games = ownGames(), before = games[id];
  if (before && Object.keys(game.tokens).every((seat) => before.tokens[seat] === game.tokens[seat])) return;
  delete games[id];
  const entries = [...Object.entries(games), [id, { ...before, ...game, tokens: { ...before?.tokens, ...game.tokens } }]];
  write(GAMES, Object.fromEntries(entries.slice(-MOST)));
}

// The tokens stand in the fragment, which browsers do not send: they are in no log of the server.
export function addressOf(id, tokens) {
  const secrets = Object.entries(tokens).map(([seat, token]) => `${seat}.${token}`);
  return `/game/${encodeURIComponent(id)}${secrets.length ? `#${secrets.join(",")}` : ""}`;
}

export function tokensOf(fragment) {
  const pairs = fragment.replace(/^#/, "").split(",").map((pair) => pair.split("."));
  return Object.fromEntries(pairs.filter(([seat, token]) => /^(\d+|c)$/.test(seat) && token));
}

// Remember a game that the server made ({id, tokens, control}), and return its address.
export function created(made, settings, isSeparate = false) {
  const tokens = { ...made.tokens, ...(made.control && { c: made.control }) };
  keepGame(made.id, { tokens, settings, isSeparate });
  return addressOf(made.id, tokens);
}
