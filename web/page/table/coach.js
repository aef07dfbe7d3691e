// The coach: the exact value of each choice, when the player asks for it.

import { post } from "../shared/api.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { ownHand } from "./phase.js";

/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {import("../../types/api").TableState} TableState */
/**
 * @typedef {import("../../types/api").AdviceReport & {ante: number}} Hint the value of each choice,
 * in antes, and the ante in cents
 */

/**
 * The value of each choice, on request.
 * @param {TableState} state
 * @param {TablePlacard | null} placard
 * @param {() => Promise<TablePlacard>} reload loads a placard that did not arrive
 * @returns {[Hint | null, () => Promise<void>]}
 */
export function useHint(state, placard, reload) {
  const [hint, setHint] = useState(/** @type {Hint | null} */ (null));
  const hand = ownHand(state);
  const spot = `${state.round_number}/${state.round?.stage}/${hand?.actions.length ?? 0}`;
  // A hint that arrives late is about another spot.
  const now = useRef(spot);
  now.current = spot;
  useEffect(() => setHint(null), [spot]);
  const ask = async () => {
    if (!state.round || !hand?.cards) return;
    try {
      const { house, paytables } = placard ?? (await reload());
      const advice = await post("advise", {
        game: house.game,
        raises: house.raises,
        qualifying: house.qualifying,
        blind: paytables.find((it) => it.bet === "blind"),
        hand: hand.cards.join(" "),
        board: state.round.community.join(" ") || undefined,
      });
      if (now.current === spot) setHint({ ...advice, ante: hand.stakes.ante });
    } catch (problem) {
      showError(problem);
    }
  };
  return [hint, ask];
}

/** @param {{hint: Hint | null, onHint: (() => void) | null}} props */
export function Coach({ hint, onHint }) {
  if (!hint) {
    return html`<p class="quiet">The exact value of each choice, given the cards you can see.</p>
      <p>
        <button disabled=${!onHint} onClick=${onHint ?? undefined}>
          Show me <kbd aria-hidden="true">H</kbd>
        </button>
      </p>`;
  }
  const values = hint.actions.map((it) => it.ev);
  const least = Math.min(...values, 0);
  const span = Math.max(...values, 0) - least || 1;
  const worst = [...hint.actions].sort((a, b) => a.ev - b.ev)[0];
  const cost = Math.max(...values) - worst.ev;
  const name = (/** @type {string} */ action) => decisionWords(action, 0).label;
  const value = (/** @type {import("../../types/api").ActionReport} */ { action, ev }) => {
    const isBest = action === hint.best;
    return html`<li class=${isBest ? "best" : ""}>
      <span>${name(action)}${isBest && html`<span class="unseen"> (best)</span>`}</span>
      <span class="track" aria-hidden="true">
        <span style=${{ width: `${(100 * (ev - least)) / span}%` }}></span>
      </span>
      <span class="number">${ev >= 0 ? "+" : "−"}${Math.abs(ev).toFixed(4)}</span>
    </li>`;
  };
  return html`<h3>Exact value, in antes</h3>
    <ul class="values">${hint.actions.map(value)}</ul>
    <p>${name(hint.best)} is best.${" "}
      ${hint.actions.length > 1 &&
      html`${name(worst.action)} would cost <strong>${cost.toFixed(3)} antes</strong>,${" "}
        ${money(Math.round(cost * hint.ante))} here.`}</p>`;
}
