// The live region: text that screen readers announce.

import { html } from "./html.js";
import { makeStore, useStore } from "./store.js";

const said = makeStore({ text: "", count: 0 });

/** @param {string} text */
export function announce(text) {
  if (text) said.set({ text, count: said.get().count + 1 });
}

/** The live region itself. Two areas take turns, so that repeated text is announced again. */
export function LiveRegion() {
  const { text, count } = useStore(said);
  return html`<div class="unseen" aria-live="polite" role="status" data-testid="live-region">
    <p>${count % 2 ? text : ""}</p>
    <p>${count % 2 ? "" : text}</p>
  </div>`;
}
