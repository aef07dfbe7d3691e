import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, cardsOf, checkDown, deal, decide, heard, joinProgram, joinTable, myTurn, openTable,
  settlement, sitDown, waitToHear,
} from "./actions.js";

/** The errors that a browser logs when the server is down. */
const NO_ANSWER =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET)/;

browserTests("a player out of time", (here) => {
  here.it("is checked or folded by the table, and notified", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    // The clocks run only where two people sit.
    const table = new URL(ann.url()).pathname.split("/").at(-1);
    const { program, seat } = await joinProgram(here, { table, invite: "" });
    await program.send(table, { command: "wager", seat, ante: 500 });
    await deal(ann);
    await myTurn(ann);
    await waitToHear(ann, /you ran out of time: checked/i);
    await ann.getByText(/out of time/i).filter({ visible: true }).first().waitFor();
    await settlement(ann).waitFor({ timeout: 15_000 });
    const said = (await heard(ann)).join(" ");
    assert.match(said, /you ran out of time: folded/i);
  });
}, { clocks: { decision: 1_500, between: 10_000 } });

browserTests("a lost connection", (here) => {
  here.it("recovers with a reload: the round is where it was", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    await deal(ann);
    await decide(ann, "Check");
    await ann.getByText("On the flop").waitFor();
    const before = [await cardsOf(ann, "Your cards"), await cardsOf(ann, "The board")];
    await ann.reload();
    await myTurn(ann);
    assert.deepEqual([await cardsOf(ann, "Your cards"), await cardsOf(ann, "The board")], before);
    await checkDown(ann);
  });

  here.it("is shown, and recovers, when the server dies in the middle of a round", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER);
    await deal(ann);
    await decide(ann, "Check");
    await ann.getByText("On the flop").waitFor();
    const cards = await cardsOf(ann, "Your cards");
    await here.server.kill();
    await ann.getByText(/reconnecting/i).first().waitFor();
    await here.server.start();
    await ann.getByText(/reconnecting/i).first().waitFor({ state: "hidden" });
    assert.deepEqual(await cardsOf(ann, "Your cards"), cards);
    await checkDown(ann);
  });

  here.it("shows a decision as pending, and refuses another in words", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER);
    await deal(ann);
    await myTurn(ann);
    await here.server.kill();
    await ann.getByText(/reconnecting/i).first().waitFor();
    await button(ann, "Check").click();
    const pending = ann.getByRole("button", { name: /sending/i });
    await pending.waitFor();
    assert.match(await pending.innerText(), /check/i);
    await button(ann, "Bet 4×").click();
    await ann.getByText(/your check is on its way/i).first().waitFor();
    // The server stays away for longer than a request is usually retried.
    await ann.waitForTimeout(8_000);
    assert.ok(await pending.isVisible());
    await here.server.start();
    await ann.getByText("On the flop").waitFor();
    const { hands } = await ann.evaluate(async () => {
      const table = location.pathname.split("/")[2];
      return (await (await fetch(`/api/tables/${table}`)).json()).round;
    });
    assert.deepEqual(hands[0].actions, ["check"]);
    await checkDown(ann);
  });

  here.it("reports a decision that came too late", async () => {
    const { table, link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER, /ERR_FAILED/, /status of 409/);
    await deal(ann);
    await myTurn(ann);
    await ann.route("**/commands*", (route) => route.abort());
    await here.server.kill();
    await ann.getByText(/reconnecting/i).first().waitFor();
    await button(ann, "Check").click();
    await here.server.start();
    await ann.getByText(/reconnecting/i).first().waitFor({ state: "hidden" });
    // Another device of the same player decides first.
    const { seats } = await (await ann.request.get(`/api/tables/${table}`)).json();
    const { seat } = seats.find(({ you }) => you);
    const headers = { "Idempotency-Key": "another-device", Origin: here.server.url };
    const data = { command: "decide", seat, decision: "bet 4" };
    const path = `/api/tables/${table}/commands`;
    assert.ok((await ann.request.post(path, { data, headers })).ok());
    await ann.unroute("**/commands*");
    await ann.getByText(/Your check didn't count: the table had moved on/).waitFor();
    await settlement(ann).waitFor();
  });

  here.it("does not lose a decision that was made while the server was away", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER);
    await deal(ann);
    await myTurn(ann);
    await here.server.kill();
    await button(ann, "Check").click();
    await here.server.start();
    await ann.getByText("On the flop").waitFor();
    await checkDown(ann);
  });
});
