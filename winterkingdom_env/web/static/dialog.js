// Dialogs: a small menu beside what was clicked, and the help. Escape closes both, and the focus returns to where it was.
import { element } from "./board.js";

// Let somebody choose one of several actions. `anchor`: the element beside which the menu opens; `chosen(action)`.
export function menu(anchor, actions, chosen) {
  const dialog = element("dialog", { class: "menu", "aria-label": "choose one" });
  const close = () => { dialog.close(); };
  const pick = (action) => {
    close();
    chosen(action);
  };
  dialog.append(...actions.map((action, i) => actionButton(action, i, () => pick(action))));
  dialog.addEventListener("keydown", (event) => {
    const buttons = [...dialog.children], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
    else if (actions[event.key - 1]) pick(actions[event.key - 1]);
    if (event.key !== "Escape" && event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") event.preventDefault();
    event.stopPropagation();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const box = anchor.getBoundingClientRect(), { width, height } = dialog.getBoundingClientRect();
  dialog.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 4))}px`;
  dialog.style.top = `${box.bottom + height + 8 < innerHeight ? box.bottom + 4 : Math.max(4, box.top - height - 4)}px`;
}

// A button for an action, with its note, and the digit that chooses it.
export function actionButton({ label, note }, i, onclick) {
  const made = element("button", { type: "button", class: "action", onclick });
  if (i < 9) made.append(element("kbd", {}, `${i + 1}`), " ");
  made.append(element("span", {}, label));
  if (note) made.append(element("small", {}, note));
  return made;
}

export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog.open) dialog.showModal();
}
