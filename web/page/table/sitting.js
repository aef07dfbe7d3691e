// The player's result at a table since their first bet there, kept for this tab.

import { makeStore, useStore } from "../shared/store.js";

/**
 * @typedef {object} Sitting
 * @property {string} table
 * @property {number} counted the last round that is in it
 * @property {number} rounds how many rounds it has
 * @property {number} net its result, in cents
 */

const KEY = "croupier.at-table";

/** @returns {Sitting | null} */
function stored() {
  try {
    const { table, counted, rounds, net } = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    const isWhole = [counted, rounds, net].every(Number.isSafeInteger);
    return typeof table === "string" && isWhole ? { table, counted, rounds, net } : null;
  } catch {
    return null;
  }
}

const sitting = makeStore(stored());

/** @param {Sitting | null} next */
function keep(next) {
  sitting.set(next);
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage, it lasts as long as the page.
  }
}

/**
 * Notes a bet. The first one at a table begins a sitting there, so that rounds from before don't
 * count.
 * @param {string} table
 * @param {number} round
 */
export function beginSitting(table, round) {
  if (sitting.get()?.table === table) return;
  keep({ table, counted: round - 1, rounds: 0, net: 0 });
}

/**
 * Counts a finished round, once.
 * @param {string} table
 * @param {number} round
 * @param {number} net
 */
export function countRound(table, round, net) {
  const now = sitting.get();
  if (now?.table !== table || round <= now.counted) return;
  keep({ ...now, counted: round, rounds: now.rounds + 1, net: now.net + net });
}

/** Ends the sitting, when the player leaves the table. */
export const endSitting = () => keep(null);

/**
 * @param {string} table
 * @returns {Sitting | null}
 */
export function useSitting(table) {
  const now = useStore(sitting);
  return now?.table === table ? now : null;
}
