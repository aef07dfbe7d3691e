import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, cardsOf, checkDown, deal, decide, heard, joinTable, myTurn, openTable, settlement,
  sitDown, waitToHear,
} from "./actions.js";

/** The errors that a browser logs when the server is down. */
const NO_ANSWER =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET)/;

browserTests("a player out of time", (here) => {
  here.it("is checked or folded by the table, and notified", async () => {
    const ann = await here.enter();
    await sitDown(ann);
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
