// All rounds that the player has played: cards, decisions and results, with filters and totals.

import { Cards } from "../felt/card.js";
import { useHouses } from "../house/houses.js";
import { html, useMemo, useState } from "../shared/html.js";
import { money, signed, tone } from "../shared/money.js";
import { decisionWords, moment } from "../shared/names.js";
import { Link } from "../shared/router.js";
import { session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { ALL, filtered, keyOf, totals, useMyRounds, usePlayed } from "./my_rounds.js";

/** @typedef {import("./my_rounds.js").MyRound} MyRound */
/** @typedef {import("./my_rounds.js").Played} Played */
/** @typedef {import("./my_rounds.js").Filter} Filter */
/** @typedef {import("../../types/api").House} House */

/** How many rows are shown at first, and with each press of "Show more". */
const ROWS = 50;

const GAMES = /** @type {[string, string][]} */ ([
  ["", "Both games"],
  ["uth", "Hold'em"],
  ["utcp", "Three Card"],
]);
const PERIODS = /** @type {[string, string][]} */ ([
  ["", "Any time"],
  ["today", "Today"],
  ["week", "Last 7 days"],
  ["month", "Last 30 days"],
]);
const RESULTS = /** @type {[string, string][]} */ ([
  ["", "Any result"],
  ["won", "Won"],
  ["lost", "Lost"],
  ["even", "Even"],
  ["banked", "Banked"],
]);

export function HistoryPage() {
  const me = useStore(session);
  const houses = useHouses();
  const { rounds, more, isBusy } = useMyRounds(me === null ? null : me?.player);
  const [filter, setFilter] = useState(ALL);
  const [rows, setRows] = useState(ROWS);
  useTitle("History");

  const listed = useMemo(() => filtered(rounds ?? [], filter), [rounds, filter]);
  const shown = listed.slice(0, rows);
  const played = usePlayed(shown);
  const titles = new Map((houses ?? []).map(({ id, title }) => [id, title]));
  const change = (/** @type {Partial<Filter>} */ part) => {
    setFilter({ ...filter, ...part });
    setRows(ROWS);
  };

  if (rounds?.length === 0) return html`<${Nothing} />`;
  return html`<main class="sheet wide" id="main" tabindex="-1">
    <header class="page-head">
      <div>
        <h1>History</h1>
        <p class="quiet">Every round you sat in. Each can be replayed and checked.</p>
      </div>
      <div class="head-actions">
        <${Link} class="button" href="/verify#mine">Verify them all<//>
        <a class="button" href="/api/me/records" download="croupier-rounds.jsonl">
          Export · JSON Lines
        </a>
      </div>
    </header>
    <${Filters} filter=${filter} change=${change} houses=${titles} rounds=${rounds ?? []} />
    <${Totals} rounds=${listed} isWaiting=${rounds === null} />
    ${rounds !== null && listed.length === 0
      ? html`<div class="box no-match">
          <p>No round matches.</p>
          <button onClick=${() => change(ALL)}>Show all rounds</button>
        </div>`
      : html`<${Rounds} rounds=${rounds === null ? null : shown} played=${played}
          titles=${titles} me=${me?.player} />`}
    <div class="row">
      ${listed.length > rows &&
      html`<button onClick=${() => setRows(rows + ROWS)}>Show more</button>`}
      ${more && html`<button onClick=${more}>Load older rounds</button>`}
      ${rounds && isBusy && html`<p class="quiet">Loading older rounds…</p>`}
    </div>
  </main>`;
}

function Nothing() {
  return html`<main class="sheet wide" id="main" tabindex="-1">
    <h1>History</h1>
    <section class="box empty-state">
      <h2>You haven't played a round yet</h2>
      <p class="quiet">Your rounds show up here: the cards, what you bet, what you won or lost, and
        the proof of the deck. Taking a seat needs one click, no name and no money.</p>
      <p class="row">
        <${Link} class="button gold" href="/">Choose a table<//>
        <${Link} class="button" href="/account">Log in<//>
      </p>
    </section>
  </main>`;
}

/**
 * @param {object} props
 * @param {Filter} props.filter
 * @param {(part: Partial<Filter>) => void} props.change
 * @param {Map<string, string>} props.houses titles by id
 * @param {MyRound[]} props.rounds
 */
function Filters({ filter, change, houses, rounds }) {
  const used = [...new Set(rounds.map(({ house }) => house))].filter(Boolean);
  const hasBanked = rounds.some(({ banked }) => banked);
  const pill = (
    /** @type {keyof Filter} */ name,
    /** @type {string} */ label,
    /** @type {[string, string][]} */ options,
  ) => html`<select key=${name} class=${`pill-select ${filter[name] ? "in-force" : ""}`}
    aria-label=${label} value=${filter[name]}
    onChange=${(/** @type {any} */ event) => change({ [name]: event.target.value })}>
    ${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
  </select>`;
  return html`<div class="filters" role="group" aria-label="Filters">
    ${pill("game", "Game", GAMES)}
    ${pill("house", "House", [
      ["", "All houses"],
      ...used.map((id) => /** @type {[string, string]} */ ([id, houses.get(id) ?? id])),
    ])}
    ${pill("period", "Period", PERIODS)}
    ${pill("result", "Result", RESULTS.filter(([id]) => id !== "banked" || hasBanked))}
  </div>`;
}

/** @param {{rounds: MyRound[], isWaiting: boolean}} props */
function Totals({ rounds, isWaiting }) {
  const sum = totals(rounds);
  const kinds = GAMES.slice(1)
    .map(([id, name]) => [rounds.filter(({ game }) => game === id).length, name])
    .filter(([count]) => count)
    .map((kind) => kind.join(" "));
  const won = sum.count > 0 ? `${sum.won} won` : "";
  const wait = (/** @type {any} */ value) => (isWaiting ? "…" : (value ?? "–"));
  const figures = /** @type {[string, any, string, string?][]} */ ([
    ["Rounds", (sum.count + sum.banked).toLocaleString("en-US"), kinds.join(", ")],
    ["Staked", money(sum.staked), "in all wagers"],
    ["Result", signed(sum.net), won, tone(sum.net)],
    ["Best round", sum.best === null ? null : signed(sum.best), "", tone(sum.best ?? 0)],
    ["Worst round", sum.worst === null ? null : signed(sum.worst), "", tone(sum.worst ?? 0)],
  ]);
  if (sum.banked > 0) {
    const times = `${sum.banked} ${sum.banked === 1 ? "round" : "rounds"} banked`;
    figures.push(["As the bank", signed(sum.bankNet), times, tone(sum.bankNet)]);
  }
  return html`<section aria-labelledby="totals-title">
    <h2 id="totals-title" class="unseen">Totals of the rounds listed</h2>
    <dl class="totals">
      ${figures.map(
        ([name, value, about, look]) => html`<div key=${name}>
          <dt>${name}</dt>
          <dd class=${isWaiting ? "" : (look ?? "")}>${wait(value)}</dd>
          <dd class="aside">${isWaiting ? "" : about}</dd>
        </div>`,
      )}
    </dl>
  </section>`;
}

/**
 * @param {object} props
 * @param {MyRound[] | null} props.rounds
 * @param {Map<string, Played | null>} props.played
 * @param {Map<string, string>} props.titles
 * @param {string | undefined} props.me
 */
function Rounds({ rounds, played, titles, me }) {
  return html`<section aria-labelledby="rounds-title" class="rounds-box">
    <h2 id="rounds-title" class="unseen">Rounds</h2>
    <table class="rounds" data-testid="rounds">
      <thead><tr>
        <th scope="col">Time</th><th scope="col">Round</th><th scope="col">You</th>
        <th scope="col">Board</th><th scope="col">Dealer</th>
        <th scope="col">Your hand <span>against</span></th><th scope="col">Decisions</th>
        <th scope="col" class="number">Bet</th><th scope="col" class="number">Result</th>
      </tr></thead>
      <tbody>
        ${rounds === null && html`<tr><td colspan="9" class="quiet wait">Loading…</td></tr>`}
        ${rounds?.map(
          (it) => html`<${Row} key=${`${keyOf(it)}/${it.seat}`} round=${it}
            played=${played.get(keyOf(it))} title=${titles.get(it.house) ?? it.house} me=${me} />`,
        )}
      </tbody>
    </table>
  </section>`;
}

/**
 * @param {number} at
 * @returns {string} the time of day, with the day unless it is today
 */
function when(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const day = /** @type {const} */ ({ day: "numeric", month: "short" });
  const time = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
  return new Intl.DateTimeFormat(undefined, isToday ? time : { ...day, ...time }).format(at);
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} decision */
const decisionWord = (decision) => decisionWords(decision, 0).label.toLowerCase();

/**
 * @param {object} props
 * @param {MyRound} props.round
 * @param {Played | null | undefined} props.played undefined while it is being looked up
 * @param {string} props.title of the house
 * @param {string | undefined} props.me
 */
function Row({ round, played, title, me }) {
  const own = played?.record.result?.seats.find(({ seat }) => seat === round.seat);
  const told = played?.telling.seats.find(({ seat }) => seat === round.seat);
  const result = played?.record.result;
  const made = played?.record.seats?.find(
    ({ seat, player }) => seat === round.seat && (!player || player === me),
  );
  const notes = [round.banked && "banked", round.void && "void"].filter(Boolean).join(", ");
  const cells = /** @type {[string, string, string[] | undefined][]} */ ([
    ["you", "Your cards", own?.cards],
    ["board", "The board", result?.community],
    ["dealer", "Dealer's cards", result?.dealer.cards],
  ]);
  const against = played?.telling.call.replace(/^The dealer has (an? )?/, "").replace(/\.$/, "");
  return html`<tr>
    <td class="when" title=${moment(round.at)}>${when(round.at)}</td>
    <th scope="row">
      <${Link} class="row-link" href=${`/rounds/${round.table}/${round.round}`}>
        <span class="unseen">${title}, </span>Round ${round.round}
      <//>
      <span class="aside" aria-hidden="true">${title}</span>
      ${notes && html`<span class="aside">${notes}</span>`}
    </th>
    ${cells.map(
      ([name, label, cards]) => html`<td key=${name} class=${`cards-of of-${name}`}>
        ${cards && cards.length > 0
          ? html`<${Cards} cards=${cards} label=${label} />`
          : html`<span class="faint">${played === undefined ? "" : "–"}</span>`}
      </td>`,
    )}
    <td class="hand-of">
      ${played &&
      html`<strong>${told ? capital(told.hand) : round.banked ? "You banked" : ""}</strong>
        <span class="aside">${against}</span>`}
    </td>
    <td class="decided">${made?.actions.map(decisionWord).join(", ")}</td>
    <td class="number staked">${money(round.staked)}</td>
    <td class=${`number result ${tone(round.net)}`}>${signed(round.net)}</td>
  </tr>`;
}
