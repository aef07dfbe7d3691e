// Background tasks for the player: calls for the cards at tables without clocks, reveals seeds,
// plays sounds, and tracks the sitting.

import { pause, Problem, sendCommand } from "../shared/api.js";
import { useEffect, useRef } from "../shared/html.js";
import { showError } from "../shared/notice.js";
import { play } from "../shared/sound.js";
import { noteRound } from "./reminder.js";
import { countRound } from "./sitting.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("../../types/api").RoundRecord} RoundRecord */

/**
 * How long another device of the same player has to reveal the seed before it is given up, in
 * milliseconds.
 */
const SEED_IS_LOST = 10_000;

/** Ignores the conflict when another client has done the same in the meantime. */
export const unlessLate = (/** @type {unknown} */ problem) => {
  if (!(problem instanceof Problem && problem.status === 409)) showError(problem);
};

/**
 * Runs an action in one tab only, if several tabs want to at the same moment.
 * @param {string} what
 * @param {() => Promise<unknown>} act
 */
async function alone(what, act) {
  // Pages loaded over plain HTTP from another machine have no locks, so there every tab runs it.
  if (!navigator.locks) return act();
  return navigator.locks.request(`croupier ${what}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await act();
    await pause(2000);
  });
}

/**
 * @param {string} table
 * @param {string | null} invite
 * @param {TableState} state
 * @param {RoundRecord | null | undefined} record of the round before
 */
export function useAutoActions(table, invite, state, record) {
  const { round, round_number: number } = state;
  const own = state.seats.find((it) => it.you);

  useEffect(() => {
    if (own?.awaits !== "seed") return undefined;
    const seeds = import("./seed.js");
    seeds.then((it) => it.showSeed(table, number, own.seat, invite)).catch(unlessLate);
    const giveUp = () =>
      seeds.then((it) => it.giveUpSeed(table, own.seat, invite)).catch(unlessLate);
    const lost = setTimeout(giveUp, SEED_IS_LOST);
    return () => clearTimeout(lost);
  }, [own?.awaits, number]);

  // A table without clocks deals on command. Once all players have bet, one page sends the command:
  // that of the first person with a bet, or the banker's if only bots have bet, and there only one
  // tab.
  const hasBet = (/** @type {number} */ seat) => round?.hands.some((hand) => hand.seat === seat);
  const first =
    state.seats.find((it) => !it.bot && hasBet(it.seat)) ??
    state.seats.find((it) => !it.bot && it.seat === round?.banker?.seat);
  const isAwaited = state.seats.some((it) => it.awaits === "wager");
  const isComplete = round?.stage === "betting" && round.hands.length > 0 && !isAwaited;
  const isForMe = Boolean(!state.clocks && isComplete && first?.you);
  useEffect(() => {
    const deal = () => sendCommand(table, { command: "deal" }, invite);
    if (isForMe) alone(`deal ${table} ${number}`, deal).catch(unlessLate);
  }, [isForMe, number]);

  useEffect(() => {
    if (round?.stage === "deciding") play("card");
  }, [round?.stage, round?.community.length, number]);

  // The end of a round: its sound, and the sitting's running result.
  const settled = record?.shuffle?.round ?? 0;
  const counted = useRef(settled);
  useEffect(() => {
    const net = ownNet(record, own);
    if (net !== undefined) countRound(table, settled, net);
    if (!settled || counted.current === settled) return;
    counted.current = settled;
    if (net === undefined) return;
    noteRound(net);
    play(net > 0 ? "win" : "chip");
  }, [settled]);
}

/**
 * @param {RoundRecord | null | undefined} record
 * @param {import("../../types/api").SeatState | undefined} own
 * @returns {number | undefined} the player's result, if they were in the round
 */
function ownNet(record, own) {
  if (!own) return undefined;
  if (record?.banker?.player === own.player) return record.result?.bank.net;
  const seat = record?.seats.find((it) => it.player === own.player)?.seat;
  return record?.result?.seats.find((it) => it.seat === seat)?.net;
}
