// The picture of a game: an <svg> for each of its regions, and in it a <g> for each part, which can be replaced.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "line", "text", "polygon", "circle", "rect", "title"]);
// An HTML or SVG element. Attributes that begin with "on" are listeners; null and false leave one out.
export function element(name, attributes = {}, ...children) {
  const made = DRAWN.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const ENLARGED = 1.3; // a column of cards beside a board: its text is smaller than the board's

// On the wide page a picture with two columns has a larger right one, whose text can be read beside the whole board.
function placed({ width, height, regions }) {
  const columns = [...new Set(regions.map(({ x }) => x))].sort((a, b) => a - b);
  const factor = columns.length === 2 ? ENLARGED : 1, split = columns.at(-1);
  const sheet = { width: split + (width - split) * factor, height };
  return regions.map((region) => ({ region, sheet, top: region.x === split ? region.y * factor : region.y, width: region.width * (region.x === split ? factor : 1) }));
}

export class Board {
  // `picture`: {width, height, regions: [{name, x, y, width, height}], parts: [{name, region}]}; `home`: the element to fill. On a wide
  // page the regions lie as on the sheet, on a narrow one below each other (page.css).
  constructor(home, picture, title) {
    const share = (part, whole) => `${(100 * part) / whole}%`;
    const places = placed(picture), { sheet } = places[0];
    home.style.setProperty("--shape", `${sheet.width} / ${sheet.height}`);
    const sheets = places.map(({ region, top, width: shown }) => {
      const { name, x, y, width, height } = region;
      const svg = element("svg", {
        viewBox: `${x} ${y} ${width} ${height}`, role: "img", "aria-label": `${title}: ${name}`, "data-region": name,
      });
      const style = { left: share(x, sheet.width), top: share(top, sheet.height), width: share(shown, sheet.width), own: `${width}px` };
      for (const [key, value] of Object.entries(style)) svg.style.setProperty(`--${key}`, value);
      const group = element("g", { fill: "none", "pointer-events": "none", "stroke-linejoin": "round", "stroke-linecap": "round" });
      svg.append(group);
      return { svg, group, region, bottom: y };
    });
    this.groups = picture.parts.map(({ name, region }) => {
      const group = element("g", { "data-part": name });
      sheets[region].group.append(group);
      return group;
    });
    home.replaceChildren(...sheets.map(({ svg }) => svg));
    this.sheets = sheets;
  }

  // Let each region end where its content does: on a narrow page nothing is left blank. It never shrinks, so that nothing jumps.
  fit() {
    for (const sheet of this.sheets) {
      const { svg, group, region } = sheet, { x, y, width, height } = region, box = group.getBBox();
      const bottom = Math.max(sheet.bottom, Math.min(y + height, box.y + box.height + 4));
      if (!box.height || bottom === sheet.bottom) continue;
      sheet.bottom = bottom;
      svg.setAttribute("viewBox", `${x} ${y} ${width} ${bottom - y}`);
    }
  }

  // Replace the content of a part by the text of SVG elements.
  set(part, text) {
    this.groups[part].innerHTML = text;
  }
}
