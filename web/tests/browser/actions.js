// The actions of people at a table.

import assert from "node:assert/strict";

/** A button whose name starts with this: `button(page, "Deal")`. */
export function button(page, name) {
  return page.getByRole("button", { name: new RegExp(`^${name.replaceAll(/[$.()]/g, "\\$&")}`) });
}

/** An open betting circle with this amount in it: `circle(page, "Ante", "$5")`. */
export function circle(page, name, amount) {
  return page.getByRole("button", { name: new RegExp(`^${name}\\s*, \\${amount}$`) });
}

/** The player's own settlement, after a round. */
export const settlement = (page) => page.getByRole("table", { name: /^Settlement/ });

/** Sits down from the lobby, at a public table. */
export async function sitDown(page, house = "Ultimate Texas Hold'em") {
  await page.getByRole("button", { name: `Play now: ${house}`, exact: true }).click();
  await page.waitForURL(/\/tables\//);
  await button(page, "Ante").waitFor();
}

/** Sits down at the table on screen. */
export async function takeSeat(page) {
  await button(page, "Take a seat").click();
  await page.getByText(/^You're in seat \d/).waitFor({ state: "attached" });
}

/** How the round ended for the player, as the felt shows it: the panel may be closed. */
export const ownResult = (page) => page.locator(".own-net");

/** Opens the panel, where it is a drawer. */
export async function openPanel(page) {
  const opener = page.locator(".open-panel[aria-expanded=false]");
  if (await opener.isVisible()) await opener.click();
}

/** Closes the panel, where it is a drawer. */
export async function closePanel(page) {
  if (await page.locator(".scrim").isVisible()) await page.keyboard.press("Escape");
}

/** Opens the link of a table in a new browser, and sits down there. */
export async function joinTable(here, link, options = {}) {
  const page = await here.enter({ ...options, path: link });
  await takeSeat(page);
  return page;
}

/** Opens a private table without clocks from the lobby, which also seats its host. */
export async function openFromLobby(page, game = "Ultimate Texas Hold'em") {
  await button(page, "Open a table").click();
  const dialog = page.getByRole("dialog", { name: "Open a table" });
  await dialog.getByRole("radio", { name: game, exact: true }).check();
  await dialog.getByRole("radio", { name: "No clock" }).check();
  await button(dialog, "Open the table").click();
  await page.waitForURL(/\/tables\/.*#invite=/);
  await button(page, "Leave the table").waitFor();
}

/** Opens a table without clocks, as a host who does not sit down. */
export async function openTable(here, opening = {}) {
  const host = await here.server.guest();
  const { table, invite } = await host.open({ house: "uth-standard", ...opening });
  return { table, invite, host, link: `/tables/${table}#invite=${invite}` };
}

/** Seats a program, which plays without a page. */
export async function joinProgram(here, { table, invite }) {
  const program = await here.server.guest();
  const { seats } = await program.request(`tables/${table}?invite=${invite}`);
  const seat = seats.some((sitter) => sitter.seat === 1) ? 2 : 1;
  await program.send(table, { command: "join", seat }, invite);
  return { program, seat };
}

/** Has the program pass the bank, if it is offered first, so that the page gets the offer. */
export async function passBank({ program, seat }, table) {
  const { round } = await program.request(`tables/${table}`);
  if (round.offered === seat) await program.send(table, { command: "decline-bank", seat });
}

/** The button that puts the bets on the felt: Bet $20, or Deal again. */
export const betButton = (page) =>
  page.getByRole("button", { name: /^(Bet \$|Bet$|Deal(?! now))/ }).first();

/** Puts the minimum on the Ante, unless it has chips already, and bets. */
export async function deal(page) {
  const go = betButton(page);
  await go.waitFor();
  if (await go.isDisabled()) await button(page, "Ante").click();
  await go.click();
}

/** Deals again with the same bets, and waits until the last round is off the felt. */
export async function dealAgain(page) {
  await button(page, "Deal again").click();
  await myTurn(page);
}

/** Waits for the player's own turn to decide. */
export async function myTurn(page) {
  await page.getByRole("group", { name: "Your decision" }).waitFor();
}

/** Decides once, with the first of the wishes that is offered. */
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

/** Checks as long as possible, then bets 1×, and waits for the settlement. */
export async function checkDown(page) {
  const over = ownResult(page).or(page.getByRole("group", { name: "Your decision" })).first();
  for (let turn = 0; turn < 4; turn++) {
    await over.waitFor();
    if (await ownResult(page).isVisible()) return;
    await callIsOver(page);
    const [street, more] = (await callOf(page)).split(":");
    await decide(page, "Check", "Bet 1×", "Fold");
    // Decisions of other players change the dealer's call, too. Wait for the next street, or until
    // the buttons are gone.
    await page.waitForFunction((street) => {
      const call = document.querySelector("[data-testid=call]")?.textContent;
      return !document.querySelector("[aria-label='Your decision']") || !call?.startsWith(street);
    }, more ? street : "");
  }
  await ownResult(page).waitFor();
}

/** The dealer's call. */
export const callOf = (page) => page.getByTestId("call").innerText();

/** Waits until "No more bets" gives way to the dealer's next call. */
export const callIsOver = (page) =>
  page.waitForFunction(() =>
    document.querySelector("[data-testid=call]")?.textContent !== "No more bets.");

/** All of the dealer's calls on the felt, since the page was loaded. */
export const called = (page) => page.evaluate("called");

/** The names of the cards in a place: "Your cards", "The board", "Dealer's cards". */
export const cardsOf = (page, place) =>
  page.getByRole("group", { name: place, exact: true }).getByRole("img").evaluateAll((cards) =>
    cards.map((card) => card.getAttribute("aria-label").replace(", counts", "")));

/** The player's chips as the page shows them, in cents. */
export async function chipsOf(page) {
  const text = await page.getByTestId("chips").innerText();
  const found = /\$([\d,]+)(?:\.(\d\d))?/.exec(text);
  assert.ok(found, `chips are shown as "${text}"`);
  return Number(found[1].replaceAll(",", "")) * 100 + Number(found[2] ?? 0);
}

/** A signed amount such as +$12.50, in cents. */
export function cents(text) {
  const found = /([+−-]?)\$([\d,]+)(?:\.(\d\d))?/.exec(text);
  assert.ok(found, `"${text}" is not an amount`);
  const amount = Number(found[2].replaceAll(",", "")) * 100 + Number(found[3] ?? 0);
  return found[1] === "−" || found[1] === "-" ? -amount : amount;
}

/** The settlement on screen: each wager with its result. */
export async function readSettlement(page) {
  const rows = await settlement(page).getByRole("row").evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.innerText.trim())));
  const named = /^(Ante|Blind|Play|Trips|Pair Plus)/;
  const wagers = rows.filter(([name]) => named.test(name)).map(([says, staked, net]) =>
    ({ name: named.exec(says)[0], says, staked: cents(staked), net: cents(net) }));
  const total = rows.find(([name]) => name.startsWith("Total"));
  return { wagers, net: cents(total.at(-1)) };
}

/** All live-region announcements since the page was loaded. */
export const heard = (page) => page.evaluate("heard");

/** Waits for an announcement. */
export async function waitToHear(page, words, timeout) {
  const { source, flags } = words;
  await page.waitForFunction(({ source, flags }) => {
    const found = new RegExp(source, flags);
    return globalThis.heard.some((text) => found.test(text));
  }, { source, flags }, { timeout }).catch(async (error) => {
    const all = (await heard(page)).join(" | ");
    throw new Error(`${words} was not announced, but: ${all}`, { cause: error });
  });
}
