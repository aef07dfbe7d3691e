// The lobby: houses to play at, and tables to join.

import { Card } from "../felt/card.js";
import { get, postOnce, query } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { OWN_HOUSE } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { go, Link } from "../shared/router.js";
import { ensurePlayer, loadPlayer, session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { OpenTable } from "./open_table.js";

/** @typedef {import("../../types/api").House} House */
/** @typedef {import("../../types/api").TableListing} TableListing */

/** How often the list of tables is refreshed, in milliseconds. */
const AGAIN = 5000;

/** How many tables one page of the list has. */
const PAGE = 100;

/** A straight in all four suits. */
const FAN = ["Ts", "Jh", "Qd", "Kc", "As"];

/** @param {{edge: number} | null | undefined} odds */
function edgeWords(odds) {
  return odds ? `${(100 * odds.edge).toFixed(2)}%` : "…";
}

/** Polls the list of public tables, as many pages of it as the player asked for. */
function usePublicTables() {
  const [tables, setTables] = useState(/** @type {TableListing[]} */ ([]));
  const [pages, setPages] = useState(1);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      const found = /** @type {TableListing[]} */ ([]);
      for (let page = 0; page < pages && found.length === page * PAGE; page++) {
        const after = page ? `?after=${found[found.length - 1].table}` : "";
        found.push(...(await get(`tables${after}`)));
      }
      if (wanted) setTables(found);
    };
    // A failed request is retried at the next interval.
    const lookUnlessHidden = () => document.hidden || look().catch(() => {});
    lookUnlessHidden();
    const timer = setInterval(lookUnlessHidden, AGAIN);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [pages]);
  return { tables, more: tables.length === pages * PAGE ? () => setPages(pages + 1) : null };
}

export function LobbyPage() {
  const me = useStore(session);
  const [houses, setHouses] = useState(/** @type {House[] | null} */ (null));
  const { tables, more } = usePublicTables();
  const [edges, setEdges] = useState(/** @type {Record<string, {edge: number}>} */ ({}));
  const [opening, setOpening] = useState(/** @type {House | null} */ (null));
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    document.title = "Tables · Croupier";
    // The player's seats may have changed since the page was loaded.
    loadPlayer().catch(showError);
    let wanted = true;
    get("houses").then(async (found) => {
      if (!wanted) return;
      setHouses(found);
      // In sequence: a sheet takes a moment to solve the first time, and is cached from then on.
      for (const house of found) {
        if (!wanted) return;
        const sheet = await query("odds", { house: house.id }).catch(() => null);
        if (sheet && wanted) setEdges((known) => ({ ...known, [house.id]: sheet.main }));
      }
    }, showError);
    return () => {
      wanted = false;
    };
  }, []);

  const playNow = async (/** @type {string} */ house) => {
    setBusy(true);
    try {
      await ensurePlayer();
      const { state } = await postOnce("play", { house });
      go(`/tables/${state.table}`);
    } catch (problem) {
      showError(problem);
    } finally {
      setBusy(false);
    }
  };

  return html`<main class="sheet lobby" id="main" tabindex="-1">
    <header class="welcome">
      <div>
        <h1>Sit down and play</h1>
        <p>Casino poker against the dealer: $1,000 in play chips, no account, exact odds, and a
          shuffle you can verify.</p>
        <button class="gold" disabled=${isBusy || !houses}
          onClick=${() => houses && playNow(houses[0].id)}>
          Play now
        </button>
      </div>
      <div class="fan" aria-hidden="true">
        ${FAN.map((card) => html`<${Card} key=${card} card=${card} />`)}
      </div>
    </header>
    <${OwnTables} seats=${me?.tables ?? []} opened=${me?.opened ?? []} />
    <section aria-labelledby="houses">
      <h2 id="houses">Houses</h2>
      <ul class="grid houses">
        ${(houses ?? Array(4).fill(null)).map(
          (house, place) => html`<${House} key=${house?.id ?? place} house=${house}
            edge=${house && edges[house.id]} onPlay=${playNow} onOpen=${setOpening}
            isBusy=${isBusy} />`,
        )}
      </ul>
    </section>
    <section aria-labelledby="tables">
      <h2 id="tables">Public tables</h2>
      ${tables.length === 0
        ? html`<p class="quiet">No tables are open yet. “Play now” opens one.</p>`
        : html`<${Listing} tables=${tables} edges=${edges} />`}
      ${more && html`<p><button onClick=${more}>Show more</button></p>`}
    </section>
    <${OpenTable} house=${opening} hide=${() => setOpening(null)} />
  </main>`;
}

/**
 * The tables where the player has a seat, and those that they opened and left.
 * @param {{seats: string[], opened: string[]}} props
 */
function OwnTables({ seats, opened }) {
  const left = opened.filter((table) => !seats.includes(table));
  const count = (/** @type {string[]} */ tables) =>
    tables.length === 1 ? "a table" : `${tables.length} tables`;
  /**
   * @param {string[]} tables
   * @param {string} look
   * @param {string} words
   */
  const links = (tables, look, words) =>
    tables.map(
      (table) => html`<${Link} key=${table} class=${look} href=${`/tables/${table}`}>
        ${tables.length === 1 ? words : `${words}: table ${table}`}
      <//>`,
    );
  return html`
    ${seats.length > 0 &&
    html`<p class="card-like row">
      You have a seat at ${count(seats)}. ${links(seats, "button gold", "Back to your seat")}
    </p>`}
    ${left.length > 0 &&
    html`<p class="card-like row">
      You opened ${count(left)} and left. ${links(left, "button", "Go back")}
    </p>`}`;
}

/** @param {{tables: TableListing[], edges: Record<string, {edge: number}>}} props */
function Listing({ tables, edges }) {
  const row = (/** @type {TableListing} */ it) => {
    const short = it.table.slice(0, 4);
    const verb = it.players + it.bots < it.seat_count ? "Join" : "Watch";
    const count = `${it.bots} ${it.bots === 1 ? "bot" : "bots"}`;
    const bots = it.bots > 0 && html`<span class="quiet">, ${count}</span>`;
    return html`<tr key=${it.table}>
      <th scope="row">${it.title || `Table ${short}`}</th>
      <td>${it.house_title}${it.paused ? " (paused)" : ""}
        ${it.own_house && html`<span class="mark">${OWN_HOUSE}</span>`}</td>
      <td class="number">${it.players + it.bots} of ${it.seat_count}${bots}</td>
      <td class="number">${money(it.ante_min)}–${money(it.ante_max)}</td>
      <td class="number">${it.own_house ? "–" : edgeWords(edges[it.house])}</td>
      <td class="number">
        <${Link} class="button" href=${`/tables/${it.table}`}
          aria-label=${`${verb} ${it.title || `table ${short}`}`}>${verb}<//>
      </td>
    </tr>`;
  };
  return html`<div class="scroll"><table class="listing">
    <thead><tr>
      <th scope="col">Table</th><th scope="col">House</th>
      <th scope="col" class="number">Seats taken</th>
      <th scope="col" class="number">Ante</th><th scope="col" class="number">Edge</th>
      <th scope="col"><span class="unseen">Join or watch</span></th>
    </tr></thead>
    <tbody>${tables.map(row)}</tbody>
  </table></div>`;
}

/** @param {number[]} numbers */
const either = (numbers) => numbers.join(", ").replace(/, (\d+)$/, " or $1");

/**
 * @param {object} props
 * @param {House | null} props.house
 * @param {{edge: number} | null | undefined} props.edge
 * @param {(house: string) => void} props.onPlay
 * @param {(house: House) => void} props.onOpen
 * @param {boolean} props.isBusy
 */
function House({ house, edge, onPlay, onOpen, isBusy }) {
  if (!house) return html`<li class="card-like house" aria-hidden="true"></li>`;
  const banked = house.banking.by === "house" ? "The house banks" : "Players take turns banking";
  return html`<li class="card-like house">
    <h3 class="house-name">${house.title}</h3>
    <dl class="facts">
      <div>
        <dt>Ante</dt>
        <dd>${money(house.limits.ante_min)} to ${money(house.limits.ante_max)}</dd>
      </div>
      <div>
        <dt>Edge</dt>
        <dd title="The share of each Ante that the bank keeps against perfect play">
          ${edgeWords(edge)}
        </dd>
      </div>
      <div><dt>Seats</dt><dd>${house.seats}</dd></div>
    </dl>
    <p class="quiet">${banked}; bet ${either(house.raises)} times the Ante before
      ${house.game === "uth" ? " the flop" : " the dealer shows"}.</p>
    <div class="row">
      <button class="gold" disabled=${isBusy} aria-label=${`Play now: ${house.title}`}
        onClick=${() => onPlay(house.id)}>Play now</button>
      <button aria-label=${`Open a table: ${house.title}`} onClick=${() => onOpen(house)}>
        Open a table…
      </button>
    </div>
  </li>`;
}
