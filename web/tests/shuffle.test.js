// The browser's own hashes, against the examples of the program and the documentation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  canonical,
  checkShuffle,
  deckOf,
  sealOf,
  seatCommitment,
  tableCommitment,
} from "../page/round/shuffle.js";

const read = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const vectors = JSON.parse(read("shuffle-vectors.json"));
const exported = read("exported.jsonl").trim().split("\n");

/**
 * @param {any} record
 * @param {string} name
 */
async function step(record, name) {
  return (await checkShuffle(record)).find((step) => step.name === name);
}

for (const { name, shuffle, deck } of vectors) {
  test(`the deck of the example: ${name}`, async () => {
    assert.deepEqual(await deckOf(shuffle), deck);
    assert.equal(await tableCommitment(shuffle), shuffle.commitment);
    for (const { seat, seed, commitment } of shuffle.seat_seeds) {
      if (seed) assert.equal(await seatCommitment(shuffle, seat, seed), commitment);
    }
  });
}

for (const [place, line] of exported.entries()) {
  test(`exported round ${place + 1} checks out`, async () => {
    const record = JSON.parse(line);
    assert.equal(await sealOf(record), record.journal_hash);
    const steps = await checkShuffle(record);
    assert.ok(steps.length >= 3);
    for (const { name, ok, detail } of steps) assert.notEqual(ok, false, `${name}: ${detail}`);
  });
}

/** Changes to a record, and the steps that must notice each. */
const TAMPERED = /** @type {[string, (record: any) => void, string[]][]} */ ([
  [
    "two cards swapped",
    (r) => ([r.deck[0], r.deck[1]] = [r.deck[1], r.deck[0]]),
    ["The deck", "The seal"],
  ],
  ["a deck of 53", (r) => r.deck.push("As"), ["The deck", "The seal"]],
  [
    "another seed",
    (r) => (r.shuffle.seed = "0".repeat(64)),
    ["The table's commitment", "The deck", "The seal"],
  ],
  [
    "another commitment",
    (r) => (r.shuffle.commitment = "0".repeat(64)),
    ["The table's commitment", "The seal"],
  ],
  ["another table", (r) => (r.shuffle.table += "x"), ["The table's commitment", "The deck"]],
  ["another round", (r) => r.shuffle.round++, ["The table's commitment", "The deck"]],
  [
    "another seat's seed",
    (r) => (r.shuffle.seat_seeds[0].seed = "00"),
    ["Seat 1's commitment", "The deck"],
  ],
  ["a seat left out", (r) => r.shuffle.seat_seeds.pop(), ["The deck", "The seal"]],
  ["a stranger's seed", (r) => (r.shuffle.seat_seeds[2].seat = 8), ["The seats' seeds"]],
  ["seats out of order", (r) => r.shuffle.seat_seeds.reverse(), ["The seats' seeds", "The seal"]],
  ["a wager raised", (r) => (r.seats[0].ante = 2000), ["The seal"]],
  ["a payoff added", (r) => (r.result.seats[0].net = 100), ["The seal"]],
  ["another time", (r) => r.journal.at++, ["The seal"]],
  ["another player", (r) => (r.seats[0].player = "eve"), ["The seal"]],
]);

for (const [name, change, noticed] of TAMPERED) {
  test(`${name} is noticed`, async () => {
    const record = JSON.parse(exported[0]);
    change(record);
    for (const where of noticed) assert.equal((await step(record, where))?.ok, false, where);
  });
}

/** Malformed records. They are reported as wrong, and nothing throws. */
const MALFORMED = /** @type {[string, (record: any) => void][]} */ ([
  ["version 2", (r) => (r.shuffle.version = 2)],
  ["a seed that is too short", (r) => (r.shuffle.seed = "00")],
  ["a seed in upper case", (r) => (r.shuffle.seed = r.shuffle.seed.toUpperCase())],
  ["a seat's seed of half a byte", (r) => (r.shuffle.seat_seeds[0].seed = "0")],
  ["a seat's seed of 65 bytes", (r) => (r.shuffle.seat_seeds[0].seed = "00".repeat(65))],
  ["a round with a fraction", (r) => (r.shuffle.round = 1.5)],
  ["no table", (r) => delete r.shuffle.table],
  ["half a seal", (r) => delete r.journal],
]);

for (const [name, change] of MALFORMED) {
  test(`${name} is reported as wrong`, async () => {
    const record = JSON.parse(exported[0]);
    change(record);
    const steps = await checkShuffle(record);
    assert.ok(steps.some(({ ok, detail }) => ok === false && detail.endsWith(".")));
  });
}

test("a round that was not dealt checks out, and a change in it is noticed", async () => {
  const undealt = JSON.parse(read("undealt.jsonl"));
  assert.equal(await sealOf(undealt), undealt.journal_hash);
  const steps = await checkShuffle(undealt);
  assert.deepEqual(
    steps.map(({ name, ok }) => [name, ok]),
    [
      ["The table's commitment", true],
      ["Seat 1's commitment", true],
      ["Seat 2's commitment", null],
      ["The seal", true],
    ],
  );
  const other = { ...undealt, reason: "something else" };
  assert.equal((await checkShuffle(other)).at(-1)?.ok, false);
});

test("a record without seeds proves nothing, and is not reported as wrong", async () => {
  const steps = await checkShuffle(JSON.parse(read("round.jsonl").split("\n")[0]));
  assert.deepEqual(
    steps.map(({ ok }) => ok),
    [null],
  );
});

test("a seat that did not show its seed is reported, and not blamed", async () => {
  const silent = vectors.find((/** @type {any} */ { shuffle }) =>
    shuffle.seat_seeds.some((/** @type {any} */ { seed }) => !seed),
  );
  const seats = silent.shuffle.seat_seeds.map((/** @type {any} */ { seat }) => ({ seat }));
  const steps = await checkShuffle({ ...silent, seats });
  assert.ok(steps.some(({ ok, detail }) => ok === null && detail.includes("did not show")));
});

test("a browser without hashing gets a reason", async (t) => {
  const tools = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(globalThis, "crypto")
  );
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  t.after(() => Object.defineProperty(globalThis, "crypto", tools));
  const [only] = await checkShuffle(JSON.parse(exported[0]));
  assert.equal(only.ok, null);
  assert.match(only.detail, /HTTPS/);
});

test("canonical JSON has its names in order and no spaces", () => {
  const value = { b: [1, { d: null, c: "ä\n" }], a: true };
  assert.equal(canonical(value), '{"a":true,"b":[1,{"c":"ä\\n","d":null}]}');
});
