// A seed of one's own for every shuffle, for who does not want to rely on the table's alone.

import { order, toHex } from "./api.js";
import { canHash, seatCommitment } from "./shuffle.js";

const KEY = "croupier.seeds";

/** How many seeds are kept: a tab that is closed in mid-round may come back. */
const MOST = 50;

/** @returns {[string, string][]} seeds by table and round, the oldest first */
function kept() {
  const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
  return Array.isArray(list) ? list : [];
}

/**
 * @param {string} table
 * @param {number} round
 * @returns {string | undefined}
 */
const seedOf = (table, round) => kept().find(([place]) => place === `${table}/${round}`)?.[1];

/**
 * Draws a seed and commits to it, while betting is open. It is kept before anybody hears of it, so
 * that a tab which is loaded again can still show it.
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 * @param {string | null} invite
 */
export async function commitSeed(table, round, seat, invite) {
  if (!canHash()) return;
  let seed = seedOf(table, round);
  if (!seed) {
    seed = toHex(crypto.getRandomValues(new Uint8Array(32)));
    localStorage.setItem(KEY, JSON.stringify([...kept(), [`${table}/${round}`, seed]].slice(-MOST)));
  }
  const commitment = await seatCommitment({ table, round }, seat, seed);
  await order(table, { command: "commit-seed", seat, commitment }, invite);
}

/**
 * Shows the seed, after "no more bets", if this browser has it.
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 * @param {string | null} invite
 */
export async function showSeed(table, round, seat, invite) {
  const seed = seedOf(table, round);
  if (seed) await order(table, { command: "reveal-seed", seat, seed }, invite);
}

/**
 * Gives the seed up, so that the others do not wait for it.
 * @param {string} table
 * @param {number} seat
 * @param {string | null} invite
 */
export const giveUpSeed = (table, seat, invite) => order(table, { command: "give-up-seed", seat }, invite);
