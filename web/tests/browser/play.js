// What people do at a table, in their own words.

import assert from "node:assert/strict";

/** A button whose name begins so: `button(page, "Deal")`. */
export function button(page, name) {
  return page.getByRole("button", { name: new RegExp(`^${name.replaceAll(/[$.()]/g, "\\$&")}`) });
}

/** A circle that one may bet in, with so much in it: `circle(page, "Ante", "$5")`. */
export function circle(page, name, amount) {
  return page.getByRole("button", { name: new RegExp(`^${name}\\s*, \\${amount}$`) });
}

/** What became of one's wagers, once a round is over. */
export const settlement = (page) => page.getByRole("table", { name: /^Settlement/ });

/** Sits down from the lobby, at a public table. */
export async function sitDown(page, house = "Ultimate Texas Hold'em") {
  await page.getByRole("button", { name: `Play now: ${house}`, exact: true }).click();
  await page.waitForURL(/\/tables\//);
  await button(page, "Ante").waitFor();
}

/** Sits down at a table that is on the screen already. */
export async function takeSeat(page) {
  await button(page, "Take a seat").click();
  await button(page, "Leave the table").waitFor();
}

/** Comes in by the link of a table, and sits down there. */
export async function joinTable(here, link, coming = {}) {
  const page = await here.enter({ ...coming, path: link });
  await takeSeat(page);
  return page;
}

/** Opens a table without clocks for others, as somebody who stays away himself. */
export async function openTable(here, opening = {}) {
  const host = await here.house.guest();
  const { table, invite } = await host.open({ house: "uth-standard", ...opening });
  return { table, invite, host, link: `/tables/${table}#invite=${invite}` };
}

/** Sits somebody down who plays without a page. */
export async function joinProgram(here, { table, invite }) {
  const program = await here.house.guest();
  const { seats } = await program.ask(`tables/${table}?invite=${invite}`);
  const seat = seats.some((sitter) => sitter.seat === 1) ? 2 : 1;
  await program.order(table, { command: "join", seat }, invite);
  return { program, seat };
}

/** Has the bank offered to whoever sits at the table with a program. */
export async function passBank({ program, seat }, table) {
  const { round } = await program.ask(`tables/${table}`);
  if (round.offered === seat) await program.order(table, { command: "decline-bank", seat });
}

/** Puts the least on the Ante, unless something is there, and calls for the cards. */
export async function deal(page) {
  const go = button(page, "Deal").first();
  await go.waitFor();
  if (await go.isDisabled()) {
    await button(page, "Ante").click();
    await button(page, "$5").first().click();
  }
  await go.click();
}

/** Has the same bets dealt again, and waits until the last round is off the felt. */
export async function dealAgain(page) {
  await button(page, "Deal again").click();
  await myTurn(page);
}

/** Waits until it is one's own to decide. */
export async function myTurn(page) {
  await page.getByRole("group", { name: "Your decision" }).waitFor();
}

/** Decides once: the first of the wishes that is offered. */
export async function decide(page, ...wishes) {
  await myTurn(page);
  for (const wish of wishes) {
    const choice = button(page, wish);
    if (await choice.isVisible()) {
      await choice.click();
      return wish;
    }
  }
  throw new Error(`none of ${wishes.join(", ")} is offered`);
}

/** Checks as long as one may, then bets once the Ante, and waits for the settlement. */
export async function checkDown(page) {
  const over = settlement(page).or(page.getByRole("group", { name: "Your decision" })).first();
  for (let turn = 0; turn < 4; turn++) {
    await over.waitFor();
    if (await settlement(page).isVisible()) return;
    await callIsOver(page);
    const [street, more] = (await callOf(page)).split(":");
    await decide(page, "Check", "Bet 1×", "Fold");
    // The decisions of others change what the dealer says, too; wait for the next street, or until the buttons are gone.
    await page.waitForFunction((street) => !document.querySelector("[aria-label='Your decision']")
      || !document.querySelector("[data-testid=call]")?.textContent.startsWith(street), more ? street : "");
  }
  await settlement(page).waitFor();
}

/** What the dealer says. */
export const callOf = (page) => page.getByTestId("call").innerText();

/** Waits until "No more bets" gives way to what the dealer says next. */
export const callIsOver = (page) =>
  page.waitForFunction(() => document.querySelector("[data-testid=call]")?.textContent !== "No more bets.");

/** All that the dealer has said on the felt, since the page was loaded. */
export const called = (page) => page.evaluate("called");

/** The cards that lie in a place, as they are named: "Your cards", "The board", "Cards of the dealer". */
export const cardsOf = (page, place) =>
  page.getByRole("group", { name: place, exact: true }).getByRole("img").evaluateAll((cards) =>
    cards.map((card) => card.getAttribute("aria-label").replace(", counts", "")));

/** One's chips as the page shows them, in cents. */
export async function chipsOf(page) {
  const text = await page.getByTestId("chips").innerText();
  const found = /\$([\d,]+)(?:\.(\d\d))?/.exec(text);
  assert.ok(found, `chips are shown as "${text}"`);
  return Number(found[1].replaceAll(",", "")) * 100 + Number(found[2] ?? 0);
}

/** What a signed amount such as +$12.50 is in cents. */
export function cents(text) {
  const found = /([+−-]?)\$([\d,]+)(?:\.(\d\d))?/.exec(text);
  assert.ok(found, `"${text}" is no amount`);
  const amount = Number(found[2].replaceAll(",", "")) * 100 + Number(found[3] ?? 0);
  return found[1] === "−" || found[1] === "-" ? -amount : amount;
}

/** The settlement as it stands: each wager with what it came to. */
export async function readSettlement(page) {
  const rows = await settlement(page).getByRole("row").evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.innerText.trim())));
  const wagers = rows.filter(([name]) => /^(Ante|Blind|Play|Trips|Pair Plus)/.test(name))
    .map(([name, staked, net]) => ({ name: /^(Ante|Blind|Play|Trips|Pair Plus)/.exec(name)[0], says: name, staked: cents(staked), net: cents(net) }));
  const together = rows.find(([name]) => name.startsWith("Together"));
  return { wagers, net: cents(together.at(-1)) };
}

/** All that was said to somebody who listens, since the page was loaded. */
export const heard = (page) => page.evaluate("heard");

/** Waits until something was said. */
export async function waitToHear(page, words, timeout) {
  await page.waitForFunction(({ source, flags }) => globalThis.heard.some((text) => new RegExp(source, flags).test(text)),
    { source: words.source, flags: words.flags }, { timeout }).catch(async (error) => {
    throw new Error(`nobody said ${words}, but: ${(await heard(page)).join(" | ")}`, { cause: error });
  });
}
