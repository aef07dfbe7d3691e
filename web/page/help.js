// The keys, and a few words for newcomers.

import { Dialog } from "./dialog.js";
import { html, useState } from "./html.js";
import { KEYS, useKeys } from "./keys.js";

export function useHelp() {
  const [isOpen, setOpen] = useState(location.pathname === "/help");
  useKeys({ "?": () => setOpen(true) });
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) };
}

/** @param {{isOpen: boolean, hide: () => void}} props */
export function HelpDialog({ isOpen, hide }) {
  return html`<${Dialog} isOpen=${isOpen} hide=${hide} title="Keys and help">
    <p>Croupier deals casino poker for play money: no coin of yours is ever at stake, and chips cannot be bought or sold.
      Every rule and every number comes from the server, and every deck can be checked when its round is over.</p>
    <table>
      <thead><tr><th scope="col">Key</th><th scope="col">Does</th></tr></thead>
      <tbody>${KEYS.map(([key, does]) => html`<tr><td><kbd>${key}</kbd></td><td>${does}</td></tr>`)}</tbody>
    </table>
  <//>`;
}
