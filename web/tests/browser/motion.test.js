import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button,
  cardsOf,
  checkDown,
  chipsOf,
  deal,
  dealAgain,
  joinTable,
  myTurn,
  openTable,
  settlement,
} from "./actions.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Records everything that moves from now on, frame by frame. */
const watchMotion = (page) => page.evaluate(() => {
  globalThis.moved = new Set();
  const ways = ["transform", "translate", "rotate", "scale", "left", "top", "offsetDistance"];
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { duration, delay } = animation.effect.getComputedTiming();
      const isMotion = animation.effect.getKeyframes().some((frame) =>
        ways.some((way) => way in frame));
      if (!isMotion || Number(duration) + Number(delay) <= 20) continue;
      const what = animation.animationName ?? animation.transitionProperty;
      globalThis.moved.add(`${animation.effect.target?.className} ${what}`);
    }
    requestAnimationFrame(look);
  };
  look();
});

const moved = (page) => page.evaluate(() => [...globalThis.moved]);

/** Plays a round with cards and chips at their default speed. */
async function play(here, options) {
  const { link } = await openTable(here);
  const ann = await joinTable(here, link, { speed: "calm", ...options });
  await button(ann, "Ante").waitFor();
  await watchMotion(ann);
  await deal(ann);
  await checkDown(ann);
  return ann;
}

/** Records all words that tell how a round ends, with the cards that are in sight. */
const watchWords = (page) => page.evaluate(() => {
  globalThis.told = [];
  const text = (place) =>
    [...document.querySelectorAll(place)].map((it) => it.textContent.trim()).join(" ");
  const look = () => {
    const count = (place) => document.querySelectorAll(`${place} .card.face`).length;
    const now = {
      board: count(".board"),
      dealer: count(".dealer"),
      own: [...document.querySelectorAll(".own .card.face")].map((it) => it.ariaLabel).join(),
      call: text("[data-testid=call]"),
      words: text(".word, .own-text, .tag, .circles"),
      chips: text("[data-testid=chips]"),
      panel: text(".panel"),
      live: text("[data-testid=live-region]"),
      paid: text(".felt-pays .paid"),
      buttons: text(".controls button"),
      best: document.querySelectorAll(".card.best, .card.dim").length,
    };
    const last = globalThis.told.at(-1);
    if (JSON.stringify(now) !== JSON.stringify(last?.now)) {
      globalThis.told.push({ at: performance.now(), now });
    }
    requestAnimationFrame(look);
  };
  look();
});

const told = (page) => page.evaluate(() => globalThis.told);

/** Sits down alone, and bets. The next decision ends the round if it is a bet. */
async function untilDecision(here, options = {}) {
  const { link } = await openTable(here);
  const ann = await joinTable(here, link, { speed: "calm", ...options });
  await button(ann, "Ante").waitFor();
  await deal(ann);
  await myTurn(ann);
  await ann.waitForTimeout(600);
  return ann;
}

browserTests("motion", (here) => {
  here.it("tells nothing about the end of a round before its cards", async () => {
    const ann = await untilDecision(here);
    const chips = await chipsOf(ann);
    const cards = await cardsOf(ann, "Your cards");
    const ownCards = await ann.locator(".own .card.face").elementHandles();
    await watchWords(ann);
    await button(ann, "Bet 4×").click();
    await settlement(ann).waitFor();
    const all = await told(ann);
    const hidden = all.filter(({ now }) => now.board < 5 || now.dealer < 2);
    assert.ok(hidden.length >= 3, "the cards come one after the other");
    for (const { now } of hidden) {
      assert.doesNotMatch(now.call, /dealer (has|does)|wins|loses|push/i);
      assert.doesNotMatch(now.words, /wins|loses|even|push|[+−]\$/);
      assert.doesNotMatch(now.panel, /Settlement|[+−]\$\d+ on/);
      assert.doesNotMatch(now.live, /You (win|lose|break)/);
      assert.doesNotMatch(now.buttons, /Deal again/);
      assert.equal(now.paid, "");
      assert.equal(now.best, 0);
      assert.ok(now.chips.includes(`$${(chips / 100).toLocaleString("en-US")}`), now.chips);
    }
    // The board grows from three. A busy machine may draw the other two in one frame.
    const boards = [...new Set(hidden.map(({ now }) => now.board))];
    assert.deepEqual(boards.slice(0, 2), [0, 3]);
    // Your own cards stay where they are, and are the same elements.
    assert.deepEqual(await cardsOf(ann, "Your cards"), cards);
    for (const card of ownCards) assert.ok(await card.evaluate((it) => it.isConnected));
    const took = all.at(-1).at - all.find(({ now }) => now.board === 3).at;
    console.log(`the end of a round took ${Math.round(took)} ms`);
  });

  for (const [how, skip] of [
    ["a key", (page) => page.keyboard.press("Enter")],
    ["a tap", (page) => page.mouse.click(500, 300)],
  ]) {
    here.it(`shows the end at once after ${how}, which does nothing else`, async () => {
      const ann = await untilDecision(here);
      await button(ann, "Bet 4×").click();
      await ann.locator(".board .card.face").first().waitFor();
      const began = Date.now();
      await skip(ann);
      await settlement(ann).waitFor();
      assert.ok(Date.now() - began < 1_200, `${Date.now() - began} ms`);
      assert.equal(await ann.locator(".board .card.face").count(), 5);
      // The round is still there: the key did not deal the next one.
      await ann.waitForTimeout(400);
      assert.ok(await button(ann, "Deal again").isVisible());
    });
  }

  here.it("shows the end at once with reduced motion", async () => {
    const ann = await untilDecision(here, { reducedMotion: "reduce" });
    await watchWords(ann);
    await button(ann, "Bet 4×").click();
    await settlement(ann).waitFor();
    const boards = (await told(ann)).map(({ now }) => now.board);
    assert.deepEqual([...new Set(boards)], [0, 5]);
  });

  here.it("is on by default", async () => {
    const ann = await play(here, {});
    assert.notDeepEqual(await moved(ann), []);
  });

  here.it("is off with reduced motion", async () => {
    const ann = await play(here, { reducedMotion: "reduce" });
    assert.deepEqual(await moved(ann), []);
  });

  for (const [what, options] of [["a large screen", {}], ["a phone", PHONE]]) {
    here.it(`never shifts the content under the pointer, on ${what}`, async () => {
      const { link } = await openTable(here);
      const ann = await joinTable(here, link, { speed: "calm", ...options });
      await button(ann, "Ante").waitFor();
      // Until everything is loaded and laid out.
      await ann.waitForTimeout(700);
      await ann.evaluate("shifts.length = 0");
      await deal(ann);
      await checkDown(ann);
      await dealAgain(ann);
      await checkDown(ann);
      // Motion in response to a press counts as well. A changed line of text in the middle is about
      // 0.001, and a row of two buttons in place of three is 0.005.
      const shifts = await ann.evaluate("shifts");
      const sum = shifts.reduce((sum, { value }) => sum + value, 0);
      const all = shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join("\n");
      const isCalm = sum < 0.02 && shifts.every(({ value }) => value < 0.007);
      assert.ok(isCalm, `${sum.toFixed(4)} in all:\n${all}`);
    });
  }
});
