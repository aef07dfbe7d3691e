import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, callOf, cardsOf, checkDown, deal, joinTable, myTurn, openTable, settlement, takeSeat } from "./play.js";

const nameOf = async (page) => (await (await page.request.get("/api/me")).json()).name;

/** Every card that can be seen on a page. */
const seen = (page) => page.locator("[role=img]").evaluateAll((images) =>
  images.map((image) => image.getAttribute("aria-label")).filter((name) => / of /.test(name)).map((name) => name.replace(", counts", "")));

evening("company", (here) => {
  here.it("sees nobody else's cards before the end, and then the same result", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    const bea = await joinTable(here, link);
    await deal(ann);
    await deal(bea);
    await Promise.all([myTurn(ann), myTurn(bea)]);
    const [annName, beaName] = await Promise.all([nameOf(ann), nameOf(bea)]);
    const [annCards, beaCards] = await Promise.all([cardsOf(ann, "Your cards"), cardsOf(bea, "Your cards")]);
    const down = ["card, face down", "card, face down"];
    assert.deepEqual(await cardsOf(ann, `Cards of ${beaName}`), down);
    assert.deepEqual(await cardsOf(bea, `Cards of ${annName}`), down);
    assert.deepEqual((await seen(ann)).sort(), annCards.sort());
    assert.deepEqual((await seen(bea)).sort(), beaCards.sort());

    // One after the other, street by street: nobody goes on before both have decided.
    for (const choice of ["Check", "Check", "Fold"]) {
      const said = await callOf(ann);
      await button(ann, choice).click();
      await button(bea, choice).click();
      for (const page of [ann, bea]) {
        await page.waitForFunction((said) => document.querySelector("[data-testid=call]")?.textContent !== said, said);
      }
    }
    await Promise.all([settlement(ann).waitFor(), settlement(bea).waitFor()]);
    for (const place of ["Cards of the dealer", "The board"]) assert.deepEqual(await cardsOf(ann, place), await cardsOf(bea, place));
    assert.equal(await callOf(ann), await callOf(bea));
  });

  here.it("may watch from the rail, without a seat and without controls", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    const rail = await here.enter({ path: link });
    await rail.getByText("You watch from the rail.").waitFor();
    await deal(ann);
    await myTurn(ann);
    await rail.getByText(/to decide/i).first().waitFor();
    assert.deepEqual(await seen(rail), []);
    for (const control of ["Check", "Bet", "Fold", "Deal", "Rebet", "Ante", "Leave the table"]) {
      assert.equal(await button(rail, control).count(), 0, control);
    }
    await checkDown(ann);
    const dealer = await cardsOf(ann, "Cards of the dealer");
    await rail.waitForFunction(() => document.querySelectorAll(".dealer .card.face").length >= 2);
    assert.deepEqual(await cardsOf(rail, "Cards of the dealer"), dealer);
    await rail.getByRole("table", { name: new RegExp(await nameOf(ann)) }).waitFor();
  });

  here.it("comes to a private table by its link, and not without", async () => {
    const ann = await here.enter({ permissions: ["clipboard-read", "clipboard-write"] });
    await ann.getByRole("button", { name: "Open a table: Ultimate Texas Hold'em", exact: true }).click();
    await ann.getByLabel("Pace").selectOption("none");
    await button(ann, "Open the table").click();
    await ann.waitForURL(/\/tables\//);
    const table = new URL(ann.url()).pathname.split("/")[2];
    await takeSeat(ann);
    await button(ann, "Copy the invitation").click();
    await ann.getByText(/link is copied/).waitFor();
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

  here.it("goes when whoever opened the table closes it", async () => {
    const ann = await here.enter();
    await ann.getByRole("button", { name: "Open a table: Ultimate Three Card Poker", exact: true }).click();
    await ann.getByLabel("Pace").selectOption("none");
    await button(ann, "Open the table").click();
    await ann.waitForURL(/#invite=/);
    const bea = await joinTable(here, ann.url());
    assert.equal(await button(bea, "Close the table").count(), 0);
    // Who opened a table and went away finds it again.
    await ann.goto("/");
    await ann.getByText("You opened a table and went away.").waitFor();
    await ann.getByRole("link", { name: "Look there" }).click();
    await button(ann, "Close the table").click();
    await button(ann, "Close it").click();
    await ann.getByText("The table is closed.").waitFor();
    await bea.getByText(/^This table (is|has) closed\.$/).first().waitFor();
    await ann.getByRole("heading", { name: "Sit down and play" }).waitFor();
  });

  here.it("has eight tabs open at once, and all of them hear", async () => {
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
    // What one tab shows, another decides.
    await checkDown(others.at(-1));
    await Promise.all(tabs.map((tab) => settlement(tab).waitFor()));
    const dealers = await Promise.all(tabs.map((tab) => cardsOf(tab, "Cards of the dealer")));
    for (const dealer of dealers) assert.deepEqual(dealer, dealers[0]);
  });
});
