// What an agent thought: a table of its best actions, and the win probability of every seat.
import { element } from "./board.js";
import { chipOf } from "./seats.js";
import { agentWords, percent } from "./words.js";

function bar(share) {
  const filled = element("span", { class: "filled" });
  filled.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, filled);
}

function rated(weight, text) {
  if (weight === null || weight === undefined) return [text ?? ""];
  return [bar(weight), ` ${text ?? percent(weight)}`];
}

// `seats`: with letter, colour and ink. Returns elements to show below each other.
export function thoughtViews(thoughts, seats) {
  const { rows, words, value_words: valueWords, milliseconds, line } = thoughts;
  const hasValues = rows.some((row) => row.value !== null && row.value !== undefined);
  const head = element(
    "p", {}, chipOf(seats[thoughts.seat]), ` ${agentWords(thoughts.agent)}`,
    milliseconds ? element("span", { class: "soft" }, `, took ${Math.round(milliseconds)} ms`) : "",
  );
  const titles = ["action", words || "rating", ...(hasValues ? [valueWords || "value"] : [])];
  const lines = rows.map(({ label, weight, value, text }) => element(
    "tr", {}, element("th", { scope: "row" }, label), element("td", {}, ...rated(weight, text)),
    ...(hasValues ? [element("td", {}, valued(value, valueWords))] : []),
  ));
  const table = element(
    "table", { class: "thoughts" },
    element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))), element("tbody", {}, ...lines),
  );
  const plan = line?.length ? [element("p", { class: "soft" }, `Its plan: ${line.join(", ")}`)] : [];
  const views = rows.length ? [element("div", { class: "wide" }, table)] : [element("p", { class: "soft" }, "It gives no reasons for this action.")];
  return [head, ...views, ...plan, ...(thoughts.odds ? [oddsView(thoughts.odds, seats)] : [])];
}

const valued = (value, words) => {
  if (value === null || value === undefined) return "";
  return words === "points" ? `${Math.round(10 * value) / 10}` : percent(value);
};

// The win probability of each seat as a part of one bar.
export function oddsView(odds, seats) {
  const parts = odds.map((share, i) => {
    const part = element("span", { title: `${seats[i].letter}: ${percent(share)}` }, share > 0.12 ? `${seats[i].letter} ${percent(share)}` : "");
    part.style.width = `${100 * share}%`;
    part.style.background = seats[i].colour;
    part.style.color = seats[i].ink;
    return part;
  });
  const words = odds.map((share, i) => `${seats[i].letter} ${percent(share)}`).join(", ");
  return element("div", { class: "odds" }, element("p", {}, "Win probability"), element("div", { class: "share", role: "img", "aria-label": words }, ...parts));
}
