// The title of the browser tab.

import { useEffect } from "./html.js";

/** @param {string} title of the page; empty for the site's title */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Croupier` : "Croupier";
  }, [title]);
}
