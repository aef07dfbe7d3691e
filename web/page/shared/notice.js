// A note at the edge of the page: an error with its remedy, or good news.

import { Problem } from "./api.js";
import { html, useEffect } from "./html.js";
import { makeStore, useStore } from "./store.js";

/** @typedef {{text: string, kind: "bad" | "good"}} Note */

const notice = makeStore(/** @type {Note | null} */ (null));

/** Remedies for problems whose text only names the problem. */
const REMEDIES = /** @type {Record<string, string>} */ ({
  "insufficient-chips": "Bet less, or ask for chips on your account page.",
  "session-over": "Log in again on your account page.",
  "not-logged-in": "Log in on your account page, or play as a guest.",
  "moved-on": "Look at the table and decide again.",
  "betting-closed": "Your bets stay where they are for the next round.",
  "no-answer": "Nothing is lost: the table will be just as you left it.",
  "house-closed": "Choose another house.",
  "no-such-table": "It may have closed, or it may need an invitation: use the full link.",
});

/** @param {unknown} error */
export function showError(error) {
  if (!(error instanceof Problem)) {
    console.error(error);
    notice.set({ text: "Something went wrong. Reload the page: nothing is lost.", kind: "bad" });
    return;
  }
  const faults = error.faults.map(sentence).join(" ");
  const text = [sentence(error.message), faults, REMEDIES[error.code]].filter(Boolean).join(" ");
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

export function Notice() {
  const note = useStore(notice);
  useEffect(() => {
    if (!note) return undefined;
    const timer = setTimeout(() => notice.set(null), 8000);
    return () => clearTimeout(timer);
  }, [note]);
  const shown = (/** @type {Note["kind"]} */ kind) =>
    note?.kind === kind &&
    html`<p class="notice ${kind}">
      <span>${note.text}</span>
      <button class="plain" aria-label="Close this note" onClick=${() => notice.set(null)}>
        ✕
      </button>
    </p>`;
  // For screen readers, an error interrupts and good news waits.
  return html`<div class="notice-place">
    <div role="alert">${shown("bad")}</div>
    <div role="status">${shown("good")}</div>
  </div>`;
}
