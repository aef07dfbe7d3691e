import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, checkDown, deal, dealAgain, joinTable, openTable } from "./play.js";

/** Keeps what moves, frame by frame, from now on. */
const watchMotion = (page) => page.evaluate(() => {
  globalThis.moved = new Set();
  const ways = ["transform", "translate", "rotate", "scale", "left", "top", "offsetDistance"];
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { duration, delay } = animation.effect.getComputedTiming();
      const isMotion = animation.effect.getKeyframes().some((frame) => ways.some((way) => way in frame));
      if (isMotion && Number(duration) + Number(delay) > 20) globalThis.moved.add(`${animation.effect.target?.className} ${animation.animationName ?? animation.transitionProperty}`);
    }
    requestAnimationFrame(look);
  };
  look();
});

const moved = (page) => page.evaluate(() => [...globalThis.moved]);

/** Plays a round with cards and chips as fast as they are by themselves. */
async function play(here, coming) {
  const { link } = await openTable(here);
  const ann = await joinTable(here, link, { speed: "calm", ...coming });
  await button(ann, "Ante").waitFor();
  await watchMotion(ann);
  await deal(ann);
  await checkDown(ann);
  return ann;
}

evening("motion", (here) => {
  here.it("is there for those who like it", async () => {
    const ann = await play(here, {});
    assert.notDeepEqual(await moved(ann), []);
  });

  here.it("is not there for those who asked for none", async () => {
    const ann = await play(here, { reducedMotion: "reduce" });
    assert.deepEqual(await moved(ann), []);
  });

  for (const [what, coming] of [["a large screen", {}], ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]]) {
    here.it(`never shifts what is under the pointer, on ${what}`, async () => {
      const { link } = await openTable(here);
      const ann = await joinTable(here, link, { speed: "calm", ...coming });
      await button(ann, "Ante").waitFor();
      // Until all that is loaded has found its place.
      await ann.waitForTimeout(700);
      await ann.evaluate("shifts.length = 0");
      await deal(ann);
      await checkDown(ann);
      await dealAgain(ann);
      await checkDown(ann);
      // What moves in answer to a press counts as well. A line of text in the middle that becomes another is about 0.001.
      const shifts = await ann.evaluate("shifts");
      const sum = shifts.reduce((sum, { value }) => sum + value, 0);
      assert.ok(sum < 0.02 && shifts.every(({ value }) => value < 0.005), `${sum.toFixed(4)} in all:\n${shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join("\n")}`);
    });
  }
});
