import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { button, checkDown, deal, joinTable, myTurn, openTable } from "./actions.js";

/** The decisions that are gold. */
const gold = (page) => page.locator("[aria-label='Your decision'] button.gold").allInnerTexts();

browserTests("the coach", (here) => {
  here.it("says after the round how each decision was", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await deal(ann);
    await checkDown(ann);
    await button(ann, "Check your decisions").click();
    const lines = ann.locator(".figures > div");
    await lines.first().waitFor();
    const said = await lines.allInnerTexts();
    const streets = ["Before the flop check", "On the flop check", "On the river bet 1×"];
    for (const [turn, street] of streets.entries()) {
      assert.ok(said[turn].startsWith(street), said[turn]);
      assert.match(said[turn], /✓ best|not (bet \d×|fold): −\$\d/);
    }
  });

  for (const house of ["uth-standard", "utcp-standard"]) {
    here.it(`marks no decision before it was asked, at ${house}`, async () => {
      const { link } = await openTable(here, { house });
      const ann = await joinTable(here, link);
      await deal(ann);
      await myTurn(ann);
      assert.deepEqual(await gold(ann), []);
      await ann.keyboard.press("h");
      await ann.getByText(/is best/).first().waitFor();
      const [best, ...others] = await gold(ann);
      assert.deepEqual(others, []);
      const said = await ann.getByText(/is best/).first().innerText();
      const name = /^(Check|Fold|Bet \d×)/.exec(best.trim())[0];
      assert.ok(said.startsWith(`${name} is best`), `${best} is gold, but: ${said}`);
      assert.ok(await button(ann, name).isVisible());
    });
  }
});
