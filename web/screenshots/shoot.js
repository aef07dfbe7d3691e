// Takes the screenshots in docs/screenshots: npm run screenshots.
//
// The cards are random. If pngquant is installed, it shrinks the files to a third.

import { spawnSync } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { launch } from "../tests/browser/harness.js";
import { TestServer } from "../tests/browser/test_server.js";
import {
  button, checkDown, deal, decide, joinProgram, joinTable, myTurn, openTable, passBank,
} from "../tests/browser/actions.js";

const FOLDER = fileURLToPath(new URL("../../docs/screenshots", import.meta.url));

/** The largest screenshot that belongs in a repository, in bytes. */
const LARGE = 150 * 1024;

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @type {import("../tests/browser/harness.js").Harness} */
const here = /** @type {any} */ ({
  async enter({ path = "/", ...options } = {}) {
    const usual = { locale: "en-GB", colorScheme: "dark", reducedMotion: "reduce", ...DESK };
    const all = { baseURL: here.server.url, ...usual, ...options };
    const context = await here.browser.newContext(all);
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  },
});

/** Takes a screenshot once nothing moves. */
async function shoot(page, name) {
  await page.mouse.move(0, 0);
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
  // Notes at the edge of the page are temporary, and don't belong in a screenshot.
  const close = page.getByRole("button", { name: "Close this note" });
  await close.click({ timeout: 200 }).catch(() => {});
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  const options = ["--force", "--ext", ".png", "--speed", "1", "--strip", "128"];
  const squeezed = spawnSync("pngquant", [...options, path]);
  const { size } = await stat(path);
  const advice = squeezed.error ? ": install pngquant" : "";
  const remark = size <= LARGE ? "" : `, which is too large${advice}`;
  console.log(`${name}.png: ${Math.round(size / 1024)} KB${remark}`);
}

/** A table with clocks and this many bots. */
async function withBots(house, count, options) {
  const opened = await openTable(here, { house, pace: "slow" });
  const page = await joinTable(here, opened.link, options);
  const bots = `/api/tables/${opened.table}/bots`;
  const headers = { Origin: here.server.url };
  for (let bot = 0; bot < count; bot++) await page.request.post(bots, { headers });
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
  const page = await here.enter();
  await button(page, "Open a table").click();
  await page.waitForLoadState("networkidle");
  await shoot(page, "open-table");
  await page.context().close();
}

/** The pages for newcomers. */
async function help() {
  const page = await here.enter({ path: "/help#first-hand-uth" });
  for (let step = 1; step < 4; step++) await button(page, "Next").click();
  await page.getByText("4 of 9").waitFor();
  await page.waitForLoadState("networkidle");
  await shoot(page, "first-hand");
  for (const [path, name] of [["/help", "help"], ["/settings", "settings"]]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await shoot(page, name);
  }
  await page.context().close();
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
    if (name === "replay") {
      for (let step = 0; step < 9; step++) await button(page, "Next step").click();
    }
    await shoot(page, name);
  }
  await button(page, "See how").click();
  await shoot(page, "verification");
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
  await program.send(opened.table, { command: "wager", seat, ante: 1_000, bonus: 500 });
  await program.send(opened.table, { command: "deal" });
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
const opened = await Promise.all([TestServer.open({ between: 300 }), launch()]);
const [server, { browser, close }] = opened;
Object.assign(here, { server, browser });
try {
  for (const pictures of [lobby, help, texas, california, threeCards, phone]) await pictures();
} finally {
  await Promise.all([close(), server.close()]);
}
