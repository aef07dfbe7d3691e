// The replay of a round: the felt at each step.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { scenes } from "../page/round/replay_scenes.js";

/** @typedef {import("../page/round/replay_scenes.js").Telling} Telling */

/**
 * A round of one seat: Ann checks to the river, bets once, and wins. The Blind pushes, and the
 * Trips wager is paid.
 */
const record = {
  deck_colour: "blue",
  seats: [{ seat: 2, player: "ann", ante: 1000, bonus: 500, actions: ["check", "check", "bet 1"] }],
  result: {
    community: ["2c", "2d", "9h", "Kh", "4s"],
    dealer: {
      cards: ["3c", "Jd"],
      hand: "pair",
      best: ["2c", "2d", "Kh", "Jd", "9h"],
      qualifies: true,
    },
    seats: [
      {
        seat: 2,
        cards: ["2h", "As"],
        hand: "three-of-a-kind",
        best: ["2c", "2d", "2h", "As", "Kh"],
        outcome: "win",
        net: 3500,
        wagers: {
          ante: { staked: 1000, returned: 2000, result: "win", uncovered: 0 },
          blind: { staked: 1000, returned: 1000, result: "push", uncovered: 0 },
          play: { staked: 1000, returned: 2000, result: "win", uncovered: 0 },
          bonus: { staked: 500, returned: 2000, result: "win", uncovered: 0 },
        },
      },
    ],
    bank: { net: -3500 },
  },
};

/** @type {Telling} */
const telling = {
  steps: [
    { kind: "wagered", seat: 2, say: "Seat 2 wagers." },
    { kind: "no-more-bets", say: "No more bets." },
    { kind: "dealt", say: "The cards are dealt." },
    { kind: "decided", seat: 2, decision: "check", say: "Seat 2 checks." },
    { kind: "turned", cards: ["2c", "2d", "9h"], say: "The flop." },
    { kind: "decided", seat: 2, decision: "check", say: "Seat 2 checks." },
    { kind: "turned", cards: ["Kh", "4s"], say: "The turn and the river." },
    { kind: "decided", seat: 2, decision: "bet 1", say: "Seat 2 bets." },
    { kind: "dealer-shown", cards: ["3c", "Jd"], say: "The dealer has a pair." },
    { kind: "judged", seat: 2, outcome: "win", cards: ["2h", "As"], say: "Seat 2 wins." },
    { kind: "settled", seat: 2, bet: "ante", say: "The Ante wins." },
    { kind: "settled", seat: 2, bet: "blind", say: "The Blind pushes." },
    { kind: "settled", seat: 2, bet: "play", say: "Play wins." },
    { kind: "settled", seat: 2, bet: "bonus", say: "Trips wins." },
  ],
  call: "The dealer has a pair and qualifies.",
  seats: [{ seat: 2, net: 3500, outcome: "win", hand: "three of a kind, twos", wagers: [] }],
  bank: { net: -3500, say: "The house pays." },
  inscription: "The dealer needs a pair or better to qualify",
  seat_count: 7,
};

const told = scenes(record, telling, () => "Ann", 2);
const seat = (/** @type {number} */ place) => told[place].scene.seats[1];

test("each step has its text, with names in it", () => {
  assert.equal(told.length, telling.steps.length);
  const watched = scenes(record, telling, () => "Ann", null);
  assert.equal(watched[0].say, "Ann wagers.");
  assert.equal(watched[3].scene.call, "Ann checks.");
});

test("a player's own steps speak to them", () => {
  assert.equal(told[0].say, "You wager.");
  assert.equal(told[3].scene.call, "You check.");
  const says = (/** @type {string} */ say) =>
    scenes(record, { ...telling, steps: [{ kind: "other", say }] }, () => "Ann", 2)[0].say;
  assert.equal(says("Seat 2 bets 4x."), "You bet 4×.");
  assert.equal(says("Seat 2's Play loses $10."), "Your Play loses $10.");
  assert.equal(says("Seat 2: Ante $5."), "You: Ante $5.");
  assert.equal(says("Seat 2 folded Th 2c: ten high."), "You folded 10♥ 2♣: ten high.");
});

test("until the showdown, a viewer sees only their own cards", () => {
  const hidden = scenes(record, telling, () => "Ann", null, false);
  const cards = (/** @type {number} */ place) => hidden[place].scene.seats[1].cards;
  assert.deepEqual(cards(2), [null, null]);
  assert.deepEqual(cards(8), [null, null]);
  assert.deepEqual(cards(9), ["2h", "As"]);
  const own = scenes(record, telling, () => "Ann", 2, false);
  assert.deepEqual(own[2].scene.seats[1].cards, ["2h", "As"]);
});

test("wagers are on the felt before the cards, and Play only once it is bet", () => {
  assert.deepEqual(seat(0).stakes, { ante: 1000, blind: 1000, bonus: 500, play: 0 });
  assert.deepEqual(seat(0).cards, []);
  assert.equal(seat(6).stakes.play, 0);
  assert.equal(seat(7).stakes.play, 1000);
  assert.equal(seat(7).word, "bet 1×");
});

test("a seat's cards are face up from the deal on, the dealer's when they are shown", () => {
  assert.deepEqual(seat(2).cards, ["2h", "As"]);
  assert.deepEqual(told[7].scene.dealer, [null, null]);
  assert.deepEqual(told[8].scene.dealer, ["3c", "Jd"]);
});

test("the board is turned street by street", () => {
  assert.deepEqual(told[1].scene.board, []);
  assert.deepEqual(told[2].scene.board, []);
  assert.deepEqual(told[4].scene.board, ["2c", "2d", "9h"]);
  assert.deepEqual(told[6].scene.board, ["2c", "2d", "9h", "Kh", "4s"]);
});

test("the dealer's five cards are outlined, until your own win", () => {
  assert.deepEqual(told[8].scene.dealerBest, record.result.dealer.best);
  assert.deepEqual(seat(9).best, record.result.seats[0].best);
  assert.deepEqual(told[9].scene.dealerBest, []);
  assert.equal(seat(9).hand, "three of a kind, twos");
});

test("wagers are settled one by one, and the seat with the last", () => {
  assert.deepEqual(seat(10).settled, { ante: { result: "win", paid: 1000 } });
  assert.equal(seat(10).fate, "");
  assert.deepEqual(seat(11).settled.blind, { result: "push", paid: 0 });
  assert.equal(seat(13).word, "wins $35");
  assert.equal(seat(13).fate, "won");
});

test("the felt shows the game, the deck and the viewer's seat", () => {
  assert.equal(told[0].scene.game, "uth");
  assert.equal(told[0].scene.bonusName, "Trips");
  assert.equal(told[0].scene.deckColour, "blue");
  assert.equal(seat(0).you, true);
  assert.equal(scenes(record, telling, () => undefined, null)[0].scene.seats[1].name, "Seat 2");
});

test("every step has the inscription, all seats, and a mark where the deal begins", () => {
  for (const { scene } of told) {
    assert.equal(scene.inscription, telling.inscription);
    assert.deepEqual(scene.seats.map((it) => it.seat), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(scene.seats.filter((it) => it.name).map((it) => it.seat), [2]);
    assert.equal(scene.dealFrom, 2);
    assert.equal(scene.bank, "");
  }
  const banked = { ...record, banker: { seat: 1, wager: 40_000, player: "bea" } };
  const steps = [{ kind: "banked", seat: 1, say: "Seat 1 banks." }, ...telling.steps];
  const moments = scenes(banked, { ...telling, steps }, () => "Bea", null);
  assert.equal(moments[0].scene.bank, "Bea banks: $400 posted");
  assert.equal(moments[0].scene.dealFrom, 2, "the bank gets its cards last");
});

test("a later step does not change an earlier scene", () => {
  assert.equal(told[4].scene.board.length, 3);
  assert.deepEqual(seat(0).settled, {});
});

/** A short telling, which must reach the same end. */
const brief = (/** @type {any} */ played) =>
  /** @type {Telling} */ ({
    steps: [
      { kind: "dealt", say: "The cards are dealt." },
      { kind: played.void ? "void" : "settled", say: "It is over." },
    ],
    call: "",
    seats: [],
    bank: { net: 0, say: "" },
    inscription: "The dealer always qualifies",
    seat_count: 8,
  });

const exported = readFileSync(new URL("../../docs/exported.jsonl", import.meta.url), "utf8");
for (const [place, line] of exported.trim().split("\n").entries()) {
  test(`exported round ${place + 1} reaches its result`, () => {
    const played = JSON.parse(line);
    const last = scenes(played, brief(played), () => undefined, null).at(-1);
    for (const own of played.result.seats) {
      const shown = last?.scene.seats.find((it) => it.seat === own.seat);
      assert.deepEqual(shown?.cards, own.cards);
      assert.equal(shown?.fate, own.net > 0 ? "won" : own.net < 0 ? "lost" : "even");
      assert.equal(shown?.stakes.ante, own.wagers.ante.staked);
    }
    const banks = last?.scene.seats.filter((it) => it.banks).map((it) => it.seat);
    assert.deepEqual(banks, played.banker ? [played.banker.seat] : []);
    assert.equal(last?.scene.game, played.house.startsWith("utcp") ? "utcp" : "uth");
  });
}
