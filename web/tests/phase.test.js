// What is asked of somebody, from what a server says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { phaseOf, waitingFor } from "../page/phase.js";

const OWN = { seat: 2, player: "p-2", name: "ann", bot: false, out: false, leaving: false, you: true, awaits: null };
const HAND = { seat: 2, stakes: { ante: 500, blind: 500, play: 0, bonus: 0 }, folded: false, to_decide: false, actions: [] };

/** @returns {any} a table with one person at it, and a round if there is one */
const table = (own = {}, round = /** @type {any} */ (null), more = {}) => ({
  seats: [{ ...OWN, ...own }],
  round: round && { stage: "betting", hands: [], community: [], ...round },
  paused: null,
  ...more,
});

/** A table that waits for the seed of another player. */
const WAITS_FOR_BEA = table({}, { stage: "revealing", hands: [HAND] });
WAITS_FOR_BEA.seats.push({ ...OWN, seat: 3, name: "bea", you: false, awaits: "seed" });

const CASES = /** @type {[string, any, boolean, string, string?][]} */ ([
  ["rail", { ...table(), seats: [{ ...OWN, you: false }] }, false, "somebody looks on"],
  ["out", table({ out: true }), false, "he sits out"],
  ["waiting", table({ out: true }, { hands: [HAND], stage: "deciding" }), false, "he leaves after it", "The others decide."],
  ["betting", table({ awaits: "wager" }, {}), false, "bets are open"],
  ["again", table({ awaits: "wager" }, {}), true, "the last round is still looked at"],
  ["wagered", table({}, { hands: [HAND] }), false, "he has bet", "Your bets are on the felt."],
  ["offered", table({ awaits: "bank" }, { stage: "offering", offered: 2 }), false, "the bank is his"],
  ["waiting", table({}, { stage: "offering", offered: 3 }), false, "it is another's", "The bank is being offered."],
  ["deciding", table({}, { stage: "deciding", hands: [{ ...HAND, to_decide: true, decisions: ["check"] }] }), false, "his turn"],
  ["waiting", table({}, { stage: "deciding", hands: [{ ...HAND, folded: true }] }), false, "folded", "You folded. The others decide."],
  ["waiting", table({}, { stage: "deciding", banker: { seat: 2, wager: 1 } }), false, "he banks", "You bank this round."],
  ["waiting", table({}, { stage: "revealing", hands: [HAND] }), false, "seeds", "No more bets. The cards come in a moment."],
  ["waiting", WAITS_FOR_BEA, false, "another's seed", "No more bets. The table waits for bea to show a seed."],
  ["waiting", table({}, { stage: "deciding" }), false, "he came late", "This round goes on without you."],
  ["waiting", table(), true, "between rounds", "The next round is about to begin."],
  ["waiting", table({}, null, { paused: "a break" }), true, "paused", "The table is paused."],
]);

for (const [phase, state, isSettled, why, words] of CASES) {
  test(`${phase}: ${why}`, () => {
    assert.equal(phaseOf(state, isSettled), phase);
    if (words) assert.equal(waitingFor(state, isSettled), words);
  });
}
