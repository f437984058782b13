// What is asked: the question and its reason, actions that have no place on the board, undo, the cards, and a line to type an action.
import { element } from "./board.js";
import { actionButton } from "./dialog.js";
import { sentence } from "./words.js";

const byId = (id) => document.getElementById(id);

export class QuestionPanel {
  // `chosen(action)`, `undo()`: what the buttons do; `refused(words)`: to tell what was wrong with a typed action.
  constructor({ chosen, undo, refused }) {
    Object.assign(this, { chosen, undo, refused, listed: [], question: null });
    byId("undo").addEventListener("click", undo);
    byId("type").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(byId("typed").value);
    });
  }

  // `words`: what to say if nothing is asked from here. `chip`: the seat that is asked, to stand before the words.
  show(question, words, chip) {
    this.question = question;
    const actions = question?.actions ?? [];
    this.listed = actions.filter((action) => action.spot === null || action.spot === undefined);
    byId("asked").replaceChildren(...(chip ? [chip, " "] : []), question?.words ?? words);
    byId("why").textContent = sentence(question?.why);
    byId("actions").replaceChildren(...this.listed.map((action, i) => actionButton(action, i, () => this.chosen(action))));
    byId("undo").hidden = !question;
    byId("undo").disabled = !question?.can_undo;
    byId("why-not-undo").textContent = question && !question.can_undo ? sentence(question.why_not_undo) : "";
    byId("type").hidden = !question;
    byId("typed").value = "";
    byId("labels").replaceChildren(...actions.map(({ label, note }) => element("option", { value: label }, note)));
    this.showCards(question?.cards ?? []);
    byId("question").classList.toggle("mine", Boolean(question));
  }

  showCards(cards) {
    byId("cards").hidden = !cards.length;
    const groups = new Map();
    for (const card of cards) groups.set(card.where, [...(groups.get(card.where) ?? []), card]);
    byId("card-list").replaceChildren(...[...groups].flatMap(([where, group]) => [
      element("h3", {}, where),
      element("ul", {}, ...group.map(({ name, price, text }) => element(
        "li", {}, element("strong", {}, name), ...(price ? [" ", element("span", { class: "price" }, price)] : []), text ? ` ${text}` : "",
      ))),
    ]));
  }

  // Carry out a typed action: its label, or the end of exactly one label, as in "r12c06".
  type(text) {
    const words = text.trim().toLowerCase(), actions = this.question?.actions ?? [];
    if (!words) return;
    const same = actions.filter(({ label }) => label.toLowerCase() === words);
    const found = same.length ? same : actions.filter(({ label }) => label.toLowerCase().endsWith(` ${words}`));
    if (found.length === 1) this.chosen(found[0]);
    else this.refused(found.length ? `Several actions end with "${text}": ${found.map(({ label }) => label).join(", ")}.` : null, text.trim());
  }

  // Whether the key chose a listed action or undid one.
  key(event) {
    if (!this.question) return false;
    const action = /^[1-9]$/.test(event.key) && this.listed[event.key - 1];
    if (action) this.chosen(action);
    else if (event.key === "u" && this.question.can_undo) this.undo();
    else if (event.key === "u") this.refused(sentence(this.question.why_not_undo));
    else return false;
    return true;
  }
}
