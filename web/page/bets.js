// What is about to be bet, before anybody is told.

import { money } from "./money.js";

/**
 * @typedef {{ante: number, bonus: number}} Bets in cents; the Blind is equal to the Ante
 * @typedef {{unit: number, ante_min: number, ante_max: number, bonus_min: number, bonus_max: number}} Limits
 */

/**
 * @param {Bets} bets
 * @returns {number} all that goes onto the felt
 */
export const total = ({ ante, bonus }) => 2 * ante + bonus;

/**
 * Puts chips into a circle, or takes some out, within the limits.
 * @param {Bets} bets
 * @param {"ante" | "bonus"} bet
 * @param {number} amount
 * @param {Limits} limits
 * @returns {Bets}
 */
export function add(bets, bet, amount, limits) {
  return { ...bets, [bet]: within(bets[bet] + amount, bet, limits, amount) };
}

/**
 * @param {Bets} bets
 * @param {Limits} limits
 * @returns {Bets}
 */
export function double(bets, limits) {
  return { ante: within(2 * bets.ante, "ante", limits, 1), bonus: within(2 * bets.bonus, "bonus", limits, 1) };
}

/**
 * The nearest amount that the limits allow, on the way there.
 * @param {number} amount
 * @param {"ante" | "bonus"} bet
 * @param {Limits} limits
 * @param {number} direction above zero for more, below for less
 */
function within(amount, bet, limits, direction) {
  const least = limits[`${bet}_min`];
  const most = limits[`${bet}_max`];
  const whole = Math.floor(amount / limits.unit) * limits.unit;
  if (whole >= most) return most - (most % limits.unit);
  if (whole >= least) return whole;
  return direction > 0 && amount > 0 ? least : 0;
}

/**
 * Bets that fit other limits.
 * @param {Bets} bets
 * @param {Limits} limits
 * @returns {Bets}
 */
export function fitted(bets, limits) {
  return { ante: within(bets.ante, "ante", limits, 1), bonus: within(bets.bonus, "bonus", limits, 1) };
}

/**
 * @param {Bets} bets
 * @param {Limits} limits
 * @param {number | undefined} chips
 * @param {string} bonusName
 * @returns {string} why they cannot be made, in words; nothing, if they can
 */
export function whyNot(bets, limits, chips, bonusName) {
  if (!bets.ante) {
    if (!bets.bonus) return "Put chips on the Ante.";
    return `${bonusName} goes with an Ante: put ${money(limits.ante_min)} or more there.`;
  }
  if (chips !== undefined && total(bets) > chips) return `That is ${money(total(bets))}, and you have ${money(chips)}.`;
  return "";
}

/** The bets of the last round at each kind of table, for who comes back. */
const KEPT = "croupier.bets.";

/**
 * @param {string} house
 * @returns {Bets | null}
 */
export function lastBets(house) {
  try {
    const { ante, bonus } = JSON.parse(localStorage.getItem(KEPT + house) ?? "null");
    return Number.isInteger(ante) && Number.isInteger(bonus) ? { ante, bonus } : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} house
 * @param {Bets} bets
 */
export function keepBets(house, bets) {
  try {
    localStorage.setItem(KEPT + house, JSON.stringify(bets));
  } catch {
    // A browser that keeps nothing has no last bets.
  }
}

/** Chips that a tray offers: those that make sense between the limits. */
const CHIPS = [100, 500, 2_500, 10_000, 50_000];

/**
 * @param {Limits} limits
 * @returns {number[]}
 */
export function trayChips(limits) {
  const most = Math.max(limits.ante_max, limits.bonus_max);
  return CHIPS.filter((chip) => chip % limits.unit === 0 && chip <= most).slice(0, 4);
}
