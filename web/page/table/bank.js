// The money of a player who banks, before it is posted.

import { money } from "../shared/money.js";

/**
 * Returns a modest amount to post: twenty of the smallest Antes, at most a quarter of the chips.
 * @param {{unit: number, ante_min: number}} limits
 * @param {number | undefined} chips
 * @returns {number}
 */
export function usualPost({ unit, ante_min: ante }, chips) {
  const most = Math.min(20 * ante, (chips ?? Infinity) / 4);
  return Math.max(unit, Math.floor(most / unit) * unit);
}

/**
 * @param {number} wager
 * @param {string | null | undefined} coverage how the bank's wager is used up
 * @returns {string} the most that the bank can lose and win
 */
export function bankRisk(wager, coverage) {
  if (coverage === "action") return `The most you can lose or win is ${money(wager)}.`;
  return `The most you can lose is ${money(wager)}. You win every bet that loses.`;
}
