// The page: its header and dialogs, and the part of it that the URL selects.

import { LobbyPage } from "./lobby/lobby_page.js";
import { HelpDialog, useHelp } from "./shared/help.js";
import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./shared/html.js";
import { LiveRegion } from "./shared/live_region.js";
import { money } from "./shared/money.js";
import { Notice, showError } from "./shared/notice.js";
import { Link, usePath } from "./shared/router.js";
import { loadPlayer, practiceChips, session } from "./shared/session.js";
import "./shared/settings.js";
import { useStore } from "./shared/store.js";
import { Reminder } from "./table/reminder.js";
import { TablePage } from "./table/table_page.js";

const PLACES = [
  { href: "/", name: "Tables" },
  { href: "/history", name: "History" },
  { href: "/account", name: "Account" },
  { href: "/settings", name: "Settings" },
];

/** Pages that few visits need. They are loaded on demand. */
const LATER = /** @type {Record<string, () => Promise<any>>} */ ({
  history: () => import("./account/history_page.js").then((it) => it.HistoryPage),
  rounds: () => import("./round/round_page.js").then((it) => it.RoundPage),
  verify: () => import("./round/verify_page.js").then((it) => it.VerifyPage),
  account: () => import("./account/account_page.js").then((it) => it.AccountPage),
  settings: () => import("./account/settings_page.js").then((it) => it.SettingsPage),
});

/** @param {string} part of a URL, which may have been mistyped */
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
    <h1>Page not found</h1>
    <p><${Link} href="/">Back to the tables<//></p>
  </main>`;
}

/** @param {{load: () => Promise<any>, [name: string]: any}} props */
function Later({ load, ...rest }) {
  const [It, setIt] = useState(/** @type {any} */ (null));
  useEffect(() => {
    // A component is a function, and a setter would call it.
    load().then((found) => setIt(() => found), showError);
  }, [load]);
  return It
    ? html`<${It} ...${rest} />`
    : html`<main class="sheet" id="main" tabindex="-1"></main>`;
}

/** @param {Event} event */
function skip(event) {
  // The URL's fragment may be an invitation, so it can't become #main.
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
    loadPlayer().catch(showError);
  }, []);
  // Another page clears the error and starts with the focus at its beginning.
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
    <a class="skip" href="#main" onClick=${skip}>Skip to main content</a>
    <header class="bar">
      <${Link} class="brand" href="/" aria-label="Croupier: all tables">
        <span aria-hidden="true">♣</span> Croupier
      <//>
      <button class="plain menu" aria-expanded=${isOpen} aria-controls="places" aria-label="Menu"
        onClick=${() => setOpen(!isOpen)}>☰</button>
      <nav id="places" aria-label="Menu" class=${isOpen ? "open" : ""}
        onClick=${() => setOpen(false)}>
        ${PLACES.map(
          ({ href, name }) =>
            html`<${Link} href=${href} aria-current=${href === place ? "page" : undefined}>
              ${name}
            <//>`,
        )}
      </nav>
      <p class="purse" data-testid="chips">
        ${practice !== null
          ? html`<span class="label">Practice</span> <span key=${practice}>
              ${money(practice)}
            </span>`
          : me
          ? html`<span class="unseen">Your chips: </span>
            <span key=${me.chips}>${money(me.chips)}</span>`
          : html`<span class="quiet">play money</span>`}
      </p>
      <button class="plain" aria-label="Keys and help" onClick=${help.show}>?</button>
    </header>
    ${wrong
      ? html`<main class="sheet" id="main"><h1>Something went wrong</h1>
          <p>Nothing is lost: the table is just as you left it.</p>
          <button class="gold" onClick=${again}>Try again</button></main>`
      : html`<${Place} path=${path} />`}
    <${Notice} />
    <${Reminder} />
    <${HelpDialog} ...${help} />
    <${LiveRegion} />
  `;
}

render(html`<${Page} />`, /** @type {Element} */ (document.getElementById("page")));
