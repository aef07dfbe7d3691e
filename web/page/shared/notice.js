// A note at the edge of the page: an error with its remedy, or good news.

import { Problem } from "./api.js";
import { html, useEffect } from "./html.js";
import { makeStore, useStore } from "./store.js";

/** @typedef {{text: string, kind: "bad" | "good"}} Note */

const notice = makeStore(/** @type {Note | null} */ (null));

/** How many open dialogs show the notes. */
const inDialogs = makeStore(0);

/** How long a note is shown, in milliseconds. An error takes longer to read than good news. */
const SHOWN = { bad: 8000, good: 4000 };

/** Remedies for problems whose text only names the problem. */
const REMEDIES = /** @type {Record<string, string>} */ ({
  "insufficient-chips": "Bet less, or ask for more chips.",
  "session-over": "Log in again on your account page.",
  "not-logged-in": "Log in on your account page, or play as a guest.",
  "moved-on": "Look at the table and decide again.",
  "betting-closed": "Your bets stay where they are for the next round.",
  "no-answer": "Nothing is lost: the table will be just as you left it.",
  "house-closed": "Choose another game.",
  "no-such-table": "It may have closed, or it may need an invitation: use the full link.",
});

/** @param {unknown} error */
export function showError(error) {
  if (!(error instanceof Problem)) {
    console.error(error);
    showRefusal("Something went wrong. Reload the page: nothing is lost.");
    return;
  }
  const faults = error.faults.map(sentence).join(" ");
  showRefusal([sentence(error.message), faults, REMEDIES[error.code]].filter(Boolean).join(" "));
}

/** @param {string} text why something was not done */
export function showRefusal(text) {
  notice.set({ text, kind: "bad" });
}

/** @param {string} text */
export function showNote(text) {
  notice.set({ text, kind: "good" });
}

/** @param {string} text */
export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/**
 * The place for notes, on the page or in an open dialog.
 * @param {{inDialog?: boolean, children?: any}} props
 */
export function Notice({ inDialog = false, children }) {
  const note = useStore(notice);
  const isElsewhere = useStore(inDialogs) > 0 && !inDialog;
  useEffect(() => {
    if (!inDialog) return undefined;
    inDialogs.set(inDialogs.get() + 1);
    return () => inDialogs.set(inDialogs.get() - 1);
  }, []);
  useEffect(() => {
    if (!note) return undefined;
    const timer = setTimeout(() => notice.set(null), SHOWN[note.kind]);
    return () => clearTimeout(timer);
  }, [note]);
  const shown = (/** @type {Note["kind"]} */ kind) =>
    note?.kind === kind &&
    !isElsewhere &&
    html`<p class="notice ${kind}">
      <span>${note.text}</span>
      <button type="button" class="plain" aria-label="Close this note"
        onClick=${() => notice.set(null)}>✕</button>
    </p>`;
  // For screen readers, an error interrupts and good news waits.
  return html`<div class=${inDialog ? "notice-here" : "notice-place"}>
    <div role="alert">${shown("bad")}</div>
    <div role="status">${shown("good")}</div>
    ${children}
  </div>`;
}
