import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { betButton, button, circle, joinTable, openTable, settlement } from "./actions.js";

/** The focused element, and whether its focus is visible. */
const focused = (page) => page.evaluate(() => {
  const on = document.activeElement;
  const style = getComputedStyle(on);
  const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const isSeen = hasOutline || style.boxShadow !== "none";
  const name = (on.getAttribute("aria-label") ?? on.textContent ?? "").trim();
  return { name: name.replaceAll(/\s+/g, " "), isSeen, tag: on.tagName };
});

/** Presses Tab until this element has the focus, and returns the number of presses. */
async function tabTo(page, name) {
  const passed = [];
  for (let press = 0; press < 80; press++) {
    if (press > 0) await page.keyboard.press("Tab");
    const { name: here, isSeen, tag } = await focused(page);
    if (tag === "BODY" || (press === 0 && !name.test(here))) continue;
    assert.ok(isSeen, `the focus of "${here}" is not visible`);
    if (name.test(here)) return press;
    passed.push(here);
  }
  assert.fail(`Tab does not lead to ${name}, but to ${passed.join(" | ")}`);
}

/** Waits until a button can be pressed, without pressing it. */
const ready = (page, name) => button(page, name).click({ trial: true });

browserTests("the keyboard", (here) => {
  here.it("is enough from the lobby to a settlement, with Tab and Enter", async () => {
    const ann = await here.enter();
    await button(ann, "Play now").first().waitFor();
    await tabTo(ann, /^Play now: Ultimate Texas Hold'em$/);
    await ann.keyboard.press("Enter");
    await betButton(ann).waitFor();
    await tabTo(ann, /^\$5$/);
    await ann.keyboard.press("Space");
    await tabTo(ann, /^Bet \$/);
    await ann.keyboard.press("Enter");
    for (const [choice, other] of [["Check", "Bet 4×"], ["Check", "Bet 2×"], ["Fold", "Bet 1×"]]) {
      await ready(ann, other);
      // The pressed button is gone, and the next one is close to it in tab order.
      const presses = await tabTo(ann, new RegExp(`^${choice}`));
      assert.ok(presses <= 3, `${presses} presses of Tab to ${choice}`);
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
    await ann.keyboard.press("*");
    await circle(ann, "Ante", "$20").waitFor();
    await ann.keyboard.press("-");
    await circle(ann, "Ante", "$15").waitFor();
    await ann.keyboard.press("t");
    await circle(ann, "Trips", "$5").waitFor();
    await ann.keyboard.press("t");
    await circle(ann, "Trips", "$10").waitFor();
    await ann.keyboard.press("2");
    await ann.keyboard.press("t");
    await circle(ann, "Trips", "$35").waitFor();
    await ann.keyboard.press("1");
    await ann.keyboard.press("Shift+T");
    await circle(ann, "Trips", "$30").waitFor();
    await ann.keyboard.press("x");
    assert.ok(await betButton(ann).isDisabled());
    await ann.keyboard.press("+");
    await circle(ann, "Ante", "$5").waitFor();
    await ann.keyboard.press("d");
    await ready(ann, "Bet 4×");
    await ann.keyboard.press("c");
    await ready(ann, "Bet 2×");
    await ann.keyboard.press("c");
    await ready(ann, "Bet 1×");
    await ann.keyboard.press("1");
    await settlement(ann).waitFor();
    await ready(ann, "Deal again");
    await ann.keyboard.press("e");
    await circle(ann, "Ante", "$5").waitFor();
    await ann.keyboard.press("Enter");
    await ready(ann, "Bet 4×");
    await ann.keyboard.press("4");
    await settlement(ann).waitFor();
  });

  here.it("still presses the gold button after a click in the panel", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await circle(ann, "Ante", "$5").waitFor();
    await ann.getByRole("tab", { name: "Rules" }).click();
    await ann.keyboard.press("Enter");
    await ready(ann, "Bet 4×");
    await ann.getByRole("tab", { name: "Coach" }).click();
    await ann.keyboard.press("4");
    await settlement(ann).waitFor();
  });

  here.it("has one meaning for each key", async () => {
    const ann = await here.enter();
    await button(ann, "Play now").first().waitFor();
    await ann.keyboard.press("?");
    const help = ann.getByRole("dialog", { name: "Keys and help" });
    await help.getByText(/at a table without clocks, you have all the time/).waitFor();
    const rows = await help.getByRole("row").allInnerTexts();
    const bank = rows.filter((row) => /^B\s/.test(row));
    assert.equal(bank.length, 1);
    assert.doesNotMatch(bank[0], /;/);
  });

  here.it("shows its keys at a question mark, and returns the focus", async () => {
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
