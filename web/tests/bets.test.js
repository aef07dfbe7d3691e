// Bets stay within the limits, whatever is pressed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { add, double, fitted, total, trayChips, whyNot } from "../page/bets.js";

const LIMITS = { unit: 500, ante_min: 1_000, ante_max: 10_000, bonus_min: 500, bonus_max: 5_000 };

test("chips go into a circle, and no further than its limit", () => {
  assert.deepEqual(add({ ante: 1_000, bonus: 0 }, "ante", 2_500, LIMITS), { ante: 3_500, bonus: 0 });
  assert.equal(add({ ante: 9_500, bonus: 0 }, "ante", 2_500, LIMITS).ante, 10_000);
  assert.equal(add({ ante: 0, bonus: 0 }, "ante", 500, LIMITS).ante, 1_000, "the least there is");
  assert.equal(add({ ante: 1_000, bonus: 0 }, "ante", -500, LIMITS).ante, 0, "or nothing");
  assert.equal(add({ ante: 1_000, bonus: 4_800 }, "bonus", 500, LIMITS).bonus, 5_000);
});

test("doubling ends at the limits", () => {
  assert.deepEqual(double({ ante: 3_000, bonus: 500 }, LIMITS), { ante: 6_000, bonus: 1_000 });
  assert.deepEqual(double({ ante: 6_000, bonus: 5_000 }, LIMITS), { ante: 10_000, bonus: 5_000 });
  assert.deepEqual(double({ ante: 0, bonus: 0 }, LIMITS), { ante: 0, bonus: 0 });
});

test("bets from another table are made to fit", () => {
  assert.deepEqual(fitted({ ante: 700, bonus: 7_777 }, LIMITS), { ante: 1_000, bonus: 5_000 });
  assert.deepEqual(fitted({ ante: 2_300, bonus: 0 }, LIMITS), { ante: 2_000, bonus: 0 });
});

test("the Blind is as much as the Ante", () => {
  assert.equal(total({ ante: 1_000, bonus: 500 }), 2_500);
});

test("it is said why bets cannot be made", () => {
  assert.equal(whyNot({ ante: 1_000, bonus: 500 }, LIMITS, 100_000, "Trips"), "");
  assert.equal(whyNot({ ante: 1_000, bonus: 0 }, LIMITS, undefined, "Trips"), "");
  assert.match(whyNot({ ante: 0, bonus: 0 }, LIMITS, 100_000, "Trips"), /Ante/);
  assert.match(whyNot({ ante: 0, bonus: 500 }, LIMITS, 100_000, "Trips"), /Trips goes with an Ante: put \$10/);
  assert.match(whyNot({ ante: 10_000, bonus: 0 }, LIMITS, 15_000, "Trips"), /\$200, and you have \$150/);
});

test("a tray has chips that the limits have a use for", () => {
  assert.deepEqual(trayChips(LIMITS), [500, 2_500, 10_000]);
  assert.deepEqual(trayChips({ ...LIMITS, unit: 100, ante_max: 2_500, bonus_max: 500 }), [100, 500, 2_500]);
});
