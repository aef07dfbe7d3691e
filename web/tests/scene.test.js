// The felt, as drawn from the server's state.

import assert from "node:assert/strict";
import { test } from "node:test";

import { neighbors } from "../page/felt/felt.js";
import { emptySeat, liveScene, settledScene } from "../page/felt/scene.js";
import { announcementFor, betsClosed } from "../page/table/announcements.js";

const sitter = (seat, more = {}) => ({
  seat,
  player: `p-${seat}`,
  name: `guest-${seat}`,
  bot: false,
  out: false,
  leaving: false,
  you: false,
  ...more,
});
const hand = (seat, more = {}) => ({
  seat,
  stakes: { ante: 1_000, blind: 1_000, play: 0, bonus: 0 },
  folded: false,
  to_decide: true,
  actions: [],
  ...more,
});
const CHECKED = {
  cards: ["Qs", "Ts"],
  actions: ["check"],
  decisions: ["bet 2", "check"],
};
const RAISED = {
  to_decide: false,
  actions: ["bet 4"],
  stakes: { ante: 500, blind: 500, play: 2_000, bonus: 0 },
};
const TABLE = {
  version: 9,
  game: "uth",
  bonus_name: "Trips",
  seat_count: 7,
  round_number: 3,
  closed: false,
  paused: null,
  player_banked: false,
  inscription: "The dealer needs a pair or better to qualify",
  seats: [sitter(2, { you: true }), sitter(5)],
  round: {
    stage: "deciding",
    community: ["Kd", "9s", "4s"],
    deck_colour: "blue",
    offered: null,
    banker: null,
    hands: [hand(2, CHECKED), hand(5, RAISED)],
  },
};

test("your own cards are face up, and no other player's are", () => {
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

test("no cards are on the felt before the deal", () => {
  const round = { ...TABLE.round, stage: "betting", community: [], hands: [hand(5)] };
  const scene = liveScene({ ...TABLE, round });
  assert.deepEqual(scene.dealer, []);
  assert.deepEqual(scene.seats[4].cards, []);
  assert.equal(scene.seats[4].stakes.ante, 1_000);
  assert.equal(scene.call, "Place your bets.");
});

const RECORD = {
  deck_colour: "red",
  shuffle: { round: 3 },
  seats: [{ seat: 2, player: "p-2" }],
  result: {
    community: ["Kd", "9s", "4s", "Js", "2c"],
    bank: { net: -11_750 },
    dealer: {
      cards: ["Ad", "6h"],
      best: ["Ad", "Kd", "Js", "9s", "6h"],
      hand: "high-card",
      qualifies: false,
    },
    seats: [{
      seat: 2,
      cards: ["Qs", "Ts"],
      best: ["Qs", "Js", "Ts", "9s", "4s"],
      outcome: "win",
      net: 11_750,
      wagers: {
        ante: { staked: 2_500, returned: 2_500, result: "push" },
        play: { staked: 5_000, returned: 10_000, result: "win" },
      },
    }],
  },
};
const TELLING = {
  call: "The dealer has ace high and does not qualify.",
  seats: [{ seat: 2, hand: "queen-high flush" }],
};

test("a settlement shows what won, and where the money went", () => {
  const scene = settledScene(TABLE, RECORD, TELLING);
  const mine = scene.seats[1];
  assert.deepEqual(scene.dealer, ["Ad", "6h"]);
  assert.deepEqual(scene.dealerBest, [], "the cards that count are the winner's");
  assert.deepEqual(mine.settled.ante, { result: "push", paid: 0 });
  assert.deepEqual(mine.settled.play, { result: "win", paid: 5_000 });
  assert.equal(mine.word, "wins $117.50");
  assert.equal(mine.hand, "queen-high flush");
  assert.equal(scene.call, TELLING.call);
});

test("every player sits on the correct side of the viewer", () => {
  const seats = Array.from({ length: 7 }, (_, place) => emptySeat(place + 1));
  const numbers = ({ left, right }) => [left, right].map((side) => side.map(({ seat }) => seat));
  assert.deepEqual(numbers(neighbors(seats, 4)), [[5, 6, 7], [3, 2, 1]], "the nearest first");
  assert.deepEqual(numbers(neighbors(seats, 1)), [[2, 3, 4], [7, 6, 5]]);
  assert.deepEqual(numbers(neighbors(seats, 0)), [[1, 2, 3, 4], [7, 6, 5]], "from the rail");
});

/** The announcement when a table goes from one state to another. */
const said = (before, state, news = {}) =>
  announcementFor(before, { state, events: [], ...news });

test("a screen reader gets cards, turns and results, each once", () => {
  const dealt = { ...TABLE, round: { ...TABLE.round, community: [] } };
  const before = { ...dealt, round: { ...dealt.round, stage: "betting", hands: [] } };
  const start = "No more bets. You have queen of spades, ten of spades. Your decision.";
  assert.equal(said(before, dealt), start);
  const bet = { event: "decided", seat: 5, decision: "bet 4", by_table: false };
  assert.equal(
    said(dealt, TABLE, { events: [bet] }),
    "guest-5 bet 4×. The flop: king of diamonds, nine of spades, four of spades. Your decision.",
  );
  assert.equal(said(TABLE, TABLE), "");
  const over = { ...TABLE, round: null };
  const end = { record: RECORD, telling: TELLING };
  assert.equal(said(TABLE, over, end), `${TELLING.call} You win $117.50.`);
  const late = { event: "decided", seat: 2, decision: "check", by_table: true };
  assert.match(said(TABLE, over, { events: [late] }), /^You ran out of time: checked\./);
});

const staged = (stage, more = {}) => ({
  ...TABLE,
  version: 8,
  round: { ...TABLE.round, stage, community: [], hands: [], ...more },
});

test('the dealer calls "No more bets" when betting closes, once, to players and the rail', () => {
  const betting = staged("betting");
  const revealing = staged("revealing");
  const dealt = staged("deciding");
  const atRail = (state) => ({ ...state, seats: state.seats.map((it) => ({ ...it, you: false })) });
  assert.equal(said(atRail(betting), atRail(dealt)), "No more bets.");
  assert.equal(said(betting, revealing), "No more bets.", "seeds are shown first");
  assert.equal(said(revealing, dealt), "", "it was called already");
  assert.equal(said(dealt, dealt), "");
  assert.equal(said(null, dealt), "", "a page that is opened later has missed the call");
  // A page that polls may miss all of the betting, or all of the cards.
  const before = { ...TABLE, round_number: 2, round: null };
  assert.equal(betsClosed(before, { state: dealt, events: [] }), true);
  const over = { ...betting, version: 12, round: null };
  const events = [{ event: "betting-closed" }, { event: "dealt" }];
  assert.equal(betsClosed(betting, { state: over, events }), true);
  assert.equal(betsClosed(betting, { state: over, events: [{ event: "round-undealt" }] }), false);
});

test("the house's result is not announced as a spectator's own", () => {
  const atRail = { ...TABLE, seats: [sitter(2), sitter(5)] };
  const over = { ...atRail, round: null };
  const end = { record: RECORD, telling: TELLING };
  assert.equal(said(atRail, over, end), TELLING.call);
  const banked = { ...end, record: { ...RECORD, banker: { seat: 5, wager: 40_000 } } };
  assert.equal(said(atRail, over, banked), TELLING.call);
  const bank = { ...TABLE, seats: [sitter(2), sitter(5, { you: true })] };
  const told = said(bank, { ...bank, round: null }, banked);
  assert.equal(told, `${TELLING.call} You lose $117.50.`);
});

test("the inscription is always on the felt, and the banker is named next to it", () => {
  const inscription = "The player/dealer qualifies with a pair or better";
  const state = { ...TABLE, player_banked: true, inscription };
  const banker = { seat: 5, wager: 20_000 };
  const banked = { ...state, round: { ...state.round, banker } };
  const settled = settledScene(state, { ...RECORD, banker }, TELLING);
  const between = liveScene({ ...state, round: null });
  for (const scene of [between, liveScene(state), liveScene(banked), settled]) {
    assert.equal(scene.inscription, inscription);
  }
  assert.equal(liveScene(state).bank, "No player banks yet");
  assert.equal(liveScene(banked).bank, "guest-5 banks: $200 posted");
  assert.equal(settled.bank, "guest-5 banks: $200 posted");
  const own = { ...banked, seats: [sitter(5, { you: true })] };
  assert.equal(liveScene(own).bank, "You bank: $200 posted");
  assert.equal(liveScene(TABLE).bank, "", "nothing, where the house banks");
});

test("the deal begins at the lowest seat that wagers, and before that at seat 1", () => {
  assert.equal(liveScene({ ...TABLE, round: null }).dealFrom, 1);
  assert.equal(liveScene(staged("betting")).dealFrom, 1);
  assert.equal(liveScene(staged("betting", { hands: [hand(5)] })).dealFrom, 5);
  assert.equal(liveScene(TABLE).dealFrom, 2);
  assert.equal(settledScene(TABLE, RECORD, TELLING).dealFrom, 2);
  // A player/dealer gets the last cards, wherever they sit.
  const seats = [sitter(1), sitter(5)];
  const betting = staged("betting", { banker: { seat: 1, wager: 500 } });
  const banked = { ...betting, seats, player_banked: true };
  assert.equal(liveScene(banked).dealFrom, 2);
});
