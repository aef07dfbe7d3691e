// What the layout of a table must have by its rules: areas with their names, the posted rules, the button of the
// player/dealer, the backs of two decks, and the hands as the dealer announces them.

import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, callOf, circle, deal, decide, joinProgram, joinTable, myTurn, openTable, settlement } from "./play.js";

const AREAS = ["Ante", "Blind", "Play", "Trips"];

/** A California table at which ann, before a page, plays against bea, who banks without one. */
async function california(here) {
  const opened = await openTable(here, { house: "uth-california" });
  const ann = await joinTable(here, opened.link);
  const { program: bea, seat } = await joinProgram(here, opened);
  const state = () => bea.ask(`tables/${opened.table}`);
  const own = (await state()).seats.find((sitter) => sitter.seat !== seat).seat;
  return { ...opened, ann, bea, seat, own, state };
}

/** Lets bea take the bank, after ann has passed if she is asked first. */
async function beaBanks({ table, ann, bea, seat, state }) {
  if ((await state()).round.offered !== seat) await button(ann, "Pass").click();
  while ((await state()).round?.offered !== seat) await ann.waitForTimeout(50);
  await bea.order(table, { command: "take-bank", seat, wager: 100_000 });
  await ann.getByTestId("bank").getByText("$1,000 posted").waitFor();
}

/** The areas of one's own bets, each with what lies on it. */
const areasOf = (page) => page.getByRole("group", { name: "Your bets" }).locator(".circle").evaluateAll((areas) =>
  Object.fromEntries(areas.map((area) => {
    const [name, staked] = (area.getAttribute("aria-label") ?? area.textContent).split(",").map((part) => part.trim());
    return [name, /\$\d+/.exec(staked ?? "")?.[0] ?? "nothing"];
  })));

evening("the layout", (here) => {
  here.it("of a California table has areas named Ante, Blind, Trips and Play, and chips lie where they were put", async () => {
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
    assert.deepEqual(await areasOf(ann), { Ante: "$5", Blind: "$5", Trips: "$25", Play: "nothing" });
    await decide(ann, "Bet 4×");
    await settlement(ann).waitFor();
    const { seats } = await bea.ask(`tables/${table}/rounds/1`);
    const { ante, bonus, actions } = seats.find((it) => it.seat === own);
    assert.deepEqual({ ante, bonus, actions }, { ante: 500, bonus: 2_500, actions: ["bet 4"] });
    const staked = await settlement(ann).getByRole("row").evaluateAll((rows) =>
      Object.fromEntries(rows.map((row) => [...row.children].map((cell) => cell.innerText.trim().split("\n")[0])).map(([name, amount]) => [name, amount])));
    for (const [area, amount] of Object.entries({ Ante: "$5", Blind: "$5", Trips: "$25", Play: "$20" })) {
      assert.equal(staked[area], amount, `${area}: ${JSON.stringify(staked)}`);
    }
  });

  for (const [house, lines] of Object.entries({
    "uth-standard": ["needs a pair or better to qualify"],
    "uth-washington": ["$400 at most, of any kind", "needs a pair or better to qualify, or live Antes go back first", "from the highest seat down"],
    "uth-california": ["a player/dealer, for 2 hands in a row at most", "the bank wins and loses no more; wagers not covered go back", "two decks in turns",
      "clockwise from the player/dealer's left", "California keeps folds and stub hidden; here they prove the deck"],
    "utcp-standard": ["needs queen-high or better to qualify, or live Antes go back first"],
  })) {
    here.it(`of ${house} has its rules posted, and at most four games`, async () => {
      const { link } = await openTable(here, { house });
      const rail = await here.enter({ path: link });
      await rail.getByRole("tab", { name: "Rules" }).click();
      const posted = rail.getByRole("tabpanel");
      const every = ["each player wagers on at most four games", "$5 to $100, in steps of $5", "all are open once the round is settled: folds and the stub too"];
      for (const line of [...every, ...lines]) await posted.getByText(line).first().waitFor();
      assert.equal(await posted.getByText("here they prove the deck").count(), house === "uth-california" ? 1 : 0);
    });
  }

  here.it("has the button of the player/dealer at the seat of the bank, two rounds each and clockwise, and decks of two colors in turns", async () => {
    const { table, invite, link } = await openTable(here, { house: "uth-california" });
    const people = {};
    for (const seat of [2, 4, 7]) {
      people[seat] = await here.house.guest();
      await people[seat].order(table, { command: "join", seat }, invite);
    }
    const rail = await here.enter({ path: link });
    const [buttons, backs] = [[], []];
    for (let round = 1; round <= 6; round++) {
      const { offered } = (await people[2].ask(`tables/${table}`)).round;
      await people[offered].order(table, { command: "take-bank", seat: offered, wager: 5_000 });
      const seat = offered === 2 ? 4 : 2;
      await people[seat].order(table, { command: "wager", seat, ante: 500 });
      await people[seat].order(table, { command: "deal" });
      await rail.locator(`[data-seat="${seat}"] .card.back`).first().waitFor();
      await rail.locator(`[data-seat="${offered}"] .button-chip`).waitFor();
      buttons.push(await rail.locator(".other:has(.button-chip)").evaluateAll((seats) => seats.map((it) => Number(it.dataset.seat))));
      backs.push(await rail.locator(".dealer .card.back").first().evaluate((card) => getComputedStyle(card).backgroundImage));
      await people[seat].decide(table, "check", "fold");
    }
    assert.deepEqual(buttons, [[2], [2], [4], [4], [7], [7]], "the button");
    const design = (back) => back.replaceAll(/rgb\([^)]*\)/g, "color");
    assert.match(design(backs[0]), /^repeating-linear-gradient\(45deg, color/);
    assert.equal(design(backs[1]), design(backs[0]), "one design");
    assert.notEqual(backs[1], backs[0], "two colors");
    assert.deepEqual(backs, [0, 1, 0, 1, 0, 1].map((deck) => backs[deck]), "in turns");
  });

  here.it("tells the dealer's hand, one's own hand, and how every hand ends", async () => {
    const opened = await openTable(here);
    const ann = await joinTable(here, opened.link);
    const { program: bea, seat } = await joinProgram(here, opened);
    await bea.order(opened.table, { command: "wager", seat, ante: 500 });
    await deal(ann);
    await myTurn(ann);
    await bea.order(opened.table, { command: "decide", seat, decision: "bet 4" });
    await decide(ann, "Bet 4×");
    await settlement(ann).waitFor();
    const { result } = await bea.ask(`tables/${opened.table}/rounds/1`);
    assert.match(await callOf(ann), /^The dealer has .+\.$/);
    assert.equal(/does not qualify/.test(await callOf(ann)), !result.dealer.qualifies, await callOf(ann));
    const own = result.seats.find((it) => it.seat !== seat);
    const hand = own.hand === "high-card" ? /^\w+ high/ : new RegExp(`^${own.hand.replaceAll("-", " ")}`);
    assert.match(await ann.locator(".own-hand").innerText(), hand);
    await ann.getByText({ win: /You win/, lose: /You lose/, push: /You break even/ }[own.outcome]).first().waitFor({ state: "attached" });
    const { name } = await bea.ask("me");
    const told = await ann.locator(`[data-seat="${seat}"]`).getAttribute("aria-label");
    const outcome = result.seats.find((it) => it.seat === seat).outcome;
    assert.match(told, new RegExp(`${name}.*${{ win: "wins", lose: "loses", push: "ties" }[outcome]}`, "i"));
  });
});
