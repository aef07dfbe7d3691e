import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { evening } from "./evening.js";
import { button, cents, joinProgram, joinTable, myTurn, openTable, passBank, settlement } from "./play.js";

/** How many rounds chance gets to bring a payoff that the bank cannot cover: one in two does. */
const ROUNDS = 20;

/** What somebody before a page asks of a table, without waiting for the page. */
async function order(page, table, command) {
  const headers = { "Idempotency-Key": randomUUID(), Origin: new URL(page.url()).origin };
  const answer = await page.request.post(`/api/tables/${table}/commands`, { data: command, headers });
  assert.ok(answer.ok(), await answer.text());
}

/** A California table with ann before a page, and bea without one. */
async function california(here) {
  const opened = await openTable(here, { house: "uth-california" });
  const { table } = opened;
  const ann = await joinTable(here, opened.link);
  const other = await joinProgram(here, opened);
  const { program: bea, seat } = other;
  const state = () => bea.ask(`tables/${table}`);
  const own = (await state()).seats.find((sitter) => sitter.seat !== seat).seat;
  return { table, ann, bea, seat, own, state, pass: () => passBank(other, table) };
}

evening("the bank of a player", (here) => {
  here.it("is offered, taken, and settled with who took it", async () => {
    const { table, ann, bea, seat, own, state, pass } = await california(here);
    await pass();
    await button(ann, "Take the bank").waitFor();
    await ann.getByLabel("Your wager as the bank").fill("400");
    await button(ann, "Take the bank").click();
    await ann.getByText(/\$400/).first().waitFor();
    const { round } = await state();
    assert.deepEqual(round.banker, { seat: own, wager: 40_000 });
    await bea.order(table, { command: "wager", seat, ante: 500, bonus: 500 });
    await bea.order(table, { command: "deal" });
    await bea.decide(table, "check", "fold");
    const record = await bea.ask(`tables/${table}/rounds/1`);
    const net = record.result.bank.net;
    const shown = ann.locator(".net");
    await shown.waitFor();
    assert.equal(cents(await shown.innerText()), net);
  });

  here.it("can be passed", async () => {
    const { ann, own, state, pass } = await california(here);
    await pass();
    await button(ann, "Pass").click();
    await button(ann, "Take the bank").waitFor({ state: "hidden" });
    assert.notEqual((await state()).round?.offered, own);
  });

  here.it("pays as far as it goes, and the settlement says what was not covered", async () => {
    const { table, ann, bea, seat, own, state } = await california(here);
    for (let round = 1; round <= ROUNDS; round++) {
      const { round_number: number, round: { offered } } = await state();
      if (offered === seat) {
        // A bank of $5, and $25 or more to win from it.
        await bea.order(table, { command: "take-bank", seat, wager: 500 });
        await order(ann, table, { command: "wager", seat: own, ante: 500 });
        // The page calls for the cards by itself, once everybody has bet.
        await myTurn(ann);
        await order(ann, table, { command: "decide", seat: own, decision: "bet 4" });
      } else {
        // Nobody banks more than twice in a row. This round is only there to be over.
        await order(ann, table, { command: "take-bank", seat: own, wager: 5_000 });
        await bea.order(table, { command: "wager", seat, ante: 500 });
        await bea.order(table, { command: "deal" });
        await bea.decide(table, "check", "fold");
      }
      const { result } = await bea.ask(`tables/${table}/rounds/${number}`);
      const wagers = Object.values(result.seats.find((it) => it.seat === own)?.wagers ?? {});
      if (!wagers.some(({ uncovered }) => uncovered > 0)) continue;
      await settlement(ann).waitFor();
      await settlement(ann).getByText(/cover/i).first().waitFor();
      return;
    }
    assert.fail(`in ${ROUNDS} rounds the bank of $5 was always enough`);
  });
});
