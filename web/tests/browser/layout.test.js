// The layout that the rules require: named areas, the posted rules, the player/dealer button, the
// backs of two decks, and the hands as the dealer announces them.

import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import { flawsAt, SOME, WINDOWS } from "./stage.js";
import {
  button, callOf, circle, deal, decide, joinProgram, joinTable, myTurn, openTable, ownResult,
  settlement,
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
    await button(ann, "$25").click();
    await button(ann, "Trips").click();
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
      "right to left, from the dealer's view",
    ],
    "uth-california": [
      "a player/dealer, for at most 2 hands in a row",
      "the most the bank can win or lose; uncovered wagers are returned",
      "two decks, alternating",
      "clockwise from the player/dealer's left",
      "unlike in California, folds and stub are shown, to prove the shuffle",
    ],
    "utcp-standard": ["needs queen-high or better to qualify; if not, live Antes push first"],
  })) {
    here.it(`of ${house} has its rules posted, and at most four games`, async () => {
      const { link } = await openTable(here, { house });
      const rail = await here.enter({ path: link });
      await rail.getByRole("tab", { name: "Rules" }).click();
      const posted = rail.getByRole("tabpanel");
      const every = [
        "one spot per player, four wagers at most",
        "$5 to $100, in increments of $5",
        "all are shown once the round is settled, folds and stub too",
      ];
      for (const line of [...every, ...lines]) await posted.getByText(line).first().waitFor();
      const rules = await posted.getByText("to prove the shuffle").count();
      assert.equal(rules, house === "uth-california" ? 1 : 0);
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
        getComputedStyle(card, "::before").background));
      await people[seat].decide(table, "check", "fold");
    }
    assert.deepEqual(buttons, [[2], [2], [4], [4], [7], [7]], "the button");
    const design = (back) => back.replaceAll(/rgba?\([^)]*\)/g, "color");
    assert.match(design(backs[0]), /repeating-linear-gradient\(60deg/);
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
    const { seats } = await bea.request(`tables/${opened.table}/rounds/1/telling`);
    const hand = new RegExp(`^${seats.find((it) => it.seat === own.seat).hand}`, "i");
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

/** Everything is tried on request: it takes some minutes. */
const isLong = Boolean(process.env.CROUPIER_LONG);

const CASES = isLong
  ? ["uth-standard", "uth-washington", "uth-california", "utcp-standard"].flatMap((house) => {
      const most = house === "uth-california" ? 7 : 6;
      const bots = Array.from({ length: most + 1 }, (_, count) => count);
      const crowds = bots.filter((count) => count > 0 || house !== "uth-california");
      return crowds.flatMap((others) => [
        { house, others, theme: "dark" },
        { house, others, theme: "light" },
        { house, others, theme: "dark", type: "125%" },
      ]);
    })
  : [
      { house: "uth-washington", others: 6, theme: "dark" },
      { house: "uth-california", others: 7, theme: "light" },
      { house: "utcp-standard", others: 2, theme: "dark", type: "125%" },
    ];

/** Seats programs next to the page, and has one of them bank where a player does. */
async function crowd(here, { house, others }, options) {
  const opened = await openTable(here, { house });
  const programs = [];
  for (let seat = 2; seat <= others + 1; seat++) {
    const program = await here.server.guest();
    await program.send(opened.table, { command: "join", seat }, opened.invite);
    programs.push({ program, seat });
  }
  const page = await here.enter({ ...options, path: opened.link });
  return { ...opened, page, programs };
}

browserTests("the stage", (here) => {
  for (const { house, others, theme, type } of CASES) {
    const title = `${house} with ${others} others, ${theme}${type ? `, type at ${type}` : ""}`;
    here.it(`fits every window: ${title}`, async () => {
      const options = { colorScheme: theme };
      const { table, page, programs } = await crowd(here, { house, others }, options);
      await page.evaluate((type) => (document.documentElement.style.fontSize = type), type ?? "");
      const found = [];
      const look = async (what) =>
        found.push(...(await flawsAt(page, what, isLong ? WINDOWS : SOME)));
      await button(page, "Take a seat").waitFor();
      await look("from the rail");
      await button(page, "Take a seat").click();
      await page.locator(".own .plate").waitFor();
      let players = programs;
      if (house === "uth-california") {
        const state = () => programs[0].program.request(`tables/${table}`);
        await button(page, "Take the bank").or(page.getByText("The bank is offered to")).first()
          .waitFor();
        if ((await state()).round.offered === 1) {
          await look("the offer of the bank");
          await button(page, "Pass").click();
        }
        while ((await state()).round?.offered !== 2) await page.waitForTimeout(50);
        const taken = { command: "take-bank", seat: 2, wager: 90_000 };
        await programs[0].program.send(table, taken);
        players = programs.slice(1);
      }
      await button(page, "Ante").waitFor();
      await look("betting");
      for (const { program, seat } of players) {
        await program.send(table, { command: "wager", seat, ante: 1_000, bonus: 500 });
      }
      await deal(page);
      await myTurn(page);
      await look("the first decision");
      await decide(page, "Check", "Bet 1×");
      for (const { program } of players.slice(1)) await program.decide(table, "bet 4", "bet 1");
      await look("others decide");
      for (const { program } of players.slice(0, 1)) await program.decide(table, "bet 4", "bet 1");
      if (house !== "utcp-standard") {
        await button(page, "Bet 2×").waitFor();
        await decide(page, "Check");
        await button(page, "Bet 1×").waitFor();
        await decide(page, "Bet 1×");
      }
      await ownResult(page).waitFor();
      await look("the settlement");
      assert.deepEqual(found, []);
    });
  }

  for (const [width, height] of isLong ? WINDOWS : [[1280, 800], [390, 844]]) {
    here.it(`moves nothing between phases at ${width}×${height}`, async () => {
      const options = { viewport: { width, height } };
      const house = "uth-standard";
      const { page, programs, table } = await crowd(here, { house, others: 3 }, options);
      await button(page, "Take a seat").click();
      await button(page, "Ante").waitFor();
      await page.waitForTimeout(300);
      await page.evaluate("shifts.length = 0");
      for (const { program, seat } of programs) {
        await program.send(table, { command: "wager", seat, ante: 500 });
      }
      await deal(page);
      await decide(page, "Check");
      for (const { program } of programs) await program.decide(table, "bet 4");
      await button(page, "Bet 2×").waitFor();
      await decide(page, "Check");
      await button(page, "Bet 1×").waitFor();
      await decide(page, "Bet 1×");
      await ownResult(page).waitFor();
      await page.waitForTimeout(300);
      const shifts = await page.evaluate("shifts");
      const sum = shifts.reduce((sum, { value }) => sum + value, 0);
      assert.ok(sum < 0.005, JSON.stringify(shifts, null, 1));
    });
  }
});
