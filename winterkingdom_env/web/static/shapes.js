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

// Where a mark stands: in the middle, or in the upper right corner of a card, whose text must stay readable.
export function markPlace(points) {
  const { left, top, width, height } = boxOf(points), isCard = width > 1.3 * height;
  const radius = isCard ? Math.min(6, height / 4) : Math.min(width, height) / 5.5;
  return isCard ? { x: left + width - 1.6 * radius, y: top + 1.6 * radius, radius } : { x: left + width / 2, y: top + height / 2, radius };
}
