// Chips, stacks of them, and the betting circles.

import { html, useLayoutEffect, useRef, useState } from "../shared/html.js";
import { money, onChip, signed } from "../shared/money.js";
import { comeFromBank, goToBank } from "./motion.js";
import { useTaking } from "./taking.js";

/** @typedef {import("./scene.js").Bet} Bet */
/** @typedef {{result: string, paid: number}} Result of a bet; `paid` is on top of the stake */

/** The chips, the greatest first, by their value in cents. */
const DENOMINATIONS = [
  { value: 50_000, color: "violet" },
  { value: 10_000, color: "black" },
  { value: 2_500, color: "green" },
  { value: 500, color: "red" },
  { value: 100, color: "white" },
];

/** A stack is drawn no higher than this. Its top chip shows the sum in any case. */
const HIGHEST = 8;

/**
 * @param {number} cents
 * @returns {string} the color of the greatest chip that an amount has
 */
export const chipColour = (cents) =>
  DENOMINATIONS.find(({ value }) => cents >= value)?.color ?? "white";

/**
 * Breaks an amount into the fewest chips. Less than a dollar takes a white chip.
 * @param {number} cents
 * @returns {string[]} their colors, from the bottom of the stack: the greatest first
 */
export function stackOf(cents) {
  const stack = [];
  let rest = cents;
  for (const { value, color } of DENOMINATIONS) {
    const count = Math.floor(rest / value);
    stack.push(...Array(Math.min(count, HIGHEST)).fill(color));
    rest -= count * value;
  }
  if (rest > 0) stack.push("white");
  // The greatest can be spared most easily, because several of them look the same.
  return stack.slice(-HIGHEST);
}

/**
 * One chip.
 * @param {{amount: number, class?: string}} props
 */
export function Chip({ amount, class: name = "" }) {
  const text = onChip(amount);
  const classes = `chip ${chipColour(amount)} wide-${Math.min(text.length, 6)} ${name}`;
  return html`<span class=${classes} aria-hidden="true">${text}</span>`;
}

/**
 * An amount as a stack of chips. The top one shows the sum.
 * @param {{amount: number, class?: string}} props
 */
export function Stack({ amount, class: name = "" }) {
  const chips = stackOf(amount);
  const text = onChip(amount);
  return html`<span class="chip-stack ${name}" style=${{ "--chips": chips.length }}
    aria-hidden="true">
    ${chips.map((color, place) => {
      const isTop = place === chips.length - 1;
      return html`<span key=${place} style=${{ "--place": place }}
        class="chip ${color} ${isTop ? `wide-${Math.min(text.length, 6)}` : ""}">
        ${isTop && text}
      </span>`;
    })}
  </span>`;
}

const SAYS = /** @type {Record<string, string>} */ ({
  win: "wins",
  lose: "loses",
  push: "pushes",
  returned: "is returned",
  void: "is returned",
});

/**
 * The result of a bet next to its circle.
 * @param {{amount: number, settled: Result}} props
 */
function Tag({ amount, settled: { result, paid } }) {
  if (result === "win") return html`<span class="tag win">${signed(paid)}</span>`;
  if (result === "lose") return html`<span class="tag lose">${signed(-amount)}</span>`;
  return html`<span class="tag">${result === "push" ? "push" : "back"}</span>`;
}

/**
 * The chips that a bet was paid, on their way from the bank.
 * @param {{amount: number}} props
 */
function Payment({ amount }) {
  const root = useRef(/** @type {any} */ (null));
  const [isDone, setDone] = useState(false);
  useLayoutEffect(() => comeFromBank(root.current, () => setDone(true)), []);
  return !isDone && html`<span class="payment" ref=${root}><${Stack} amount=${amount} /></span>`;
}

/**
 * A betting circle with its chips, if any.
 * @param {object} props
 * @param {Bet} props.bet
 * @param {string} props.name
 * @param {number} props.amount
 * @param {Result} [props.settled]
 * @param {() => void} [props.onPick] puts the chip in hand on it, while betting is open
 * @param {() => void} [props.onTake] takes as much off
 * @param {boolean} [props.pending] whether the bet is on its way to the table
 */
export function Circle({ bet, name, amount, settled, onPick, onTake, pending }) {
  const taking = useTaking(onTake);
  const root = useRef(/** @type {any} */ (null));
  // Chips move when the bet is settled, and not if it was when the page was opened.
  const wasOpen = useRef(!settled);
  if (!settled) wasOpen.current = true;
  useLayoutEffect(() => {
    const stake = root.current?.querySelector(".stake.lose");
    if (stake && wasOpen.current) goToBank(stake);
  }, [settled?.result]);
  const fate = settled ? settled.result : "";
  const staked = amount ? money(amount) : "empty";
  const paid = settled && settled.paid > 0 && money(settled.paid);
  const came = settled && [SAYS[fate] ?? fate, paid].filter(Boolean).join(" ");
  const label = [name, staked, came].filter(Boolean).join(", ");
  const classes = `circle ${bet} ${fate} ${pending ? "pending" : ""}`;
  const stake =
    amount > 0 && html`<${Stack} key=${`stake${amount}`} amount=${amount} class="stake ${fate}" />`;
  if (onPick) {
    return html`<button type="button" class=${classes} onClick=${onPick}
      title="A click adds the chip in hand. A right click or a long press takes it off."
      ...${taking}>
      <span class="circle-name">${name}</span><span class="unseen">, ${staked}</span>${stake}
    </button>`;
  }
  return html`<span class=${classes} ref=${root} role="img" aria-label=${label}>
    <span class="circle-name" aria-hidden="true">${name}</span>
    ${stake}
    ${paid && wasOpen.current && html`<${Payment} key="payment" amount=${settled.paid} />`}
    ${settled && amount > 0 && html`<${Tag} key="tag" amount=${amount} settled=${settled} />`}
  </span>`;
}
