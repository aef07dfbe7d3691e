// Reading pasted records, and comparing results.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readRecords } from "../page/round/records.js";
import { difference, verdict } from "../page/round/verification.js";

const exported = readFileSync(new URL("../../docs/exported.jsonl", import.meta.url), "utf8");
const one = JSON.parse(exported.split("\n")[0]);

test("a record is found however it is written", () => {
  for (const text of [
    JSON.stringify(one),
    JSON.stringify(one, null, 2),
    `\n${JSON.stringify(one)}\r\n`,
    JSON.stringify([one]),
  ]) {
    assert.deepEqual(readRecords(text), [{ line: 1, record: one }]);
  }
});

test("many records are read one per line, with empty lines between", () => {
  const found = readRecords(exported.replaceAll("\n", "\n\n"));
  assert.equal(found.length, 4);
  assert.ok(found.every(({ record, fault }) => record && !fault));
  assert.deepEqual(
    found.map(({ line }) => line),
    [1, 3, 5, 7],
  );
});

test("one bad line does not spoil the others", () => {
  const found = readRecords(`${JSON.stringify(one)}\n{"format": \n${JSON.stringify(one)}`);
  assert.deepEqual(
    found.map(({ fault }) => Boolean(fault)),
    [false, true, false],
  );
  assert.match(found[1].fault ?? "", /not JSON/);
});

test("text that is not a record gets an error of its own", () => {
  const other = ['{"format":"croupier-round/9"}', '{"format":"croupier-round/1"}'];
  const faults = ["hello", "7", "{}", ...other].map((text) => readRecords(text)[0].fault);
  assert.ok(faults.every(Boolean));
  assert.equal(new Set(faults).size, 5);
  assert.deepEqual(readRecords("  \n "), []);
});

test("equal results have no difference, and unknown fields do not count", () => {
  assert.equal(difference(one.result, { ...one.result, weather: "fine" }, "result"), "");
});

test("the first field that differs is named", () => {
  const other = structuredClone(one.result);
  other.seats[1].net = 7;
  const wrong = "result.seats[1].net should be -2500, but the record has 7";
  assert.equal(difference(one.result, other, "result"), wrong);
  other.seats.pop();
  assert.match(difference(one.result, other, "result"), /^result\.seats should have 3 entries/);
  assert.match(difference(one.result, undefined, "result"), /^result/);
});

test("one wrong step fails the verdict, and one open step leaves it open", () => {
  const step = (/** @type {boolean | null} */ ok) => ({ name: "", ok, detail: "" });
  assert.equal(verdict([step(true), step(true)]).ok, true);
  assert.equal(verdict([step(true), step(null)]).ok, null);
  assert.equal(verdict([step(false), step(null)]).ok, false);
});
