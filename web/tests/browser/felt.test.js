// The text that every felt must show: its inscription at all times, the call that closes betting,
// pay tables to the last row, and the seat numbers.

import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  button, called, closePanel, deal, decide, heard, joinProgram, joinTable, openPanel, openTable,
  ownResult, passBank, waitToHear,
} from "./actions.js";

const PAIR = "The dealer needs a pair or better to qualify";
const BLIND = [
  "Royal flush 500 to 1", "Straight flush 50 to 1", "Four of a kind 10 to 1", "Full house 3 to 1",
  "Flush 3 to 2", "Straight 1 to 1", "Three of a kind or lower push",
];
const TRIPS = [
  "Royal flush 50 to 1", "Straight flush 40 to 1", "Four of a kind 30 to 1", "Full house 9 to 1",
  "Flush 7 to 1", "Straight 4 to 1", "Three of a kind 3 to 1", "Other lose",
];
const THREE_BLIND = [
  "Mini royal 100 to 1", "Straight flush 20 to 1", "Three of a kind 10 to 1", "Straight 2 to 1",
  "Flush 1 to 1", "Pair or lower push",
];
const PAIR_PLUS = [
  "Mini royal 50 to 1", "Straight flush 40 to 1", "Three of a kind 30 to 1", "Straight 6 to 1",
  "Flush 4 to 1", "Pair 1 to 1", "Other lose",
];
const PAYS = { "Blind UTH": BLIND, "Trips UTH-01": TRIPS };

const HOUSES = [
  { id: "uth-standard", seats: 7, bears: PAIR, pays: PAYS },
  { id: "uth-washington", seats: 7, bears: PAIR, pays: PAYS },
  { id: "uth-california", seats: 8, bears: "The player/dealer qualifies with a pair or better",
    pays: PAYS },
  { id: "utcp-standard", seats: 7, bears: "The dealer needs queen-high or better to qualify",
    pays: { "Blind UTCP": THREE_BLIND, "Pair Plus UTCP-01": PAIR_PLUS } },
];

const TOUCH = { hasTouch: true, isMobile: true };

const SIZES = [
  ["a large screen", { viewport: { width: 1280, height: 800 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, ...TOUCH }],
];

const SMALL_SCREEN = ["a small screen", { viewport: { width: 1024, height: 768 } }];
const SMALL_PHONE = ["a small phone", { viewport: { width: 320, height: 568 }, ...TOUCH }];

/** Checks the felt: the inscription, all seat numbers, and that nothing covers them. */
async function checkFelt(page, house, what) {
  const felt = await page.evaluate(() => {
    const drawn = (element) => {
      const text = element.textContent.trim();
      const name = `${element.className} "${text.slice(0, 40)}"`;
      return { name, text, box: element.getBoundingClientRect() };
    };
    const isVisible = (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const boxes = (...queries) => queries.flatMap((query) =>
      [...document.querySelectorAll(`.felt ${query}`)].filter(isVisible).map(drawn));
    const boxesMeet = (one, other) =>
      one.left < other.right - 1 && other.left < one.right - 1
      && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    // Plates and chips are round.
    const roundsMeet = (one, other) => {
      const across = one.x + one.width / 2 - other.x - other.width / 2;
      const down = one.y + one.height / 2 - other.y - other.height / 2;
      return Math.hypot(across, down) < (one.height + other.height) / 2 - 1;
    };
    const isRound = ({ name }) => /^(plate|chip|circle|button-chip)/.test(name);
    const meet = (one, other) =>
      (isRound(one) && isRound(other) ? roundsMeet : boxesMeet)(one.box, other.box);
    const print = boxes("[data-testid=inscription]");
    const plates = boxes(".plate");
    const words = boxes(".call", ".note", ".who .name", ".who .behind", ".word",
      ".own-hand", ".own-under", ".felt-pays tr").filter(({ text }) => text);
    const things = boxes(".card", ".chip", ".button-chip", "button:not(.circle)");
    const fixed = [...print, ...plates];
    const covered = [];
    for (const [place, one] of fixed.entries()) {
      for (const other of [...words, ...things, ...fixed.slice(place + 1)]) {
        if (meet(one, other)) covered.push(`${one.name} and ${other.name}`);
      }
    }
    // No part of a seat overlaps a part of another.
    const parts = ".plate, .who, .word, .own-text p, .card, .circle:not(.bonus), .button-chip,"
      + " .sit";
    const seats = [...document.querySelectorAll(".felt .other, .felt .own")].map((seat) =>
      [...seat.querySelectorAll(parts)].filter((element) => element.checkVisibility())
        .map(drawn).filter(({ box }) => box.width));
    for (const [place, seat] of seats.entries()) {
      const others = seats.slice(place + 1).flat();
      for (const one of seat) {
        for (const other of others.filter((other) => meet(one, other))) {
          covered.push(`${one.name} of one seat and ${other.name} of another`);
        }
      }
    }
    const felt = document.querySelector(".felt").getBoundingClientRect();
    for (const { name, box } of fixed) {
      const isInside = box.left >= felt.left && box.right <= felt.right
        && box.top >= felt.top && box.bottom <= felt.bottom;
      if (!isInside || !box.width) covered.push(`${name} and the edge`);
    }
    return {
      print: print.map(({ text }) => text),
      plates: plates.map(({ text }) => Number(text)),
      covered,
    };
  });
  assert.deepEqual(felt.print, [house.bears], `${what}: the inscription`);
  const numbers = Array.from({ length: house.seats }, (_, place) => place + 1);
  assert.deepEqual(felt.plates.sort(), numbers, `${what}: the seat numbers`);
  assert.deepEqual(felt.covered, [], `${what}: overlaps`);
}

/** The seat where the deal begins, as drawn, as written, and as labeled for screen readers. */
async function dealFrom(page) {
  const marked = await page.locator(".plate.first").allInnerTexts();
  assert.equal(marked.length, 1, `${marked.length} seats are marked`);
  const seat = Number(marked[0]);
  assert.equal(await page.getByTestId("deal-from").innerText(), `The deal begins at seat ${seat}`);
  const told = await page.evaluate(() => {
    const others = [...document.querySelectorAll(".other")];
    const own = [...document.querySelectorAll(".own .unseen")];
    const texts = [
      ...others.map((it) => it.getAttribute("aria-label")),
      ...own.map((it) => it.textContent),
    ];
    return texts.filter((text) => text.includes("the deal begins here"));
  });
  assert.equal(told.length, 1, told.join(" | "));
  assert.match(told[0], new RegExp(`\\b[Ss]eat ${seat}\\b`));
  return seat;
}

/** All rows of all pay tables on a page. */
async function readPays(page) {
  await openPanel(page);
  await page.getByRole("tab", { name: "Rules" }).click();
  const pays = await readTables(page.locator(".pays"));
  await closePanel(page);
  return pays;
}

/** The rows of tables, by their captions. */
const readTables = (tables) => tables.evaluateAll((tables) => {
  const read = (row) => [...row.cells].map((cell) => cell.textContent.trim()).join(" ");
  return Object.fromEntries(tables.map((table) => [
    table.caption.textContent.trim(),
    [...table.tBodies[0].rows].filter((row) => row.checkVisibility()).map(read),
  ]));
});

/** The pay tables as printed on the felt: the rows that pay, under the names of the wagers. */
function printed(pays) {
  const paying = (rows) => rows.filter((row) => /\d to \d/.test(row));
  return Object.fromEntries(Object.entries(pays).map(([name, rows]) =>
    [name.replace(/ \S+$/, ""), paying(rows)]));
}

/**
 * A table with ann at a page, a second page at the rail, and bea as a program if a player has to
 * bank.
 */
async function gather(here, house, options) {
  const opened = await openTable(here, { house: house.id });
  const rail = await here.enter({ ...options, path: opened.link });
  await rail.getByText("You're watching from the rail.").waitFor();
  await checkFelt(rail, house, "the rail");
  const ann = await joinTable(here, opened.link, options);
  await checkFelt(ann, house, "just sat down");
  if (house.id !== "uth-california") return { ...opened, ann, rail };
  const other = await joinProgram(here, opened);
  const state = () => other.program.request(`tables/${opened.table}`);
  await ann.getByTestId("call").getByText("The bank is offered to").waitFor();
  await checkFelt(ann, house, "the offer of the bank");
  if ((await state()).round.offered !== other.seat) await button(ann, "Pass").click();
  while ((await state()).round?.offered !== other.seat) await ann.waitForTimeout(50);
  await other.program.send(opened.table, { command: "take-bank", seat: other.seat, wager: 40_000 });
  await ann.getByTestId("bank").getByText("$400 posted").waitFor();
  return { ...opened, ann, rail, bank: other };
}

browserTests("every felt", (here) => {
  for (const house of HOUSES) {
    for (const [screen, options] of SIZES) {
      here.it(`of ${house.id} shows all required text on ${screen}, in every phase`, async () => {
        const { table, ann, rail } = await gather(here, house, options);
        const both = async (what) => {
          await checkFelt(ann, house, what);
          await checkFelt(rail, house, `${what}, from the rail`);
        };
        await button(ann, "Ante").waitFor();
        await both("betting");
        await deal(ann);
        for (const page of [ann, rail]) {
          await waitToHear(page, /^No more bets\./);
          await page.waitForFunction(() => globalThis.called.includes("No more bets."));
        }
        await both("deciding");
        const own = Number(await ann.locator(".own .plate").innerText());
        assert.equal(await dealFrom(ann), own, "only ann wagered");
        assert.equal(await dealFrom(rail), own);
        for (let turn = 0; turn < 3 && !(await ownResult(ann).isVisible()); turn++) {
          const cards = await ann.locator(".board .card.face").count();
          await decide(ann, "Check", "Bet 1×", "Fold");
          await ann.waitForFunction((cards) => document.querySelector(".own-net")
            || document.querySelectorAll(".board .card.face").length > cards, cards);
          await both("after a decision");
        }
        await ownResult(ann).waitFor();
        await rail.locator(".dealer .card.face").first().waitFor();
        await both("the settlement");
        for (const page of [ann, rail]) {
          const said = await heard(page);
          const closings = said.filter((text) => /No more bets/.test(text));
          assert.equal(closings.length, 1, said.join(" | "));
          const calls = await called(page);
          const at = calls.indexOf("No more bets.");
          assert.equal(calls[at - 1], "Place your bets.", calls.join(" | "));
          assert.ok(calls.length > at + 1, "another call follows");
        }
        // The house's result is not announced as a spectator's own.
        const atRail = await heard(rail);
        assert.deepEqual(atRail.filter((text) => /\bYou (win|lose|break)/.test(text)), []);
        await waitToHear(ann, /You (win|lose) \$[\d,.]+\.|You break even\./);
        assert.deepEqual(await readPays(ann), house.pays);
        assert.deepEqual(await readPays(rail), house.pays);
        if (!options.isMobile) {
          const onFelt = await readTables(ann.locator(".felt-pays"));
          assert.deepEqual(onFelt, printed(house.pays));
        }

        await ann.goto(`/rounds/${table}/1${new URL(ann.url()).hash}`);
        const steps = ann.locator(".replay-step");
        await steps.first().waitFor();
        const first = ann.getByRole("button", { name: "First step" });
        if (await first.isEnabled()) await first.click();
        const count = await steps.count();
        for (let step = 1; step <= count; step++) {
          await checkFelt(ann, house, `step ${step} of the replay`);
          assert.equal(await dealFrom(ann), own, `step ${step} of the replay`);
          if (step < count) await ann.getByRole("button", { name: "Next step" }).click();
        }
        assert.ok((await steps.allInnerTexts()).some((text) => text.trim() === "No more bets."));
      });
    }
  }

  for (const house of HOUSES) {
    for (const [screen, options] of [...SIZES, SMALL_SCREEN, SMALL_PHONE]) {
      here.it(`of ${house.id} has room on ${screen} when all seats are taken`, async () => {
        const opened = await openTable(here, { house: house.id });
        const others = [];
        for (let seat = 2; seat <= house.seats; seat++) {
          const program = await here.server.guest();
          await program.send(opened.table, { command: "join", seat }, opened.invite);
          others.push({ program, seat });
        }
        const ann = await joinTable(here, opened.link, options);
        await ann.locator(".own .plate").waitFor();
        await checkFelt(ann, house, "all seats taken");
        if (house.id === "uth-california") {
          const [{ program: first }] = others;
          const state = () => first.request(`tables/${opened.table}`);
          const offered = async () => (await state()).round.offered;
          if ((await offered()) === 1) await button(ann, "Pass").click();
          while ((await offered()) !== 2) await ann.waitForTimeout(50);
          await first.send(opened.table, { command: "take-bank", seat: 2, wager: 90_000 });
          others.shift();
        }
        for (const { program, seat } of others) {
          await program.send(opened.table, { command: "wager", seat, ante: 1_000, bonus: 500 });
        }
        await deal(ann);
        await decide(ann, "Check", "Bet 1×");
        for (const { program } of others.slice(0, -1)) {
          await program.decide(opened.table, "bet 4", "bet 1");
        }
        await ann.getByText(`${others.at(-1).program.name} to decide`).first().waitFor();
        await checkFelt(ann, house, "one decision is left");
        await others.at(-1).program.decide(opened.table, "bet 4", "bet 1");
        if (house.id !== "utcp-standard") {
          await ann.getByTestId("call").getByText("On the flop").waitFor();
          await decide(ann, "Check");
          await ann.getByTestId("call").getByText("On the river").waitFor();
          await decide(ann, "Bet 1×");
        }
        await ownResult(ann).waitFor();
        await checkFelt(ann, house, "the settlement");
        assert.equal(await dealFrom(ann), 1);
        await ann.goto(`/rounds/${opened.table}/1${new URL(ann.url()).hash}`);
        await ann.locator(".replay-step").first().waitFor();
        await checkFelt(ann, house, "the end of the replay");
      });
    }
  }

  for (const [screen, options] of [...SIZES, SMALL_PHONE]) {
    here.it(`shows all required text on ${screen} to a player who banks`, async () => {
      const house = HOUSES[2];
      const opened = await openTable(here, { house: house.id });
      const ann = await joinTable(here, opened.link, options);
      const { program: bea, seat } = await joinProgram(here, opened);
      await passBank({ program: bea, seat }, opened.table);
      await button(ann, "Take the bank").click();
      await ann.getByTestId("bank").getByText("You bank").waitFor();
      await checkFelt(ann, house, "banking");
      assert.equal(await dealFrom(ann), 2, "the bank gets its cards last");
      await bea.send(opened.table, { command: "wager", seat, ante: 500 });
      await bea.send(opened.table, { command: "deal" });
      await waitToHear(ann, /^No more bets\./);
      await ann.waitForFunction(() => globalThis.called.includes("No more bets."));
      await checkFelt(ann, house, "others decide");
      await bea.decide(opened.table, "check", "fold");
      await waitToHear(ann, /You (win|lose) \$|You break even/);
      await checkFelt(ann, house, "the settlement of the bank");
      assert.match(await ann.getByTestId("bank").innerText(), /^You bank: \$[\d,.]+ posted$/);
    });
  }

  here.it("has a mark where the deal begins, which is seat 1 until there is a wager", async () => {
    const opened = await openTable(here);
    const bea = await here.server.guest();
    await bea.send(opened.table, { command: "join", seat: 6 }, opened.invite);
    const cy = await here.server.guest();
    await cy.send(opened.table, { command: "join", seat: 3 }, opened.invite);
    const rail = await here.enter({ path: opened.link });
    await rail.getByTestId("call").getByText("Place your bets.").waitFor();
    assert.equal(await dealFrom(rail), 1);
    await bea.send(opened.table, { command: "wager", seat: 6, ante: 500 });
    await rail.locator(".plate.first", { hasText: "6" }).waitFor();
    await cy.send(opened.table, { command: "wager", seat: 3, ante: 500 });
    await rail.locator(".plate.first", { hasText: "3" }).waitFor();
    assert.equal(await dealFrom(rail), 3);
  });

  here.it("marks a house that did not come with the program", async () => {
    const host = await here.server.guest();
    const shipped = await here.server.request("houses/utcp-standard");
    const { placard: _, paytables: __, ...fields } = shipped;
    const names = { id: "kitchen", title: "Kitchen table", source: "the fridge door" };
    const own = { ...fields, ...names, qualifying: false };
    const { table, own_house } = await host.open({ house: own, public: true, pace: "usual" });
    assert.equal(own_house, true);
    await host.open({ house: "utcp-standard", public: true, pace: "usual", title: "As shipped" });
    const words = "The host's own house, not one of Croupier's";
    const ann = await here.enter();
    const row = (name) => ann.getByRole("listitem").filter({ hasText: name });
    await row("Kitchen table").getByText(words).waitFor();
    assert.equal(await row("As shipped").getByText(words).count(), 0);
    await ann.goto(`/tables/${table}`);
    await ann.locator(".about").getByText(words).waitFor();
    const print = await ann.getByTestId("inscription").innerText();
    assert.equal(print.toLowerCase(), "the dealer always qualifies");
    await ann.getByRole("tab", { name: "Rules" }).click();
    await ann.getByRole("tabpanel").getByText(words).waitFor();
  });

  here.it("says when a bot may bank, and which pay table is in use", async () => {
    const opening = { house: "uth-california", practice_bank: true, bonus: "UTH-03" };
    const { link } = await openTable(here, opening);
    const ann = await here.enter();
    await ann.goto(link);
    const about = ann.locator(".about");
    await about.getByText("Practice table: a bot may bank.").waitFor();
    const pays = "Practice table: Trips pays by UTH-03. The card room uses UTH-01.";
    await about.getByText(pays).waitFor();
    await ann.getByRole("tab", { name: "Rules" }).click();
    await ann.getByRole("tabpanel").getByText("a bot may bank at this table").waitFor();
  });

  here.it("opens a practice table from the lobby, and fixes the pay table in public", async () => {
    const ann = await here.enter();
    await ann.goto("/");
    await button(ann, "Open a table").click();
    await ann.getByRole("radio", { name: /^California/ }).check();
    await ann.getByLabel("Everyone").check();
    assert.ok(await ann.getByRole("radio", { name: /^UTH-01/ }).isDisabled());
    const fixed = "Public tables use the card room's pay table, and bots never bank";
    await ann.getByText(fixed).waitFor();
    await ann.getByLabel("Anyone with the link").check();
    await ann.getByLabel("Practice: let bots bank when it's their turn").check();
    await ann.getByRole("button", { name: "Open the table" }).click();
    await ann.locator(".about").getByText("Practice table: a bot may bank.").waitFor();
  });
});
