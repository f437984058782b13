// Small texts that several pages need.

export const LETTERS = "abcdefgh"; // of the seats, as on the board

export const timeWords = (milliseconds) => (milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`);

// The text form of an agent, shorter if its only option is a thinking time.
export const agentWords = (text) => text.replace(/^([\w.]+):milliseconds=(\d+)$/, (_, name, time) => `${name}, ${timeWords(Number(time))}`);

export const percent = (share) => `${Math.round(100 * share)} %`;

// A part of a sentence as a sentence; a place, such as r00c05, keeps its name.
export function sentence(words) {
  if (!words) return "";
  const first = /^[a-z]+\d/.test(words) ? words[0] : words[0].toUpperCase();
  return `${first}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}

export const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// The sentence about a finished game, from ranks (1 = best) and totals.
export function resultWords(seats, ranks, totals) {
  const winners = seats.map((_, i) => i).filter((i) => ranks[i] === 1);
  const names = listed(winners.map((i) => `${seats[i].name} (${seats[i].letter})`));
  const points = `${totals[winners[0]]} point${totals[winners[0]] === 1 ? "" : "s"}`;
  return winners.length === 1 ? `${names} wins with ${points}.` : `${names} share the win with ${points}.`;
}

// Whether the label of an action names this spot: a place by its name, with or without the verb before it, as in "house r12c06",
// "buy Gold" or "move r12c06 r12c07".
export const names = (label, spot) => label === spot || label.startsWith(`${spot} `) || ` ${label} `.includes(` ${spot} `);
