// The live region: text that screen readers announce.

import { html } from "./html.js";
import { makeStore, useStore } from "./store.js";

const said = makeStore({ text: "", count: 0 });

/** Texts that come this close together are one announcement, in milliseconds. */
const TOGETHER = 50;

let last = -TOGETHER;

/** @param {string} text */
export function announce(text) {
  if (!text) return;
  const { text: before, count } = said.get();
  const isMore = performance.now() - last < TOGETHER;
  last = performance.now();
  said.set(isMore ? { text: `${before} ${text}`, count } : { text, count: count + 1 });
}

/** The live region itself. Two areas take turns, so that repeated text is announced again. */
export function LiveRegion() {
  const { text, count } = useStore(said);
  return html`<div class="unseen" aria-live="polite" role="status" data-testid="live-region">
    <p>${count % 2 ? text : ""}</p>
    <p>${count % 2 ? "" : text}</p>
  </div>`;
}
