// The result at a table counts every round of the player once.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.sessionStorage = /** @type {any} */ ({
  kept: /** @type {Record<string, string>} */ ({}),
  getItem(/** @type {string} */ key) {
    return this.kept[key] ?? null;
  },
  setItem(/** @type {string} */ key, /** @type {string} */ value) {
    this.kept[key] = value;
  },
  removeItem(/** @type {string} */ key) {
    delete this.kept[key];
  },
});
const { beginSitting, countRound, endSitting } = await import("../page/table/sitting.js");
const kept = () => JSON.parse(sessionStorage.getItem("croupier.at-table") ?? "null");

test("a sitting begins with the first bet at a table", () => {
  countRound("one", 4, 700);
  assert.equal(kept(), null, "a round from before");
  beginSitting("one", 5);
  countRound("one", 4, 700);
  assert.deepEqual(kept(), { table: "one", counted: 4, rounds: 0, net: 0 });
  countRound("one", 5, -1_500);
  countRound("one", 5, -1_500);
  beginSitting("one", 6);
  countRound("one", 6, 2_000);
  assert.deepEqual(kept(), { table: "one", counted: 6, rounds: 2, net: 500 });
});

test("another table is another sitting", () => {
  countRound("two", 1, 100);
  assert.equal(kept().table, "one");
  beginSitting("two", 9);
  countRound("two", 9, 100);
  assert.deepEqual(kept(), { table: "two", counted: 9, rounds: 1, net: 100 });
  endSitting();
  assert.equal(kept(), null);
});
