// The layout that the rules require: named areas, the posted rules, the player/dealer button, the
// backs of two decks, and the hands as the dealer announces them.

import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, callOf, circle, deal, decide, joinProgram, joinTable, myTurn, openTable, settlement,
} from "./actions.js";

const AREAS = ["Ante", "Blind", "Play", "Trips"];

/** A California table where ann, at a page, plays against bea, a program that banks. */
async function california(here) {
  const opened = await openTable(here, { house: "uth-california" });
  const ann = await joinTable(here, opened.link);
  const { program: bea, seat } = await joinProgram(here, opened);
  const state = () => bea.request(`tables/${opened.table}`);
  const own = (await state()).seats.find((sitter) => sitter.seat !== seat).seat;
  return { ...opened, ann, bea, seat, own, state };
}

/** Lets bea take the bank, after ann has passed if the bank is offered to ann first. */
async function beaBanks({ table, ann, bea, seat, state }) {
  if ((await state()).round.offered !== seat) await button(ann, "Pass").click();
  while ((await state()).round?.offered !== seat) await ann.waitForTimeout(50);
  await bea.send(table, { command: "take-bank", seat, wager: 100_000 });
  await ann.getByTestId("bank").getByText("$1,000 posted").waitFor();
}

/** The player's own betting areas, each with the amount on it. */
const areasOf = (page) =>
  page.getByRole("group", { name: "Your bets" }).locator(".circle").evaluateAll((areas) =>
    Object.fromEntries(areas.map((area) => {
      const text = area.getAttribute("aria-label") ?? area.textContent;
      const [name, staked] = text.split(",").map((part) => part.trim());
      return [name, /\$\d+/.exec(staked ?? "")?.[0] ?? "nothing"];
    })));

browserTests("the layout", (here) => {
  here.it("of a California table names its areas, and chips lie where they were put", async () => {
    const at = await california(here);
    const { table, ann, bea, own } = at;
    await beaBanks(at);
    await button(ann, "Ante").waitFor();
    assert.deepEqual(Object.keys(await areasOf(ann)).sort(), AREAS);
    await button(ann, "Trips").click();
    await button(ann, "$25").click();
    await circle(ann, "Trips", "$25").waitFor();
    await deal(ann);
    await myTurn(ann);
    const before = { Ante: "$5", Blind: "$5", Trips: "$25", Play: "nothing" };
    assert.deepEqual(await areasOf(ann), before);
    await decide(ann, "Bet 4×");
    await settlement(ann).waitFor();
    const { seats } = await bea.request(`tables/${table}/rounds/1`);
    const { ante, bonus, actions } = seats.find((it) => it.seat === own);
    assert.deepEqual({ ante, bonus, actions }, { ante: 500, bonus: 2_500, actions: ["bet 4"] });
    const staked = await settlement(ann).getByRole("row").evaluateAll((rows) => {
      const read = (cell) => cell.innerText.trim().split("\n")[0];
      return Object.fromEntries(rows.map((row) => [...row.children].slice(0, 2).map(read)));
    });
    const after = { Ante: "$5", Blind: "$5", Trips: "$25", Play: "$20" };
    for (const [area, amount] of Object.entries(after)) {
      assert.equal(staked[area], amount, `${area}: ${JSON.stringify(staked)}`);
    }
  });

  for (const [house, lines] of Object.entries({
    "uth-standard": ["needs a pair or better to qualify"],
    "uth-washington": [
      "at most $400, of any kind",
      "needs a pair or better to qualify; if not, live Antes push first",
      "from the highest seat down",
    ],
    "uth-california": [
      "a player/dealer, for at most 2 hands in a row",
      "the most the bank can win or lose; uncovered wagers go back",
      "two decks, alternating",
      "clockwise from the player/dealer's left",
      "California hides folds and stub; here they prove the shuffle",
    ],
    "utcp-standard": ["needs queen-high or better to qualify; if not, live Antes push first"],
  })) {
    here.it(`of ${house} has its rules posted, and at most four games`, async () => {
      const { link } = await openTable(here, { house });
      const rail = await here.enter({ path: link });
      await rail.getByRole("tab", { name: "Rules" }).click();
      const posted = rail.getByRole("tabpanel");
      const every = [
        "each player wagers on at most four games",
        "$5 to $100, in steps of $5",
        "all are shown once the round is settled, folds and stub too",
      ];
      for (const line of [...every, ...lines]) await posted.getByText(line).first().waitFor();
      const departures = await posted.getByText("here they prove the shuffle").count();
      assert.equal(departures, house === "uth-california" ? 1 : 0);
    });
  }

  here.it("moves the button clockwise every two rounds and alternates decks by color", async () => {
    const { table, invite, link } = await openTable(here, { house: "uth-california" });
    const people = {};
    for (const seat of [2, 4, 7]) {
      people[seat] = await here.server.guest();
      await people[seat].send(table, { command: "join", seat }, invite);
    }
    const rail = await here.enter({ path: link });
    const [buttons, backs] = [[], []];
    for (let round = 1; round <= 6; round++) {
      const { offered } = (await people[2].request(`tables/${table}`)).round;
      await people[offered].send(table, { command: "take-bank", seat: offered, wager: 5_000 });
      const seat = offered === 2 ? 4 : 2;
      await people[seat].send(table, { command: "wager", seat, ante: 500 });
      await people[seat].send(table, { command: "deal" });
      await rail.locator(`[data-seat="${seat}"] .card.back`).first().waitFor();
      await rail.locator(`[data-seat="${offered}"] .button-chip`).waitFor();
      buttons.push(await rail.locator(".other:has(.button-chip)").evaluateAll((seats) =>
        seats.map((it) => Number(it.dataset.seat))));
      backs.push(await rail.locator(".dealer .card.back").first().evaluate((card) =>
        getComputedStyle(card).backgroundImage));
      await people[seat].decide(table, "check", "fold");
    }
    assert.deepEqual(buttons, [[2], [2], [4], [4], [7], [7]], "the button");
    const design = (back) => back.replaceAll(/rgb\([^)]*\)/g, "color");
    assert.match(design(backs[0]), /^repeating-linear-gradient\(45deg, color/);
    assert.equal(design(backs[1]), design(backs[0]), "one design");
    assert.notEqual(backs[1], backs[0], "two colors");
    assert.deepEqual(backs, [0, 1, 0, 1, 0, 1].map((deck) => backs[deck]), "in turns");
  });

  here.it("announces the dealer's hand, your own hand, and how every hand ends", async () => {
    const opened = await openTable(here);
    const ann = await joinTable(here, opened.link);
    const { program: bea, seat } = await joinProgram(here, opened);
    await bea.send(opened.table, { command: "wager", seat, ante: 500 });
    await deal(ann);
    await myTurn(ann);
    await bea.send(opened.table, { command: "decide", seat, decision: "bet 4" });
    await decide(ann, "Bet 4×");
    await settlement(ann).waitFor();
    const { result } = await bea.request(`tables/${opened.table}/rounds/1`);
    assert.match(await callOf(ann), /^The dealer has .+\.$/);
    const call = await callOf(ann);
    assert.equal(/does not qualify/.test(call), !result.dealer.qualifies, call);
    const own = result.seats.find((it) => it.seat !== seat);
    const name = own.hand.replaceAll("-", " ");
    const hand = own.hand === "high-card" ? /^\w+ high/ : new RegExp(`^${name}`);
    assert.match(await ann.locator(".own-hand").innerText(), hand);
    const said = { win: /You win/, lose: /You lose/, push: /You break even/ }[own.outcome];
    await ann.getByText(said).first().waitFor({ state: "attached" });
    const { name: beaName } = await bea.request("me");
    const told = await ann.locator(`[data-seat="${seat}"]`).getAttribute("aria-label");
    const { outcome } = result.seats.find((it) => it.seat === seat);
    const word = { win: "wins", lose: "loses", push: "even" }[outcome];
    assert.match(told, new RegExp(`${beaName}.*${word}`, "i"));
  });
});
