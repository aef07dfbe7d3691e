import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, checkDown, deal, joinTable, openTable, readSettlement } from "./play.js";

/** Somebody who has played a round at a table of his own. */
async function played(here, opening = {}) {
  const { link, table } = await openTable(here, opening);
  const ann = await joinTable(here, link);
  await deal(ann);
  await checkDown(ann);
  const { net } = await readSettlement(ann);
  const record = await (await ann.request.get(`/api/tables/${table}/rounds/1`)).json();
  return { ann, table, record, net };
}

evening("proof", (here) => {
  here.it("lets a round be replayed step by step, and verified", async () => {
    const { ann } = await played(here);
    await ann.getByRole("link", { name: /^Replay and verify/ }).click();
    await ann.waitForURL(/\/rounds\//);
    await ann.getByRole("heading", { level: 1 }).waitFor();
    // It shows the end first. From the beginning, where the dealer's cards are not to be seen yet, it is some steps there.
    const dealer = ann.locator(".dealer .card.face");
    await dealer.first().waitFor();
    await button(ann, "To the first step").click();
    await dealer.first().waitFor({ state: "hidden" });
    const on = button(ann, "A step on");
    let steps = 0;
    for (; steps < 60 && (await on.isEnabled()); steps++) await on.click();
    assert.ok(steps >= 4, `${steps} steps`);
    await dealer.first().waitFor();
    await button(ann, "Verify").click();
    await ann.getByText("Everything checks out.").first().waitFor();
    await ann.getByText("The seeds give this deck, all 52 cards in this order, and no other.").waitFor();
  });

  here.it("is there for pay tables of one's own, too", async () => {
    const { placard: _, paytables: __, ...house } = await here.house.ask("houses/uth-standard");
    const own = { id: "own-trips", title: "Trips of our own", source: "a kitchen table", bet: "trips", pays: { pair: "1:1" } };
    const names = { id: "kitchen", title: "Kitchen rules", source: "a kitchen table" };
    const opening = { house: { ...house, ...names, bonus_paytables: [own.id] }, paytables: [own] };
    const { ann, table } = await played(here, opening);
    await ann.goto(`/rounds/${table}/1`);
    await button(ann, "To the first step").click();
    await button(ann, "Verify").click();
    await ann.getByText("Everything checks out.").first().waitFor();
  });

  here.it("takes a record that is pasted, and tells a true one from one that was tampered with", async () => {
    const { ann, record } = await played(here);
    await ann.goto("/verify");
    const box = ann.getByRole("textbox").first();
    const check = ann.getByRole("button", { name: /^(Verify|Check)/ }).first();
    await box.fill(JSON.stringify(record));
    await check.click();
    await ann.getByText("Everything checks out.").first().waitFor();

    const [one, other, ...rest] = record.deck;
    await box.fill(JSON.stringify({ ...record, deck: [other, one, ...rest] }));
    await check.click();
    await ann.getByText("This round does not check out.").first().waitFor();
    await ann.getByTestId("checks").getByText("The deck is not the one that the seeds give.").waitFor();
    await ann.getByText("Everything checks out.").first().waitFor({ state: "hidden" });
  });

  here.it("is kept in the history, with what each round came to", async () => {
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
