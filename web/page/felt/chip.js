// Chips, and the betting circles.

import { html } from "../shared/html.js";
import { money, onChip } from "../shared/money.js";

/** Chip colors, by the smallest amount they stand for, in cents. */
const COLOURS = [
  { from: 50_000, name: "purple" },
  { from: 10_000, name: "black" },
  { from: 2_500, name: "green" },
  { from: 500, name: "red" },
  { from: 0, name: "white" },
];

/** @param {number} cents */
export const chipColour = (cents) => COLOURS.find(({ from }) => cents >= from)?.name ?? "white";

/** @param {{amount: number, class?: string}} props */
export function Chip({ amount, class: name = "" }) {
  const text = onChip(amount);
  const classes = `chip ${chipColour(amount)} ${text.length > 3 ? "long" : ""} ${name}`;
  return html`<span class=${classes} aria-hidden="true">${text}</span>`;
}

const SAYS = /** @type {Record<string, string>} */ ({
  win: "wins",
  lose: "loses",
  push: "pushes",
  returned: "is returned",
  void: "is returned",
});

/**
 * A betting circle with its chips, if any.
 * @param {object} props
 * @param {string} props.bet
 * @param {string} props.name
 * @param {number} props.amount
 * @param {{result: string, paid: number}} [props.settled]
 * @param {() => void} [props.onPick] selects it, while betting is open
 * @param {boolean} [props.picked]
 */
export function Circle({ bet, name, amount, settled, onPick, picked }) {
  const fate = settled ? settled.result : "";
  const staked = amount ? money(amount) : "empty";
  const paid = settled && settled.paid > 0 && money(settled.paid);
  const came = settled && [SAYS[fate] ?? fate, paid].filter(Boolean).join(" ");
  const label = [name, staked, came].filter(Boolean).join(", ");
  const classes = `circle ${bet} ${picked ? "picked" : ""}`;
  const stake =
    amount > 0 &&
    html`<${Chip} key=${`stake${amount}`} amount=${amount} class="stake ${fate}" />`;
  if (onPick) {
    return html`<button type="button" class=${classes} aria-pressed=${picked} onClick=${onPick}>
      <span class="circle-name">${name}</span><span class="unseen">, ${staked}</span>${stake}
    </button>`;
  }
  return html`<span class=${classes} role="img" aria-label=${label}>
    <span class="circle-name" aria-hidden="true">${name}</span>
    ${stake}
    ${settled &&
    settled.paid > 0 &&
    html`<${Chip} key="paid" amount=${settled.paid} class="paid" />`}
  </span>`;
}

const NAMES = { ante: "Ante", blind: "Blind", play: "Play" };

/**
 * The four circles of a seat, as printed on the felt.
 * @param {object} props
 * @param {string} props.bonusName empty if there is none
 * @param {Record<import("./scene.js").Bet, number>} props.stakes
 * @param {Partial<Record<import("./scene.js").Bet, {result: string, paid: number}>>} props.settled
 * @param {"ante" | "bonus" | null} [props.picked]
 * @param {(bet: "ante" | "bonus") => void} [props.onPick]
 * @param {string} props.label
 */
export function Circles({ bonusName, stakes, settled, picked, onPick, label }) {
  const circle = (/** @type {import("./scene.js").Bet} */ bet, /** @type {string} */ name) => {
    const pick = onPick && (bet === "ante" || bet === "bonus") ? () => onPick(bet) : undefined;
    return html`<${Circle} key=${bet} bet=${bet} name=${name} amount=${stakes[bet]}
      settled=${settled[bet]} picked=${picked === bet} onPick=${pick} />`;
  };
  const bonus = bonusName ? circle("bonus", bonusName) : html`<span key="bonus"></span>`;
  return html`<div class="circles" role="group" aria-label=${label}>
    ${bonus} ${circle("play", NAMES.play)} ${circle("ante", NAMES.ante)}
    <span class="equals" aria-hidden="true">=</span> ${circle("blind", NAMES.blind)}
  </div>`;
}
