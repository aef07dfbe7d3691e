// What the page proposes to a player who may bank.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bankRisk, usualPost } from "../page/table/bank.js";

test("the usual amount is modest", () => {
  const limits = { unit: 500, ante_min: 500 };
  assert.equal(usualPost(limits, 100_000), 10_000, "twenty Antes");
  assert.equal(usualPost(limits, 22_300), 5_500, "a quarter of the chips, in whole units");
  assert.equal(usualPost(limits, 1_000), 500, "the smallest unit");
  assert.equal(usualPost(limits, undefined), 10_000);
});

test("the offer says the most that a bank can lose and win", () => {
  assert.match(bankRisk(10_000, "action"), /lose or win is \$100/);
  assert.match(bankRisk(10_000, "payoffs"), /lose is \$100\. You win every bet that loses/);
});
