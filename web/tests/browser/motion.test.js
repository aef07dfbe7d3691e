import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { button, checkDown, deal, dealAgain, joinTable, openTable } from "./actions.js";

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

browserTests("motion", (here) => {
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
      // 0.001.
      const shifts = await ann.evaluate("shifts");
      const sum = shifts.reduce((sum, { value }) => sum + value, 0);
      const all = shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join("\n");
      const isCalm = sum < 0.02 && shifts.every(({ value }) => value < 0.005);
      assert.ok(isCalm, `${sum.toFixed(4)} in all:\n${all}`);
    });
  }
});
