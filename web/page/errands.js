// What the page does for somebody without being asked: it deals where nobody else does, shows seeds, and keeps notes.

import { order, pause, Problem } from "./api.js";
import { useEffect, useRef } from "./html.js";
import { complain } from "./notice.js";
import { ownHand } from "./phase.js";
import { noteRound } from "./reminder.js";
import { play } from "./sound.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").RoundRecord} RoundRecord */

/** How long the seed is left to another device of the same player, in milliseconds, before it is given up. */
const SEED_IS_LOST = 10_000;

/** What has been done by somebody else in the meantime is no reason to complain. */
export const unlessLate = (/** @type {unknown} */ problem) => {
  if (!(problem instanceof Problem && problem.status === 409)) complain(problem);
};

/**
 * Does something in one tab only, if several come to it at the same moment.
 * @param {string} what
 * @param {() => Promise<unknown>} act
 */
async function alone(what, act) {
  // Pages that came over plain HTTP from another machine have no locks: there it is done by all.
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
export function useErrands(table, invite, state, record) {
  const { round, round_number: number } = state;
  const own = state.seats.find((it) => it.you);

  useEffect(() => {
    if (own?.awaits !== "seed") return undefined;
    const seeds = import("./seed.js");
    seeds.then((it) => it.showSeed(table, number, own.seat, invite)).catch(unlessLate);
    const giveUp = () => seeds.then((it) => it.giveUpSeed(table, own.seat, invite)).catch(unlessLate);
    const lost = setTimeout(giveUp, SEED_IS_LOST);
    return () => clearTimeout(lost);
  }, [own?.awaits, number]);

  // A table without clocks deals when somebody says so. Once everybody has bet it is said for them,
  // by one page: that of the first person there, and there by one tab.
  const first = state.seats.find((it) => !it.bot && round?.hands.some((hand) => hand.seat === it.seat));
  const isComplete = round?.stage === "betting" && ownHand(state) && !state.seats.some((it) => it.awaits === "wager");
  const isForMe = Boolean(!state.clocks && isComplete && first?.you);
  useEffect(() => {
    const deal = () => order(table, { command: "deal" }, invite);
    if (isForMe) alone(`deal ${table} ${number}`, deal).catch(unlessLate);
  }, [isForMe, number]);

  useEffect(() => {
    if (round?.stage === "deciding") play("card");
  }, [round?.stage, round?.community.length, number]);

  // The end of a round: its sound, and the sitting's account.
  const settled = record?.shuffle?.round ?? 0;
  const noted = useRef(settled);
  useEffect(() => {
    if (!settled || noted.current === settled) return;
    noted.current = settled;
    const net = ownNet(record, own?.seat);
    if (net === undefined) return;
    noteRound(net);
    play(net > 0 ? "win" : "chip");
  }, [settled]);
}

/**
 * @param {RoundRecord | null | undefined} record
 * @param {number | undefined} seat
 */
function ownNet(record, seat) {
  if (seat !== undefined && record?.banker?.seat === seat) return record.result?.bank.net;
  return record?.result?.seats.find((it) => it.seat === seat)?.net;
}
