import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, callOf, cardsOf, checkDown, deal, joinTable, myTurn, openFromLobby, openTable,
  settlement,
} from "./actions.js";

const nameOf = async (page) => (await (await page.request.get("/api/me")).json()).name;

/** Every visible card on a page. */
const seen = (page) => page.locator("[role=img]").evaluateAll((images) =>
  images.map((image) => image.getAttribute("aria-label"))
    .filter((name) => / of /.test(name))
    .map((name) => name.replace(", counts", "")));

browserTests("one of several players", (here) => {
  here.it("sees no other player's cards before the end, and then the same result", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    const bea = await joinTable(here, link);
    await deal(ann);
    await deal(bea);
    await Promise.all([myTurn(ann), myTurn(bea)]);
    const [annName, beaName] = await Promise.all([nameOf(ann), nameOf(bea)]);
    const annCards = await cardsOf(ann, "Your cards");
    const beaCards = await cardsOf(bea, "Your cards");
    const down = ["card, face down", "card, face down"];
    assert.deepEqual(await cardsOf(ann, `${beaName}'s cards`), down);
    assert.deepEqual(await cardsOf(bea, `${annName}'s cards`), down);
    assert.deepEqual((await seen(ann)).sort(), annCards.sort());
    assert.deepEqual((await seen(bea)).sort(), beaCards.sort());

    // One after the other, street by street: the round goes on when both have decided.
    for (const choice of ["Check", "Check", "Fold"]) {
      const said = await callOf(ann);
      await button(ann, choice).click();
      await button(bea, choice).click();
      for (const page of [ann, bea]) {
        await page.waitForFunction(
          (said) => document.querySelector("[data-testid=call]")?.textContent !== said, said,
        );
      }
    }
    await Promise.all([settlement(ann).waitFor(), settlement(bea).waitFor()]);
    for (const place of ["Dealer's cards", "The board"]) {
      assert.deepEqual(await cardsOf(ann, place), await cardsOf(bea, place));
    }
    assert.equal(await callOf(ann), await callOf(bea));
  });

  here.it("may watch from the rail, without a seat and without controls", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    const rail = await here.enter({ path: link });
    await rail.getByText("You're watching from the rail.").waitFor();
    await deal(ann);
    await myTurn(ann);
    await rail.getByText(/to decide/i).first().waitFor();
    assert.deepEqual(await seen(rail), []);
    const controls = ["Check", "Bet", "Fold", "Deal", "Same again", "Ante", "Leave the table"];
    for (const control of controls) {
      assert.equal(await button(rail, control).count(), 0, control);
    }
    await checkDown(ann);
    const dealer = await cardsOf(ann, "Dealer's cards");
    await rail.waitForFunction(() => document.querySelectorAll(".dealer .card.face").length >= 2);
    assert.deepEqual(await cardsOf(rail, "Dealer's cards"), dealer);
    await rail.getByRole("table", { name: new RegExp(await nameOf(ann)) }).waitFor();
  });

  here.it("joins a private table by its link, and not without", async () => {
    const ann = await here.enter({ permissions: ["clipboard-read", "clipboard-write"] });
    await openFromLobby(ann);
    const table = new URL(ann.url()).pathname.split("/")[2];
    await button(ann, "Copy invite link").click();
    await ann.getByText(/link copied/i).waitFor();
    const copied = await ann.evaluate(() => navigator.clipboard.readText());

    const bea = await joinTable(here, copied);
    await deal(ann);
    await deal(bea);
    await Promise.all([myTurn(ann), myTurn(bea)]);

    const cy = await here.enter({ path: `/tables/${table}` });
    here.expect(cy, /status of 404.*\/api\/tables\//);
    await cy.getByText(/needs an invitation/).first().waitFor();
    assert.equal(await button(cy, "Take a seat").count(), 0);
  });

  here.it("leaves when the host closes the table", async () => {
    const ann = await here.enter();
    await openFromLobby(ann, "Ultimate Three Card Poker");
    const bea = await joinTable(here, ann.url());
    assert.equal(await button(bea, "Close the table").count(), 0);
    // A host who left the page finds the table again.
    await ann.goto("/");
    const back = { name: "Back to your seat at Ultimate Three Card Poker" };
    await ann.getByRole("link", back).click();
    await button(ann, "Close the table").click();
    await button(ann, "Close it").click();
    await ann.getByText("The table is closed.").waitFor();
    await bea.getByText(/^This table (is|has) closed\.$/).first().waitFor();
    await ann.getByRole("heading", { name: "Take a seat." }).waitFor();
  });

  here.it("has eight tabs open at once, and all of them get the news", async () => {
    const { link } = await openTable(here);
    const first = await joinTable(here, link);
    const others = await Promise.all(Array.from({ length: 7 }, async () => {
      const tab = await first.context().newPage();
      here.watch(tab);
      await tab.goto(link);
      await button(tab, "Ante").waitFor();
      return tab;
    }));
    await deal(first);
    const tabs = [first, ...others];
    await Promise.all(tabs.map((tab) => myTurn(tab)));
    // One tab decides for all of them.
    await checkDown(others.at(-1));
    await Promise.all(tabs.map((tab) => settlement(tab).waitFor()));
    const dealers = await Promise.all(tabs.map((tab) => cardsOf(tab, "Dealer's cards")));
    for (const dealer of dealers) assert.deepEqual(dealer, dealers[0]);
  });
});
