// The player's actions at a table, and the commands that carry them out.

import { closeTable, invited, postOnce, Problem, sendCommand } from "../shared/api.js";
import { useState } from "../shared/html.js";
import { showError, showNote } from "../shared/notice.js";
import { go } from "../shared/router.js";
import { ensurePlayer } from "../shared/session.js";
import { settings } from "../shared/settings.js";
import { play } from "../shared/sound.js";
import { unlessLate } from "./auto_actions.js";
import { add, double, fitted, keepBets, lastBets, whyNot } from "./bets.js";
import { ownHand } from "./phase.js";
import { noteStart } from "./reminder.js";

/** @typedef {import("../../types/api").SeatState} SeatState */
/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */
/** @typedef {ReturnType<typeof useActions>} Actions */

/** The note for a player who leaves in the middle of a round. */
const LEAVES_LATER =
  "You leave when this round is over. Until then the table checks or folds for you.";

/**
 * Sends commands to the table, and the response to the page.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: TableNews) => void} onNews gets the response
 */
export function useCommands(table, invite, onNews) {
  const [isBusy, setBusy] = useState(false);
  const send = async (/** @type {Record<string, any>} */ command) => {
    setBusy(true);
    try {
      const done = await sendCommand(table, command, invite);
      onNews({ state: done.state, events: done.events, missed: false });
      return done;
    } catch (problem) {
      // If the table already decided for the player, the page has said so. Any other late command
      // is reported here.
      const isLate = problem instanceof Problem && problem.code === "moved-on";
      const isTold = isLate && command.then?.command === "decide";
      if (!isTold) showError(problem);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy };
}

/**
 * All actions at a table.
 * @param {object} given
 * @param {string} given.table
 * @param {string | null} given.invite
 * @param {TableState} given.state
 * @param {import("./bets.js").Bets} given.bets
 * @param {(bets: import("./bets.js").Bets) => void} given.setBets
 * @param {"ante" | "bonus"} given.picked
 * @param {() => void} given.putAway
 * @param {(command: object) => Promise<any>} given.send
 */
export function useActions({ table, invite, state, bets, setBets, picked, putAway, send }) {
  const { limits, round_number: round } = state;
  const seat = state.seats.find((it) => it.you)?.seat ?? 0;
  const rebet = lastBets(state.house);
  return {
    add: (/** @type {number} */ amount) => {
      setBets(add(bets, picked, amount, limits));
      play("chip");
    },
    nudge: (/** @type {number} */ amount) => setBets(add(bets, "ante", amount, limits)),
    bonus: () =>
      state.bonus_paytable && setBets({ ...bets, bonus: bets.bonus ? 0 : limits.bonus_min }),
    rebet: () => rebet && setBets(fitted(rebet, limits)),
    double: () => setBets(double(bets, limits)),
    clear: () => setBets({ ante: 0, bonus: 0 }),
    change: putAway,
    deal: async () => {
      if (whyNot(bets, limits, state.chips, state.bonus_name)) return;
      noteStart();
      // Few players bring a seed, so that module is loaded on demand.
      if (settings.get().ownSeed) {
        const seeds = import("./seed.js");
        await seeds.then((it) => it.commitSeed(table, round, seat, invite)).catch(unlessLate);
      }
      const wager = { command: "wager", seat, ante: bets.ante, bonus: bets.bonus };
      if (!(await send({ command: "expecting", round, then: wager }))) return;
      putAway();
      keepBets(state.house, bets);
    },
    dealNow: () => send({ command: "deal" }),
    withdraw: () => send({ command: "withdraw", seat }),
    decide: (/** @type {string} */ decision) => {
      const turn = ownHand(state)?.actions.length;
      const then = { command: "decide", seat, decision };
      return send({ command: "expecting", round, turn, then });
    },
    takeBank: (/** @type {number} */ wager) => send({ command: "take-bank", seat, wager }),
    passBank: () => send({ command: "decline-bank", seat }),
    sit: async (/** @type {number} */ free) => {
      try {
        await ensurePlayer();
        await send({ command: "join", seat: free });
      } catch (problem) {
        showError(problem);
      }
    },
    leave: async () => {
      const done = await send({ command: "leave", seat });
      if (!done) return;
      if (done.state.seats.some((/** @type {SeatState} */ it) => it.you)) showNote(LEAVES_LATER);
      else go("/");
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
    sitIn: () => send({ command: "sit-in", seat }),
    sitOut: () => send({ command: "sit-out", seat }),
    bot: () => postOnce(`tables/${table}/bots${invited(invite)}`).catch(showError),
  };
}
