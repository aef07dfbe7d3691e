import assert from "node:assert/strict";

import { axe } from "./axe.js";
import { browserTests } from "./harness.js";
import {
  button, checkDown, deal, joinTable, openFromLobby, openTable, readSettlement, sitDown,
} from "./actions.js";

/** The widths that every page must fit, in pixels. */
const WIDTHS = [1440, 1024, 768, 390, 320];

/** Fails if the page is wider than its window. */
async function checkWidths(page, what) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${what} at ${width} is ${over} pixels too wide`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

browserTests("the lobby", (here) => {
  here.it("has one gold button, which says where it seats you", async () => {
    const ann = await here.enter();
    const gold = ann.locator("main button.gold, main .button.gold");
    await button(ann, "Play now · Ultimate Texas Hold'em").waitFor();
    assert.equal(await gold.count(), 1);
    await checkWidths(ann, "the lobby");
    await gold.click();
    await ann.waitForURL(/\/tables\//);
    // Now the gold button leads back to the seat, by its name.
    await ann.goto("/");
    await ann.getByRole("link", { name: "Back to your seat at Ultimate Texas Hold'em" }).waitFor();
    assert.equal(await gold.count(), 1);
  });

  here.it("says what differs between the houses, with their exact edges", async () => {
    const ann = await here.enter();
    await ann.getByText("up to 3× with a pair or better").first().waitFor();
    await ann.getByText("no single wager above $400").first().waitFor();
    await ann.getByText("Players take turns as the bank").first().waitFor();
    for (const edge of ["2.18%", "5.42%"]) await ann.getByText(edge).first().waitFor();
  });

  here.it("lists a public table with its players, limits and edge", async () => {
    const bea = await here.enter();
    await sitDown(bea, "Ultimate Three Card Poker");
    const ann = await here.enter();
    const row = ann.locator(".table-list li", { hasText: "Ultimate Three Card Poker" });
    await row.getByText("1 player · 6 open").waitFor();
    await row.getByText("Ante $5–$100").waitFor();
    await row.getByText("edge 5.42%").waitFor();
    await row.getByRole("link", { name: /^Join/ }).click();
    await ann.waitForURL(/\/tables\//);
  });

  here.it("shows an error of its dialog inside the dialog", async () => {
    const ann = await here.enter();
    await ann.route("**/api/tables", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            body: JSON.stringify({ code: "too-many-tables", status: 409, detail: "too many" }),
          })
        : route.fallback());
    here.expect(ann, /status of 409/);
    await button(ann, "Open a table").click();
    const dialog = ann.getByRole("dialog", { name: "Open a table" });
    await button(dialog, "Open the table").click();
    await dialog.getByRole("alert").getByText("Too many.").waitFor();
    assert.equal(await dialog.locator("input[name=title]").getAttribute("maxlength"), "40");
    await checkWidths(ann, "the dialog");
  });

  here.it("invites by a link that says who sent it", async () => {
    const ann = await here.enter({ permissions: ["clipboard-read", "clipboard-write"] });
    await openFromLobby(ann);
    await button(ann, "Copy invite link").click();
    await ann.getByText(/link copied/i).waitFor();
    const link = await ann.evaluate(() => navigator.clipboard.readText());
    const { name } = await (await ann.request.get("/api/me")).json();
    const bea = await here.enter({ path: link });
    await bea.getByText(`${name} invites you to a table`).waitFor();
    await bea.getByRole("heading", { name: "Seat 2 is free." }).waitFor();
    await axe(bea, "an invitation");
    await checkWidths(bea, "an invitation");
    await button(bea, "Watch first").click();
    await button(bea, "Take a seat").waitFor();
  });
});

browserTests("the history", (here) => {
  here.it("lists rounds with cards, and totals of what is listed", async () => {
    const { table, link } = await openTable(here);
    const ann = await joinTable(here, link);
    await deal(ann);
    await checkDown(ann);
    const { net } = await readSettlement(ann);
    await ann.goto("/history");
    const rows = ann.getByTestId("rounds").locator("tbody tr");
    await rows.first().getByRole("group", { name: "The board" }).waitFor();
    assert.equal(await rows.first().getByRole("img").count(), 9);
    const totals = ann.locator(".totals");
    const amount = `$${Math.abs(net) / 100}`;
    const text = `${net > 0 ? "+" : net < 0 ? "−" : ""}${amount}`;
    // The best and the worst of one round are that round, whether it won or lost.
    for (const name of ["Result", "Best round", "Worst round"]) {
      const figure = totals.locator("div", { has: ann.getByText(name, { exact: true }) });
      assert.equal(await figure.locator("dd").first().innerText(), text, name);
    }
    await checkWidths(ann, "the history");
    await ann.getByLabel("Game").selectOption("utcp");
    await ann.getByText("No round matches.").waitFor();
    await button(ann, "Show all rounds").click();
    await rows.first().getByRole("link").click();
    await ann.waitForURL(`**/rounds/${table}/1`);
    await button(ann, "Next step").waitFor();
    assert.equal(await ann.title(), "Round 1 · Croupier");
    await checkWidths(ann, "a round");
    await button(ann, "See how").click();
    await ann.getByRole("dialog", { name: "This round is true" }).waitFor();
    await axe(ann, "the verification");
    await checkWidths(ann, "the verification");
  });

  here.it("verifies all of a player's rounds at once", async () => {
    const { link } = await openTable(here, { house: "utcp-standard" });
    const ann = await joinTable(here, link);
    await deal(ann);
    await checkDown(ann);
    await ann.goto("/history");
    await ann.getByRole("link", { name: "Verify them all" }).click();
    await ann.getByTestId("found").getByText("This round is true.").waitFor();
  });
});

browserTests("how to play", (here) => {
  here.it("explains a first hand of each game, step by step", async () => {
    for (const [game, count, best] of [["uth", 9, "Bet 4×"], ["utcp", 8, "Bet 3×"]]) {
      const ann = await here.enter({ path: `/help#first-hand-${game}` });
      for (let step = 1; step < count; step++) {
        await ann.getByText(`${step} of ${count}`, { exact: true }).waitFor();
        if (step === 1) await axe(ann, "a guided hand");
        if (step === 4) {
          await checkWidths(ann, "a guided hand");
          // The best choice goes on. Another one says so, and waits.
          await button(ann, game === "uth" ? "Check" : "Bet 1×").click();
          await ann.getByText("is worth more here").first().waitFor();
          await button(ann, best).click();
        } else {
          await button(ann, "Next").click();
        }
      }
      await button(ann, "Back").click();
      await ann.getByText(`${count - 1} of ${count}`, { exact: true }).waitFor();
      await button(ann, "Skip").click();
      await ann.getByRole("heading", { name: "How to play", level: 1 }).waitFor();
    }
  });

  here.it("has rules, pay tables, words and keys", async () => {
    const ann = await here.enter({ path: "/help" });
    await ann.getByRole("heading", { name: "How to play", level: 1 }).waitFor();
    assert.equal(await ann.title(), "How to play · Croupier");
    await ann.getByRole("table", { name: "Trips pays" }).getByText("50 to 1").waitFor();
    await ann.getByText("2.18497%").first().waitFor();
    await ann.getByText("a hidden pair, except pocket deuces").first().waitFor();
    await axe(ann, "how to play");
    await checkWidths(ann, "how to play");
    await ann.getByRole("searchbox", { name: "Find a word" }).fill("qualif");
    await ann.getByText("The dealer needs a pair in Hold'em").waitFor();
    assert.equal(await ann.getByText("To give up.").count(), 0);
  });
});

browserTests("account and settings", (here) => {
  here.it("fit every window, and refuse a name that is too long in the field", async () => {
    const ann = await here.enter({ path: "/account" });
    const name = ann.getByLabel("Name", { exact: true });
    await name.fill("a".repeat(47));
    await name.press("End");
    await ann.keyboard.type("b");
    assert.equal(await name.getAttribute("maxlength"), "24");
    await checkWidths(ann, "the account");
    await ann.goto("/settings");
    await checkWidths(ann, "the settings");
    await ann.getByRole("switch", { name: /^Sounds/ }).check();
    await ann.getByRole("radio", { name: "Two colors" }).check();
    await ann.reload();
    assert.ok(await ann.getByRole("switch", { name: /^Sounds/ }).isChecked());
    assert.equal(await ann.evaluate(() => document.documentElement.dataset.deck), "two");
  });
});
