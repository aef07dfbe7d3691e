import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, cardsOf, deal, decide, heard, joinProgram, joinTable, myTurn, openTable, settlement,
  waitToHear,
} from "./actions.js";

browserTests("a screen reader", (here) => {
  here.it("announces the deal, the turn and the result", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await deal(ann);
    await myTurn(ann);
    const cards = await cardsOf(ann, "Your cards");
    await waitToHear(ann, new RegExp(`You have ${cards.join(", ")}\\.`));
    await waitToHear(ann, /Your decision\./);
    await decide(ann, "Check");
    await waitToHear(ann, /The flop: .* of .*, .* of .*, .* of .*\. Your decision\./);
    await decide(ann, "Check");
    await ann.getByText("On the river").waitFor();
    await decide(ann, "Bet 1×");
    await settlement(ann).waitFor();
    await waitToHear(ann, /You (win|lose) \$[\d,.]+\.|You break even\./);
    // The dealer's hand is announced before the player's own result.
    const result = (await heard(ann)).find((text) => /You (win|lose|break)/.test(text));
    assert.match(result, /dealer/i);
  });

  here.it("announces the decisions of other players, by name", async () => {
    const opened = await openTable(here);
    const { table } = opened;
    const ann = await joinTable(here, opened.link);
    const { program: bea, seat } = await joinProgram(here, opened);
    await bea.send(table, { command: "wager", seat, ante: 500 });
    await deal(ann);
    await myTurn(ann);
    await bea.send(table, { command: "decide", seat, decision: "check" });
    await waitToHear(ann, new RegExp(`${bea.name} checked`));
  });

  here.it("does not repeat itself, or announce everything at once", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await deal(ann);
    for (const choice of ["Check", "Check", "Fold"]) {
      await button(ann, choice).waitFor();
      await decide(ann, choice);
      await ann.waitForTimeout(200);
    }
    await settlement(ann).waitFor();
    const said = await heard(ann);
    assert.equal(said.filter((text) => /You have/.test(text)).length, 1, said.join(" | "));
    assert.equal(said.filter((text) => /You lose/.test(text)).length, 1, said.join(" | "));
    for (const text of said) assert.ok(text.length < 400, `too long to listen to: ${text}`);
  });
});
