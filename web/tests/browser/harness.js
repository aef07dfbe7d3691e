// The browser test harness: one server and one browser per test file, and new people for each test.

import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it as nodeTest } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { TestServer } from "./test_server.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The folder for screenshots of failed tests. */
const FAILURES = fileURLToPath(new URL("../../../target/page-failures", import.meta.url));

/**
 * The timeouts of a test, of one wait in it, and of loading a page, in milliseconds. A debug build
 * reads every file again for each of a page's many modules, which takes a while on a busy machine.
 */
const TEST = 60_000;
const WAIT = 10_000;
const LOAD = 30_000;

/** Browsers log every failed response. This one is expected: it is how a new visitor is known. */
const USUAL = [/status of 401.*\/api\/me$/];

/** Starts a browser that writes only to a temporary folder of its own. */
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
 * Runs in every page before any other script: records announcements, the dealer's calls and layout
 * shifts, and logs violations of the content security policy.
 */
function keepWatch() {
  Object.assign(globalThis, { heard: [], called: [], shifts: [] });
  addEventListener("securitypolicyviolation", (event) => {
    const { violatedDirective, blockedURI, sample } = event;
    console.error(`The policy forbids ${violatedDirective}: ${blockedURI} ${sample}`);
  });
  const shifted = (entries) => {
    for (const entry of entries) {
      const place = ({ x, y, width, height }) => {
        const [left, top, across, down] = [x, y, width, height].map(Math.round);
        return `${left},${top} ${across}×${down}`;
      };
      const what = entry.sources.map(({ node, previousRect, currentRect }) => {
        const name = node?.className || node?.nodeName;
        return `${name} from ${place(previousRect)} to ${place(currentRect)}`;
      });
      globalThis.shifts.push({ value: entry.value, what: what.join(", ") });
    }
  };
  new PerformanceObserver((list) => shifted(list.getEntries()))
    .observe({ type: "layout-shift", buffered: true });
  let last = "";
  const listen = () => {
    const text = document.querySelector("[data-testid=live-region]")?.textContent?.trim() ?? "";
    if (text && text !== last) globalThis.heard.push(text);
    last = text;
    const call = document.querySelector("[data-testid=call]")?.textContent ?? "";
    if (call && call !== globalThis.called.at(-1)) globalThis.called.push(call);
  };
  const changes = { subtree: true, childList: true, characterData: true };
  new MutationObserver(listen).observe(document, changes);
}

/**
 * @typedef {object} Harness
 * @property {TestServer} server
 * @property {import("playwright-core").Browser} browser
 * @property {(options?: VisitOptions) => Promise<import("playwright-core").Page>} enter opens a
 *   page for a new person, in a browser context of their own
 * @property {(page: import("playwright-core").Page, ...errors: RegExp[]) => void} expect allows
 *   errors that the test expects
 * @property {(page: import("playwright-core").Page) => void} watch watches another tab of a person
 * @property {(name: string, test: () => Promise<void>) => void} it
 *
 * @typedef {import("playwright-core").BrowserContextOptions
 *   & {path?: string, speed?: string}} VisitOptions
 */

/**
 * Declares a group of browser tests. A test fails if any page in it logs an error, throws, violates
 * its content security policy, or sends a request to another host.
 * @param {string} title
 * @param {(here: Harness) => void} declare
 * @param {{clocks?: Record<string, number>}} [how]
 */
export function browserTests(title, declare, { clocks } = {}) {
  describe(title, () => {
    /** @type {{page: import("playwright-core").Page, errors: string[], expected: RegExp[]}[]} */
    let people = [];
    let close = async () => {};

    const here = /** @type {Harness} */ ({
      watch(page) {
        const person = { page, errors: [], expected: [...USUAL] };
        people.push(person);
        page.on("console", (message) => {
          if (message.type() !== "error") return;
          person.errors.push(`${message.text()} ${message.location().url}`);
        });
        page.on("pageerror", (error) => person.errors.push(`${error.stack}`));
        page.on("request", (request) => {
          const { origin, protocol } = new URL(request.url());
          if (protocol.startsWith("http") && origin !== here.server.url) {
            person.errors.push(`Request to ${request.url()}`);
          }
        });
      },

      expect(page, ...errors) {
        people.find((person) => person.page === page)?.expected.push(...errors);
      },

      async enter({ path = "/", speed = "none", ...options } = {}) {
        const context = await here.browser.newContext({
          baseURL: here.server.url,
          viewport: { width: 1280, height: 800 },
          locale: "en-GB",
          ...options,
        });
        context.setDefaultTimeout(WAIT);
        context.setDefaultNavigationTimeout(LOAD);
        await context.addInitScript(keepWatch);
        // Without motion, so that tests need not wait for it. Motion has its own tests.
        await context.addInitScript((speed) => {
          // A blank page has no storage.
          if (location.protocol !== "http:") return;
          localStorage["croupier.settings"] ??= JSON.stringify({ speed });
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
            if (errorsOf(people).length > 0) throw new Error("The page logged errors.");
          } catch (error) {
            await keepPictures(name, people);
            throw error;
          } finally {
            const contexts = new Set(people.map(({ page }) => page.context()));
            people = [];
            await Promise.all([...contexts].map((context) => goHome(context, here.server.url)));
          }
        });
      },
    });

    before(async () => {
      const opened = await Promise.all([TestServer.open(clocks), launch()]);
      const [server, { browser, close: closeBrowser }] = opened;
      Object.assign(here, { server, browser });
      close = async () => {
        await Promise.all([closeBrowser(), server.close()]);
      };
    });
    after(() => close());
    declare(here);
  });
}

/** Leaves all tables, so that the next "Play now" does not seat a player next to an absent one. */
async function goHome(context, origin) {
  const request = async (path, data) => {
    const headers = { "Idempotency-Key": `home-${path}`, Origin: origin };
    const { request: client } = context;
    const answer = await (data ? client.post(path, { data, headers }) : client.get(path));
    return answer.ok() ? answer.json() : null;
  };
  const me = await request("/api/me").catch(() => null);
  for (const table of me?.tables ?? []) {
    const seat = (await request(`/api/tables/${table}`))?.seats.find(({ you }) => you)?.seat;
    if (seat) await request(`/api/tables/${table}/commands`, { command: "leave", seat });
  }
  await context.close();
}

/** The errors of all pages, without those that the test expects. */
const errorsOf = (people) => people.flatMap(({ errors, expected }) =>
  errors.filter((error) => !expected.some((pattern) => pattern.test(error))));

/** Saves a screenshot of every page of a failed test, and prints the pages' errors. */
async function keepPictures(name, people) {
  const file = name.replaceAll(/\W+/g, "-").slice(0, 80);
  await mkdir(FAILURES, { recursive: true });
  for (const [place, { page }] of people.entries()) {
    if (page.isClosed()) continue;
    const path = join(FAILURES, `${file}-${place + 1}.png`);
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {});
    console.error(`Screenshot of ${page.url()}: ${path}`);
  }
  for (const error of new Set(errorsOf(people))) console.error(`Page error: ${error}`);
}
