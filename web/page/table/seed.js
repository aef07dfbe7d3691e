// The player's own seed for every shuffle, so that they need not rely on the table's alone.

import { canHash, seatCommitment } from "../round/shuffle.js";
import { sendCommand, toHex } from "../shared/api.js";

const KEY = "croupier.seeds";

/** How many seeds are stored: a tab closed mid-round may be reopened. */
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
 * Draws a seed and commits to it, while betting is open. The seed is stored before the commitment
 * is sent, so that a reloaded tab can still reveal it.
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
    const list = [...kept(), [`${table}/${round}`, seed]].slice(-MOST);
    localStorage.setItem(KEY, JSON.stringify(list));
  }
  const commitment = await seatCommitment({ table, round }, seat, seed);
  await sendCommand(table, { command: "commit-seed", seat, commitment }, invite);
}

/**
 * Reveals the seed, after "no more bets", if this browser has it.
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 * @param {string | null} invite
 */
export async function showSeed(table, round, seat, invite) {
  const seed = seedOf(table, round);
  if (seed) await sendCommand(table, { command: "reveal-seed", seat, seed }, invite);
}

/**
 * Gives up the seed, so that the other players do not wait for it.
 * @param {string} table
 * @param {number} seat
 * @param {string | null} invite
 */
export const giveUpSeed = (table, seat, invite) =>
  sendCommand(table, { command: "give-up-seed", seat }, invite);
