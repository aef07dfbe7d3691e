// Selects the page by the URL, so that every page has a link that can be shared.

import { html, useEffect, useState } from "./html.js";

/** @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  dispatchEvent(new Event("popstate"));
  scrollTo(0, 0);
}

/** @returns {string} the URL's path */
export function usePath() {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const look = () => setPath(location.pathname);
    addEventListener("popstate", look);
    return () => removeEventListener("popstate", look);
  }, []);
  return path;
}

/**
 * A link that does not reload the page.
 * @param {{href: string, children?: any, [name: string]: any}} props
 */
export function Link({ href, children, ...rest }) {
  /** @param {MouseEvent} event */
  const follow = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(href);
  };
  return html`<a href=${href} onClick=${follow} ...${rest}>${children}</a>`;
}
