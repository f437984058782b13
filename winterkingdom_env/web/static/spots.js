// The places and cards that can be chosen: a layer above the board. Legal ones have a white ring and a disc, so that neither colour nor
// shape can be taken for a piece. One of them is in the tab order; arrow keys go to the others.
import { element } from "./board.js";
import { asText, markPlace, ringOf } from "./shapes.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Spots {
  // `home`: the element that a Board filled. `chosen(actions, element)`: somebody chose a legal spot; `asked(name, tip)`: another one.
  constructor(home, { chosen, asked }) {
    Object.assign(this, { home, chosen, asked, list: [], legal: [] });
    this.layers = [...home.querySelectorAll("svg")].map((svg) => {
      svg.setAttribute("role", "group"); // an image has no parts for a screen reader
      const layer = element("g", { class: "spots" });
      svg.append(layer);
      return layer;
    });
    home.onclick = (event) => this.click(event); // instead of that of an earlier connection
  }

  // Spots of the position, legal or not, that are new or have changed, and the names of those that are gone.
  change(spots, gone) {
    this.isLost ||= this.home.contains(document.activeElement);
    const old = new Set([...gone, ...spots.map((spot) => spot.name)]);
    for (const spot of this.list) if (old.has(spot.name)) spot.made.remove();
    this.list = [...this.list.filter((spot) => !old.has(spot.name)), ...spots.map((spot) => this.make(spot))];
    this.byElement = new Map(this.list.map((spot) => [spot.made, spot]));
  }

  clear() {
    this.change([], this.list.map((spot) => spot.name));
  }

  make(spot) {
    const area = element("polygon", { points: asText(spot.points), class: "area" });
    const made = element("g", { class: "spot" }, area);
    if (spot.tip) area.append(element("title", {}, spot.tip));
    this.layers[spot.region].append(made);
    return { ...spot, made, actions: [] };
  }

  // Mark the spots of these actions. Whoever was on a spot comes to the nearest one, now or when there are some again.
  offer(actions) {
    const active = document.activeElement, isIdle = active === document.body || active.id === "asked";
    const isOn = this.home.contains(active) || (this.isLost && isIdle);
    const bySpot = grouped(actions);
    for (const spot of this.list) {
      const offered = bySpot.get(spot.name) ?? [];
      if (offered.length || spot.actions.length) this.mark(spot, offered);
    }
    this.legal = this.list.filter((spot) => spot.actions.length);
    this.isLost = isOn && !this.legal.length;
    if (!this.legal.length) return;
    const last = this.last;
    this.rove(last ? nearest(this.legal, (spot) => distance(this.centre(spot), last)) : this.legal[0]);
    if (isOn) this.current.made.focus();
  }

  mark(spot, actions) {
    spot.actions = actions;
    const { made, points } = spot, isLegal = actions.length > 0;
    made.classList.toggle("legal", isLegal);
    while (made.children.length > 1) made.lastChild.remove();
    for (const name of ["role", "tabindex", "aria-label"]) made.removeAttribute(name);
    if (!isLegal) return;
    const ring = ringOf(points), { x, y, radius } = markPlace(points);
    made.append(
      element("polygon", { points: ring, class: "dark" }), element("polygon", { points: ring, class: "light" }),
      element("circle", { cx: x, cy: y, r: radius }),
    );
    const notes = actions.map(({ label, note }) => (note ? `${label} (${note})` : label)).join(", or ");
    made.setAttribute("role", "button");
    made.setAttribute("tabindex", "-1");
    made.setAttribute("aria-label", spot.tip ? `${notes}: ${spot.tip}` : notes);
  }

  rove(spot) {
    if (this.current?.actions.length) this.current.made.setAttribute("tabindex", "-1");
    this.current = spot;
    this.last = this.centre(spot);
    spot.made.setAttribute("tabindex", "0");
  }

  centre(spot) {
    const box = spot.made.firstChild.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  click(event) {
    const spot = this.byElement?.get(event.target.closest(".spot"));
    if (!spot) return;
    if (spot.actions.length) {
      this.rove(spot);
      this.chosen(spot.actions, spot.made);
    } else this.asked(spot.name, spot.tip || tipBelow(event));
  }

  // Whether the key was for the spots.
  key(event) {
    const step = DIRECTIONS[event.key], isOn = this.legal.some((spot) => spot.made === document.activeElement);
    if (!this.legal.length) return false;
    if (step) {
      if (isOn) this.go(step);
      else this.current.made.focus();
      return true;
    }
    if (isOn && (event.key === "Enter" || event.key === " ")) {
      this.chosen(this.current.actions, this.current.made);
      return true;
    }
    return false;
  }

  // To the nearest legal spot in a direction; what lies straight ahead counts as nearer.
  go([dx, dy]) {
    const [x, y] = this.centre(this.current);
    const far = (spot) => {
      const [sx, sy] = this.centre(spot), along = (sx - x) * dx + (sy - y) * dy, aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
      return spot === this.current || along < 1 || aside > 2 * along ? Infinity : along + 2 * aside;
    };
    const best = nearest(this.legal, far);
    if (far(best) === Infinity) return;
    this.rove(best);
    best.made.focus();
  }
}

const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

const nearest = (list, far) => list.reduce((best, one) => (far(one) < far(best) ? one : best));

function grouped(actions) {
  const groups = new Map();
  for (const action of actions) groups.set(action.spot, [...(groups.get(action.spot) ?? []), action]);
  return groups;
}

// What the picture under a spot says, for spots without words of their own.
function tipBelow(event) {
  const below = document.elementsFromPoint(event.clientX, event.clientY);
  return below.map((one) => one.querySelector?.(":scope > title")?.textContent).find(Boolean) ?? "";
}
