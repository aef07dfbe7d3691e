// A server of one's own: with a data folder that is thrown away, no limits, and clocks as a test wants them.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program, as ./check has built it. It reads the page from web/page at each request. */
const PROGRAM = process.env.CROUPIER ?? fileURLToPath(new URL("../../../target/debug/croupier", import.meta.url));

/** How long a server may take to start, on a machine that is busy. */
const PATIENCE = 30_000;

/** Long enough for a test to look at things, short enough not to wait for. In milliseconds. */
const CLOCKS = { offer: 30_000, betting: 30_000, reveal: 3_000, decision: 30_000, between: 1_500, empty: 60_000 };

const NO_LIMITS = ["requests-per-second", "commands-per-second", "guests-per-hour", "streams-per-address", "connections",
  "connections-per-address", "tables-per-player", "public-tables-per-player", "player-mib-per-hour", "address-mib-per-hour",
  "chips-per-hour"];

// Whoever is stopped takes the server along, and the browser.
process.once("SIGTERM", () => process.exit(143));
process.once("SIGINT", () => process.exit(130));

/** What the server refused. */
export class Refused extends Error {
  constructor(path, status, problem) {
    super(`${path}: ${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.code = problem.code;
  }
}

export class House {
  #folder;
  #process = null;
  /** Where it deals, as http://127.0.0.1:12345 */
  url = "";

  /** @param {Partial<typeof CLOCKS>} clocks of its public tables */
  static async open(clocks = {}) {
    const house = new House();
    house.#folder = await mkdtemp(join(tmpdir(), "croupier-page-"));
    process.once("exit", () => {
      house.#process?.kill("SIGKILL");
      rmSync(house.#folder, { recursive: true, force: true });
    });
    const lines = [
      "[limits]", ...NO_LIMITS.map((limit) => `${limit} = 0`),
      "[clocks]", ...Object.entries({ ...CLOCKS, ...clocks }).map(([clock, millis]) => `${clock} = ${millis}`),
    ];
    await writeFile(join(house.#folder, "croupier.toml"), lines.join("\n"));
    await house.start();
    return house;
  }

  /** Starts it: on a free port the first time, and then on the same again. */
  async start() {
    const listen = this.url ? new URL(this.url).host : "127.0.0.1:0";
    // What is set for other servers must not reach this one.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CROUPIER_")));
    const child = spawn(PROGRAM, ["serve", "--data", this.#folder, "--listen", listen], {
      env: { ...env, CROUPIER_LOG: "error" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    let said = "";
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the server did not start: ${said}`)), PATIENCE);
      const fail = (why) => (clearTimeout(timer), reject(new Error(`there is no server: ${why} ${said}`)));
      child.once("error", (error) => fail(`${error.message}; cargo build --package croupier makes one.`));
      child.once("exit", (code) => fail(`it ended with ${code}.`));
      const hear = (data) => {
        said += data;
        const found = /Croupier deals at (\S+)/.exec(said);
        if (found) (clearTimeout(timer), resolve(found[1]));
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
    });
  }

  /** Takes its power away: no farewell, no tidying up. */
  async kill() {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  async close() {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** @returns {Promise<Program>} somebody who plays without a page */
  async guest() {
    const welcome = await this.ask("guests", { body: { bearer: true } });
    return new Program(this, welcome);
  }

  /** @param {{method?: string, body?: unknown, token?: string, key?: string}} [how] */
  async ask(path, { method, body, token, key } = {}) {
    const headers = { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (key) headers["Idempotency-Key"] = key;
    const answer = await fetch(`${this.url}/api/${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(path, answer.status, JSON.parse(text));
    return text && JSON.parse(text);
  }
}

let keys = 0;

/** Somebody who plays over the API. */
class Program {
  #house;
  #token;

  constructor(house, welcome) {
    this.#house = house;
    this.#token = welcome.token;
    this.name = welcome.name;
    this.player = welcome.player;
  }

  ask(path, body) {
    return this.#house.ask(path, { body, token: this.#token });
  }

  /** Opens a table; one without clocks, if it is not said otherwise. */
  open(opening) {
    const body = { pace: "none", ...opening };
    return this.#house.ask("tables", { body, token: this.#token, key: `open-${++keys}` });
  }

  /** @param {string} [invite] */
  order(table, command, invite) {
    const query = invite ? `?invite=${invite}` : "";
    const key = `order-${++keys}`;
    return this.#house.ask(`tables/${table}/commands${query}`, { body: command, token: this.#token, key });
  }

  /** Decides until there is nothing more to decide: the first of the wishes that is offered. */
  async decide(table, ...wishes) {
    for (let turn = 0; turn < 4; turn++) {
      const { round } = await this.ask(`tables/${table}`);
      const hand = round?.hands.find(({ decisions }) => decisions?.length);
      if (!hand) return;
      const decision = wishes.find((wish) => hand.decisions.includes(wish)) ?? hand.decisions.at(-1);
      await this.order(table, { command: "decide", seat: hand.seat, decision });
    }
  }
}
