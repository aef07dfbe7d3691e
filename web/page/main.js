// The page: its header and dialogs, and the part of it that the URL selects.

import { LobbyPage } from "./lobby/lobby_page.js";
import { HelpDialog, useHelp } from "./shared/help.js";
import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./shared/html.js";
import { LiveRegion } from "./shared/live_region.js";
import { Notice, showError } from "./shared/notice.js";
import { Link, usePath } from "./shared/router.js";
import { loadPlayer } from "./shared/session.js";
import "./shared/settings.js";
import { Reminder } from "./table/reminder.js";
import { TablePage } from "./table/table_page.js";
import { TopBar } from "./top_bar.js";

/**
 * Loads a style sheet, once.
 * @param {string} name
 */
function loadStyle(name) {
  const href = new URL(`./styles/${name}`, import.meta.url).href;
  const links = [...document.querySelectorAll("link")];
  if (links.some((link) => link.href === href)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  });
}

/** Pages that few visits need. They are loaded on demand, after their style sheets. */
const LATER = /** @type {Record<string, () => Promise<any>>} */ ({
  help: () =>
    Promise.all([import("./help/help_page.js"), loadStyle("help.css")]).then(
      ([it]) => it.HelpPage,
    ),
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
  if (first === "") return html`<${LobbyPage} />`;
  if (first === "tables" && second) return html`<${TablePage} key=${second} table=${second} />`;
  if (Object.hasOwn(LATER, first)) {
    return html`<${Later} key=${path} load=${LATER[first]} table=${second} round=${third} />`;
  }
  return html`<main class="sheet" id="main" tabindex="-1">
    <section class="box empty-state">
      <h1>There's no page here</h1>
      <p class="quiet">The link may be old or mistyped. Your chips, your seats and your rounds are
        where they were.</p>
      <p><${Link} class="button gold" href="/">To the floor<//></p>
    </section>
  </main>`;
}

/** @param {{load: () => Promise<any>, [name: string]: any}} props */
function Later({ load, ...rest }) {
  const [It, setIt] = useState(/** @type {any} */ (null));
  useEffect(() => {
    // A component is a function, and a setter would call it.
    Promise.all([load(), loadStyle("pages.css")]).then(([found]) => setIt(() => found), showError);
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
  const help = useHelp();
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
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to main content</a>
    <${TopBar} path=${path} showHelp=${help.show} />
    ${wrong
      ? html`<main class="sheet" id="main" tabindex="-1">
          <section class="box empty-state misdeal">
            <p class="eyebrow">Something went wrong</p>
            <h1>A misdeal, on our side.</h1>
            <p class="quiet">The page can't be shown. No round was harmed: what you bet is with the
              table, and goes on where it was.</p>
            <p class="row">
              <button class="gold" onClick=${again}>Try again</button>
              <a class="button" href="/">To the floor</a>
            </p>
          </section>
        </main>`
      : html`<${Place} path=${path} />`}
    <${Notice}><${Reminder} /><//>
    <${HelpDialog} ...${help} />
    <${LiveRegion} />
  `;
}

render(html`<${Page} />`, /** @type {Element} */ (document.getElementById("page")));
