// Marks that cannot be clicked: how much an agent likes a place, and what the last move touched. A layer above the board.
import { element } from "./board.js";
import { asText, inset, textPlace } from "./shapes.js";
import { names } from "./words.js";

export class Marks {
  // `home`: the element that a Board filled. `kind`: the class of the layer.
  constructor(home, kind) {
    this.layers = [...home.querySelectorAll("svg")].map((svg) => {
      const layer = element("g", { class: kind, "pointer-events": "none", "aria-hidden": "true" });
      svg.append(layer);
      return layer;
    });
  }

  // `marks`: [{points, region, weight: 0..1 or null, text, isNew}]; without a text, an outline only. What is new is shown moving.
  draw(marks) {
    this.layers.forEach((layer) => layer.replaceChildren());
    for (const { points, region, weight, text, isNew } of marks) {
      const shape = asText(inset(points, 1));
      const group = element("g", { class: isNew ? "mark new" : "mark" }, element("polygon", { points: shape, class: "dark" }), element("polygon", { points: shape, class: "light" }));
      if (text) {
        const { x, y, size } = textPlace(points);
        const disc = element("circle", { cx: x, cy: y, r: size * 0.85, "fill-opacity": 0.45 + 0.55 * (weight ?? 1) });
        group.append(disc, element("text", { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle" }, text));
      }
      this.layers[region]?.append(group);
    }
  }
}

// The marks of an agent's thoughts: best first, with the percentage, or the place in the order if there is none. A row stands on its own
// points, or on its spot, or on those that its label names. Only the best of several on one place.
export function thoughtMarks(thoughts, spots = []) {
  const taken = new Set(), best = Math.max(...thoughts.rows.map((row) => row.weight ?? 0));
  return thoughts.rows.flatMap(({ label, spot, weight, points, region }, i) => {
    const places = points ? [{ points, region: region ?? 0 }] : spots.filter(({ name }) => (spot ? name === spot : names(label, name)));
    const free = places.filter((place) => !taken.has(asText(place.points)));
    free.forEach((place) => taken.add(asText(place.points)));
    const isKnown = weight !== null && weight !== undefined, text = isKnown ? `${Math.round(100 * weight)}` : `${i + 1}`;
    return free.map((place) => ({ ...place, weight: isKnown ? weight / (best || 1) : 1 - i / thoughts.rows.length, text }));
  });
}
