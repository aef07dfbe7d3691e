// A modal dialog, as browsers provide it: it keeps the focus, and Escape closes it.

import { html, useEffect, useRef } from "./html.js";
import { Notice } from "./notice.js";

/** @param {{isOpen: boolean, hide: () => void, title: string, children?: any}} props */
export function Dialog({ isOpen, hide, title, children }) {
  const dialog = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const element = /** @type {HTMLDialogElement | null} */ (dialog.current);
    if (!element) return;
    if (isOpen && !element.open) element.showModal();
    if (!isOpen && element.open) element.close();
  }, [isOpen]);
  const close = html`<button class="plain" aria-label="Close" onClick=${hide}>✕</button>`;
  // The rest of the page is behind the backdrop, so notes are shown in here.
  return html`<dialog ref=${dialog} onClose=${hide} aria-label=${title}>
    ${isOpen &&
    html`<div class="spread"><h2>${title}</h2>${close}</div>
      <${Notice} inDialog />
      ${children}`}
  </dialog>`;
}
