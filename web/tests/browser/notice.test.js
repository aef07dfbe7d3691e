import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  betButton, button, checkDown, deal, joinTable, myTurn, openTable, sitDown,
} from "./actions.js";

const SIZES = [[1440, 900], [1280, 800], [1024, 768], [390, 844]];

/** Answers requests to a path with a refusal. */
const refuse = (page, method, path, code, detail) => page.route(path, (route) => {
  if (route.request().method() !== method) return route.continue();
  const body = JSON.stringify({ code, detail, status: 409 });
  return route.fulfill({ status: 409, contentType: "application/problem+json", body });
});

const REFUSED = /status of 409/;

const meet = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

browserTests("a note", (here) => {
  for (const [width, height] of SIZES) {
    here.it(`covers no card and no button of the round at ${width}×${height}`, async () => {
      const { link } = await openTable(here);
      const ann = await here.enter({ path: link, viewport: { width, height } });
      here.expect(ann, REFUSED);
      await button(ann, "Take a seat").click();
      await deal(ann);
      await myTurn(ann);
      await refuse(ann, "POST", "**/commands*", "cannot-check", "you can't check now: bet or fold");
      await button(ann, "Check").click();
      const note = ann.locator(".notice");
      await note.waitFor();
      const place = await note.boundingBox();
      const things = ann.locator(".dealer .card, .board .card, .own .card, .controls button");
      assert.ok((await things.count()) > 8);
      for (const thing of await things.all()) {
        const box = await thing.boundingBox();
        const name = await thing.evaluate((it) => it.className);
        assert.ok(!meet(place, box), `the note covers ${name} at ${JSON.stringify(box)}`);
      }
    });
  }

  here.it("about a dialog is shown in the dialog", async () => {
    const ann = await here.enter();
    here.expect(ann, REFUSED);
    const headers = { Origin: here.server.url, "Idempotency-Key": "a-table" };
    await ann.request.post("/api/guests", { data: {}, headers });
    await ann.evaluate(() => localStorage.setItem("croupier.known", "yes"));
    const data = { house: "uth-standard", pace: "none" };
    const { table } = await (await ann.request.post("/api/tables", { data, headers })).json();
    await ann.goto(`/tables/${table}`);
    await button(ann, "Close the table").click();
    const dialog = ann.getByRole("dialog", { name: "Close the table?" });
    await dialog.waitFor();
    await refuse(ann, "DELETE", "**/api/tables/*", "others-sit", "other players are seated");
    await dialog.getByRole("button", { name: "Close it" }).click();
    await dialog.getByText("Other players are seated.").waitFor();
    assert.equal(await ann.locator(".notice").count(), 1, "and nowhere else");
    await ann.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await ann.getByText("Other players are seated.").waitFor();
  });

  here.it("reminds of the time without stopping the game", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await betButton(ann).waitFor();
    await ann.evaluate(() => {
      const now = Date.now();
      const since = now - 2 * 3_600_000;
      const sitting = { since, last: now, net: 0, timesShown: 0, lossesShown: 0 };
      sessionStorage.setItem("croupier.sitting", JSON.stringify(sitting));
    });
    await deal(ann);
    await checkDown(ann);
    await ann.getByText(/You've played for 2 hours/).waitFor();
    assert.equal(await ann.locator("dialog[open]").count(), 0);
    await ann.keyboard.press("d");
    await myTurn(ann);
    await button(ann, "Take a break").click();
    await ann.waitForURL((url) => url.pathname === "/");
  });
});

browserTests("the next round", (here) => {
  here.it("is dealt with one press, also before the table opens it", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    await deal(ann);
    await checkDown(ann);
    const again = button(ann, "Deal again");
    await again.waitFor();
    // Something visible changes at once.
    const took = await again.evaluate((element) => new Promise((resolve) => {
      const from = performance.now();
      const seen = new MutationObserver(() => resolve(performance.now() - from));
      const box = element.closest(".controls");
      seen.observe(box, { subtree: true, childList: true, attributes: true });
      element.click();
    }));
    assert.ok(took < 100, `${took} ms`);
    await myTurn(ann);
  });
}, { clocks: { between: 4_000 } });
