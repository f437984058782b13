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

export class Board {
  // `picture`: {width, height, regions: [{name, x, y, width, height}], parts: [{name, region}]}; `home`: the element to fill. On a wide
  // page the regions lie as on the sheet, on a narrow one below each other (page.css).
  constructor(home, picture, title) {
    const share = (part, whole) => `${(100 * part) / whole}%`;
    home.style.setProperty("--shape", `${picture.width} / ${picture.height}`);
    const sheets = picture.regions.map((region) => {
      const { name, x, y, width, height } = region;
      const svg = element("svg", {
        viewBox: `${x} ${y} ${width} ${height}`, role: "img", "aria-label": `${title}: ${name}`, "data-region": name,
      });
      const places = { left: share(x, picture.width), top: share(y, picture.height), width: share(width, picture.width), own: `${width}px` };
      for (const [key, value] of Object.entries(places)) svg.style.setProperty(`--${key}`, value);
      const group = element("g", { fill: "none", "pointer-events": "none", "stroke-linejoin": "round", "stroke-linecap": "round" });
      svg.append(group);
      return { svg, group };
    });
    this.groups = picture.parts.map(({ name, region }) => {
      const group = element("g", { "data-part": name });
      sheets[region].group.append(group);
      return group;
    });
    home.replaceChildren(...sheets.map(({ svg }) => svg));
  }

  // Replace the content of a part by the text of SVG elements.
  set(part, text) {
    this.groups[part].innerHTML = text;
  }
}
