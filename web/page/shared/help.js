// The help dialog: the keys, and a few words for newcomers.

import { Dialog } from "./dialog.js";
import { html, useState } from "./html.js";
import { KEYS, useKeys } from "./keys.js";

export function useHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeys({ "?": () => setOpen(true) });
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) };
}

/** @param {{isOpen: boolean, hide: () => void}} props */
export function HelpDialog({ isOpen, hide }) {
  return html`<${Dialog} isOpen=${isOpen} hide=${hide} title="Keys and help">
    <p>Croupier deals casino poker for play money: you never risk real money, and chips can't be
      bought or sold. Every rule and every number comes from the server, and you can verify every
      deck after its round.</p>
    <p>Alone at a table, or at a table without clocks, you have all the time you like, also while
      you read this. With other people, the clock is the gold line in front of you. If your time
      runs out, the table checks for you, or folds when you can't check. To pause, sit out: you
      keep your seat, and rounds go on without you.</p>
    <table>
      <thead><tr><th scope="col">Key</th><th scope="col">Action</th></tr></thead>
      <tbody>
        ${KEYS.map(([key, does]) => html`<tr><td><kbd>${key}</kbd></td><td>${does}</td></tr>`)}
      </tbody>
    </table>
  <//>`;
}
