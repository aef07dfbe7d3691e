// A seed of one's own for every shuffle, for who does not want to rely on the table's alone.

import { order, toHex } from "./api.js";
import { canHash, seatCommitment } from "./shuffle.js";

const KEY = "croupier.seed.";

/** How many seeds are kept: a tab that is closed in mid-round may come back. */
const MOST = 20;

/**
 * @param {string} table
 * @param {number} round
 */
const place = (table, round) => `${KEY}${table}/${round}`;

/**
 * Draws a seed and commits to it, while betting is open. It is kept before anybody hears of it: a
 * table without clocks would wait for it for ever.
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 * @param {string | null} invite
 */
export async function commitSeed(table, round, seat, invite) {
  if (!canHash() || localStorage.getItem(place(table, round))) return;
  const seed = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const old = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
  for (const key of old.slice(0, Math.max(0, old.length - MOST))) localStorage.removeItem(key);
  localStorage.setItem(place(table, round), seed);
  const commitment = await seatCommitment({ table, round }, seat, seed);
  await order(table, { command: "commit-seed", seat, commitment }, invite);
}

/**
 * Shows the seed, after "no more bets".
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 * @param {string | null} invite
 */
export async function showSeed(table, round, seat, invite) {
  const seed = localStorage.getItem(place(table, round));
  if (seed) await order(table, { command: "reveal-seed", seat, seed }, invite);
}
