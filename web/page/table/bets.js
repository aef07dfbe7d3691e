// The bets in the circles, before they are sent to the table.

import { money } from "../shared/money.js";

/**
 * @typedef {{ante: number, bonus: number}} Bets in cents; the Blind is equal to the Ante
 *
 * @typedef {object} Limits
 * @property {number} unit
 * @property {number} ante_min
 * @property {number} ante_max
 * @property {number} bonus_min
 * @property {number} bonus_max
 * @property {number} [play_min] the smallest Play bet, in Antes
 * @property {number} [play_max] the largest, in Antes
 */

/**
 * @param {Bets} bets
 * @returns {number} everything that goes on the felt
 */
export const total = ({ ante, bonus }) => 2 * ante + bonus;

/**
 * Adds chips to a circle, or removes some, within the limits.
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
  return fitted({ ante: 2 * bets.ante, bonus: 2 * bets.bonus }, limits);
}

/**
 * Returns the nearest amount that the limits allow, in the direction of the change.
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
 * Fits bets to other limits.
 * @param {Bets} bets
 * @param {Limits} limits
 * @returns {Bets}
 */
export function fitted(bets, limits) {
  return {
    ante: within(bets.ante, "ante", limits, 1),
    bonus: within(bets.bonus, "bonus", limits, 1),
  };
}

/**
 * @param {Bets} bets
 * @param {Limits} limits
 * @param {number | undefined} chips
 * @param {string} bonusName
 * @returns {string} why the bets can't be made; empty if they can
 */
export function whyNot(bets, limits, chips, bonusName) {
  if (!bets.ante) {
    if (!bets.bonus) return "Put chips on the Ante.";
    return `${bonusName} goes with an Ante: put ${money(limits.ante_min)} or more there.`;
  }
  if (chips !== undefined && total(bets) > chips) {
    return `That's ${money(total(bets))}, and you have ${money(chips)}.`;
  }
  return "";
}

/**
 * @param {Bets} bets that can be made
 * @param {Limits} limits
 * @param {number | undefined} chips
 * @returns {string} what the player could not do after these bets; empty if they could do all
 */
export function warning(bets, limits, chips) {
  if (chips === undefined || !bets.ante) return "";
  const { play_min: least = 1, play_max: most = 4 } = limits;
  const rest = chips - total(bets);
  if (rest >= most * bets.ante) return "";
  const leaves = `That leaves ${money(rest)}`;
  if (rest < least * bets.ante) {
    return `${leaves}: you could only check and fold, because a Play bet takes ${
      money(least * bets.ante)} or more.`;
  }
  return `${leaves}, so your Play bet could be ${Math.floor(rest / bets.ante)}× at most.`;
}

/** Storage key prefix for a player's last bets at each house. */
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
    // A browser without storage has no last bets.
  }
}

/** The chips that a tray may offer, in cents. It shows those that fit the limits. */
const CHIPS = [100, 500, 2_500, 10_000, 50_000];

/**
 * @param {Limits} limits
 * @returns {number[]}
 */
export function trayChips(limits) {
  const most = Math.max(limits.ante_max, limits.bonus_max);
  return CHIPS.filter((chip) => chip % limits.unit === 0 && chip <= most).slice(0, 3);
}
