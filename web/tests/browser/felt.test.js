// What every felt must show: its inscription all the time, the call that closes betting, pay tables to the last row,
// and the numbers of the seats.

import assert from "node:assert/strict";

import { evening } from "./evening.js";
import { button, called, deal, decide, heard, joinProgram, joinTable, openTable, passBank, settlement, waitToHear } from "./play.js";

const PAIR = "The dealer needs a pair or better to qualify";
const BLIND = ["Royal flush 500 to 1", "Straight flush 50 to 1", "Four of a kind 10 to 1", "Full house 3 to 1", "Flush 3 to 2",
  "Straight 1 to 1", "Three of a kind or lower push"];
const TRIPS = ["Royal flush 50 to 1", "Straight flush 40 to 1", "Four of a kind 30 to 1", "Full house 9 to 1", "Flush 7 to 1",
  "Straight 4 to 1", "Three of a kind 3 to 1", "Other lose"];
const THREE_BLIND = ["Mini royal 100 to 1", "Straight flush 20 to 1", "Three of a kind 10 to 1", "Straight 2 to 1", "Flush 1 to 1",
  "Pair or lower push"];
const PAIR_PLUS = ["Mini royal 50 to 1", "Straight flush 40 to 1", "Three of a kind 30 to 1", "Straight 6 to 1", "Flush 4 to 1",
  "Pair 1 to 1", "Other lose"];

const HOUSES = [
  { id: "uth-standard", seats: 7, bears: PAIR, pays: { "Blind UTH": BLIND, "Trips UTH-01": TRIPS } },
  { id: "uth-washington", seats: 7, bears: PAIR, pays: { "Blind UTH": BLIND, "Trips UTH-01": TRIPS } },
  { id: "uth-california", seats: 8, bears: "The player/dealer plays only with a pair or better",
    pays: { "Blind UTH": BLIND, "Trips UTH-01": TRIPS } },
  { id: "utcp-standard", seats: 7, bears: "The dealer needs queen-high or better to qualify",
    pays: { "Blind UTCP": THREE_BLIND, "Pair Plus UTCP-01": PAIR_PLUS } },
];

const SIZES = [
  ["a large screen", { viewport: { width: 1280, height: 800 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

const SMALL_SCREEN = ["a small screen", { viewport: { width: 1024, height: 768 } }];
const SMALL_PHONE = ["a small phone", { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }];

/** Looks at the felt as it is: the inscription, the numbers of all seats, and that nothing lies on them. */
async function checkFelt(page, house, what) {
  const felt = await page.evaluate(() => {
    const boxes = (query) => [...document.querySelectorAll(`.felt ${query}`)]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((element) => ({ name: `${element.className} "${element.textContent.trim().slice(0, 40)}"`, text: element.textContent.trim(), box: element.getBoundingClientRect() }));
    const boxesMeet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    // Plates and chips are round.
    const roundsMeet = (one, other) => Math.hypot(one.x + one.width / 2 - other.x - other.width / 2, one.y + one.height / 2 - other.y - other.height / 2)
      < (one.height + other.height) / 2 - 1;
    const meet = (one, other) => ([one, other].every(({ name }) => /^(plate|chip|circle|button-chip)/.test(name)) ? roundsMeet : boxesMeet)(one.box, other.box);
    const print = boxes("[data-testid=inscription]");
    const plates = boxes(".plate");
    const words = [...boxes(".call"), ...boxes(".terms"), ...boxes(".who"), ...boxes(".word"), ...boxes(".own-hand")].filter(({ text }) => text);
    const things = [...boxes(".card"), ...boxes(".chip"), ...boxes(".button-chip"), ...boxes("button:not(.circle)")];
    const covered = [];
    for (const [place, one] of [...print, ...plates].entries()) {
      for (const other of [...words, ...things, ...[...print, ...plates].slice(place + 1)]) if (meet(one, other)) covered.push(`${one.name} and ${other.name}`);
    }
    // No part of one seat lies on a part of another.
    const seats = [...document.querySelectorAll(".felt .other, .felt .own")].map((seat) =>
      [...seat.querySelectorAll(".plate, .who, .word, .card, .circle:not(.bonus), .button-chip, .sit")].filter((element) => element.checkVisibility() && element.getBoundingClientRect().width)
        .map((element) => ({ name: `${element.className} "${element.textContent.trim().slice(0, 40)}"`, box: element.getBoundingClientRect() })));
    for (const [place, seat] of seats.entries()) {
      for (const one of seat) for (const other of seats.slice(place + 1).flat()) if (meet(one, other)) covered.push(`${one.name} of one seat and ${other.name} of another`);
    }
    const bounds = document.querySelector(".felt").getBoundingClientRect();
    for (const { name, box } of [...print, ...plates]) {
      if (box.left < bounds.left || box.right > bounds.right || box.top < bounds.top || box.bottom > bounds.bottom || !box.width) covered.push(`${name} and the edge`);
    }
    return { print: print.map(({ text }) => text), plates: plates.map(({ text }) => Number(text)), covered };
  });
  assert.deepEqual(felt.print, [house.bears], `${what}: the inscription`);
  assert.deepEqual(felt.plates.sort(), Array.from({ length: house.seats }, (_, place) => place + 1), `${what}: the numbers of the seats`);
  assert.deepEqual(felt.covered, [], `${what}: what lies on each other`);
}

/** Where the deal begins, as it is drawn, written, and told to those who listen. */
async function dealFrom(page) {
  const marked = await page.locator(".plate.first").allInnerTexts();
  assert.equal(marked.length, 1, `${marked.length} seats are marked`);
  const seat = Number(marked[0]);
  assert.equal(await page.getByTestId("deal-from").innerText(), `The deal begins at seat ${seat}`);
  const told = await page.evaluate(() => [...document.querySelectorAll(".other")].map((it) => it.getAttribute("aria-label"))
    .concat([...document.querySelectorAll(".own .unseen")].map((it) => it.textContent)).filter((text) => text.includes("the deal begins here")));
  assert.equal(told.length, 1, told.join(" | "));
  assert.match(told[0], new RegExp(`\\b[Ss]eat (is )?${seat}\\b`));
  return seat;
}

/** All rows of all pay tables that a page posts. */
async function readPays(page) {
  await page.getByRole("tab", { name: "Pays" }).click();
  return page.locator(".pays").evaluateAll((tables) => Object.fromEntries(tables.map((table) => [
    table.caption.textContent.trim(),
    [...table.tBodies[0].rows].filter((row) => row.checkVisibility()).map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join(" ")),
  ])));
}

/** A table with ann before a page, a second page at the rail, and bea without a page, if a player has to bank. */
async function gather(here, house, coming) {
  const opened = await openTable(here, { house: house.id });
  const rail = await here.enter({ ...coming, path: opened.link });
  await rail.getByText("You watch from the rail.").waitFor();
  await checkFelt(rail, house, "the rail");
  const ann = await joinTable(here, opened.link, coming);
  await checkFelt(ann, house, "just sat down");
  if (house.id !== "uth-california") return { ...opened, ann, rail };
  const other = await joinProgram(here, opened);
  const state = () => other.program.ask(`tables/${opened.table}`);
  await ann.getByText("It is offered to").waitFor();
  await checkFelt(ann, house, "the offer of the bank");
  if ((await state()).round.offered !== other.seat) await button(ann, "Pass").click();
  while ((await state()).round?.offered !== other.seat) await ann.waitForTimeout(50);
  await other.program.order(opened.table, { command: "take-bank", seat: other.seat, wager: 40_000 });
  await ann.getByTestId("bank").getByText("$400 posted").waitFor();
  return { ...opened, ann, rail, bank: other };
}

evening("every felt", (here) => {
  for (const house of HOUSES) {
    for (const [screen, coming] of SIZES) {
      here.it(`of ${house.id} says on ${screen} what it must, in every phase`, async () => {
        const { table, ann, rail } = await gather(here, house, coming);
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
        for (let turn = 0; turn < 3 && !(await settlement(ann).isVisible()); turn++) {
          const cards = await ann.locator(".board .card.face").count();
          await decide(ann, "Check", "Bet 1×", "Fold");
          await ann.waitForFunction((cards) => document.querySelectorAll(".board .card.face").length > cards || document.querySelector(".wagers"), cards);
          await both("after a decision");
        }
        await settlement(ann).waitFor();
        await rail.locator(".dealer .card.face").first().waitFor();
        await both("the settlement");
        for (const page of [ann, rail]) {
          const said = await heard(page);
          assert.equal(said.filter((text) => /No more bets/.test(text)).length, 1, said.join(" | "));
          const calls = await called(page);
          const at = calls.indexOf("No more bets.");
          assert.equal(calls[at - 1], "Place your bets.", calls.join(" | "));
          assert.ok(calls.length > at + 1, "the dealer goes on");
        }
        // The result of the house is not told as that of a person who only watches.
        assert.deepEqual((await heard(rail)).filter((text) => /\bYou (win|lose|break)/.test(text)), []);
        await waitToHear(ann, /You (win|lose) \$[\d,.]+\.|You break even\./);
        assert.deepEqual(await readPays(ann), house.pays);
        assert.deepEqual(await readPays(rail), house.pays);

        await ann.goto(`/rounds/${table}/1${new URL(ann.url()).hash}`);
        const steps = ann.locator(".replay-step");
        await steps.first().waitFor();
        await ann.getByRole("button", { name: "To the first step" }).click();
        const count = await steps.count();
        for (let step = 1; step <= count; step++) {
          await checkFelt(ann, house, `step ${step} of the replay`);
          assert.equal(await dealFrom(ann), own, `step ${step} of the replay`);
          if (step < count) await ann.getByRole("button", { name: "A step on" }).click();
        }
        assert.ok((await steps.allInnerTexts()).some((text) => text.trim() === "No more bets."));
      });
    }
  }

  for (const house of HOUSES) {
    for (const [screen, coming] of [...SIZES, SMALL_SCREEN, SMALL_PHONE]) {
      here.it(`of ${house.id} has room on ${screen} when all seats are taken`, async () => {
        const opened = await openTable(here, { house: house.id });
        const others = [];
        for (let seat = 2; seat <= house.seats; seat++) {
          const program = await here.house.guest();
          await program.order(opened.table, { command: "join", seat }, opened.invite);
          others.push({ program, seat });
        }
        const ann = await joinTable(here, opened.link, coming);
        await ann.locator(".own .plate").waitFor();
        await checkFelt(ann, house, "all seats taken");
        if (house.id === "uth-california") {
          const offered = async () => (await others[0].program.ask(`tables/${opened.table}`)).round.offered;
          if ((await offered()) === 1) await button(ann, "Pass").click();
          while ((await offered()) !== 2) await ann.waitForTimeout(50);
          await others[0].program.order(opened.table, { command: "take-bank", seat: 2, wager: 90_000 });
          others.shift();
        }
        for (const { program, seat } of others) await program.order(opened.table, { command: "wager", seat, ante: 1_000, bonus: 500 });
        await deal(ann);
        await decide(ann, "Check", "Bet 1×");
        for (const { program } of others.slice(0, -1)) await program.decide(opened.table, "bet 4", "bet 1");
        await ann.getByText(`${others.at(-1).program.name} to decide`).first().waitFor();
        await checkFelt(ann, house, "one decision is left");
        await others.at(-1).program.decide(opened.table, "bet 4", "bet 1");
        if (house.id !== "utcp-standard") {
          await ann.getByTestId("call").getByText("On the flop").waitFor();
          await decide(ann, "Check");
          await ann.getByTestId("call").getByText("On the river").waitFor();
          await decide(ann, "Bet 1×");
        }
        await settlement(ann).waitFor();
        await checkFelt(ann, house, "the settlement");
        assert.equal(await dealFrom(ann), 1);
        await ann.goto(`/rounds/${opened.table}/1${new URL(ann.url()).hash}`);
        await ann.locator(".replay-step").first().waitFor();
        await checkFelt(ann, house, "the end of the replay");
      });
    }
  }

  for (const [screen, coming] of [...SIZES, SMALL_PHONE]) {
    here.it(`says on ${screen} what it must to a player who banks`, async () => {
      const house = HOUSES[2];
      const opened = await openTable(here, { house: house.id });
      const ann = await joinTable(here, opened.link, coming);
      const { program: bea, seat } = await joinProgram(here, opened);
      await passBank({ program: bea, seat }, opened.table);
      await button(ann, "Take the bank").click();
      await ann.getByTestId("bank").getByText("You bank").waitFor();
      await checkFelt(ann, house, "banking");
      assert.equal(await dealFrom(ann), 2, "the bank gets its cards last");
      await bea.order(opened.table, { command: "wager", seat, ante: 500 });
      await bea.order(opened.table, { command: "deal" });
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
    const bea = await here.house.guest();
    await bea.order(opened.table, { command: "join", seat: 6 }, opened.invite);
    const cy = await here.house.guest();
    await cy.order(opened.table, { command: "join", seat: 3 }, opened.invite);
    const rail = await here.enter({ path: opened.link });
    await rail.getByTestId("call").getByText("Place your bets.").waitFor();
    assert.equal(await dealFrom(rail), 1);
    await bea.order(opened.table, { command: "wager", seat: 6, ante: 500 });
    await rail.locator(".plate.first", { hasText: "6" }).waitFor();
    await cy.order(opened.table, { command: "wager", seat: 3, ante: 500 });
    await rail.locator(".plate.first", { hasText: "3" }).waitFor();
    assert.equal(await dealFrom(rail), 3);
  });

  here.it("says whose the house is, if it did not come with the program", async () => {
    const host = await here.house.guest();
    const shipped = await here.house.ask("houses/utcp-standard");
    const { placard: _, paytables: __, ...fields } = shipped;
    const own = { ...fields, id: "kitchen", title: "Kitchen table", source: "the fridge door", qualifying: false };
    const { table, own_house } = await host.open({ house: own, public: true, pace: "usual" });
    assert.equal(own_house, true);
    await host.open({ house: "utcp-standard", public: true, pace: "usual", title: "As shipped" });
    const words = "A house of the host's own, not one of Croupier's";
    const ann = await here.enter();
    const row = (name) => ann.getByRole("row", { name });
    await row("Kitchen table").getByText(words).waitFor();
    assert.equal(await row("As shipped").getByText(words).count(), 0);
    await ann.goto(`/tables/${table}`);
    await ann.locator(".about").getByText(words).waitFor();
    assert.equal(await ann.getByTestId("inscription").innerText().then((text) => text.toLowerCase()), "the dealer always qualifies");
    await ann.getByRole("tab", { name: "Rules" }).click();
    await ann.getByRole("tabpanel").getByText(words).waitFor();
  });

  here.it("says when a bot of the room may bank", async () => {
    const { table, link } = await openTable(here, { house: "uth-california" });
    const ann = await here.enter();
    // Servers of today do not say it yet.
    await ann.route(`**/api/tables/${table}/events*`, (route) => route.abort());
    await ann.route(new RegExp(`/api/tables/${table}(\\?|$)`), async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), practice_bank: true } });
    });
    here.expect(ann, /net::ERR_FAILED/);
    await ann.goto(link);
    await ann.locator(".about").getByText("Practice table: a bot of the room may bank.").waitFor();
  });
});
