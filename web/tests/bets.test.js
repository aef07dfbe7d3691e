// Bets stay within the limits, whatever button is pressed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { add, double, fitted, total, trayChips, warning, whyNot } from "../page/table/bets.js";

const LIMITS = { unit: 500, ante_min: 1_000, ante_max: 10_000, bonus_min: 500, bonus_max: 5_000 };

test("chips go into a circle, up to its limit", () => {
  const added = add({ ante: 1_000, bonus: 0 }, "ante", 2_500, LIMITS);
  assert.deepEqual(added, { ante: 3_500, bonus: 0 });
  assert.equal(add({ ante: 9_500, bonus: 0 }, "ante", 2_500, LIMITS).ante, 10_000);
  assert.equal(add({ ante: 0, bonus: 0 }, "ante", 500, LIMITS).ante, 1_000, "the minimum");
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

test("the Blind equals the Ante", () => {
  assert.equal(total({ ante: 1_000, bonus: 500 }), 2_500);
});

test("bets that can't be made get a reason", () => {
  assert.equal(whyNot({ ante: 1_000, bonus: 500 }, LIMITS, 100_000, "Trips"), "");
  assert.equal(whyNot({ ante: 1_000, bonus: 0 }, LIMITS, undefined, "Trips"), "");
  assert.match(whyNot({ ante: 0, bonus: 0 }, LIMITS, 100_000, "Trips"), /Ante/);
  const noAnte = whyNot({ ante: 0, bonus: 500 }, LIMITS, 100_000, "Trips");
  assert.match(noAnte, /Trips goes with an Ante: put \$10/);
  const tooMuch = whyNot({ ante: 10_000, bonus: 0 }, LIMITS, 15_000, "Trips");
  assert.match(tooMuch, /\$200, and you have \$150/);
});

test("a tray has the chips that fit the limits", () => {
  assert.deepEqual(trayChips(LIMITS), [500, 2_500, 10_000]);
  const small = { ...LIMITS, unit: 100, ante_max: 2_500, bonus_max: 500 };
  assert.deepEqual(trayChips(small), [100, 500, 2_500]);
});

test("bets that leave too little for the Play bet get a warning", () => {
  const limits = { ...LIMITS, play_min: 1, play_max: 4 };
  const bets = { ante: 1_000, bonus: 0 };
  assert.equal(warning(bets, limits, 6_000), "", "enough for 4×");
  assert.equal(warning(bets, limits, undefined), "", "a spectator");
  assert.match(warning(bets, limits, 5_900), /leaves \$39, so your Play bet could be 3× at most/);
  assert.match(warning(bets, limits, 2_500), /leaves \$5: you could only check and fold/);
  assert.match(warning(bets, limits, 2_000), /leaves \$0: .* takes \$10 or more/);
});
