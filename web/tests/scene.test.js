// What lies on the felt, from what a server says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { around } from "../page/felt.js";
import { emptySeat, liveScene, settledScene } from "../page/scene.js";
import { betsClosed, spoken } from "../page/telling.js";

const sitter = (seat, more = {}) => ({ seat, player: `p-${seat}`, name: `guest-${seat}`, bot: false, out: false, leaving: false, you: false, ...more });
const hand = (seat, more = {}) => ({
  seat, stakes: { ante: 1_000, blind: 1_000, play: 0, bonus: 0 }, folded: false, to_decide: true, actions: [], ...more,
});
const TABLE = {
  version: 9, game: "uth", bonus_name: "Trips", seat_count: 7, round_number: 3, closed: false, paused: null, player_banked: false,
  inscription: "The dealer needs a pair or better to qualify",
  seats: [sitter(2, { you: true }), sitter(5)],
  round: {
    stage: "deciding", community: ["Kd", "9s", "4s"], deck_colour: "blue", offered: null, banker: null,
    hands: [hand(2, { cards: ["Qs", "Ts"], actions: ["check"], decisions: ["bet 2", "check"] }), hand(5, { to_decide: false, actions: ["bet 4"], stakes: { ante: 500, blind: 500, play: 2_000, bonus: 0 } })],
  },
};

test("one's own cards lie open, and nobody else's", () => {
  const scene = liveScene(TABLE);
  assert.deepEqual(scene.seats[1].cards, ["Qs", "Ts"]);
  assert.deepEqual(scene.seats[4].cards, [null, null]);
  assert.deepEqual(scene.dealer, [null, null]);
  assert.deepEqual(scene.board, ["Kd", "9s", "4s"]);
  assert.equal(scene.seats[4].word, "bet 4×");
  assert.equal(scene.seats[1].word, "thinking");
  assert.equal(scene.seats[0].name, "");
  assert.equal(scene.call, "On the flop: your decision.");
  assert.equal(scene.deckColour, "blue");
});

test("no cards lie there before they are dealt", () => {
  const scene = liveScene({ ...TABLE, round: { ...TABLE.round, stage: "betting", community: [], hands: [hand(5)] } });
  assert.deepEqual(scene.dealer, []);
  assert.deepEqual(scene.seats[4].cards, []);
  assert.equal(scene.seats[4].stakes.ante, 1_000);
  assert.equal(scene.call, "Place your bets.");
});

const RECORD = {
  deck_colour: "red", shuffle: { round: 3 }, seats: [{ seat: 2, player: "p-2" }],
  result: {
    community: ["Kd", "9s", "4s", "Js", "2c"], bank: { net: -11_750 },
    dealer: { cards: ["Ad", "6h"], best: ["Ad", "Kd", "Js", "9s", "6h"], hand: "high-card", qualifies: false },
    seats: [{
      seat: 2, cards: ["Qs", "Ts"], best: ["Qs", "Js", "Ts", "9s", "4s"], outcome: "win", net: 11_750,
      wagers: { ante: { staked: 2_500, returned: 2_500, result: "push" }, play: { staked: 5_000, returned: 10_000, result: "win" } },
    }],
  },
};
const TELLING = { call: "The dealer has ace high and does not qualify.", seats: [{ seat: 2, hand: "flush, queen high" }] };

test("a settlement shows what won, and where the money went", () => {
  const scene = settledScene(TABLE, RECORD, TELLING);
  const mine = scene.seats[1];
  assert.deepEqual(scene.dealer, ["Ad", "6h"]);
  assert.deepEqual(scene.dealerBest, [], "the cards that count are the winner's");
  assert.deepEqual(mine.settled.ante, { result: "push", paid: 0 });
  assert.deepEqual(mine.settled.play, { result: "win", paid: 5_000 });
  assert.equal(mine.word, "wins $117.50");
  assert.equal(mine.hand, "flush, queen high");
  assert.equal(scene.call, TELLING.call);
});

test("everybody sits on the side where he would", () => {
  const seats = Array.from({ length: 7 }, (_, place) => emptySeat(place + 1));
  const numbers = ({ left, right }) => [left, right].map((side) => side.map(({ seat }) => seat));
  assert.deepEqual(numbers(around(seats, 4)), [[5, 6, 7], [3, 2, 1]], "the nearest first");
  assert.deepEqual(numbers(around(seats, 1)), [[2, 3, 4], [7, 6, 5]]);
  assert.deepEqual(numbers(around(seats, 0)), [[1, 2, 3, 4], [7, 6, 5]], "from the rail");
});

test("who listens hears cards, turns and results, and each once", () => {
  const before = { ...TABLE, round: { ...TABLE.round, stage: "betting", community: [], hands: [] } };
  const dealt = { ...TABLE, round: { ...TABLE.round, community: [] } };
  assert.equal(spoken(before, { state: dealt, events: [] }), "No more bets. You have queen of spades, ten of spades. Your decision.");
  const bet = { event: "decided", seat: 5, decision: "bet 4", by_table: false };
  assert.equal(
    spoken(dealt, { state: TABLE, events: [bet] }),
    "guest-5 bet 4×. The board: king of diamonds, nine of spades, four of spades. Your decision.",
  );
  assert.equal(spoken(TABLE, { state: TABLE, events: [] }), "");
  const over = { ...TABLE, round: null };
  assert.equal(spoken(TABLE, { state: over, events: [], record: RECORD, telling: TELLING }), `${TELLING.call} You win $117.50.`);
  const late = { event: "decided", seat: 2, decision: "check", by_table: true };
  assert.match(spoken(TABLE, { state: over, events: [late] }), /^Your time was up: checked\./);
});

const staged = (stage, more = {}) => ({ ...TABLE, version: 8, round: { ...TABLE.round, stage, community: [], hands: [], ...more } });

test("the dealer calls \"No more bets\" when betting closes, once, to players and at the rail", () => {
  const betting = staged("betting");
  const revealing = staged("revealing");
  const dealt = staged("deciding");
  const atRail = (state) => ({ ...state, seats: state.seats.map((it) => ({ ...it, you: false })) });
  assert.equal(spoken(atRail(betting), { state: atRail(dealt), events: [] }), "No more bets.");
  assert.equal(spoken(betting, { state: revealing, events: [] }), "No more bets.", "seeds are shown first");
  assert.equal(spoken(revealing, { state: dealt, events: [] }), "", "it was called already");
  assert.equal(spoken(dealt, { state: dealt, events: [] }), "");
  assert.equal(spoken(null, { state: dealt, events: [] }), "", "a page that is opened later has missed the call");
  // A page that asks now and then may miss all of the betting, or all of the cards.
  const before = { ...TABLE, round_number: 2, round: null };
  assert.equal(betsClosed(before, { state: dealt, events: [] }), true);
  const over = { ...betting, version: 12, round: null };
  assert.equal(betsClosed(betting, { state: over, events: [{ event: "betting-closed" }, { event: "dealt" }] }), true);
  assert.equal(betsClosed(betting, { state: over, events: [{ event: "round-undealt" }] }), false);
});

test("the result of the house is not told as that of a person who only watches", () => {
  const atRail = { ...TABLE, seats: [sitter(2), sitter(5)] };
  const over = { ...atRail, round: null };
  assert.equal(spoken(atRail, { state: over, events: [], record: RECORD, telling: TELLING }), TELLING.call);
  const banked = { ...RECORD, banker: { seat: 5, wager: 40_000 } };
  assert.equal(spoken(atRail, { state: over, events: [], record: banked, telling: TELLING }), TELLING.call);
  const bank = { ...TABLE, seats: [sitter(2), sitter(5, { you: true })] };
  const told = spoken(bank, { state: { ...bank, round: null }, events: [], record: banked, telling: TELLING });
  assert.equal(told, `${TELLING.call} You lose $117.50.`);
});

test("the inscription is on the felt whatever happens, and who banks is said beside it", () => {
  const state = { ...TABLE, player_banked: true, inscription: "The player/dealer plays only with a pair or better" };
  const banker = { seat: 5, wager: 20_000 };
  const banked = { ...state, round: { ...state.round, banker } };
  for (const scene of [liveScene({ ...state, round: null }), liveScene(state), liveScene(banked), settledScene(state, { ...RECORD, banker }, TELLING)]) {
    assert.equal(scene.inscription, state.inscription);
  }
  assert.equal(liveScene(state).bank, "No player banks yet");
  assert.equal(liveScene(banked).bank, "guest-5 banks: $200 posted");
  assert.equal(settledScene(state, { ...RECORD, banker }, TELLING).bank, "guest-5 banks: $200 posted");
  assert.equal(liveScene({ ...banked, seats: [sitter(5, { you: true })] }).bank, "You bank: $200 posted");
  assert.equal(liveScene(TABLE).bank, "", "where the house banks there is nothing to say");
});

test("the deal begins at the lowest seat that wagers, and before that at seat 1", () => {
  assert.equal(liveScene({ ...TABLE, round: null }).dealFrom, 1);
  assert.equal(liveScene(staged("betting")).dealFrom, 1);
  assert.equal(liveScene(staged("betting", { hands: [hand(5)] })).dealFrom, 5);
  assert.equal(liveScene(TABLE).dealFrom, 2);
  assert.equal(settledScene(TABLE, RECORD, TELLING).dealFrom, 2);
  // A player/dealer gets the last cards, wherever they sit.
  const seats = [sitter(1), sitter(5)];
  const banked = { ...staged("betting", { banker: { seat: 1, wager: 500 } }), seats, player_banked: true };
  assert.equal(liveScene(banked).dealFrom, 2);
});
