// The page: what is always there, and which part of it the address asks for.

import { HelpDialog, useHelp } from "./help.js";
import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./html.js";
import { LobbyPage } from "./lobby.js";
import { money } from "./money.js";
import { complain, Notice } from "./notice.js";
import { Reminder } from "./reminder.js";
import { Link, usePath } from "./router.js";
import { lookUp, practiceChips, session } from "./session.js";
import "./settings.js";
import { Speech } from "./speech.js";
import { useStore } from "./store.js";
import { TablePage } from "./table.js";

const PLACES = [
  { href: "/", name: "Tables" },
  { href: "/history", name: "History" },
  { href: "/account", name: "Account" },
  { href: "/settings", name: "Settings" },
];

/** What few visits need is loaded when it is asked for. */
const LATER = /** @type {Record<string, () => Promise<any>>} */ ({
  history: () => import("./history.js").then((it) => it.HistoryPage),
  rounds: () => import("./round.js").then((it) => it.RoundPage),
  verify: () => import("./verify.js").then((it) => it.VerifyPage),
  account: () => import("./account.js").then((it) => it.AccountPage),
  settings: () => import("./settings_page.js").then((it) => it.SettingsPage),
});

/** @param {string} part of an address, which somebody may have mistyped */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {{path: string}} props */
function Place({ path }) {
  const [, first, second, third] = path.split("/").map(decoded);
  if (first === "" || first === "help") return html`<${LobbyPage} />`;
  if (first === "tables" && second) return html`<${TablePage} key=${second} table=${second} />`;
  if (Object.hasOwn(LATER, first)) {
    return html`<${Later} key=${path} load=${LATER[first]} table=${second} round=${third} />`;
  }
  return html`<main class="sheet" id="main" tabindex="-1">
    <h1>There is nothing here</h1>
    <p><${Link} href="/">Back to the tables<//></p>
  </main>`;
}

/** @param {{load: () => Promise<any>, [name: string]: any}} props */
function Later({ load, ...rest }) {
  const [It, setIt] = useState(/** @type {any} */ (null));
  useEffect(() => {
    // A component is a function, which a setter would call.
    load().then((found) => setIt(() => found), complain);
  }, [load]);
  return It ? html`<${It} ...${rest} />` : html`<main class="sheet" id="main" tabindex="-1"></main>`;
}

/** @param {Event} event */
function skip(event) {
  // The address may have an invitation in the place of a name.
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Page() {
  const path = usePath();
  const me = useStore(session);
  const help = useHelp();
  const practice = useStore(practiceChips);
  const [isOpen, setOpen] = useState(false);
  const [wrong, again] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    lookUp().catch(complain);
  }, []);
  // Another page is another try, and begins where it begins.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      again();
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [path]);
  const place = path.replace(/^\/tables\/.*/, "/").replace(/^\/rounds\/.*/, "/history");
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the table</a>
    <header class="bar">
      <${Link} class="brand" href="/" aria-label="Croupier, to the tables">
        <span aria-hidden="true">♣</span> Croupier
      <//>
      <button class="plain menu" aria-expanded=${isOpen} aria-controls="places" aria-label="Places"
        onClick=${() => setOpen(!isOpen)}>☰</button>
      <nav id="places" aria-label="Places" class=${isOpen ? "open" : ""} onClick=${() => setOpen(false)}>
        ${PLACES.map(
          ({ href, name }) => html`<${Link} href=${href} aria-current=${href === place ? "page" : undefined}>${name}<//>`,
        )}
      </nav>
      <p class="purse" data-testid="chips">
        ${practice !== null
          ? html`<span class="label">Practice</span> <span key=${practice}>${money(practice)}</span>`
          : me
          ? html`<span class="unseen">Your chips: </span><span key=${me.chips}>${money(me.chips)}</span>`
          : html`<span class="quiet">play money</span>`}
      </p>
      <button class="plain" aria-label="Keys and help" onClick=${help.show}>?</button>
    </header>
    ${wrong
      ? html`<main class="sheet" id="main"><h1>This page has stumbled</h1>
          <p>Nothing is lost: what was on the table is still there.</p>
          <button class="gold" onClick=${again}>Show it again</button></main>`
      : html`<${Place} path=${path} />`}
    <${Notice} />
    <${Reminder} />
    <${HelpDialog} ...${help} />
    <${Speech} />
  `;
}

render(html`<${Page} />`, /** @type {Element} */ (document.getElementById("page")));
