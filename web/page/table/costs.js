// The cost of a table: its exact edge, and the average loss of the bets in the circles.

import { percent } from "../house/odds.js";
import { query } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";

/** @typedef {import("../../types/api").OddsReport} OddsReport */
/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {import("../../types/api").TableState} TableState */

/** How many digits an edge has here. */
const DIGITS = 5;

/**
 * Loads the odds of the table's own terms, which may be those of a host's own house. The server
 * solves them once and keeps the answer.
 * @param {TablePlacard | null} placard
 * @returns {OddsReport | null}
 */
function useTableOdds(placard) {
  const [odds, setOdds] = useState(/** @type {OddsReport | null} */ (null));
  useEffect(() => {
    if (!placard) return undefined;
    let isWanted = true;
    const { house, paytables } = placard;
    const terms = {
      game: house.game,
      raises: house.raises,
      qualifying: house.qualifying,
      blind: paytables.find((it) => it.bet === "blind"),
      bonus: paytables.find((it) => it.bet !== "blind"),
    };
    // Without an answer, the figures stay open.
    query("odds", terms).then((found) => isWanted && setOdds(found), () => {});
    return () => {
      isWanted = false;
    };
  }, [placard]);
  return odds;
}

/**
 * @param {object} props
 * @param {TablePlacard | null} props.placard
 * @param {TableState} props.state
 * @param {import("./bets.js").Bets} props.bets
 */
export function Costs({ placard, state, bets }) {
  const odds = useTableOdds(placard);
  const { main, bonus_bet: bonus } = odds ?? {};
  const hasBonus = Boolean(state.bonus_paytable);
  const ofBonus = hasBonus && bonus ? bonus.edge * bets.bonus : 0;
  const cost = main ? `${money(Math.round(main.edge * bets.ante + ofBonus))} a round` : "…";
  const line = (/** @type {string} */ name, /** @type {any} */ figure) => html`<div key=${name}>
    <dt>${name}</dt><dd>${figure}</dd>
  </div>`;
  return html`<section key="costs">
    <h3>What it costs</h3>
    <dl class="figures">
      ${line("House edge", main ? `${percent(main.edge, DIGITS)} of the Ante` : "…")}
      ${line("On all you wager", percent(main?.element_of_risk, DIGITS))}
      ${hasBonus &&
      line(`${state.bonus_name} ${state.bonus_paytable}`, percent(bonus?.edge, DIGITS))}
      ${line("This bet, played best", html`<b>${cost}</b>`)}
    </dl>
  </section>`;
}
