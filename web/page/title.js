// What the browser writes on the tab.

import { useEffect } from "./html.js";

/** @param {string} title of the page; none for that of the whole */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Croupier` : "Croupier";
  }, [title]);
}
