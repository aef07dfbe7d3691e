import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { button, checkDown, deal, joinTable, openTable, readSettlement } from "./actions.js";

/** A player who has played a round at a table of their own. */
async function played(here, opening = {}) {
  const { link, table } = await openTable(here, opening);
  const ann = await joinTable(here, link);
  await deal(ann);
  await checkDown(ann);
  const { net } = await readSettlement(ann);
  const record = await (await ann.request.get(`/api/tables/${table}/rounds/1`)).json();
  return { ann, table, record, net };
}

browserTests("proof", (here) => {
  here.it("lets a round be replayed step by step, and verified", async () => {
    const { ann } = await played(here);
    await ann.getByRole("link", { name: /^Replay and verify/ }).click();
    await ann.waitForURL(/\/rounds\//);
    await ann.getByRole("heading", { level: 1 }).waitFor();
    // The replay starts at the beginning. It takes several steps until the dealer's cards are seen.
    const dealer = ann.locator(".dealer .card.face");
    const on = button(ann, "Next step");
    await on.waitFor();
    assert.equal(await dealer.count(), 0);
    let steps = 0;
    for (; steps < 60 && (await on.isEnabled()); steps++) await on.click();
    assert.ok(steps >= 4, `${steps} steps`);
    await dealer.first().waitFor();
    await button(ann, "First step").click();
    await dealer.first().waitFor({ state: "detached" });
    await ann.getByRole("slider", { name: "Step" }).press("End");
    await dealer.first().waitFor();
    await ann.getByTestId("verdict").getByText("This round is true.").waitFor();
    await button(ann, "See how").click();
    const found = "The seeds produce exactly this deck, all 52 cards in this order.";
    await ann.getByText(found).waitFor();
  });

  here.it("works for custom pay tables, too", async () => {
    const shipped = await here.server.request("houses/uth-standard");
    const { placard: _, paytables: __, ...house } = shipped;
    const source = "a kitchen table";
    const pays = { pair: "1:1" };
    const own = { id: "own-trips", title: "Trips of our own", source, bet: "trips", pays };
    const names = { id: "kitchen", title: "Kitchen rules", source: "a kitchen table" };
    const opening = { house: { ...house, ...names, bonus_paytables: [own.id] }, paytables: [own] };
    const { ann, table } = await played(here, opening);
    await ann.goto(`/rounds/${table}/1`);
    await button(ann, "Next step").click();
    await ann.getByTestId("verdict").getByText("This round is true.").waitFor();
  });

  here.it("takes a pasted record, and tells a true record from a tampered one", async () => {
    const { ann, record } = await played(here);
    await ann.goto("/verify");
    const box = ann.getByRole("textbox").first();
    const check = ann.getByRole("button", { name: /^(Verify|Check)/ }).first();
    await box.fill(JSON.stringify(record));
    await check.click();
    await ann.getByText("This round is true.").first().waitFor();

    const [one, other, ...rest] = record.deck;
    await box.fill(JSON.stringify({ ...record, deck: [other, one, ...rest] }));
    await check.click();
    await ann.getByText("This round is not true.").first().waitFor();
    await button(ann, "See how").click();
    await ann.getByTestId("checks").getByText("The seeds produce a different deck.").waitFor();
    await ann.getByText("This round is true.").first().waitFor({ state: "hidden" });
  });

  here.it("is kept in the history, with the result of each round", async () => {
    const { ann, table, net } = await played(here);
    await ann.goto("/history");
    const link = ann.locator(`a[href^="/rounds/${table}/1"]`).first();
    await link.waitFor();
    const amount = net === 0 ? "$0" : `$${Math.abs(net) / 100}`;
    await ann.getByText(amount).first().waitFor();
    await link.click();
    await ann.waitForURL(/\/rounds\//);
  });
});
