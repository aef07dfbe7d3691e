import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { browserTests } from "./harness.js";
import {
  button, cents, joinProgram, joinTable, myTurn, openTable, passBank, settlement,
} from "./actions.js";

/** How many rounds to try for a payoff that the bank cannot cover: about one in two has one. */
const ROUNDS = 20;

/** Sends a command as the player of a page, without waiting for the page. */
async function send(page, table, command) {
  const headers = { "Idempotency-Key": randomUUID(), Origin: new URL(page.url()).origin };
  const path = `/api/tables/${table}/commands`;
  const answer = await page.request.post(path, { data: command, headers });
  assert.ok(answer.ok(), await answer.text());
}

/** A California table with ann at a page, and bea as a program. */
async function california(here) {
  const opened = await openTable(here, { house: "uth-california" });
  const { table } = opened;
  const ann = await joinTable(here, opened.link);
  const other = await joinProgram(here, opened);
  const { program: bea, seat } = other;
  const state = () => bea.request(`tables/${table}`);
  const own = (await state()).seats.find((sitter) => sitter.seat !== seat).seat;
  return { table, ann, bea, seat, own, state, pass: () => passBank(other, table) };
}

browserTests("a player's bank", (here) => {
  here.it("is offered, taken, and settled with its banker", async () => {
    const { table, ann, bea, seat, own, state, pass } = await california(here);
    await pass();
    await button(ann, "Take the bank").waitFor();
    await ann.getByLabel("Amount to post").fill("400");
    await button(ann, "Take the bank").click();
    await ann.getByText(/\$400/).first().waitFor();
    const { round } = await state();
    assert.deepEqual(round.banker, { seat: own, wager: 40_000 });
    await bea.send(table, { command: "wager", seat, ante: 500, bonus: 500 });
    await bea.send(table, { command: "deal" });
    await bea.decide(table, "check", "fold");
    const record = await bea.request(`tables/${table}/rounds/1`);
    const net = record.result.bank.net;
    const shown = ann.locator(".net");
    await shown.waitFor();
    assert.equal(cents(await shown.innerText()), net);
  });

  here.it("goes on against bots alone: the banker deals", async () => {
    const opened = await openTable(here, { house: "uth-california" });
    const ann = await joinTable(here, opened.link);
    const bots = `/api/tables/${opened.table}/bots?invite=${opened.invite}`;
    for (let bot = 0; bot < 3; bot++) {
      const headers = { "Idempotency-Key": randomUUID(), Origin: here.server.url };
      assert.ok((await ann.request.post(bots, { headers })).ok());
    }
    await button(ann, "Take the bank").click();
    const deal = ann.getByRole("button", { name: /^Deal/ });
    const dealt = ann.locator(".dealer .card.back").first();
    await deal.or(dealt).first().waitFor();
    // Among bots alone, the page calls for the cards by itself, and may be faster than the click.
    // Either way the round must end.
    if (await deal.isVisible()) await deal.click({ timeout: 2_000 }).catch(() => null);
    await ann.locator(".net").waitFor({ timeout: 30_000 });
    const { result } = await (await ann.request.get(`/api/tables/${opened.table}/rounds/1`)).json();
    assert.equal(cents(await ann.locator(".net").innerText()), result.bank.net);
    // The call is about the next round: the bank is offered again.
    await button(ann, "Take the bank").waitFor();
    assert.equal(await ann.getByTestId("call").innerText(), "The bank is offered to you.");
  });

  here.it("can be passed", async () => {
    const { ann, own, state, pass } = await california(here);
    await pass();
    await button(ann, "Pass").click();
    await button(ann, "Take the bank").waitFor({ state: "hidden" });
    assert.notEqual((await state()).round?.offered, own);
  });

  here.it("pays up to the amount posted, and the settlement says what is not covered", async () => {
    const { table, ann, bea, seat, own, state } = await california(here);
    for (let round = 1; round <= ROUNDS; round++) {
      const { round_number: number, round: { offered } } = await state();
      if (offered === seat) {
        // A bank of $5, and $25 or more to win from it.
        await bea.send(table, { command: "take-bank", seat, wager: 500 });
        await send(ann, table, { command: "wager", seat: own, ante: 500 });
        // The page calls for the cards by itself, once all players have bet.
        await myTurn(ann);
        await send(ann, table, { command: "decide", seat: own, decision: "bet 4" });
      } else {
        // No player banks more than twice in a row. This round only gets the bank back to bea.
        await send(ann, table, { command: "take-bank", seat: own, wager: 5_000 });
        await bea.send(table, { command: "wager", seat, ante: 500 });
        await bea.send(table, { command: "deal" });
        await bea.decide(table, "check", "fold");
      }
      const { result } = await bea.request(`tables/${table}/rounds/${number}`);
      const wagers = Object.values(result.seats.find((it) => it.seat === own)?.wagers ?? {});
      if (!wagers.some(({ uncovered }) => uncovered > 0)) continue;
      await settlement(ann).waitFor();
      await settlement(ann).getByText(/cover/i).first().waitFor();
      return;
    }
    assert.fail(`in ${ROUNDS} rounds the bank of $5 was always enough`);
  });
});
