// The panel's first tab: what the table costs, how a round goes, and how it went so far.

import { html } from "../shared/html.js";
import { signed, tone } from "../shared/money.js";
import { Costs } from "./costs.js";
import { useSitting } from "./sitting.js";

/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {import("../../types/api").TableState} TableState */

/**
 * How a round goes, from the terms of the house.
 * @param {TablePlacard} placard
 * @param {TableState} state
 * @returns {string[]}
 */
export function steps({ house, placard }, state) {
  const times = (/** @type {number[]} */ raises) =>
    [...raises].sort((a, b) => b - a).map((raise) => `${raise}×`).join(" or ");
  const bonus = state.bonus_paytable ? ` ${state.bonus_name} is up to you.` : "";
  const dealer = placard.find(({ name }) => name === "Dealer")?.text;
  const last = dealer ? [`The dealer ${dealer}.`] : [];
  const first = `Ante and Blind are equal.${bonus}`;
  if (house.game === "utcp") {
    const more = house.raises.filter((raise) => raise > 1);
    const pair = more.length ? ` With a pair or better, also ${times(more)}.` : "";
    return [first, `Three cards: bet 1×, or fold.${pair}`, ...last];
  }
  return [
    first,
    `Two cards: bet ${times(house.raises)}, or check.`,
    "Three on the board: bet 2×, or check.",
    "Two more: bet 1×, or fold.",
    ...last,
  ];
}

/**
 * @param {object} props
 * @param {string} props.table
 * @param {TableState} props.state
 * @param {TablePlacard | null} props.placard
 * @param {import("./bets.js").Bets} props.bets
 */
export function TableTab({ table, state, placard, bets }) {
  const sitting = useSitting(table);
  return html`
    <${Costs} placard=${placard} state=${state} bets=${bets} />
    ${placard &&
    html`<section key="steps">
      <h3>How a round goes</h3>
      <ol class="steps">
        ${steps(placard, state).map((step) => html`<li key=${step}>${step}</li>`)}
      </ol>
    </section>`}
    ${sitting &&
    html`<section key="sitting">
      <h3>This sitting</h3>
      <dl class="figures">
        <div><dt>Rounds</dt><dd>${sitting.rounds}</dd></div>
        <div><dt>Result</dt>
          <dd class=${tone(sitting.net)} data-testid="sitting">${signed(sitting.net)}</dd></div>
      </dl>
    </section>`}`;
}
