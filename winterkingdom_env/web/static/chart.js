// A chart over the game: a line per seat, and a cursor at the frame that is shown. A click goes to a frame.
import { element } from "./board.js";

const LEFT = 38, RIGHT = 390, WIDTH = 400, MARGIN = 11;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 5"]; // so that lines that cross are told apart without their colours

export class Chart {
  // `rows`: for each frame a value per seat. `look`: {low, high, ticks, height, text}, text makes the word of a tick.
  constructor(figure, seats, rows, { low, high, ticks, height, text = String }, go) {
    this.last = rows.length - 1;
    const y = (value) => height - MARGIN - ((value - low) / (high - low)) * (height - 2 * MARGIN);
    const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": figure.textContent.trim() });
    const shown = ticks.filter((tick) => tick === low || tick === high || Math.min(y(low) - y(tick), y(tick) - y(high)) > 12);
    for (const tick of shown) {
      svg.append(element("line", { x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick), stroke: "#c3ced9" }));
      svg.append(element("text", { x: LEFT - 5, y: y(tick) + 4, "text-anchor": "end", "font-size": 11 }, text(tick)));
    }
    seats.forEach((seat, i) => {
      const path = rows.map((row, n) => `${n ? "L" : "M"}${this.x(n).toFixed(1)},${y(row[i]).toFixed(1)}`).join("");
      const line = { d: path, fill: "none", "stroke-linejoin": "round" };
      svg.append(element("path", { ...line, stroke: "#22303f", "stroke-width": 3.4 }));
      svg.append(element("path", { ...line, stroke: seat.colour, "stroke-width": 2.2, "stroke-dasharray": DASHES[i % DASHES.length] || null }));
    });
    this.cursor = element("line", { y1: 4, y2: height - 4, stroke: "#17202a", "stroke-width": 1.4 });
    svg.append(this.cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * WIDTH;
      go(Math.round(((x - LEFT) / (RIGHT - LEFT)) * this.last));
    });
    figure.prepend(svg);
  }

  x(n) {
    return LEFT + (n / Math.max(1, this.last)) * (RIGHT - LEFT);
  }

  mark(n) {
    this.cursor.setAttribute("x1", this.x(n));
    this.cursor.setAttribute("x2", this.x(n));
  }
}
