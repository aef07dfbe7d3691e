// An evening at a house: one server and one browser for a file of tests, and people who come in for one test each.

import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it as nodeTest } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { House } from "./house.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** What is seen when a test fails is kept here. */
const FAILURES = fileURLToPath(new URL("../../../target/page-failures", import.meta.url));

/** How long a test may take, and how long it waits for one thing to happen. */
const TEST = 60_000;
const WAIT = 10_000;

/** Browsers log every answer that is not a success, this one too: it says that somebody is new here. */
const USUAL = [/status of 401.*\/api\/me$/];

/** Starts a browser that leaves no trace outside a folder of its own. */
export async function launch() {
  const home = await mkdtemp(join(tmpdir(), "croupier-browser-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
  const close = async () => {
    await browser.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  return { browser, close };
}

/**
 * Runs in every page before anything else: keeps what is said to those who listen, what the dealer calls, what moves
 * by itself, and complains about what the policy forbids.
 */
function keepWatch() {
  Object.assign(globalThis, { heard: [], called: [], shifts: [] });
  addEventListener("securitypolicyviolation", (event) => {
    console.error(`The policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
  });
  const shifted = (entries) => {
    for (const entry of entries) {
      const place = ({ x, y, width, height }) => `${Math.round(x)},${Math.round(y)} ${Math.round(width)}×${Math.round(height)}`;
      const what = entry.sources.map(({ node, previousRect, currentRect }) =>
        `${node?.className || node?.nodeName} from ${place(previousRect)} to ${place(currentRect)}`);
      globalThis.shifts.push({ value: entry.value, what: what.join(", ") });
    }
  };
  new PerformanceObserver((list) => shifted(list.getEntries())).observe({ type: "layout-shift", buffered: true });
  let last = "";
  const listen = () => {
    const text = document.querySelector("[data-testid=speech]")?.textContent?.trim() ?? "";
    if (text && text !== last) globalThis.heard.push(text);
    last = text;
    const call = document.querySelector("[data-testid=call]")?.textContent ?? "";
    if (call && call !== globalThis.called.at(-1)) globalThis.called.push(call);
  };
  new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
}

/**
 * @typedef {object} Evening
 * @property {House} house
 * @property {import("playwright-core").Browser} browser
 * @property {(options?: Coming) => Promise<import("playwright-core").Page>} enter a new person, with a browser of his own
 * @property {(page: import("playwright-core").Page, ...errors: RegExp[]) => void} expect lets errors pass that belong to the test
 * @property {(page: import("playwright-core").Page) => void} watch watches a further tab of somebody
 * @property {(name: string, test: () => Promise<void>) => void} it
 *
 * @typedef {import("playwright-core").BrowserContextOptions & {path?: string, speed?: string}} Coming
 */

/**
 * Tells a story of an evening. A test fails if any page in it logs an error, stumbles, breaks its policy, or asks
 * anything of another host.
 * @param {string} title
 * @param {(here: Evening) => void} tell
 * @param {{clocks?: Record<string, number>}} [how]
 */
export function evening(title, tell, { clocks } = {}) {
  describe(title, () => {
    /** @type {{page: import("playwright-core").Page, complaints: string[], expected: RegExp[]}[]} */
    let people = [];
    let close = async () => {};

    const here = /** @type {Evening} */ ({
      watch(page) {
        const person = { page, complaints: [], expected: [...USUAL] };
        people.push(person);
        page.on("console", (message) => {
          if (message.type() === "error") person.complaints.push(`${message.text()} ${message.location().url}`);
        });
        page.on("pageerror", (error) => person.complaints.push(`${error.stack}`));
        page.on("request", (request) => {
          const { origin, protocol } = new URL(request.url());
          if (protocol.startsWith("http") && origin !== here.house.url) person.complaints.push(`It asks ${request.url()}`);
        });
      },

      expect(page, ...errors) {
        people.find((person) => person.page === page)?.expected.push(...errors);
      },

      async enter({ path = "/", speed = "none", ...options } = {}) {
        const context = await here.browser.newContext({
          baseURL: here.house.url, viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options,
        });
        context.setDefaultTimeout(WAIT);
        await context.addInitScript(keepWatch);
        // Nothing moves, so that nobody waits for it; what moves has tests of its own.
        await context.addInitScript((speed) => {
          // A page that is empty has nowhere to keep it.
          if (location.protocol === "http:") localStorage["croupier.settings"] ??= JSON.stringify({ speed });
        }, speed);
        const page = await context.newPage();
        here.watch(page);
        await page.goto(path);
        return page;
      },

      it(name, test) {
        nodeTest(name, { timeout: TEST }, async () => {
          try {
            await test();
            if (complaintsOf(people).length > 0) throw new Error("The page complained.");
          } catch (error) {
            await keepPictures(name, people);
            throw error;
          } finally {
            const contexts = new Set(people.map(({ page }) => page.context()));
            people = [];
            await Promise.all([...contexts].map((context) => goHome(context, here.house.url)));
          }
        });
      },
    });

    before(async () => {
      const [house, { browser, close: closeBrowser }] = await Promise.all([House.open(clocks), launch()]);
      Object.assign(here, { house, browser });
      close = async () => {
        await Promise.all([closeBrowser(), house.close()]);
      };
    });
    after(() => close());
    tell(here);
  });
}

/** Gets up everywhere and leaves, so that the next one who plays at once is not seated beside an empty chair. */
async function goHome(context, origin) {
  const ask = async (path, data) => {
    const headers = { "Idempotency-Key": `home-${path}`, Origin: origin };
    const answer = await (data ? context.request.post(path, { data, headers }) : context.request.get(path));
    return answer.ok() ? answer.json() : null;
  };
  const me = await ask("/api/me").catch(() => null);
  for (const table of me?.tables ?? []) {
    const seat = (await ask(`/api/tables/${table}`))?.seats.find(({ you }) => you)?.seat;
    if (seat) await ask(`/api/tables/${table}/commands`, { command: "leave", seat });
  }
  await context.close();
}

/** What pages complained of, but for what belongs to the test. */
const complaintsOf = (people) => people.flatMap(({ complaints, expected }) =>
  complaints.filter((complaint) => !expected.some((error) => error.test(complaint))));

/** Keeps what everybody saw when a test failed, and tells what their pages complained of. */
async function keepPictures(name, people) {
  const file = name.replaceAll(/\W+/g, "-").slice(0, 80);
  await mkdir(FAILURES, { recursive: true });
  for (const [place, { page }] of people.entries()) {
    if (page.isClosed()) continue;
    const path = join(FAILURES, `${file}-${place + 1}.png`);
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {});
    console.error(`${page.url()} is shown in ${path}`);
  }
  for (const complaint of new Set(complaintsOf(people))) console.error(`The page complained: ${complaint}`);
}
