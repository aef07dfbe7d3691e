// The keys, and a few words for newcomers.

import { html, useEffect, useRef, useState } from "./html.js";
import { settings } from "./settings.js";

/** The same in the terminal. */
export const KEYS = [
  ["4 3 2 1", "Bet so many times the Ante"],
  ["C", "Check"],
  ["F", "Fold"],
  ["D or Enter", "Deal: wager what is in the circles"],
  ["R", "The bets of the last round again"],
  ["X", "Double the bets"],
  ["Z or Backspace", "Clear the bets"],
  ["+ and −", "More or less on the Ante"],
  ["T", "Trips or Pair Plus on or off"],
  ["H", "Hint: what each choice is worth, exactly"],
  ["B", "Take the bank, where a player has it"],
  ["P", "Pass the bank on"],
  ["?", "This list"],
];

/** Tells whether keys are meant for a field rather than for the table. */
export function isTyping(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLElement} */ (event.target);
  return !settings.get().keys || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || document.querySelector("dialog[open]") !== null;
}

export function useHelp() {
  const [isOpen, setOpen] = useState(location.pathname === "/help");
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "?" && !isTyping(event)) setOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) };
}

/** @param {{isOpen: boolean, hide: () => void}} props */
export function HelpDialog({ isOpen, hide }) {
  return html`<${Dialog} isOpen=${isOpen} hide=${hide} title="Keys and help">
    <p>Croupier deals casino poker for play money: no coin of yours is ever at stake, and chips cannot be bought or sold.
      Every rule and every number comes from the server, and every deck can be checked when its round is over.</p>
    <table>
      <thead><tr><th scope="col">Key</th><th scope="col">Does</th></tr></thead>
      <tbody>${KEYS.map(([key, does]) => html`<tr><td><kbd>${key}</kbd></td><td>${does}</td></tr>`)}</tbody>
    </table>
  <//>`;
}

/**
 * A window of its own, as browsers have them: it keeps the focus, and Escape closes it.
 * @param {{isOpen: boolean, hide: () => void, title: string, children?: any}} props
 */
export function Dialog({ isOpen, hide, title, children }) {
  const dialog = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const element = /** @type {HTMLDialogElement | null} */ (dialog.current);
    if (!element) return;
    if (isOpen && !element.open) element.showModal();
    if (!isOpen && element.open) element.close();
  }, [isOpen]);
  return html`<dialog ref=${dialog} onClose=${hide} aria-label=${title}>
    ${isOpen && html`<div class="spread"><h2>${title}</h2><button class="plain" aria-label="Close" onClick=${hide}>✕</button></div>${children}`}
  </dialog>`;
}
