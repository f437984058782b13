// Geometry of the polygons on the board, in units of the sheet.

export function boxOf(points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const left = Math.min(...xs), top = Math.min(...ys);
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

// The polygon, smaller by `by` on every side.
export function inset(points, by) {
  const { left, top, width, height } = boxOf(points), x0 = left + width / 2, y0 = top + height / 2;
  const sx = Math.max(0.1, 1 - (2 * by) / width), sy = Math.max(0.1, 1 - (2 * by) / height);
  return points.map(([x, y]) => [x0 + (x - x0) * sx, y0 + (y - y0) * sy]);
}

export const asText = (points) => points.map((point) => point.map((value) => value.toFixed(1)).join()).join(" ");

const isCard = ({ width, height }) => width > 1.3 * height;

// Where a mark stands: in the middle, or in the upper right corner of a card, whose text must stay readable.
export function markPlace(points) {
  const box = boxOf(points), { left, top, width, height } = box;
  if (!isCard(box)) return { x: left + width / 2, y: top + height / 2, radius: Math.min(width, height) / 5.5 };
  const radius = Math.min(6, height / 5);
  return { x: left + width - 0.8 * radius, y: top + 0.8 * radius, radius };
}

// The same for a mark with a text, which is larger and stands inside.
export function textPlace(points) {
  const box = boxOf(points), { left, top, width } = box, { x, y, radius } = markPlace(points), size = Math.max(8, radius * 2.1);
  return isCard(box) ? { x: left + width - size, y: top + size, size } : { x, y, size };
}

// The ring of a place lies inside it, that of a card on its edge.
export function ringOf(points) {
  const box = boxOf(points);
  return asText(inset(points, isCard(box) ? 1 : Math.min(box.width, box.height) * 0.07 + 0.8));
}
