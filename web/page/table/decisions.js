// The buttons for a decision, with the value of each once the coach was asked.

import { html } from "../shared/html.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { ActionButton } from "./action_button.js";
import { costOf, valueWords } from "./coach.js";
import { Refill } from "./refill.js";

/** More buttons than this don't fit side by side, so the fold stands apart as text. */
const MOST = 3;

/**
 * The request names the turn it is for, so a press is harmless if the table has moved on.
 * @param {object} props
 * @param {import("../../types/api").TableState} props.state
 * @param {import("../../types/api").HandView} props.hand
 * @param {import("./coach.js").Hint | null} props.hint
 * @param {import("./actions.js").Actions} props.act
 * @param {import("./actions.js").Pending | null} props.pending
 */
export function Decisions({ state, hand, hint, act, pending }) {
  const all = choicesOf(hand).reverse();
  const isApart = all.length > MOST;
  const shown = isApart ? all.filter(({ decision }) => decision !== "fold") : all;
  const apart = isApart ? all.filter(({ decision }) => decision === "fold") : [];
  const { chips } = state;
  const isTooMuch = (/** @type {Choice} */ { amount }) => amount > (chips ?? amount);
  const button = (/** @type {Choice} */ choice) => {
    const { decision, amount } = choice;
    const { label, key } = decisionWords(decision, 0);
    const isText = apart.includes(choice);
    return html`<div class="decision" key=${decision}>
      ${!isText && html`<${Over} choice=${choice} hint=${hint} chips=${chips} />`}
      <${ActionButton} gold=${decision === hint?.best} isText=${isText} hotkey=${key}
        isPending=${pending?.what === decision} isSlow=${pending?.isSlow}
        disabled=${isTooMuch(choice)} onPress=${() => act.decide(decision)}>
        ${amount > 0 ? `${label} · ${money(amount)}` : label}
      <//>
    </div>`;
  };
  return html`<div key="decisions" class="choices decisions of-${shown.length}" role="group"
    aria-label="Your decision">
    ${shown.map(button)} ${apart.map(button)}
    ${all.some(isTooMuch) && html`<${Refill} key="refill" state=${state} act=${act} inRound />`}
  </div>`;
}

/** @typedef {{decision: string, amount: number}} Choice */

/**
 * The allowed decisions, each with the amount that it puts in.
 * @param {import("../../types/api").HandView} hand
 * @returns {Choice[]}
 */
export function choicesOf({ choices, decisions, stakes }) {
  if (choices) return [...choices];
  const amount = (/** @type {string} */ decision) => decisionWords(decision, stakes.ante).amount;
  return (decisions ?? []).map((decision) => ({ decision, amount: amount(decision) }));
}

/**
 * The line over a button: its value if the coach was asked, and otherwise what the bet leaves.
 * @param {object} props
 * @param {Choice} props.choice
 * @param {import("./coach.js").Hint | null} props.hint
 * @param {number | undefined} props.chips
 */
function Over({ choice: { decision, amount }, hint, chips }) {
  const action = hint?.actions.find((it) => it.action === decision);
  if (!hint || !action) {
    const rest = chips !== undefined && amount > 0 && chips >= amount ? chips - amount : null;
    return html`<p class="over">${rest !== null && html`<span>leaves ${money(rest)}</span>`}</p>`;
  }
  const cost = costOf(hint, action);
  const said = decision === hint.best ? "best" : `costs ${money(Math.round(cost * hint.ante))}`;
  return html`<p class="over ${decision === hint.best ? "best" : ""}">
    <span>${said}</span><span class="number">${valueWords(action.ev)}</span>
    <span class="track" aria-hidden="true">
      <span style=${{ width: `${100 * Math.max(0, 1 - cost)}%` }}></span>
    </span>
  </p>`;
}
