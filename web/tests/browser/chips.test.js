import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { browserTests } from "./harness.js";
import { betButton, button, chipsOf, circle, joinTable, myTurn, openTable } from "./actions.js";

/** How many rounds it may take to lose $1,000 by folding: Trips can win in between. */
const ROUNDS = 40;

/** Sends a command as the player of a page, without the page. */
async function send(page, table, command) {
  const headers = { "Idempotency-Key": randomUUID(), Origin: new URL(page.url()).origin };
  const path = `/api/tables/${table}/commands`;
  const answer = await page.request.post(path, { data: command, headers });
  assert.ok(answer.ok(), await answer.text());
  return (await answer.json()).state;
}

/** Loses chips by folding, until at most this much is left. */
async function loseDownTo(page, table, left) {
  for (let round = 0; round < ROUNDS; round++) {
    let state = await (await page.request.get(`/api/tables/${table}`)).json();
    const { seat } = state.seats.find(({ you }) => you);
    const spare = state.chips - left;
    if (spare < 1_000) return;
    const ante = Math.min(10_000, Math.floor(spare / 1_000) * 500);
    await send(page, table, { command: "wager", seat, ante });
    // The page calls for the cards by itself.
    for (let turn = 0; turn < 60; turn++) {
      state = await (await page.request.get(`/api/tables/${table}`)).json();
      const hand = state.round?.hands.find((it) => it.seat === seat);
      if (state.round?.stage === "betting" && !hand) break;
      const decision = ["fold", "check"].find((it) => hand?.decisions?.includes(it));
      if (decision) await send(page, table, { command: "decide", seat, decision });
      else await page.waitForTimeout(50);
    }
  }
  assert.fail(`${ROUNDS} rounds were not enough`);
}

browserTests("a player's chips", (here) => {
  here.it("are enough for the bet to come, or a warning says what is not", async () => {
    const { table, link } = await openTable(here);
    const ann = await joinTable(here, link);
    await betButton(ann).waitFor();
    await loseDownTo(ann, table, 3_000);
    await ann.reload();
    await button(ann, "Change bets").click();
    await circle(ann, "Ante", "$5").waitFor();
    await ann.getByText(/That leaves/).waitFor({ state: "hidden" });
    await button(ann, "Ante").click();
    await ann.getByText("That leaves $10, so your Play bet could be 1× at most.").waitFor();
    await button(ann, "Ante").click();
    await ann.getByText(/That leaves \$0: you could only check and fold/).waitFor();
    assert.ok(await betButton(ann).isEnabled(), "a warning forbids nothing");
    // In the round, the table says what is out of reach, and gives chips right there.
    await betButton(ann).click();
    await myTurn(ann);
    assert.ok(await button(ann, "Bet 4×").isDisabled());
    await button(ann, "Get more chips").click();
    await ann.getByText("You got another $1,000.").waitFor();
    await button(ann, "Bet 4×").click();
    await ann.getByRole("table", { name: /^Settlement/ }).waitFor();
  });

  here.it("can be refilled at the table when they are gone", async () => {
    const { table, link } = await openTable(here);
    const ann = await joinTable(here, link);
    await betButton(ann).waitFor();
    await loseDownTo(ann, table, 0);
    await ann.reload();
    await ann.getByText("You have $0, and the smallest bet here is $10.").waitFor();
    await button(ann, "Get more chips").click();
    await ann.getByText("You got another $1,000.").waitFor();
    await button(ann, "Deal again · $10").waitFor();
    assert.equal(await chipsOf(ann), 100_000);
    await betButton(ann).click();
    await myTurn(ann);
  });

  here.it("go on a circle with a click, and come off it with another kind of press", async () => {
    const { link } = await openTable(here);
    const ann = await joinTable(here, link);
    await circle(ann, "Trips", "empty").or(button(ann, "Trips")).first().click();
    await circle(ann, "Trips", "$5").waitFor();
    await button(ann, "$25").click();
    await button(ann, "Trips").click();
    await circle(ann, "Trips", "$30").waitFor();
    await button(ann, "Trips").click({ button: "right" });
    await circle(ann, "Trips", "$5").waitFor();
    await button(ann, "$5").first().click();
    await button(ann, "Trips").focus();
    await ann.keyboard.press("-");
    await button(ann, "Trips , empty").or(button(ann, "Trips, empty")).waitFor();
    await circle(ann, "Ante", "$5").waitFor();
  });

  here.it("come off a circle with a long press on a phone", async () => {
    const { link } = await openTable(here);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const ann = await here.enter({ ...phone, path: link });
    await button(ann, "Take a seat").click();
    await button(ann, "Ante").tap();
    await circle(ann, "Ante", "$10").waitFor();
    const ante = button(ann, "Ante");
    const touch = { pointerType: "touch", bubbles: true };
    await ante.dispatchEvent("pointerdown", touch);
    await circle(ann, "Ante", "$5").waitFor();
    await ante.dispatchEvent("pointerup", touch);
    await ante.dispatchEvent("click");
    await circle(ann, "Ante", "$5").waitFor();
  });
});
