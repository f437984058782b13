// Beside the board: the points of every seat, and the log of the moves.
import { element } from "./board.js";

export function chipOf({ letter, colour, ink }) {
  const made = element("span", { class: "chip" }, letter);
  made.style.background = colour;
  made.style.color = ink;
  return made;
}

const sum = (row) => row.reduce((total, points) => total + points, 0);

export const totalsOf = (sheet) => sheet.map(sum);

export class SeatTable {
  // A column per seat: points by what pays, and their sum.
  constructor(table, seats, columns, yours) {
    this.heads = seats.map((seat, i) => element(
      "th", { scope: "col" }, chipOf(seat), element("small", {}, yours.includes(i) ? `${seat.name} (you)` : seat.name),
    ));
    this.states = seats.map(() => element("td"));
    this.totals = seats.map(() => element("td"));
    this.cells = columns.map(() => seats.map(() => element("td")));
    const row = (name, cells, kind = null) => element("tr", { class: kind }, element("th", { scope: "row" }, name), ...cells);
    table.replaceChildren(
      element("caption", { class: "unseen" }, "Points if the game ended now"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "points"), ...this.heads)),
      element("tbody", {}, ...columns.map((name, i) => row(name, this.cells[i])), row("total", this.totals, "total"), row("", this.states, "states")),
    );
  }

  show({ sheet, ranks, asked, is_over: isOver }) {
    sheet.forEach((points, seat) => {
      points.forEach((value, column) => {
        const cell = this.cells[column][seat];
        cell.textContent = value;
        cell.classList.toggle("nothing", value === 0);
      });
      const isFirst = ranks[seat] === 1, isAlone = ranks.filter((rank) => rank === 1).length === 1;
      this.totals[seat].textContent = sum(points);
      this.states[seat].textContent = isOver ? (isFirst ? (isAlone ? "wins" : "shares the win") : "") : isFirst && isAlone ? "leads" : "";
      this.heads[seat].classList.toggle("asked", seat === asked);
    });
  }
}

export class Log {
  constructor(list, seats) {
    Object.assign(this, { list, seats, entries: [] });
  }

  // Entries from `from` on are replaced by `entries`. A line per turn: the actions of one seat in one round.
  show(entries, from) {
    const list = this.list, isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 40;
    const isLonger = from === this.entries.length && from > 0;
    this.entries = [...this.entries.slice(0, from), ...entries];
    if (!isLonger) list.replaceChildren();
    for (let i = isLonger ? from : 0; i < this.entries.length; i += 1) this.add(this.entries[i], this.entries[i - 1]);
    if (isAtEnd || !isLonger) list.scrollTop = list.scrollHeight;
  }

  add(entry, before) {
    if (!before || before.seat !== entry.seat || before.round !== entry.round) {
      const { name } = this.seats[entry.seat];
      this.list.append(element("li", {}, chipOf(this.seats[entry.seat]), ` ${name}, round ${entry.round}: `, entry.label));
    } else this.list.lastChild.append(`, ${entry.label}`);
  }
}
