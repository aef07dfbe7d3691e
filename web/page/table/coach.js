// The coach: the exact value of each choice, when the player asks for it.

import { post } from "../shared/api.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { ownHand } from "./phase.js";

/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("../../types/api").ActionReport} ActionReport */
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

/**
 * @param {Hint} hint
 * @param {ActionReport} action
 * @returns {number} what a choice costs compared with the best, in antes
 */
export const costOf = (hint, { ev }) => Math.max(...hint.actions.map((it) => it.ev)) - ev;

/**
 * @param {number} ev in antes
 * @returns {string} as in +0.4000
 */
export const valueWords = (ev) => `${ev >= 0 ? "+" : "−"}${Math.abs(ev).toFixed(4)}`;

/** @param {string} action */
const nameOf = (action) => decisionWords(action, 0).label;

/** @param {string} action */
const doing = (action) =>
  ({ check: "checking", fold: "folding" })[action] ?? `betting ${action.split(" ")[1]}×`;

/**
 * The advice in words: the best choice, and what the next best would cost.
 * @param {{hint: Hint}} props
 */
export function Advice({ hint }) {
  const others = hint.actions.filter(({ action }) => action !== hint.best);
  const [next] = [...others].sort((a, b) => b.ev - a.ev);
  const best = html`<strong>${nameOf(hint.best)} is best.</strong>`;
  if (!next) return html`<p class="advice">${best} You have no other choice.</p>`;
  const cost = costOf(hint, next);
  const what = doing(next.action);
  const said = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  if (cost === 0) return html`<p class="advice">${best} ${said} is worth the same.</p>`;
  return html`<p class="advice">${best} ${said}${others.length > 1 ? ", the next best," : ""} would
    cost <b>${cost.toFixed(4)}</b> antes, <b>${money(Math.round(cost * hint.ante))}</b> here.</p>`;
}

/** @param {{hint: Hint | null, onHint: (() => void) | null}} props */
export function Coach({ hint, onHint }) {
  if (!hint) {
    return html`<p class="quiet">The coach knows the exact value of each choice, given the cards you
        can see. ${onHint ? "" : "You can ask when it's your turn to decide."}</p>
      <p>
        <button type="button" disabled=${!onHint} onClick=${onHint ?? undefined}>
          Show me <kbd aria-hidden="true">H</kbd>
        </button>
      </p>`;
  }
  const value = (/** @type {ActionReport} */ action) => {
    const isBest = action.action === hint.best;
    // A bar is full for the best, and shorter by the cost: one ante is the whole length.
    const width = 100 * Math.max(0, 1 - costOf(hint, action));
    return html`<li key=${action.action} class=${isBest ? "best" : ""}>
      <span>${nameOf(action.action)}${isBest && html`<span class="unseen"> (best)</span>`}</span>
      <span class="track" aria-hidden="true">
        <span style=${{ width: `${width}%` }}></span>
      </span>
      <span class="number">${valueWords(action.ev)}</span>
    </li>`;
  };
  const ordered = [...hint.actions].sort((a, b) => b.ev - a.ev);
  return html`<h3>Exact value, in antes</h3>
    <ul class="values">${ordered.map(value)}</ul>
    <${Advice} hint=${hint} />
    <p class="quiet">The value is what you win or lose on average, your Ante and Blind included, if
      you play the rest of the round best.</p>`;
}
