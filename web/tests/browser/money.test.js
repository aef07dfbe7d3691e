// Every amount that the page shows, recomputed from the cards that it shows.

import assert from "node:assert/strict";

import { browserTests } from "./harness.js";
import {
  betButton, button, cardsOf, cents, chipsOf, joinProgram, joinTable, openTable, readSettlement,
  settlement,
} from "./actions.js";
import { settle } from "./slow_rules.js";

/** How many rounds one test plays, and how many tests each house has. */
const ROUNDS = 5;
const BATCHES = process.env.CROUPIER_LONG === "1" ? 10 : 1;

const HOUSES = [
  ["uth-standard", "uth"], ["uth-washington", "uth"], ["utcp-standard", "utcp"],
  ["uth-california", "uth"],
];

/** A plan of bets and decisions: varied, and the same every time. */
function* planned(seed) {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const pick = (plan, most) => Math.floor(plan.next().value * most);

/** The figures of a text: "$1,050 behind" is 105000. */
const figure = async (locator) => cents(await locator.innerText());

/** Puts chips on the circles, and checks what the page says about them. */
async function bet(ann, plan, { bonusName, most }) {
  const change = button(ann, "Change bets");
  await change.or(button(ann, "Clear")).first().waitFor();
  if (await change.isVisible()) await change.click();
  const clear = button(ann, "Clear");
  await clear.waitFor();
  if (await clear.isEnabled()) await clear.click();
  await button(ann, "$5").first().click();
  const antes = 1 + pick(plan, most);
  const bonuses = pick(plan, 3);
  for (let chip = 0; chip < antes; chip++) await button(ann, "Ante").click();
  for (let chip = 0; chip < bonuses; chip++) await button(ann, bonusName).click();
  const [ante, bonus] = [antes * 500, bonuses * 500];
  const chips = await chipsOf(ann);
  const total = 2 * ante + bonus;
  assert.equal(await figure(betButton(ann)), total, "on the button");
  assert.equal(await figure(ann.locator(".own-behind")), chips - total, "what the bet leaves");
  await betButton(ann).click();
  return { ante, bonus, chips };
}

/** Decides until the round is over, and checks what each button says. */
async function play(ann, plan, ante) {
  const choices = ann.locator("[aria-label='Your decision'] .do");
  const over = settlement(ann);
  const made = { play: 0, isFolded: false };
  for (let turn = 0; turn < 4; turn++) {
    await choices.first().or(over).first().waitFor();
    if (await over.isVisible()) return made;
    const labels = await choices.allInnerTexts();
    const chosen = pick(plan, labels.length);
    for (const label of labels) {
      const [, times] = /^Bet (\d)×/.exec(label) ?? [];
      if (times) assert.equal(cents(label), Number(times) * ante, label);
    }
    const street = await ann.getByTestId("call").innerText();
    if (/^Bet/.test(labels[chosen])) made.play = cents(labels[chosen]);
    made.isFolded = /^Fold/.test(labels[chosen]);
    await choices.nth(chosen).click();
    if (made.play || made.isFolded) break;
    await ann.waitForFunction((before) => {
      const call = document.querySelector("[data-testid=call]")?.textContent;
      return call !== before && call !== "No more bets.";
    }, street);
  }
  await over.waitFor();
  return made;
}

/** The cards of a round, as the page shows them at its end. */
async function shown(ann, game, place = "Your cards") {
  return {
    cards: await cardsOf(ann, place),
    board: game === "uth" ? await cardsOf(ann, "The board") : [],
    dealer: await cardsOf(ann, "Dealer's cards"),
  };
}

/** Compares everything that the page says about a round with the slow reading of its cards. */
async function checkRound(ann, round, chips) {
  const expected = settle(round);
  const about = JSON.stringify(round);
  const { wagers, net } = await readSettlement(ann);
  const by = (field) => Object.fromEntries(wagers.map((wager) => [wager.name, wager[field]]));
  assert.deepEqual(by("staked"), expected.stakes, about);
  assert.deepEqual(by("net"), expected.nets, about);
  assert.equal(net, expected.net, about);
  assert.equal(await figure(ann.locator(".tab-panel .net")), expected.net, about);
  assert.equal(await figure(ann.locator(".own-net")), expected.net, about);
  const staked = Object.values(expected.stakes).reduce((sum, stake) => sum + stake, 0);
  assert.equal(await figure(ann.locator(".tab-panel").getByText(/^on \$/)), staked, about);
  await checkCircles(ann, expected, about);
  assert.equal(await chipsOf(ann), chips + expected.net, about);
  return expected.net;
}

/** Compares the circles: the stake in each, and its result. */
async function checkCircles(ann, { stakes, nets }, about) {
  for (const [name, stake] of Object.entries(stakes)) {
    const circle = ann.locator(".own .circle").and(ann.getByLabel(new RegExp(`^${name}, `)));
    const says = await circle.getAttribute("aria-label");
    assert.equal(cents(says), stake, about);
    const how = nets[name] > 0 ? "wins" : nets[name] < 0 ? "loses" : "pushes";
    assert.match(says, new RegExp(how), about);
    if (nets[name] > 0) assert.equal(cents(says.split("wins")[1]), nets[name], about);
  }
}

/** The rounds and the result of this sitting, from the panel's first tab. */
async function checkSitting(ann, rounds, net) {
  await ann.getByRole("tab", { name: "Table" }).click();
  const result = ann.getByTestId("sitting");
  assert.equal(await figure(result), net, "the result of this sitting");
  const lines = await ann.locator(".figures").filter({ has: result }).innerText();
  assert.match(lines, new RegExp(`Rounds\\s+${rounds}\\b`));
}

browserTests("every amount on the page", (here) => {
  for (const [house, game] of HOUSES.slice(0, 3)) {
    for (let batch = 1; batch <= BATCHES; batch++) {
      here.it(`is right at ${house}, batch ${batch}`, async () => {
        const plan = planned(batch);
        const { link } = await openTable(here, { house });
        const ann = await joinTable(here, link);
        const bonusName = game === "uth" ? "Trips" : "Pair Plus";
        let sum = 0;
        for (let round = 1; round <= ROUNDS; round++) {
          const { ante, bonus, chips } = await bet(ann, plan, { bonusName, most: 4 });
          const made = await play(ann, plan, ante);
          const cards = await shown(ann, game);
          sum += await checkRound(ann, { game, ...cards, ante, bonus, ...made }, chips);
          await checkSitting(ann, round, sum);
        }
        const me = await (await ann.request.get("/api/me")).json();
        assert.equal(me.chips, 100_000 + sum, "the server's own count");
      });
    }
  }

  for (let batch = 1; batch <= BATCHES; batch++) {
    here.it(`is right at uth-california, on both sides of the bank, batch ${batch}`, async () => {
      const plan = planned(batch);
      const opened = await openTable(here, { house: "uth-california" });
      const ann = await joinTable(here, opened.link);
      const { program: bea, seat } = await joinProgram(here, opened);
      const state = () => bea.request(`tables/${opened.table}`);
      let sum = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const { round: { offered }, chips: rest } = await state();
        const isBank = offered !== seat;
        sum += isBank
          ? await bankRound(ann, bea, { ...opened, seat })
          : await playRound(ann, bea, { ...opened, seat, plan, posted: rest });
        await checkSitting(ann, round, sum);
      }
    });
  }
});

/** A round that ann banks: what she wins is what bea loses, from the cards of both. */
async function bankRound(ann, bea, { table, seat }) {
  const chips = await chipsOf(ann);
  await ann.getByLabel("Amount to post").fill(String(Math.floor(chips / 100)));
  await button(ann, "Take the bank").click();
  await ann.getByText(/^You bank/).first().waitFor();
  const { round_number: number } = await bea.request(`tables/${table}`);
  await bea.send(table, { command: "wager", seat, ante: 500, bonus: 500 });
  await button(ann, "Deal now").click();
  await ann.locator(".dealer .card.back").first().waitFor();
  await bea.decide(table, "check", "bet 1");
  const shownNet = ann.locator(".tab-panel .net").first();
  await ann.getByText(new RegExp(`round ${number}$`)).waitFor();
  const cards = await shown(ann, "uth", `${bea.name}'s cards`);
  const round = { game: "uth", ...cards, ante: 500, bonus: 500, play: 500, isFolded: false };
  const { net } = settle(round);
  await shownNet.waitFor();
  assert.equal(await figure(shownNet), -net + 0, JSON.stringify(round));
  assert.equal(await chipsOf(ann), chips - net, JSON.stringify(round));
  return -net;
}

/** A round that bea banks, with all that she has. */
async function playRound(ann, bea, { table, seat, plan, posted }) {
  await bea.send(table, { command: "take-bank", seat, wager: posted });
  const { ante, bonus, chips } = await bet(ann, plan, { bonusName: "Trips", most: 2 });
  const made = await play(ann, plan, ante);
  const cards = await shown(ann, "uth");
  return checkRound(ann, { game: "uth", ...cards, ante, bonus, ...made }, chips);
}
