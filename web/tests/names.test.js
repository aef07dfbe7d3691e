// Formats and parses amounts, and names cards and decisions.

import assert from "node:assert/strict";
import test from "node:test";
import { money, onChip, readMoney, signed } from "../page/shared/money.js";
import {
  cardName,
  cardNames,
  decisionWords,
  didWord,
  titled,
  withNames,
} from "../page/shared/names.js";

test("amounts are written without needless digits", () => {
  assert.equal(money(0), "$0");
  assert.equal(money(500), "$5");
  assert.equal(money(1250), "$12.50");
  assert.equal(money(1205), "$12.05");
  assert.equal(money(-500), "−$5");
  assert.equal(money(-1), "−$0.01");
  assert.equal(money(123456789), "$1,234,567.89");
});

test("a win or a loss has a sign, and zero has none", () => {
  assert.equal(signed(4000), "+$40");
  assert.equal(signed(-4000), "−$40");
  assert.equal(signed(0), "$0");
});

test("a chip has room for few letters", () => {
  assert.equal(onChip(2500), "25");
  assert.equal(onChip(250), "2.50");
  assert.equal(onChip(100_000), "1000");
  assert.equal(onChip(1_000_000), "10k");
});

test("amounts are read as people type them", () => {
  for (const [text, cents] of /** @type {[string, number][]} */ ([
    ["5", 500],
    ["$5", 500],
    [" 12.5 ", 1250],
    ["12.05", 1205],
    ["1,000", 100_000],
    ["$ 1,234.56", 123_456],
    ["0", 0],
  ])) {
    assert.equal(readMoney(text), cents, text);
  }
});

test("text that is not an amount is rejected", () => {
  for (const text of ["", "five", "-5", "1.234", "1,00", "5$", "1e3", "1 000", "9999999999"])
    assert.equal(readMoney(text), null, text);
});

test("every written amount is read back", () => {
  for (const cents of [0, 1, 10, 99, 100, 101, 12_345, 1_000_000, 99_999_999])
    assert.equal(readMoney(money(cents)), cents);
});

test("cards are called by their names", () => {
  assert.equal(cardName("Qs"), "queen of spades");
  assert.equal(cardName("2c"), "two of clubs");
  assert.equal(cardNames(["Th", "Ad"]), "ten of hearts, ace of diamonds");
});

test("ids become titles", () => {
  assert.equal(titled("four-of-a-kind"), "Four of a kind");
});

test("a decision's button says what it costs and which key does it", () => {
  assert.deepEqual(decisionWords("bet 4", 1000), { label: "Bet 4×", amount: 4000, key: "4" });
  assert.deepEqual(decisionWords("check", 1000), { label: "Check", amount: 0, key: "c" });
  assert.deepEqual(decisionWords("fold", 1000), { label: "Fold", amount: 0, key: "f" });
});

test("a decision has a past tense", () => {
  assert.equal(didWord("check"), "checked");
  assert.equal(didWord("fold"), "folded");
  assert.equal(didWord("bet 3"), "bet 3×");
});

test("names replace the seats of a telling, and nothing else", () => {
  const nameOf = (/** @type {number} */ seat) => (seat === 1 ? "Ann" : undefined);
  assert.equal(
    withNames("Seat 1 checks, and seat 1 wins; Seat 2 folds.", nameOf),
    "Ann checks, and Ann wins; Seat 2 folds.",
  );
  assert.equal(withNames("Seat 12 is not here.", nameOf), "Seat 12 is not here.");
});
