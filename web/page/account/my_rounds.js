// The player's own rounds: the list, what was played in each of them, and filters.

import { get, Problem } from "../shared/api.js";
import { useEffect, useRef, useState } from "../shared/html.js";
import { showError } from "../shared/notice.js";

/** @typedef {import("../../types/api").MyRound} MyRound */
/** @typedef {import("../../types/api").RoundRecord} RoundRecord */
/** @typedef {import("../../types/api").Telling} Telling */
/** @typedef {{record: RoundRecord, telling: Telling}} Played */

/** How many rounds are loaded without being asked for. The rest comes with a button. */
const AT_ONCE = 1000;

/** How many rounds are looked up at the same time. */
const LOOKUPS = 4;

/**
 * Loads the player's rounds, page by page, the latest first.
 * @param {string | null | undefined} player null without a player, undefined if not known yet
 */
export function useMyRounds(player) {
  const [rounds, setRounds] = useState(/** @type {MyRound[] | null} */ (null));
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [isBusy, setBusy] = useState(false);
  const turn = useRef(0);

  const load = async (/** @type {string | null} */ from, /** @type {MyRound[]} */ known) => {
    const mine = ++turn.current;
    setBusy(true);
    let [all, before] = [known, from];
    try {
      do {
        const after = before ? `?before=${encodeURIComponent(before)}` : "";
        const page = await get(`me/rounds${after}`);
        if (turn.current !== mine) return;
        all = [...all, ...page.rounds];
        before = page.next ?? null;
        setRounds(all);
        setNext(before);
      } while (before && all.length - known.length < AT_ONCE);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 401) showError(problem);
      else setRounds([]);
    }
    setBusy(false);
  };
  useEffect(() => {
    turn.current++;
    setRounds(player === null ? [] : null);
    if (player) load(null, []);
  }, [player]);
  const more = next && !isBusy ? () => load(next, rounds ?? []) : null;
  return { rounds, more, isBusy };
}

/** @param {{table: string, round: number}} round */
export const keyOf = ({ table, round }) => `${table}/${round}`;

/** What was played in rounds that the page has already looked up. */
const played = /** @type {Map<string, Promise<Played | null>>} */ (new Map());

/** @param {{table: string, round: number}} round */
function lookUp({ table, round }) {
  const path = `tables/${encodeURIComponent(table)}/rounds/${round}`;
  const asked = Promise.all([get(path), get(`${path}/telling`)]).then(
    ([record, telling]) => ({ record, telling }),
    // A private table that is gone hides its rounds. The list still has the result.
    () => null,
  );
  played.set(keyOf({ table, round }), asked);
  return asked;
}

/**
 * Looks up the cards of the listed rounds, a few at a time.
 * @param {MyRound[]} rounds
 * @returns {Map<string, Played | null>} null if they can't be looked up
 */
export function usePlayed(rounds) {
  const [found, setFound] = useState(/** @type {Map<string, Played | null>} */ (new Map()));
  const list = rounds.map(keyOf).join();
  useEffect(() => {
    let isWanted = true;
    const waiting = rounds.filter((it) => !found.has(keyOf(it)));
    const run = async () => {
      for (let round = waiting.shift(); round && isWanted; round = waiting.shift()) {
        const key = keyOf(round);
        const it = await (played.get(key) ?? lookUp(round));
        setFound((known) => new Map(known).set(key, it));
      }
    };
    for (let worker = 0; worker < LOOKUPS; worker++) run();
    return () => {
      isWanted = false;
    };
  }, [list]);
  return found;
}

/** @typedef {{game: string, house: string, period: string, result: string}} Filter */

/** @type {Filter} */
export const ALL = { game: "", house: "", period: "", result: "" };

const DAY = 24 * 60 * 60 * 1000;

/** @type {Record<string, (at: number) => boolean>} */
const PERIODS = {
  today: (at) => new Date(at).toDateString() === new Date().toDateString(),
  week: (at) => at > Date.now() - 7 * DAY,
  month: (at) => at > Date.now() - 30 * DAY,
};

/** @type {Record<string, (round: MyRound) => boolean>} */
const RESULTS = {
  won: ({ net }) => net > 0,
  lost: ({ net }) => net < 0,
  even: ({ net }) => net === 0,
  banked: ({ banked }) => banked,
};

/**
 * @param {MyRound[]} rounds
 * @param {Filter} filter
 */
export function filtered(rounds, { game, house, period, result }) {
  return rounds.filter(
    (it) =>
      (!game || it.game === game) &&
      (!house || it.house === house) &&
      (!period || PERIODS[period](it.at)) &&
      (!result || RESULTS[result](it)),
  );
}

/**
 * The totals of some rounds. Rounds that the player banked are counted on their own.
 * @param {MyRound[]} rounds
 */
export function totals(rounds) {
  const wagered = rounds.filter(({ banked }) => !banked);
  const banked = rounds.filter((it) => it.banked);
  const nets = wagered.map(({ net }) => net);
  const sum = (/** @type {number[]} */ amounts) => amounts.reduce((all, it) => all + it, 0);
  return {
    count: wagered.length,
    won: nets.filter((net) => net > 0).length,
    staked: sum(wagered.map(({ staked }) => staked)),
    net: sum(nets),
    best: nets.length ? Math.max(...nets) : null,
    worst: nets.length ? Math.min(...nets) : null,
    banked: banked.length,
    bankNet: sum(banked.map(({ net }) => net)),
  };
}
