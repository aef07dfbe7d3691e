// The floor: a table of each house, seen from above, with the people who sit there now.

import { drawnSeats, Sign, TableDrawing } from "../felt/table_drawing.js";
import { bonusName, counted, houseLine, isPlayerBanked } from "../house/houses.js";
import { percent } from "../house/odds.js";
import { html } from "../shared/html.js";
import { money } from "../shared/money.js";
import { freeSeats, tableName } from "./tables.js";

/** @typedef {import("../../types/api").House} House */
/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("../../types/api").TableListing} TableListing */
/** @typedef {import("../felt/table_drawing.js").DrawnSeat} DrawnSeat */

const LEGEND = /** @type {[DrawnSeat["kind"], string][]} */ ([
  ["player", "player"],
  ["bot", "bot"],
  ["open", "open"],
  ["yours", "yours, if you play now"],
]);

/** What the signs on the drawings mean. */
export function Legend() {
  return html`<ul class="legend" aria-hidden="true">
    ${LEGEND.map(([kind, word]) => html`<li key=${kind}><${Sign} kind=${kind} /> ${word}</li>`)}
  </ul>`;
}

/**
 * @param {object} props
 * @param {House | null} props.house null while the houses are being loaded
 * @param {TableListing | undefined} props.table where "Play now" seats the player, if it is open
 * @param {TableState | undefined} props.state of that table
 * @param {import("../house/odds.js").OddsReport | undefined} props.odds
 * @param {boolean} props.isNext whether the gold button seats the player here
 * @param {boolean} props.isBusy
 * @param {(house: string) => void} props.onPlay
 */
export function FloorTable({ house, table, state, odds, isNext, isBusy, onPlay }) {
  if (!house) {
    // As high as a house, so that nothing moves when the houses arrive.
    return html`<li class="floor-table waiting" aria-hidden="true">
      <${TableDrawing} title="" seats=${[]} />
      <p class="floor-line">…</p>
      <p class="floor-about">…<br />…</p>
      <dl class="facts"><${Fact} name="…">…<//></dl>
      <span class="button">…</span>
    </li>`;
  }
  const { limits } = house;
  const taken = table ? house.seats - freeSeats(table) : 0;
  return html`<li class="floor-table">
    <${TableDrawing} title=${house.title} seats=${drawnSeats(house.seats, state, isNext)} />
    <h3 class="unseen">${house.title}</h3>
    <p class="floor-line">
      <strong>${table ? tableName(table) : "A new table"}</strong>
      <span>${table ? `${taken} of ${house.seats} seats taken` : `${house.seats} open seats`}</span>
    </p>
    <p class="floor-about">${houseLine(house)}</p>
    <dl class="facts">
      <${Fact} name="Ante">${money(limits.ante_min)}–${money(limits.ante_max)}<//>
      ${isPlayerBanked(house)
        ? html`<${Fact} name="Banked by">players<//>
            <${Fact} name="Decks">${counted(house.decks)}<//>`
        : html`<${Fact} name="House edge">${percent(odds?.main.edge)}<//>
            <${Fact} name=${bonusName(house)}>${percent(odds?.bonus_bet?.edge)}<//>`}
    </dl>
    <button disabled=${isBusy} aria-label=${`Play now: ${house.title}`}
      onClick=${() => onPlay(house.id)}>Play now</button>
  </li>`;
}

/** @param {{name: string, children?: any}} props */
function Fact({ name, children }) {
  return html`<div><dt>${name}</dt><dd>${children}</dd></div>`;
}
