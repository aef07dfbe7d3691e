import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, cardsOf, checkDown, deal, decide, heard, joinTable, myTurn, openTable, settlement, sitDown, waitToHear } from "./play.js";

/** What a browser logs when there is nobody at the other end. */
const NO_ANSWER = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_SOCKET/;

evening("who is out of time", (here) => {
  here.it("is checked or folded by the table, and told so", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    await deal(ann);
    await myTurn(ann);
    await waitToHear(ann, /your time was up: checked/i);
    await ann.getByText(/time was up|out of time/i).filter({ visible: true }).first().waitFor();
    await settlement(ann).waitFor({ timeout: 15_000 });
    const said = (await heard(ann)).join(" ");
    assert.match(said, /your time was up: folded/i);
  });
}, { clocks: { decision: 1_500, between: 10_000 } });

evening("a broken line", (here) => {
  here.it("is mended by loading the page again: the round is where it was", async () => {
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

  here.it("is told and mended when the server dies in the middle of a round", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER);
    await deal(ann);
    await decide(ann, "Check");
    await ann.getByText("On the flop").waitFor();
    const cards = await cardsOf(ann, "Your cards");
    await here.house.kill();
    await ann.getByText(/connecting again|reconnect/i).first().waitFor();
    await here.house.start();
    await ann.getByText(/connecting again|reconnect/i).first().waitFor({ state: "hidden" });
    assert.deepEqual(await cardsOf(ann, "Your cards"), cards);
    await checkDown(ann);
  });

  here.it("does not lose a decision that was made while the server was away", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    here.expect(ann, NO_ANSWER);
    await deal(ann);
    await myTurn(ann);
    await here.house.kill();
    await button(ann, "Check").click();
    await here.house.start();
    await ann.getByText("On the flop").waitFor();
    await checkDown(ann);
  });
});
