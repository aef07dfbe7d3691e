// What is said to those who listen to the page rather than look at it.

import { html } from "./html.js";
import { makeStore, useStore } from "./store.js";

const said = makeStore({ text: "", count: 0 });

/** @param {string} text */
export function say(text) {
  if (text) said.set({ text, count: said.get().count + 1 });
}

/** The place that a screen reader listens to. Two areas in turns, so that the same words are read twice. */
export function Speech() {
  const { text, count } = useStore(said);
  return html`<div class="unseen" aria-live="polite" role="status" data-testid="speech">
    <p>${count % 2 ? text : ""}</p>
    <p>${count % 2 ? "" : text}</p>
  </div>`;
}
