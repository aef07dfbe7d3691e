// The page: what is always there, and which part of it the address asks for.

import { AccountPage } from "./account.js";
import { HelpDialog, useHelp } from "./help.js";
import { HistoryPage } from "./history.js";
import { html, render, useEffect, useErrorBoundary } from "./html.js";
import { LobbyPage } from "./lobby.js";
import { money } from "./money.js";
import { complain, Notice } from "./notice.js";
import { Reminder } from "./reminder.js";
import { RoundPage } from "./round.js";
import { Link, usePath } from "./router.js";
import { lookUp, session } from "./session.js";
import "./settings.js";
import { SettingsPage } from "./settings_page.js";
import { Speech } from "./speech.js";
import { useStore } from "./store.js";
import { TablePage } from "./table.js";
import { VerifyPage } from "./verify.js";

const PLACES = [
  { href: "/", name: "Tables" },
  { href: "/history", name: "History" },
  { href: "/account", name: "Account" },
  { href: "/settings", name: "Settings" },
];

/** @param {{path: string}} props */
function Place({ path }) {
  const [, first, second, third] = path.split("/").map(decodeURIComponent);
  switch (first) {
    case "":
      return html`<${LobbyPage} />`;
    case "tables":
      return html`<${TablePage} key=${second} table=${second} />`;
    case "history":
      return html`<${HistoryPage} />`;
    case "rounds":
      return html`<${RoundPage} key=${path} table=${second} round=${third} />`;
    case "verify":
      return html`<${VerifyPage} />`;
    case "account":
      return html`<${AccountPage} />`;
    case "settings":
      return html`<${SettingsPage} />`;
    default:
      return html`<main class="sheet"><h1>There is nothing here</h1><p><${Link} href="/">Back to the tables<//></p></main>`;
  }
}

function Page() {
  const path = usePath();
  const me = useStore(session);
  const help = useHelp();
  const [wrong, again] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    lookUp().catch(complain);
  }, []);
  const isHere = (/** @type {string} */ href) =>
    href === "/" ? path === "/" || path.startsWith("/tables/") : path.startsWith(href) || (href === "/history" && path.startsWith("/rounds/"));
  return html`
    <a class="skip" href="#main">Skip to the table</a>
    <header class="bar">
      <${Link} class="brand" href="/" aria-label="Croupier, to the tables"><span aria-hidden="true">♣</span> Croupier<//>
      <nav aria-label="Places">
        ${PLACES.map(({ href, name }) => html`<${Link} href=${href} aria-current=${isHere(href) ? "page" : undefined}>${name}<//>`)}
      </nav>
      <p class="purse" data-testid="chips">
        ${me ? html`<span class="unseen">Your chips: </span>${money(me.chips)}` : html`<span class="quiet">play money</span>`}
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
