// The options of a game as a form, from what /api/about says of them. Values are text, as on the command line.
import { element } from "./board.js";

const NOTHING = "none";
let made = 0; // for the ids that join labels and inputs

function field(option, input, ...more) {
  const id = `option-${(made += 1)}`, note = `${id}-note`;
  input.id = id;
  input.setAttribute("aria-describedby", note);
  const isGroup = input.getAttribute("role") === "group";
  const name = element(isGroup ? "span" : "label", { for: isGroup ? null : id, class: "name" }, option.name.replaceAll("_", " "));
  return element("div", { class: "option" }, name, input, ...more, element("small", { id: note }, option.meaning));
}

// Each kind returns {made, get, set}: the element, and its value as text.
const KINDS = {
  flag(option) {
    const input = element("input", { type: "checkbox" });
    return { made: field(option, input), get: () => `${input.checked}`, set: (text) => { input.checked = text === "true"; } };
  },

  number(option) {
    const input = element("input", { type: "number", step: 1 });
    const set = (text) => { input.value = text === NOTHING ? "" : text; };
    const get = () => {
      if (input.validity.badInput) throw new Error(`The ${option.name.replaceAll("_", " ")} must be a whole number.`);
      return input.value || (option.may_be_none ? NOTHING : option.default);
    };
    return { made: field(option, input), get, set };
  },

  one(option) {
    const input = element("select"), known = new Set();
    const add = (value) => {
      if (!known.has(value)) input.append(element("option", { value }, value === NOTHING ? option.nothing : value || "as printed"));
      known.add(value);
    };
    if (option.may_be_none) add(NOTHING);
    option.values.forEach(add);
    const set = (text) => { add(text); input.value = text; };
    return { made: field(option, input), get: () => input.value, set };
  },

  // Several values, in the order in which they are ticked, because for some options the order counts.
  several(option) {
    const boxes = new Map(), told = element("p", { class: "chosen", role: "status" });
    const group = element("div", { class: "boxes", role: "group", "aria-label": option.name.replaceAll("_", " ") });
    let chosen = [];
    const show = () => {
      for (const [value, box] of boxes) {
        box.checked = chosen.includes(value);
        box.disabled = !box.checked && chosen.length >= option.most;
      }
      told.textContent = chosen.length ? `Chosen: ${chosen.join(", ")}` : `None of up to ${option.most} chosen: ${option.nothing}`;
    };
    const add = (value) => {
      if (boxes.has(value)) return;
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        chosen = box.checked ? [...chosen, value] : chosen.filter((other) => other !== value);
        show();
      });
      boxes.set(value, box);
      group.append(element("label", {}, box, ` ${value}`));
    };
    option.values.filter((value) => value !== NOTHING).forEach(add);
    const set = (text) => {
      chosen = text === NOTHING || text === "" ? [] : text.split(",");
      chosen.forEach(add);
      show();
    };
    const empty = ["", NOTHING].includes(option.default) ? option.default : option.may_be_none ? NOTHING : "";
    return { made: field(option, group, told), get: () => chosen.join(",") || empty, set };
  },
};

export class OptionForm {
  constructor(home) {
    this.home = home;
    this.fields = new Map();
  }

  show(options) {
    this.fields = new Map(options.map((option) => {
      const kind = option.kind === "values" ? (option.most > 1 ? "several" : "one") : option.kind;
      return [option.name, { option, ...KINDS[kind](option) }];
    }));
    this.home.replaceChildren(...[...this.fields.values()].map(({ made }) => made));
    this.set({});
  }

  // Set these options, and all others to their defaults.
  set(texts) {
    for (const [name, { option, set }] of this.fields) set(texts[name] ?? option.default);
  }

  // The options that differ from their defaults.
  value() {
    const all = [...this.fields].map(([name, { option, get }]) => [name, get(), option.default]);
    return Object.fromEntries(all.filter(([, text, usual]) => text !== usual).map(([name, text]) => [name, text]));
  }
}
