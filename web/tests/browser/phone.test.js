import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, checkDown, deal, joinProgram, joinTable, myTurn, openTable, ownResult, passBank, sitDown,
} from "./actions.js";

const SMALL = { width: 320, height: 640 };

/** Checks the size of everything that can be tapped. */
async function checkTargets(page, what) {
  const small = await page.evaluate(() => {
    const found = [];
    const targets = "button, a.button, [role=tab], nav a, input, select, textarea, summary";
    for (const element of document.querySelectorAll(targets)) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // A checkbox is tapped by its label.
      const isTick = element.matches("[type=checkbox], [type=radio]");
      const target = isTick ? element.closest("label") ?? element : element;
      const { width, height } = target.getBoundingClientRect();
      const name = element.getAttribute("aria-label") ?? element.textContent;
      if (width < 24 || height < 24) found.push(`${name} (${width}×${height})`);
    }
    return found;
  });
  assert.deepEqual(small, [], `${what} has targets below 24 pixels`);
}

async function checkWidth(page, what) {
  const { width, wide } = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isWide = (element) =>
      element.checkVisibility() && element.getBoundingClientRect().right > width + 1;
    const wide = [...document.querySelectorAll("body *")].filter(isWide)
      .slice(0, 5).map((element) => `${element.tagName}.${element.className}`);
    return { width: document.documentElement.scrollWidth, wide };
  });
  assert.ok(width <= SMALL.width, `${what} is ${width} pixels wide: ${wide.join(", ")}`);
}

/** Checks that the current buttons are in reach of the thumb, without scrolling. */
async function checkThumb(page, ...names) {
  for (const name of names) {
    const box = await button(page, name).first().boundingBox();
    assert.ok(box, `${name} is not there`);
    assert.ok(box.y >= SMALL.height / 2 && box.y + box.height <= SMALL.height,
      `${name} is at ${Math.round(box.y)} to ${Math.round(box.y + box.height)} of ${SMALL.height}`);
  }
}

browserTests("a phone of 320 pixels", (here) => {
  for (const [house, title] of [
    ["uth-standard", "Ultimate Texas Hold'em"], ["utcp-standard", "Ultimate Three Card Poker"],
  ]) {
    here.it(`has room for ${title}`, async () => {
      const { link } = await openTable(here, { house });
      const ann = await joinTable(here, link, { viewport: SMALL, hasTouch: true, isMobile: true });
      await button(ann, "Ante").waitFor();
      const look = async (what) => {
        await checkWidth(ann, what);
        await checkTargets(ann, what);
      };
      await look("betting");
      await checkThumb(ann, "$5", "Bet");
      await deal(ann);
      await myTurn(ann);
      await look("deciding");
      const group = ann.getByRole("group", { name: "Your decision" });
      const choices = await group.getByRole("button").allInnerTexts();
      assert.ok(choices.length >= 2, choices.join(", "));
      await checkThumb(ann, ...choices.map((choice) => /^(Check|Fold|Bet .×)/.exec(choice)[0]));
      await checkDown(ann);
      await ownResult(ann).waitFor();
      await look("the settlement");
      await checkThumb(ann, "Deal again", "Change bets");
    });
  }

  here.it("has room for the lobby and the other pages", async () => {
    const ann = await here.enter({ viewport: SMALL, hasTouch: true, isMobile: true });
    await button(ann, "Play now").first().waitFor();
    await checkWidth(ann, "the lobby");
    await checkTargets(ann, "the lobby");
    await sitDown(ann);
    const table = new URL(ann.url()).pathname.split("/")[2];
    await deal(ann);
    await checkDown(ann);
    for (const path of ["/history", `/rounds/${table}/1`, "/verify", "/account", "/settings"]) {
      await ann.goto(path);
      await ann.getByRole("heading", { level: 1 }).waitFor();
      await ann.waitForLoadState("networkidle");
      await checkWidth(ann, path);
      await checkTargets(ann, path);
    }
  });

  here.it("has room where a player banks", async () => {
    const opened = await openTable(here, { house: "uth-california" });
    const phone = { viewport: SMALL, hasTouch: true, isMobile: true };
    const ann = await joinTable(here, opened.link, phone);
    await passBank(await joinProgram(here, opened), opened.table);
    await button(ann, "Take the bank").waitFor();
    await checkWidth(ann, "the offer of the bank");
    await checkTargets(ann, "the offer of the bank");
    await checkThumb(ann, "Take the bank", "Pass");
  });
});
