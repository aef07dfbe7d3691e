// The player's actions at a table, and the commands that carry them out.

import { closeTable, get, invited, postOnce, Problem, sendCommand } from "../shared/api.js";
import { useEffect, useRef, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { sentence, showError, showNote, showRefusal } from "../shared/notice.js";
import { go } from "../shared/router.js";
import { ensurePlayer, refill } from "../shared/session.js";
import { settings } from "../shared/settings.js";
import { play } from "../shared/sound.js";
import { unlessLate } from "./auto_actions.js";
import { add, double, fitted, keepBets, lastBets, whyNot } from "./bets.js";
import { ownHand } from "./phase.js";
import { noteStart } from "./reminder.js";
import { beginSitting, endSitting } from "./sitting.js";

/** @typedef {import("../../types/api").SeatState} SeatState */
/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */
/** @typedef {ReturnType<typeof useActions>} Actions */
/**
 * @typedef {object} Pending a command that the table has not answered
 * @property {string} what the decision, or a word for another command
 * @property {boolean} isSlow whether it takes so long that the page says so
 */

/** How long a command may take before the page says that it is on its way, in milliseconds. */
const SLOW = 400;

/** A second press so soon after the first is not meant, in milliseconds. */
const TWICE = 300;

/**
 * The note for a player who leaves in the middle of a round.
 * @param {boolean} isBanking
 */
const leavesLater = (isBanking) =>
  `You leave when this round is over. Until then ${
    isBanking ? "you bank it" : "the table checks or folds for you"}.`;

/**
 * Sends commands to the table, and the response to the page.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: TableNews) => void} onNews gets the response
 * @param {boolean} isLost whether the connection is lost
 */
export function useCommands(table, invite, onNews, isLost) {
  const [sent, setSent] = useState(/** @type {{what: string, at: number} | null} */ (null));
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!sent) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [sent]);
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  const wasLost = useRef(false);
  if (isLost) wasLost.current = true;

  const send = async (/** @type {Record<string, any>} */ command, what = "") => {
    const it = { what, at: Date.now() };
    setSent(it);
    wasLost.current = isLost;
    // A command for one moment only is harmless however late it arrives, so it is sent until the
    // server answers.
    const isPatient = command.command === "expecting";
    try {
      const isWanted = () => isPatient && isHere.current;
      const done = await sendCommand(table, command, invite, isWanted);
      onNews({ state: done.state, events: done.events, missed: false });
      return done;
    } catch (problem) {
      const isLate = problem instanceof Problem && problem.code === "moved-on";
      if (isLate && command.then?.command === "decide") {
        // If the table decided for the player while they watched, the page has said so.
        if (wasLost.current) showRefusal(tooLate(what));
      } else showError(problem);
      return null;
    } finally {
      setSent((now) => (now === it ? null : now));
    }
  };
  const pending = sent && { what: sent.what, isSlow: isSlow || isLost };
  /** Says why there is no other decision now, unless the press was the second half of two. */
  const refuse = () => {
    if (!sent || (!isLost && Date.now() - sent.at < TWICE)) return;
    const then = isLost ? "It counts if the connection is back in time." : "";
    showRefusal([`Your ${inWords(sent.what)} is on its way.`, then].filter(Boolean).join(" "));
  };
  return { send, pending, refuse };
}

/** @param {string} decision */
const inWords = (decision) => decisionWords(decision, 0).label.toLowerCase();

/** @param {string} decision */
const tooLate = (decision) =>
  `Your ${inWords(decision)} didn't count: the table had moved on before it arrived.`;

/**
 * All actions at a table.
 * @param {object} given
 * @param {string} given.table
 * @param {string | null} given.invite
 * @param {TableState} given.state
 * @param {import("./bets.js").Bets} given.bets
 * @param {(bets: import("./bets.js").Bets) => void} given.setBets
 * @param {number} given.chip the chip in hand
 * @param {(chip: number) => void} given.setChip
 * @param {() => void} given.putAway
 * @param {(news: TableNews) => void} given.onNews
 * @param {ReturnType<typeof useCommands>} given.commands
 */
export function useActions(given) {
  const { table, invite, state, bets, setBets, chip, setChip, putAway, onNews } = given;
  const { send, pending, refuse } = given.commands;
  const { limits, round_number: round } = state;
  const own = state.seats.find((it) => it.you);
  const seat = own?.seat ?? 0;
  const rebet = lastBets(state.house);
  const has = (/** @type {"ante" | "bonus"} */ bet) => bet === "ante" || state.bonus_paytable;

  const bet = async () => {
    if (pending || whyNot(bets, limits, state.chips, state.bonus_name)) return;
    noteStart();
    beginSitting(table, round);
    // Few players bring a seed, so that module is loaded on demand.
    if (settings.get().ownSeed) {
      const seeds = import("./seed.js");
      await seeds.then((it) => it.commitSeed(table, round, seat, invite)).catch(unlessLate);
    }
    const wager = { command: "wager", seat, ante: bets.ante, bonus: bets.bonus };
    if (!(await send({ command: "expecting", round, then: wager }, "wager"))) return;
    putAway();
    keepBets(state.house, bets);
  };

  // Between two rounds, the bets wait here until betting opens.
  const [isQueued, setQueued] = useState(false);
  const isOpen = state.round?.stage === "betting" && own?.awaits === "wager";
  useEffect(() => {
    if (!isQueued) return;
    if (isOpen) bet();
    if (isOpen || !own || own.out || state.paused) setQueued(false);
  }, [isQueued, isOpen, own?.out, state.paused]);

  return {
    isQueued,
    pick: setChip,
    put: (/** @type {"ante" | "bonus"} */ circle) => {
      if (pending || !has(circle)) return;
      setBets(add(bets, circle, chip, limits));
      play("chip");
    },
    take: (/** @type {"ante" | "bonus"} */ circle) => {
      if (!pending && has(circle)) setBets(add(bets, circle, -chip, limits));
    },
    rebet: () => rebet && setBets(fitted(rebet, limits)),
    double: () => setBets(double(bets, limits)),
    clear: () => setBets({ ante: 0, bonus: 0 }),
    change: () => {
      setQueued(false);
      putAway();
    },
    bet: () => (isOpen ? bet() : setQueued(true)),
    dealNow: () => send({ command: "deal" }, "deal"),
    withdraw: () => send({ command: "withdraw", seat }, "withdraw"),
    decide: (/** @type {string} */ decision) => {
      if (pending) return refuse();
      const turn = ownHand(state)?.actions.length;
      const then = { command: "decide", seat, decision };
      return send({ command: "expecting", round, turn, then }, decision);
    },
    takeBank: async (/** @type {number} */ wager) => {
      beginSitting(table, round);
      if (await send({ command: "take-bank", seat, wager }, "bank")) putAway();
    },
    passBank: () => send({ command: "decline-bank", seat }, "pass"),
    refill: async () => {
      try {
        const chips = await refill();
        showNote(`You got another ${money(chips)}.`);
        const fresh = await get(`tables/${encodeURIComponent(table)}${invited(invite)}`);
        onNews({ state: fresh, events: [], missed: false });
      } catch (problem) {
        const isRefused = problem instanceof Problem && problem.code === "chips-left";
        if (isRefused) showRefusal(`${sentence(problem.message)} You get more below $100.`);
        else showError(problem);
      }
    },
    sit: async (/** @type {number} */ free) => {
      try {
        await ensurePlayer();
        await send({ command: "join", seat: free }, "join");
      } catch (problem) {
        showError(problem);
      }
    },
    leave: async () => {
      const done = await send({ command: "leave", seat }, "leave");
      if (!done) return;
      if (done.state.seats.some((/** @type {SeatState} */ it) => it.you)) {
        showNote(leavesLater(state.round?.banker?.seat === seat));
        return;
      }
      endSitting();
      go("/");
    },
    close: async () => {
      try {
        const { state: after } = await closeTable(table);
        if (after.closed) go("/");
        showNote(
          after.closed ? "The table is closed." : "The table closes when this round is over.",
        );
      } catch (problem) {
        showError(problem);
      }
    },
    sitIn: () => send({ command: "sit-in", seat }, "sit-in"),
    sitOut: () => send({ command: "sit-out", seat }, "sit-out"),
    bot: () => postOnce(`tables/${table}/bots${invited(invite)}`).catch(showError),
  };
}
