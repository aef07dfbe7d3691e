// Takes the pictures in docs/screenshots, of the page as it is: npm run screenshots.
//
// The cards are as chance deals them. pngquant makes the files a third as large, if it is there.

import { spawnSync } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { launch } from "../tests/browser/evening.js";
import { House } from "../tests/browser/house.js";
import { button, checkDown, deal, decide, joinProgram, joinTable, myTurn, openTable, passBank } from "../tests/browser/play.js";

const FOLDER = fileURLToPath(new URL("../../docs/screenshots", import.meta.url));

/** More than this is too much for a picture in a repository, in bytes. */
const LARGE = 150 * 1024;

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @type {import("../tests/browser/evening.js").Evening} */
const here = /** @type {any} */ ({
  async enter({ path = "/", ...options } = {}) {
    const context = await here.browser.newContext({ baseURL: here.house.url, locale: "en-GB", colorScheme: "dark", reducedMotion: "reduce", ...DESK, ...options });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  },
});

/** Takes a picture once everything lies still. */
async function shoot(page, name) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  // Notes at the edge of the page are about the moment, and not about the page.
  await page.getByRole("button", { name: "Close this note" }).click({ timeout: 200 }).catch(() => {});
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  const squeezed = spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--strip", "128", path]);
  const { size } = await stat(path);
  const remark = size <= LARGE ? "" : squeezed.error ? ", which is too large: install pngquant" : ", which is too large";
  console.log(`${name}.png: ${Math.round(size / 1024)} KB${remark}`);
}

/** A table with clocks, and so many bots at it. */
async function withBots(house, count, coming) {
  const opened = await openTable(here, { house, pace: "slow" });
  const page = await joinTable(here, opened.link, coming);
  for (let bot = 0; bot < count; bot++) await page.request.post(`/api/tables/${opened.table}/bots`, { headers: { Origin: here.house.url } });
  return { page, ...opened };
}

async function lobby() {
  for (const colorScheme of ["dark", "light"]) {
    const page = await here.enter({ colorScheme });
    await button(page, "Play now").first().waitFor();
    await page.waitForLoadState("networkidle");
    await shoot(page, `lobby-${colorScheme}`);
    await page.context().close();
  }
}

/** A round of Ultimate Texas Hold'em from the first chip to the history. */
async function texas() {
  const { page, table } = await withBots("uth-standard", 3);
  await button(page, "Trips").click();
  await button(page, "$5").first().click();
  await shoot(page, "uth-betting");
  await deal(page);
  await myTurn(page);
  await shoot(page, "uth-hole-cards");
  await page.keyboard.press("h");
  await page.getByText(/is best/).first().waitFor();
  await shoot(page, "uth-coach");
  await decide(page, "Check");
  await page.getByText("On the flop").waitFor();
  await myTurn(page);
  await shoot(page, "uth-flop");
  await page.emulateMedia({ colorScheme: "light" });
  await shoot(page, "uth-flop-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await decide(page, "Check");
  await page.getByText("On the river").waitFor();
  await myTurn(page);
  await shoot(page, "uth-river");
  await checkDown(page);
  await button(page, "Deal again").waitFor();
  await shoot(page, "uth-settlement");
  await page.emulateMedia({ colorScheme: "light" });
  await shoot(page, "uth-settlement-light");
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [path, name] of [["/history", "history"], [`/rounds/${table}/1`, "replay"]]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await shoot(page, name);
  }
  await page.context().close();
}

async function california() {
  const opened = await openTable(here, { house: "uth-california" });
  const page = await joinTable(here, opened.link);
  const other = await joinProgram(here, opened);
  await passBank(other, opened.table);
  await button(page, "Take the bank").waitFor();
  await shoot(page, "california-offer");
  await button(page, "Take the bank").click();
  const { program, seat } = other;
  await page.getByText(/posted/).first().waitFor();
  await program.order(opened.table, { command: "wager", seat, ante: 1_000, bonus: 500 });
  await program.order(opened.table, { command: "deal" });
  await page.getByText(/to decide/).first().waitFor();
  await shoot(page, "california-banking");
  await program.decide(opened.table, "bet 4");
  await page.locator(".net").waitFor();
  await shoot(page, "california-settlement");
  await page.context().close();
}

async function threeCards() {
  const { page } = await withBots("utcp-standard", 2);
  await button(page, "Pair Plus").click();
  await button(page, "$5").first().click();
  await deal(page);
  await myTurn(page);
  await shoot(page, "utcp-decision");
  await checkDown(page);
  await button(page, "Deal again").waitFor();
  await shoot(page, "utcp-settlement");
  await page.context().close();
}

async function phone() {
  for (const colorScheme of ["dark", "light"]) {
    const front = await here.enter({ ...PHONE, colorScheme });
    await button(front, "Play now").first().waitFor();
    await front.waitForLoadState("networkidle");
    await shoot(front, `phone-lobby-${colorScheme}`);
    await front.context().close();
    const { page } = await withBots("uth-standard", 2, { ...PHONE, colorScheme });
    await shoot(page, `phone-betting-${colorScheme}`);
    await deal(page);
    await decide(page, "Check");
    await page.getByText("On the flop").waitFor();
    await myTurn(page);
    await shoot(page, `phone-flop-${colorScheme}`);
    await checkDown(page);
    await button(page, "Deal again").waitFor();
    await shoot(page, `phone-settlement-${colorScheme}`);
    await page.context().close();
  }
}

await mkdir(FOLDER, { recursive: true });
const [house, { browser, close }] = await Promise.all([House.open({ between: 300 }), launch()]);
Object.assign(here, { house, browser });
try {
  for (const pictures of [lobby, texas, california, threeCards, phone]) await pictures();
} finally {
  await Promise.all([close(), house.close()]);
}
