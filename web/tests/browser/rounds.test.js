import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  betButton, button, cardsOf, checkDown, chipsOf, circle, deal, dealAgain, decide, joinTable,
  myTurn, openTable, readSettlement, settlement, sitDown,
} from "./actions.js";

browserTests("a round", (here) => {
  here.it("goes from the lobby to a settlement in Ultimate Texas Hold'em", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    await button(ann, "Trips").click();
    await deal(ann);
    await myTurn(ann);
    assert.equal((await cardsOf(ann, "Your cards")).length, 2);
    assert.deepEqual(await cardsOf(ann, "Dealer's cards"), ["card, face down", "card, face down"]);
    for (const choice of ["Check", "Bet 3×", "Bet 4×"]) {
      assert.ok(await button(ann, choice).isVisible(), choice);
    }

    await decide(ann, "Check");
    await ann.getByText("On the flop").waitFor();
    assert.equal((await cardsOf(ann, "The board")).length, 3);
    for (const choice of ["Check", "Bet 2×"]) {
      assert.ok(await button(ann, choice).isVisible(), choice);
    }

    await decide(ann, "Check");
    await ann.getByText("On the river").waitFor();
    assert.equal((await cardsOf(ann, "The board")).length, 5);
    await decide(ann, "Bet 1×");

    await settlement(ann).waitFor();
    const { wagers, net } = await readSettlement(ann);
    const staked = wagers.map(({ name, staked }) => `${name} ${staked}`);
    assert.deepEqual(staked.sort(), ["Ante 500", "Blind 500", "Play 500", "Trips 500"]);
    assert.equal(wagers.reduce((sum, wager) => sum + wager.net, 0), net);
    assert.equal(await chipsOf(ann), 100_000 + net);
    assert.ok(!(await cardsOf(ann, "Dealer's cards")).includes("card, face down"));
  });

  here.it("goes from the lobby to a settlement in Ultimate Three Card Poker", async () => {
    const ann = await here.enter();
    await sitDown(ann, "Ultimate Three Card Poker");
    await button(ann, "Pair Plus").click();
    await deal(ann);
    await myTurn(ann);
    assert.equal((await cardsOf(ann, "Your cards")).length, 3);
    await checkDown(ann);
    const { wagers, net } = await readSettlement(ann);
    assert.deepEqual(wagers.map(({ name }) => name).sort(), ["Ante", "Blind", "Pair Plus", "Play"]);
    assert.equal(await chipsOf(ann), 100_000 + net);
  });

  here.it("can be dealt again with the same bets, with others, and with the last", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await button(ann, "Ante").waitFor();
    // The Ante starts at $5. A green chip makes it $30.
    await button(ann, "$25").click();
    await button(ann, "Ante").click();
    await button(ann, "$5").first().click();
    await button(ann, "Trips").click();
    await button(ann, "Bet $65").click();
    await checkDown(ann);
    const first = await readSettlement(ann);
    const staked = ({ wagers }) =>
      Object.fromEntries(wagers.map((wager) => [wager.name, wager.staked]));
    assert.equal(staked(first).Ante, 3_000);

    await dealAgain(ann);
    await checkDown(ann);
    assert.deepEqual(staked(await readSettlement(ann)), staked(first));

    await button(ann, "Change bets").click();
    await button(ann, "Clear").click();
    assert.ok(await betButton(ann).isDisabled());
    await button(ann, "Same again").click();
    await circle(ann, "Ante", "$30").waitFor();
    await ann.keyboard.press("*");
    await circle(ann, "Ante", "$60").waitFor();
    await button(ann, "Bet $130").click();
    await myTurn(ann);
    await checkDown(ann);
    assert.equal(staked(await readSettlement(ann)).Ante, 6_000);
  });

  here.it("shows its settlement, and the player's chips match the server's", async () => {
    const ann = await here.enter();
    await sitDown(ann);
    await deal(ann);
    await myTurn(ann);
    assert.equal(await chipsOf(ann), 99_000);
    await decide(ann, "Bet 4×");
    await settlement(ann).waitFor();
    const me = await (await ann.request.get("/api/me")).json();
    assert.equal(await chipsOf(ann), me.chips);
  });
});
