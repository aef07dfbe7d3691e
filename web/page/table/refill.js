// More play money, right where a player has run out of it.

import { html } from "../shared/html.js";
import { money } from "../shared/money.js";

/** @typedef {import("../../types/api").TableState} TableState */

/**
 * Returns whether the player can't make the smallest bet here: an Ante and the Blind.
 * @param {TableState} state
 */
export const cannotPlay = ({ chips, limits }) => chips !== undefined && chips < 2 * limits.ante_min;

const ASK = "Chips are play money: you can ask for more when you're low.";

/**
 * Says how to get chips, with the button for it.
 * @param {object} props
 * @param {TableState} props.state
 * @param {import("./actions.js").Actions} props.act
 * @param {boolean} [props.inRound] whether it is about a bet that is too much for the player
 */
export function Refill({ state, act, inRound = false }) {
  const { chips = 0, limits } = state;
  const has = `You have ${money(chips)}`;
  if (state.practice_chips) {
    const then = "This table gives you more practice chips when the next round opens.";
    return html`<p class="why" key="refill" role="status">${has}. ${then}</p>`;
  }
  const why = inRound
    ? `${has}.`
    : `${has}, and the smallest bet here is ${money(2 * limits.ante_min)}. ${ASK}`;
  return html`<div class="refill" key="refill">
    <p role="status">${why}</p>
    <button type="button" class="do ${inRound ? "" : "gold"}" onClick=${act.refill}>
      Get more chips
    </button>
  </div>`;
}
