// The second reading of the rules, against hands and rounds of the rulebook.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bestHand, compare, readCard, settle } from "./browser/slow_rules.js";

const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const named = (/** @type {string} */ cards) =>
  cards.split(" ").filter(Boolean).map((card) => `${RANKS[card[0]]} of ${SUITS[card[1]]}`);
const hand = (/** @type {string} */ cards) => bestHand(named(cards).map(readCard));

test("hands of five rank as in the rulebook", () => {
  const weakestFirst = [
    "Ks Qh 9d 8d 5h 3c 2s", "2c 2d Kh Jd 9h 7s 4c", "9s 9h As Ad Kc 6d 4h",
    "9s 9h 9c Kc 6d 4h 2d", "As 2h 3d 4c 5s 9d Kh", "6s 2h 3d 4c 5s 9d Kh",
    "Kh Jh 9h 4h 2c Ah Kd", "9s 9h 9c Kc Kd 4h 2d", "9s 9h 9c 9d Kd 4h 2d",
    "2h 3h 4h 5h Ah Ks Kd", "Ah Kh Qh Jh Th 2s 2d",
  ];
  const names = weakestFirst.map((cards) => hand(cards).name);
  assert.deepEqual(names, [
    "high-card", "pair", "two-pair", "three-of-a-kind", "straight", "straight", "flush",
    "full-house", "four-of-a-kind", "straight-flush", "royal-flush",
  ]);
  for (let place = 1; place < names.length; place++) {
    const [weaker, stronger] = [place - 1, place].map((it) => hand(weakestFirst[it]).order);
    assert.ok(compare(stronger, weaker) > 0, weakestFirst[place]);
  }
});

test("hands of three rank as in the rulebook", () => {
  const weakestFirst = [
    "9s 4d 2c", "Qs 3c 2d", "6s 6d 2c", "As Ks 2s", "Ac 3d 2h", "4s 3h 2s", "Ac Kd Qs",
    "2h 2d 2c", "9d 8d 7d", "As Ks Qs",
  ];
  for (let place = 1; place < weakestFirst.length; place++) {
    const [weaker, stronger] = [place - 1, place].map((it) => hand(weakestFirst[it]).order);
    assert.ok(compare(stronger, weaker) > 0, weakestFirst[place]);
  }
});

test("rounds are settled as in the rulebook", () => {
  const uth = (cards, board, dealer, more) =>
    settle({
      game: "uth", cards: named(cards), board: named(board), dealer: named(dealer), ante: 1_000,
      bonus: 0, play: 0, isFolded: false, ...more,
    }).net;
  assert.equal(uth("Ks 5h", "Qh 9d 4s 3c 8d", "7c 2d", { bonus: 500, play: 1_000 }), 500);
  assert.equal(uth("As Ah", "Kh Js 9c 6d 4h", "Ks 2d", { play: 4_000 }), 5_000);
  assert.equal(uth("Kd 3s", "Kh Js 9c 6d 4h", "Qs 2d", { play: 2_000 }), 2_000);
  assert.equal(uth("6s 3c", "Kh Js 9c 6d 4h", "Qs Jd", { play: 1_000 }), -3_000);
  assert.equal(uth("Ah Kd", "Kh Jh 9h 4h 2c", "Kc Ks", { play: 2_000 }), 4_500);
  assert.equal(uth("3s 3d", "Ah Kh Qh Jh Th", "2s 2d", { play: 1_000 }), 0);
  const folded = { ante: 500, bonus: 500, isFolded: true };
  assert.equal(uth("9c 2d", "9h 9s Kc 6d 4h", "As Ad", folded), 500);
  assert.equal(uth("8c 2s", "9h 9s Kc 6d 4h", "As Ad", folded), -1_500);
  const utcp = (cards, dealer, more) =>
    settle({
      game: "utcp", cards: named(cards), board: [], dealer: named(dealer), ante: 500, bonus: 500,
      play: 1_500, isFolded: false, ...more,
    }).net;
  assert.equal(utcp("4s 3d 2h", "As Ks 2s", {}), 6_000);
  assert.equal(utcp("2h 2d 2c", "Ac Kd Qs", {}), 22_000);
  assert.equal(utcp("As Ks Qs", "Kc 9h 4d", {}), 77_000);
  assert.equal(utcp("9s 4d 2c", "Js Td 8h", { bonus: 0, play: 500 }), -1_000);
  assert.equal(utcp("7d 7c 5d", "As Ks 2s", { ante: 1_000, isFolded: true }), -1_500);
});
