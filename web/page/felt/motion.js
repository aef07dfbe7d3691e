// How cards and chips move: transform and opacity alone, at the player's pace.

import { useEffect, useState } from "../shared/html.js";

const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

/** How long a card takes from the shoe, and chips between the bank and a circle. */
const DEALT = 220;
const PAID = 320;

/** How long a card waits for the one before it. */
const APART = 60;

/** How long a sum takes to count up to its end. */
const COUNTED = 360;

/** How long nothing moves after a player asked for the end of all movement. */
const HURRY = 200;

/** Until when nothing moves, by the clock of the page. */
let hurried = 0;

/** @returns {number} what durations are multiplied by; 0 if nothing may move */
export function pace() {
  if (performance.now() < hurried) return 0;
  const set = getComputedStyle(document.documentElement).getPropertyValue("--pace");
  return Number(set) || 0;
}

/** Ends all movement on the felt at once. */
export function hurry() {
  hurried = performance.now() + HURRY;
  for (const animation of document.getAnimations()) {
    const target = /** @type {KeyframeEffect | null} */ (animation.effect)?.target;
    const { iterations = 1 } = animation.effect?.getComputedTiming() ?? {};
    if (target?.closest(".felt") && Number.isFinite(iterations)) animation.finish();
  }
}

/**
 * @param {Element} from
 * @param {Element} to
 * @returns {string} the movement from the middle of one element to the middle of another
 */
function toward(from, to) {
  const [one, other] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const x = other.x + other.width / 2 - one.x - one.width / 2;
  const y = other.y + other.height / 2 - one.y - one.height / 2;
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/**
 * @param {Element} element
 * @param {string[]} places the selectors of where it may be, the best first
 * @returns {Element | null}
 */
function onFelt(element, ...places) {
  const felt = element.closest(".felt");
  for (const place of places) {
    const found = felt?.querySelector(place);
    if (found) return found;
  }
  return null;
}

/**
 * Where the money of the bank is: with the player who banks, or in the rack.
 * @param {Element} element
 */
const bankOf = (element) => onFelt(element, ".button-chip", ".rack-frame", ".dealer");

/**
 * A card comes from the shoe.
 * @param {Element} card
 * @param {number} order how many cards come before it
 */
export function comeFromShoe(card, order) {
  const speed = pace();
  const shoe = speed > 0 && onFelt(card, ".shoe", ".dealer");
  if (!shoe) return;
  card.animate(
    [
      { transform: `${toward(card, shoe)} rotate(10deg) scale(0.6)`, opacity: 0 },
      { opacity: 1, offset: 0.35 },
      { transform: "none", opacity: 1 },
    ],
    {
      duration: DEALT * speed,
      delay: APART * speed * order,
      easing: EASE,
      fill: "backwards",
    },
  );
}

/**
 * Chips go from a circle to the bank.
 * @param {Element} stack
 */
export function goToBank(stack) {
  const speed = pace();
  const bank = speed > 0 && bankOf(stack);
  if (!bank) return;
  stack.animate(
    [
      { transform: "none", opacity: 1 },
      { opacity: 1, offset: 0.7 },
      { transform: `${toward(stack, bank)} scale(0.8)`, opacity: 0 },
    ],
    { duration: PAID * speed, easing: "cubic-bezier(0.5, 0, 0.8, 0.6)" },
  );
}

/**
 * Chips come from the bank to a circle, and become one with those that lie there.
 * @param {Element} stack
 * @param {() => void} onDone
 */
export function comeFromBank(stack, onDone) {
  const speed = pace();
  const bank = speed > 0 && bankOf(stack);
  if (!bank) return onDone();
  const flight = stack.animate(
    [
      { transform: `${toward(stack, bank)} scale(0.8)`, opacity: 0 },
      { opacity: 1, offset: 0.2 },
      { transform: "none", opacity: 1, offset: 0.85 },
      { transform: "none", opacity: 0 },
    ],
    { duration: PAID * speed, easing: EASE, fill: "both" },
  );
  flight.onfinish = onDone;
  return undefined;
}

/**
 * Counts from zero to an amount.
 * @param {number} amount
 * @returns {number} what to show now
 */
export function useCount(amount) {
  const [shown, setShown] = useState(() => (pace() > 0 ? 0 : amount));
  useEffect(() => {
    const [began, length] = [performance.now(), COUNTED * pace()];
    let frame = 0;
    const step = () => {
      const share = performance.now() < hurried ? 1 : (performance.now() - began) / length;
      const eased = 1 - (1 - Math.min(1, share)) ** 3;
      // Whole dollars on the way, and every cent at the end.
      setShown(share < 1 ? Math.round((amount * eased) / 100) * 100 : amount);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    if (length > 0) step();
    else setShown(amount);
    return () => cancelAnimationFrame(frame);
  }, [amount]);
  return shown;
}
