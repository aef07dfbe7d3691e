// The places on the felt: for every size of stage, nothing meets anything else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { circleBoxes, halfAt, meet, sides, stageFor } from "../page/felt/geometry.js";

/** The bar on top, and the panel next to the stage where it has a column. */
const BAR = 56;
const panelOf = (width) => (width < 1100 ? 0 : width < 1360 ? 320 : 352);

const WINDOWS = [
  [1024, 768], [1280, 800], [1366, 768], [1440, 900], [1920, 1080], [2560, 1440],
  [768, 1024], [820, 1180], [1180, 820],
  [320, 568], [360, 640], [390, 844], [412, 915], [667, 375], [844, 390],
  // A window that was zoomed to 200 percent, and odd ones.
  [640, 400], [720, 450], [700, 700], [1100, 620], [1400, 1300], [3440, 1440],
];

const GAMES = [
  { hand: 2, board: 5, rows: 7, motto: 44, hasBank: false },
  { hand: 2, board: 5, rows: 7, motto: 50, hasBank: true },
  { hand: 3, board: 0, rows: 6, motto: 49, hasBank: false },
];

/** All stages that a window can have, each with its name. */
function* stages() {
  for (const [width, height] of WINDOWS) {
    for (const game of GAMES) {
      for (const seats of [7, 8]) {
        for (const isSeated of [true, false]) {
          const panel = panelOf(width);
          const needs = { ...game, seats, isSeated, hasBar: true, hasPanel: panel > 0 };
          const stage = stageFor(width - panel, height - BAR, needs);
          const who = isSeated ? "a player" : "a spectator";
          const name = `${width}×${height}, ${game.hand} cards, ${seats} seats, ${who}`;
          yield { name, stage, needs };
        }
      }
    }
  }
}

/** Everything on the felt by name. Parts of one group may touch each other. */
function things({ left, right, own, circle, ...stage }, { isSeated }) {
  const found = [];
  const put = (group, box, isRound = false) => box && found.push({ group, box, isRound });
  for (const [side, slots] of Object.entries({ left, right })) {
    for (const [row, slot] of slots.entries()) {
      const group = `seat ${row + 1} on the ${side}`;
      put(group, slot.box);
      const circles = slot.circles ? circleBoxes(slot.circles, circle.seat) : [];
      for (const box of circles) put(group, box, true);
    }
  }
  for (const name of ["dealer", "board", "call", "motto", "bar"]) put(name, stage[name]);
  put("the bank's note", stage.notes.bank);
  put("the deal's note", stage.notes.deal);
  put("the left pay table", stage.pays?.left);
  put("the right pay table", stage.pays?.right);
  put("rack", stage.furniture?.rack);
  put("shoe", stage.furniture?.shoe);
  put("discards", stage.furniture?.discards);
  // The button is on the rail, next to the player's buttons.
  if (stage.mode !== "table") put("the panel's button", stage.more);
  if (!isSeated) return found;
  put("own cards", own.cards);
  put("own words", own.text);
  for (const box of circleBoxes(own.circles, circle.own)) put("own circles", box, true);
  return found;
}

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

function overlap(one, other) {
  // Numbers that come from different sums may differ in their last digits.
  if (!meet(one.box, other.box, -0.5)) return false;
  if (!one.isRound || !other.isRound) return true;
  const [[x, y], [a, b]] = [middle(one.box), middle(other.box)];
  return Math.hypot(x - a, y - b) < (one.box.width + other.box.width) / 2 - 0.5;
}

test("nothing on the felt meets anything else, at any size, with any number of seats", () => {
  const found = [];
  for (const { name, stage, needs } of stages()) {
    const all = things(stage, needs);
    for (const [place, one] of all.entries()) {
      for (const other of all.slice(place + 1)) {
        if (one.group === other.group || !overlap(one, other)) continue;
        found.push(`${name}: ${one.group} and ${other.group}`);
      }
    }
  }
  assert.deepEqual([...new Set(found)], []);
});

test("nothing lies beyond the edge of the stage", () => {
  const found = [];
  for (const { name, stage, needs } of stages()) {
    for (const { group, box } of things(stage, needs)) {
      const isInside = box.x >= -0.5 && box.y >= -0.5
        && box.x + box.width <= stage.width + 0.5 && box.y + box.height <= stage.height + 0.5;
      if (!isInside) found.push(`${name}: ${group} ${JSON.stringify(box)}`);
    }
  }
  assert.deepEqual(found, []);
});

test("on the D of felt, circles and cards are on the felt and not on the rail", () => {
  for (const { name, stage } of stages()) {
    if (stage.mode !== "table") continue;
    const { own, circle, left, right, felt } = stage;
    const boxes = [own.cards, ...circleBoxes(own.circles, circle.own),
      ...[...left, ...right].flatMap((slot) => [slot.box, ...circleBoxes(slot.circles, 1)])];
    for (const box of boxes) {
      const [x, y] = middle(box);
      assert.ok(Math.abs(x - felt.middle) <= halfAt(felt, y) - box.width / 4, `${name} ${x},${y}`);
    }
  }
});

test("no card is too small to read, and no circle of one's own too small to press", () => {
  for (const { name, stage } of stages()) {
    const { card, circle, mode } = stage;
    assert.ok(card.board >= 38 && card.dealer >= 32 && card.own >= 44, `${name} ${mode}`);
    if (stage.width > 760 && stage.height > 640) assert.ok(circle.own >= 44, `${name}`);
  }
});

test("all seats have a place, and the player's own is not one of them", () => {
  for (const { name, stage, needs } of stages()) {
    const { left, right } = sides(needs);
    assert.equal(left + right, needs.isSeated ? needs.seats - 1 : needs.seats);
    assert.deepEqual([stage.left.length, stage.right.length], [left, right], name);
    assert.ok(left - right === 0 || left - right === 1);
  }
});

test("at 1440×900 the seats are where the drawings have them", () => {
  const needs = { ...GAMES[0], seats: 7, isSeated: true, hasBar: true, hasPanel: true };
  const { left, right, card, circle } = stageFor(1088, 844, needs);
  const check = (slots, shares) => slots.forEach(({ box }, row) => {
    const share = (100 * middle(box)[0]) / 1088;
    assert.ok(Math.abs(share - shares[row]) < 0.1, `${share} and not ${shares[row]}`);
  });
  check(left, [17.4, 11.6, 9.6]);
  check(right, [82.6, 88.4, 90.4]);
  assert.deepEqual(card, { dealer: 62, board: 84, own: 108, seat: 46 });
  assert.deepEqual(circle, { own: 56, seat: 38 });
});

test("the felt and its pay tables are drawn wherever there is room", () => {
  const modes = { table: 0, phone: 0, flat: 0 };
  for (const { name, stage } of stages()) {
    modes[stage.mode] += 1;
    if (stage.mode !== "table" || stage.height < 640 || stage.width < 760) continue;
    assert.ok(stage.pays, `${name} has no pay tables`);
  }
  assert.ok(Object.values(modes).every((count) => count > 0), JSON.stringify(modes));
});
