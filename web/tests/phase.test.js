// The phase of a table, from the server's state.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mayDeal, phaseOf, waitingFor } from "../page/table/phase.js";

const OWN = {
  seat: 2,
  player: "p-2",
  name: "ann",
  bot: false,
  out: false,
  leaving: false,
  you: true,
  awaits: null,
};
const HAND = {
  seat: 2,
  stakes: { ante: 500, blind: 500, play: 0, bonus: 0 },
  folded: false,
  to_decide: false,
  actions: [],
};

/** @returns {any} a table with one person at it, and a round if there is one */
const table = (own = {}, round = /** @type {any} */ (null), more = {}) => ({
  seats: [{ ...OWN, ...own }],
  round: round && { stage: "betting", hands: [], community: [], ...round },
  paused: null,
  ...more,
});

/** A table that waits for another player's seed. */
const WAITS_FOR_BEA = table({}, { stage: "revealing", hands: [HAND] });
WAITS_FOR_BEA.seats.push({ ...OWN, seat: 3, name: "bea", you: false, awaits: "seed" });

/** A hand that is waiting for its player's decision. */
const TO_DECIDE = { ...HAND, to_decide: true, decisions: ["check"] };

const CASES = /** @type {[string, any, boolean, string, string?][]} */ ([
  ["rail", { ...table(), seats: [{ ...OWN, you: false }] }, false, "a spectator"],
  ["out", table({ out: true }), false, "you sit out"],
  ["waiting", table({ out: true }, { hands: [HAND], stage: "deciding" }), false,
    "you leave after the round", "Other players are deciding."],
  ["betting", table({ awaits: "wager" }, {}), false, "bets are open"],
  ["again", table({ awaits: "wager" }, {}), true, "the last result is still shown"],
  ["wagered", table({}, { hands: [HAND] }), false, "you have bet", "Your bets are on the felt."],
  ["offered", table({ awaits: "bank" }, { stage: "offering", offered: 2 }), false,
    "the bank is offered to you"],
  ["waiting", table({}, { stage: "offering", offered: 3 }), false,
    "the bank is offered to another player", "The bank is being offered."],
  ["deciding", table({}, { stage: "deciding", hands: [TO_DECIDE] }), false, "your turn"],
  ["waiting", table({}, { stage: "deciding", hands: [{ ...HAND, folded: true }] }), false,
    "folded", "You folded. Other players are deciding."],
  ["waiting", table({}, { stage: "deciding", banker: { seat: 2, wager: 1 } }), false,
    "you bank", "You bank this round."],
  ["waiting", table({}, { banker: { seat: 2, wager: 1 } }), false,
    "you bank and all have bet", "You bank this round. All bets are in."],
  ["waiting", table({}, { stage: "revealing", hands: [HAND] }), false,
    "seeds", "No more bets. The cards are on their way."],
  ["waiting", WAITS_FOR_BEA, false,
    "another player's seed", "No more bets. The table is waiting for bea to show a seed."],
  ["waiting", table({}, { stage: "deciding" }), false,
    "you came late", "You're not in this round."],
  ["again", table(), true, "between rounds: the next bets can be made"],
  ["waiting", table(), false, "before the first round", "The next round is about to begin."],
  ["waiting", table({}, null, { player_banked: true }), true,
    "between rounds where players bank", "The next round is about to begin."],
  ["waiting", table({}, null, { paused: "a break" }), true, "paused", "The table is paused."],
]);

for (const [phase, state, isSettled, why, words] of CASES) {
  test(`${phase}: ${why}`, () => {
    assert.equal(phaseOf(state, isSettled), phase);
    if (words) assert.equal(waitingFor(state, isSettled), words);
  });
}

test("a bettor and the banker may deal at a table without clocks, once there are bets", () => {
  const others = [{ ...HAND, seat: 3 }];
  assert.ok(mayDeal(table({}, { hands: [HAND] })));
  assert.ok(mayDeal(table({}, { hands: others, banker: { seat: 2, wager: 1 } })));
  assert.ok(!mayDeal(table({}, { banker: { seat: 2, wager: 1 } })), "no bets");
  assert.ok(!mayDeal(table({ awaits: "wager" }, { hands: others })), "first bet yourself");
  assert.ok(!mayDeal(table({}, { hands: [HAND] }, { clocks: true })), "a clock deals");
  assert.ok(!mayDeal(table({}, { hands: [HAND] }, { may_deal: false })), "the server decides");
});
