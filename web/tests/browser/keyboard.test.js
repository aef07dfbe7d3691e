import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, circle, joinTable, openTable, settlement } from "./play.js";

/** What has the focus, and whether one can see that it has. */
const focused = (page) => page.evaluate(() => {
  const on = document.activeElement;
  const style = getComputedStyle(on);
  const isSeen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  return { name: (on.getAttribute("aria-label") ?? on.textContent ?? "").trim().replaceAll(/\s+/g, " "), isSeen, tag: on.tagName };
});

/** Presses Tab until something has the focus, and returns how often that was. */
async function tabTo(page, name) {
  const passed = [];
  for (let press = 0; press < 80; press++) {
    if (press > 0) await page.keyboard.press("Tab");
    const { name: here, isSeen, tag } = await focused(page);
    if (tag === "BODY" || (press === 0 && !name.test(here))) continue;
    assert.ok(isSeen, `one cannot see that "${here}" has the focus`);
    if (name.test(here)) return press;
    passed.push(here);
  }
  assert.fail(`Tab does not lead to ${name}, but to ${passed.join(" | ")}`);
}

/** Waits until a button could be pressed, and leaves it alone. */
const ready = (page, name) => button(page, name).click({ trial: true });

evening("the keyboard", (here) => {
  here.it("is enough from the lobby to a settlement, with Tab and Enter", async () => {
    const ann = await here.enter();
    await button(ann, "Play now").first().waitFor();
    await tabTo(ann, /^Play now: Ultimate Texas Hold'em$/);
    await ann.keyboard.press("Enter");
    await button(ann, "Deal").first().waitFor();
    await tabTo(ann, /^\$5$/);
    await ann.keyboard.press("Space");
    await tabTo(ann, /^Deal/);
    await ann.keyboard.press("Enter");
    for (const [choice, beside] of [["Check", "Bet 4×"], ["Check", "Bet 2×"], ["Fold", "Bet 1×"]]) {
      await ready(ann, beside);
      // The button that was pressed is gone, and what takes its place is near.
      const presses = await tabTo(ann, new RegExp(`^${choice}`));
      assert.ok(presses <= 3, `${presses} times Tab to ${choice}`);
      await ann.keyboard.press("Enter");
    }
    await settlement(ann).waitFor();
  });

  here.it("has a key for everything at the table", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await circle(ann, "Ante", "$5").waitFor();
    await ann.evaluate(() => document.activeElement?.blur());
    await ann.keyboard.press("+");
    await circle(ann, "Ante", "$10").waitFor();
    await ann.keyboard.press("x");
    await circle(ann, "Ante", "$20").waitFor();
    await ann.keyboard.press("-");
    await circle(ann, "Ante", "$15").waitFor();
    await ann.keyboard.press("t");
    await circle(ann, "Trips", "$5").waitFor();
    await ann.keyboard.press("d");
    await ready(ann, "Bet 4×");
    await ann.keyboard.press("c");
    await ready(ann, "Bet 2×");
    await ann.keyboard.press("c");
    await ready(ann, "Bet 1×");
    await ann.keyboard.press("1");
    await settlement(ann).waitFor();
    await ready(ann, "Deal again");
    await ann.keyboard.press("d");
    await ready(ann, "Bet 4×");
    await ann.keyboard.press("4");
    await settlement(ann).waitFor();
  });

  here.it("shows its keys at a question mark, and goes back where it was", async () => {
    const ann = await here.enter();
    await button(ann, "Play now").first().waitFor();
    await tabTo(ann, /^Play now/);
    const before = await focused(ann);
    await ann.keyboard.press("?");
    const help = ann.getByRole("dialog", { name: "Keys and help" });
    await help.waitFor();
    await ann.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    assert.equal((await focused(ann)).name, before.name);
  });
});
