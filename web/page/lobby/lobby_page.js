// The lobby: the floor with a table of each house, the player's seats, and all public tables.

import { Sign } from "../felt/table_drawing.js";
import { isPlayerBanked, useHouses, usualTerms } from "../house/houses.js";
import { percent, useOdds } from "../house/odds.js";
import { postOnce } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { money } from "../shared/money.js";
import { OWN_HOUSE } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { go, Link } from "../shared/router.js";
import { ensurePlayer, loadPlayer, session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { FloorTable, Legend } from "./floor.js";
import { freeSeats, tableName, tableToPlay, usePublicTables, useTableStates } from "./tables.js";

/** @typedef {import("../../types/api").House} House */
/** @typedef {import("../../types/api").Me} Me */
/** @typedef {import("../../types/api").TableListing} TableListing */
/** @typedef {import("../../types/api").TableState} TableState */

/** The house where the player last sat down, so that "Play now" leads there again. */
const LAST = "croupier.house";

/** The number of houses that the page expects, so that nothing moves when they arrive. */
const EXPECTED = 4;

/** @returns {string | null} */
function lastHouse() {
  try {
    return localStorage.getItem(LAST);
  } catch {
    return null;
  }
}

/** @param {string} house */
function keepHouse(house) {
  try {
    localStorage.setItem(LAST, house);
  } catch {
    // A browser without storage starts at the first house again.
  }
}

/** @param {Me | null | undefined} me */
const greeting = (me) => (me && me.kind !== "guest" ? `Take a seat, ${me.name}.` : "Take a seat.");

export function LobbyPage() {
  const me = useStore(session);
  const houses = useHouses();
  const { tables, more } = usePublicTables();
  const [isOpening, setOpening] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useTitle("Tables");
  useEffect(() => {
    // The player's seats may have changed since the page was loaded.
    loadPlayer().catch(showError);
  }, []);

  const next = houses?.find(({ id }) => id === lastHouse()) ?? houses?.[0];
  const places = (houses ?? Array(EXPECTED).fill(null)).map((house) => ({
    house,
    table: house ? tableToPlay(tables ?? [], house.id) : undefined,
  }));
  const drawn = places.flatMap(({ table }) => table ?? []);
  const own = (me?.tables ?? []).map((table) => ({ table }));
  const left = (me?.opened ?? []).filter((table) => !me?.tables.includes(table));
  const states = useTableStates([...own, ...left.map((table) => ({ table })), ...drawn]);
  const all = houses ?? [];
  const termsOf = (/** @type {House} */ house) => usualTerms(house, all);
  const odds = useOdds(all.filter((it) => !isPlayerBanked(it)).map(termsOf));

  const play = async (/** @type {string} */ house) => {
    setBusy(true);
    try {
      await ensurePlayer();
      const { state } = await postOnce("play", { house });
      keepHouse(house);
      go(`/tables/${state.table}`);
    } catch (problem) {
      showError(problem);
    } finally {
      setBusy(false);
    }
  };
  const playNext = () => next && play(next.id);
  const seat = own[0]?.table;
  useKeys({
    enter: seat ? () => go(`/tables/${seat}`) : playNext,
    n: () => setOpening(true),
  });

  return html`<main class="sheet lobby" id="main" tabindex="-1">
    <header class="page-head">
      <div>
        <h1 class="display">${greeting(me)}</h1>
        <p class="lead">Casino poker for play money, with exact odds and a shuffle you can
          check.</p>
      </div>
      <div class="head-actions">
        <button class="large" onClick=${() => setOpening(true)}>Open a table <kbd>N</kbd></button>
        ${seat
          ? html`<${Link} class="button gold large" href=${`/tables/${seat}`}>
              Back to your seat at ${nameAt(states.get(seat))} <kbd>↵</kbd>
            <//>`
          : html`<button class="gold large" disabled=${isBusy || !next} onClick=${playNext}>
              Play now${next ? ` · ${next.title}` : ""} <kbd>↵</kbd>
            </button>`}
      </div>
    </header>
    <${OwnTables} seats=${own.slice(1).map(({ table }) => table)} left=${left} states=${states} />
    <section aria-labelledby="floor-title">
      <div class="section-head">
        <h2 id="floor-title" class="eyebrow">The floor</h2>
        <${Legend} />
      </div>
      <ul class="floor">
        ${places.map(
          ({ house, table }, place) => html`<${FloorTable} key=${house?.id ?? place} house=${house}
            table=${table} state=${table && states.get(table.table)}
            odds=${house && odds(termsOf(house))} isNext=${!seat && house === next}
            isBusy=${isBusy} onPlay=${play} />`,
        )}
      </ul>
    </section>
    <${PublicTables} tables=${tables} more=${more} houses=${houses ?? []} odds=${odds} />
    <${Help} />
    <${LateOpenTable} isOpen=${isOpening} houses=${houses ?? []} first=${next}
      hide=${() => setOpening(false)} />
  </main>`;
}

/**
 * The dialog that opens a table, which is loaded when it is first asked for.
 * @param {{isOpen: boolean, houses: House[], first: House | undefined, hide: () => void}} props
 */
function LateOpenTable(props) {
  const [It, setIt] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!props.isOpen) return;
    // A component is a function, and a setter would call it.
    import("./open_table.js").then(({ OpenTable }) => setIt(() => OpenTable), showError);
  }, [props.isOpen]);
  return It && html`<${It} ...${props} />`;
}

/** @param {TableState | undefined} state */
const nameAt = (state) => (state ? state.title || state.house_title : "your table");

/**
 * The other tables where the player has a seat, and those that they opened and left.
 * @param {{seats: string[], left: string[], states: Map<string, TableState>}} props
 */
function OwnTables({ seats, left, states }) {
  if (seats.length + left.length === 0) return null;
  const link = (/** @type {string} */ table, /** @type {string} */ words) => {
    const state = states.get(table);
    // Two tables of one house look alike without the beginning of their ids.
    const twins = [...seats, ...left].filter((it) => nameAt(states.get(it)) === nameAt(state));
    const which = twins.length > 1 ? `, ${tableName({ table })}` : "";
    return html`<${Link} key=${table} class="button" href=${`/tables/${table}`}>
      ${words} ${nameAt(state)}${which}
    <//>`;
  };
  return html`<section class="box own-tables" aria-labelledby="own-title">
    <h2 id="own-title" class="eyebrow">Your tables</h2>
    <div class="row">
      ${seats.map((table) => link(table, "Back to your seat at"))}
      ${left.map((table) => link(table, "Go back to"))}
    </div>
  </section>`;
}

/**
 * @param {object} props
 * @param {TableListing[] | null} props.tables
 * @param {(() => void) | null} props.more
 * @param {House[]} props.houses
 * @param {ReturnType<typeof useOdds>} props.odds
 */
function PublicTables({ tables, more, houses, odds }) {
  return html`<section aria-labelledby="tables-title">
    <h2 id="tables-title" class="eyebrow">Public tables</h2>
    ${!tables?.length &&
    html`<p class="box quiet-floor">
      ${tables
        ? "The floor is quiet: no public table is open. “Play now” opens one, and other players " +
          "can join you there."
        : "Looking for tables…"}
    </p>`}
    ${tables &&
    tables.length > 0 &&
    html`<ul class="table-list">
      ${tables.map((it) => {
        const house = houses.find(({ id }) => id === it.house);
        const edge =
          it.own_house || !house || isPlayerBanked(house)
            ? ""
            : `edge ${percent(odds(usualTerms(house, houses))?.main.edge)}`;
        return html`<${TableRow} key=${it.table} table=${it} edge=${edge} />`;
      })}
    </ul>`}
    ${more && html`<p><button onClick=${more}>Show more</button></p>`}
  </section>`;
}

/** @param {{table: TableListing, edge: string}} props */
function TableRow({ table, edge }) {
  const { players, bots } = table;
  const free = freeSeats(table);
  const verb = free > 0 ? "Join" : "Watch";
  const signs = [
    ...Array(players).fill("player"),
    ...Array(bots).fill("bot"),
    ...Array(free).fill("open"),
  ];
  const people = `${players} ${players === 1 ? "player" : "players"}`;
  const botWords = bots > 0 ? `, ${bots} ${bots === 1 ? "bot" : "bots"}` : "";
  return html`<li>
    <p class="table-name">
      <strong>${tableName(table)}</strong>
      <span>${table.house_title}${table.paused ? " (paused)" : ""}</span>
      ${table.own_house && html`<span class="mark">${OWN_HOUSE}</span>`}
    </p>
    <p class="table-seats">
      <span class="signs" aria-hidden="true">
        ${signs.map((kind, place) => html`<${Sign} key=${place} kind=${kind} />`)}
      </span>
      <span>${people}${botWords} · ${free} open</span>
    </p>
    <p class="table-terms">
      <span>Ante ${money(table.ante_min)}–${money(table.ante_max)}</span>
      <span>${table.player_banked ? "players bank" : edge}</span>
    </p>
    <${Link} class="button" href=${`/tables/${table.table}`}
      aria-label=${`${verb} ${tableName(table)}`}>${verb}<//>
  </li>`;
}

/** Where a newcomer finds help, and who the bots are. */
function Help() {
  return html`<ul class="lobby-help">
    <li class="box">
      <h2>New here?</h2>
      <p>A guided first hand takes two minutes: one idea at a time, on a real felt.</p>
      <${Link} class="button" href="/help#first-hand-uth">Play a guided hand<//>
    </li>
    <li class="box">
      <h2>Who are the bots?</h2>
      <p>Ada, Blaise, Carl and friends. Each is marked as a bot, bets the minimum and plays a
        published strategy. They leave with the last person.</p>
      <${Link} class="button" href="/help#bots">How they play<//>
    </li>
    <li class="box">
      <h2>Is it fair?</h2>
      <p>Every deck is fixed before you bet. After the round your browser can check it, card by
        card.</p>
      <${Link} class="button" href="/verify">Verify a round<//>
    </li>
  </ul>`;
}
