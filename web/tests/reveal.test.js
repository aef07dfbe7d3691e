// The end of a round, scene by scene: in the right order, in time, and no word before its cards.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stackOf } from "../page/felt/chip.js";
import { asDealt, reveal } from "../page/felt/reveal.js";
import { emptySeat } from "../page/felt/scene.js";
import { onChip } from "../page/shared/money.js";

const stakes = (more = {}) => ({ bonus: 500, ante: 1_000, blind: 1_000, play: 0, ...more });

const BEFORE = {
  game: "uth",
  bonusName: "Trips",
  dealer: [null, null],
  dealerBest: [],
  board: [],
  seats: [
    { ...emptySeat(1), name: "Ann", you: true, cards: ["Js", "7s"], stakes: stakes(), chips: 5_000,
      hand: "Jack high", acts: true },
    { ...emptySeat(2), name: "Bob", cards: [null, null], stakes: stakes(), chips: 9_000,
      word: "thinking" },
    emptySeat(3),
  ],
  call: "Before the flop: your decision.",
  inscription: "",
  bank: "",
  dealFrom: 1,
  deckColour: "red",
  sizes: { hand: 2, board: 5 },
  posted: 0,
  hasDiscards: false,
  paid: {},
};

const won = (paid) => ({ result: "win", paid });
const lost = { result: "lose", paid: 0 };

const AFTER = {
  ...BEFORE,
  dealer: ["Ad", "6c"],
  board: ["9s", "4s", "2s", "Jd", "Kh"],
  seats: [
    // A record has the cards in the order of the deal, which may be another one.
    { ...BEFORE.seats[0], cards: ["7s", "Js"], stakes: stakes({ play: 4_000 }), chips: 14_000,
      best: ["Js", "9s", "7s", "4s", "2s"], hand: "flush, jack high", acts: false, net: 9_000,
      word: "wins $90", fate: "won",
      settled: { play: won(4_000), ante: { result: "push", paid: 0 }, blind: won(1_500),
        bonus: won(3_500) } },
    { ...BEFORE.seats[1], cards: ["8c", "3d"], folded: true, chips: 9_000, net: -2_500,
      word: "folded", fate: "lost", hand: "ace high",
      settled: { ante: lost, blind: lost, bonus: lost } },
    emptySeat(3),
  ],
  call: "The dealer does not qualify. Your flush wins.",
  hasDiscards: true,
  paid: { bonus: "flush", blind: "flush" },
};

const PAYMENTS = [
  ...["ante", "blind", "bonus"].map((bet) => ({ seat: 2, bet })),
  ...["play", "ante", "blind", "bonus"].map((bet) => ({ seat: 1, bet })),
];

const faces = (cards) => cards.filter(Boolean).length;
const all = reveal(BEFORE, AFTER, PAYMENTS);
const scenes = all.moments.map(({ scene }) => scene);

test("the board comes as three, one and one, then the dealer's cards, then the others'", () => {
  const seen = scenes.map(({ board, dealer, seats }) =>
    [board, dealer, seats[1].cards].map(faces).join(" "));
  const steps = seen.filter((step, place) => step !== seen[place - 1]);
  assert.deepEqual(steps, ["0 0 0", "3 0 0", "4 0 0", "5 0 0", "5 2 0", "5 2 2"]);
});

test("a whole hand takes about 2.4 seconds, and a hand on the river less", () => {
  assert.ok(all.length > 2_000 && all.length < 2_600, `${all.length} ms`);
  const river = reveal({ ...BEFORE, board: AFTER.board }, AFTER, PAYMENTS);
  assert.ok(river.length < 1_700, `${river.length} ms`);
  const times = all.moments.map(({ at }) => at);
  assert.deepEqual(times, [...new Set(times)].sort((one, other) => one - other));
  assert.equal(times[0], 0);
});

test("a full table takes no more than half a second longer", () => {
  const seats = Array.from({ length: 7 }, (_, place) => ({
    ...AFTER.seats[1], seat: place + 1, you: place === 0 }));
  const payments = seats.flatMap(({ seat }) =>
    ["ante", "blind", "bonus"].map((bet) => ({ seat, bet })));
  const before = { ...BEFORE, seats: seats.map(({ seat }) => ({ ...BEFORE.seats[1], seat })) };
  const { length } = reveal(before, { ...AFTER, seats }, payments);
  assert.ok(length < all.length + 500, `${length} ms`);
});

test("nothing is said before all cards are shown", () => {
  for (const { board, dealer, seats, call, dealerBest, paid } of scenes) {
    if (faces(board) + faces(dealer) + faces(seats[1].cards) === 9) continue;
    assert.equal(call, "");
    assert.deepEqual([dealerBest, paid], [[], {}]);
    for (const seat of seats) {
      assert.deepEqual([seat.best, seat.settled, seat.net, seat.fate], [[], {}, null, ""]);
      assert.doesNotMatch(seat.word, /wins|loses|even/);
      assert.equal(seat.chips, BEFORE.seats.find((it) => it.seat === seat.seat).chips);
      assert.ok(["", "Jack high"].includes(seat.hand), seat.hand);
    }
  }
});

test("wagers are settled in the house's order, and a seat's result follows its last one", () => {
  const settled = scenes.map(({ seats }) =>
    [2, 1].map((seat) => Object.keys(seats[seat - 1].settled).join(" ")).join(" | "));
  const steps = settled.filter((step, place) => step !== settled[place - 1]);
  assert.deepEqual(steps, [
    " | ",
    "ante blind bonus | ",
    "ante blind bonus | play",
    "ante blind bonus | play ante",
    "ante blind bonus | play ante blind",
    "ante blind bonus | play ante blind bonus",
  ]);
  for (const { seats: [you], paid } of scenes) {
    const isDone = Object.keys(you.settled).length === 4;
    assert.equal(you.net, isDone ? 9_000 : null);
    assert.equal(you.chips, isDone ? 14_000 : 5_000);
    assert.equal("bonus" in paid, Boolean(you.settled.bonus));
  }
});

test("the last bets lie on the felt from the start, and no seat is waited for", () => {
  const [first] = scenes;
  assert.equal(first.seats[0].stakes.play, 4_000);
  assert.deepEqual(first.seats.map(({ acts }) => acts), [false, false, false]);
  assert.equal(first.seats[1].word, "folded");
});

test("your own cards never change places", () => {
  for (const { seats } of scenes) assert.deepEqual(seats[0].cards, ["Js", "7s"]);
  assert.deepEqual(asDealt(AFTER, BEFORE).seats[0].cards, ["Js", "7s"]);
  assert.deepEqual(scenes.at(-1), asDealt(AFTER, BEFORE));
  // Other cards than before are not these cards.
  const other = { ...BEFORE, seats: [{ ...BEFORE.seats[0], cards: ["2c", "7s"] }] };
  assert.deepEqual(asDealt(AFTER, other).seats[0].cards, ["7s", "Js"]);
});

test("three-card poker has no board to show", () => {
  const three = (scene, cards) => ({ ...scene, board: [], dealer: cards });
  const { moments, length } = reveal(
    three(BEFORE, [null, null, null]), three(AFTER, ["Ad", "6c", "2d"]), PAYMENTS);
  assert.ok(length < 1_800, `${length} ms`);
  assert.ok(moments.every(({ scene }) => scene.board.length === 0));
});

test("a stack has the fewest chips, the greatest at the bottom", () => {
  assert.deepEqual(stackOf(500), ["red"]);
  assert.deepEqual(stackOf(13_100), ["black", "green", "red", "white"]);
  assert.deepEqual(stackOf(750), ["red", "white", "white", "white"]);
  assert.deepEqual(stackOf(0), []);
  // However much it is, the stack stays low.
  assert.ok(stackOf(123_456_789).length <= 8);
});

test("a chip never shows a wrong number", () => {
  assert.equal(onChip(500), "5");
  assert.equal(onChip(750), "7.50");
  assert.equal(onChip(123_400), "1234");
  assert.equal(onChip(1_250_000), "12.5k");
  assert.equal(onChip(1_000_000), "10k");
  assert.equal(onChip(1_234_500), "12345");
});
