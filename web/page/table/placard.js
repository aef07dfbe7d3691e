// The placard: the pay tables and the rules, as posted at the table.

import { get, invited } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { OWN_HOUSE, titled } from "../shared/names.js";
import { showError } from "../shared/notice.js";

/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {import("../../types/api").TableState} TableState */

/**
 * Loads the placard.
 * @param {string} table
 * @param {string | null} invite
 */
export function usePlacard(table, invite) {
  const [placard, setPlacard] = useState(/** @type {TablePlacard | null} */ (null));
  const load = async () => {
    const found = await get(`tables/${encodeURIComponent(table)}/placard${invited(invite)}`);
    setPlacard(found);
    return /** @type {TablePlacard} */ (found);
  };
  useEffect(() => {
    load().catch(showError);
  }, [table]);
  return { placard, reload: load };
}

/**
 * @param {import("../../types/api").TablePlacard | null} placard
 * @returns how players bank at the table, or null where the house does
 */
export function playerBanking(placard) {
  const banking = placard?.house.banking;
  return banking?.by === "player-dealer" ? banking : null;
}

/**
 * Lists the unusual features of a table.
 * @param {TableState} state
 * @returns {string[]}
 */
export function marks(state) {
  const found = [];
  if (state.own_house) found.push(OWN_HOUSE);
  if (state.practice_chips) {
    found.push(
      "Practice chips: each seat gets some, and more when they run out. They stay at this table.",
    );
  }
  if (state.practice_bank) found.push("Practice table: a bot may bank.");
  if (state.card_room_paytable) {
    const { bonus_name: bonus, bonus_paytable: own, card_room_paytable: usual } = state;
    found.push(`Practice table: ${bonus} pays by ${own}. The card room uses ${usual}.`);
  }
  return found;
}

/** @param {{placard: TablePlacard | null}} props */
export function PayTables({ placard }) {
  if (!placard) return null;
  const row = (/** @type {{hand: string, pays: string}} */ { hand, pays }) => html`<tr key=${hand}>
    <th scope="row">${titled(hand)}</th><td class="number">${pays}</td>
  </tr>`;
  return placard.printed.map(
    (pay) => html`<table key=${pay.id} class="pays">
      <caption>${pay.name} <span class="quiet">${pay.id}</span></caption>
      <thead class="unseen"><tr><th scope="col">Hand</th><th scope="col">Pays</th></tr></thead>
      <tbody>${pay.rows.map(row)}</tbody>
    </table>`,
  );
}

/** @param {{placard: TablePlacard | null, state: TableState}} props */
export function Rules({ placard, state }) {
  if (!placard) return null;
  const clocks = state.clocks
    ? "If your time runs out, the table checks for you, or folds when you can't check."
    : "This table has no clocks: it waits for you.";
  return html`${marks(state).map((mark) => html`<p key=${mark} class="mark">${mark}</p>`)}
    <dl class="rules">
      ${placard.placard.map((line) => html`<dt>${line.name}</dt><dd>${line.text}</dd>`)}
    </dl>
    <p class="quiet">${clocks}${" "}
      After a round, everything is public: all cards, bets and results, and the shuffle's
      seeds.</p>`;
}
