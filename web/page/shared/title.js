// The title of the browser tab, and of the bar on a phone.

import { useEffect } from "./html.js";
import { makeStore } from "./store.js";

/** What is on screen; empty for the site itself. */
export const placeName = makeStore("");

/** @param {string} title of the page; empty for the site's title */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Croupier` : "Croupier";
    placeName.set(title);
  }, [title]);
}
