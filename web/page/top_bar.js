// The bar on top of every page: where to go, the player's chips, help, and the account.

import { Suit } from "./felt/card_art.js";
import { html, useEffect, useState } from "./shared/html.js";
import { useKeys } from "./shared/keys.js";
import { money } from "./shared/money.js";
import { Link } from "./shared/router.js";
import { practiceChips, session } from "./shared/session.js";
import { useStore } from "./shared/store.js";
import { placeName } from "./shared/title.js";

/** The places of the menu. On a wide screen the avatar leads to the account. */
const PLACES = [
  { href: "/", name: "Play", icon: "M4 5h16v5a8 9 0 0 1-16 0ZM9 5v2.5h6V5" },
  { href: "/history", name: "History", icon: "M12 7.5V12l3 2M4.5 8A8.5 8.5 0 1 1 3.6 13M4 4v4h4" },
  {
    href: "/help",
    name: "How to play",
    icon: "M12 6.5C10 5 7 4.7 4 5v13c3-.3 6 0 8 1.5 2-1.5 5-1.8 8-1.5V5c-3-.3-6 0-8 1.5Zm0 0v13",
  },
  {
    href: "/settings",
    name: "Settings",
    icon: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5",
  },
  {
    href: "/account",
    name: "Account",
    icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
    isOnlyOnPhones: true,
  },
];

/** @param {{path: string, showHelp: () => void}} props */
export function TopBar({ path, showHelp }) {
  const me = useStore(session);
  const table = useStore(placeName);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useEffect(close, [path]);
  useKeys({ escape: isOpen ? close : null });
  const isTable = path.startsWith("/tables/");
  const place = isTable ? "/" : path.replace(/^\/rounds\/.*/, "/history");
  const current = (/** @type {string} */ href) => (href === place ? "page" : undefined);
  return html`<header class="bar ${isTable ? "at-table" : ""}">
    <${Link} class="back button plain" href="/" aria-label="Back to the tables">
      <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="M15 5l-7 7 7 7" /></svg>
    <//>
    <${Link} class="brand" href="/" aria-label="Croupier: all tables">
      <${Suit} suit="c" /><span class="name">Croupier</span>
      <span class="table-name" aria-hidden="true">${table || "Croupier"}</span>
    <//>
    <nav id="places" aria-label="Menu" class=${isOpen ? "open" : ""}>
      ${PLACES.map(
        ({ href, name, icon, isOnlyOnPhones }) => html`<${Link} key=${href} href=${href}
          class=${isOnlyOnPhones ? "only-phone" : ""} aria-current=${current(href)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>${name}
        <//>`,
      )}
    </nav>
    <${Purse} chips=${me?.chips} />
    <button class="plain keys" aria-label="Keys and help" onClick=${showHelp}>
      <span class="round" aria-hidden="true">?</span>
    </button>
    ${me &&
    html`<${Link} class="avatar" href="/account" aria-current=${current("/account")}
      aria-label=${`Your account: ${me.name}`} title=${me.name}>
      <span class="round" aria-hidden="true">${initial(me.name)}</span>
    <//>`}
    ${me === null &&
    html`<${Link} class="avatar log-in" href="/account" aria-current=${current("/account")}>
      Log in
    <//>`}
    <button class="plain menu" aria-expanded=${isOpen} aria-controls="places" aria-label="Menu"
      onClick=${() => setOpen(!isOpen)}>
      <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16" />
      </svg>
    </button>
  </header>`;
}

/**
 * @param {string} name
 * @returns {string} its first letter, which may take more than one code unit
 */
const initial = (name) => ([...name][0] ?? "").toUpperCase();

/**
 * The player's chips, or those of the practice table on screen.
 * @param {{chips: number | undefined}} props
 */
function Purse({ chips }) {
  const practice = useStore(practiceChips);
  const shown = practice ?? chips;
  return html`<p class="purse" data-testid="chips">
    ${shown === undefined
      ? html`<span class="quiet">play money</span>`
      : html`<svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="9.5" /><circle class="spots" cx="10" cy="10" r="8" />
        </svg>
        ${practice === null
          ? html`<span class="unseen">Your chips: </span>`
          : html`<span class="label">Practice</span>`}
        <span key=${shown}>${money(shown)}</span>`}
  </p>`;
}
