// A test server: with a temporary data folder, no rate limits, and the clocks that a test sets.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program that ./check built. It reads the page from web/page at each request. */
const PROGRAM = process.env.CROUPIER
  ?? fileURLToPath(new URL("../../../target/debug/croupier", import.meta.url));

/** How long a server may take to start on a busy machine, in milliseconds. */
const PATIENCE = 30_000;

/** Long enough for a test's checks, short enough not to slow it down. In milliseconds. */
const CLOCKS = {
  offer: 30_000,
  betting: 30_000,
  reveal: 3_000,
  decision: 30_000,
  between: 1_500,
  empty: 60_000,
};

const NO_LIMITS = [
  "requests-per-second", "commands-per-second", "guests-per-hour", "streams-per-address",
  "connections", "connections-per-address", "tables-per-player", "public-tables-per-player",
  "player-mib-per-hour", "address-mib-per-hour", "chips-per-hour",
];

// A stopped test process also stops its server and its browser.
process.once("SIGTERM", () => process.exit(143));
process.once("SIGINT", () => process.exit(130));

/** An error response of the server. */
export class Refused extends Error {
  constructor(path, status, problem) {
    super(`${path}: ${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.code = problem.code;
  }
}

export class TestServer {
  #folder;
  #process = null;
  /** The server's URL, as in http://127.0.0.1:12345 */
  url = "";

  /** @param {Partial<typeof CLOCKS>} clocks of its public tables */
  static async open(clocks = {}) {
    const server = new TestServer();
    server.#folder = await mkdtemp(join(tmpdir(), "croupier-page-"));
    process.once("exit", () => {
      server.#process?.kill("SIGKILL");
      rmSync(server.#folder, { recursive: true, force: true });
    });
    const all = Object.entries({ ...CLOCKS, ...clocks });
    const lines = [
      "[limits]", ...NO_LIMITS.map((limit) => `${limit} = 0`),
      "[clocks]", ...all.map(([clock, millis]) => `${clock} = ${millis}`),
    ];
    await writeFile(join(server.#folder, "croupier.toml"), lines.join("\n"));
    await server.start();
    return server;
  }

  /** Starts the server: on a free port the first time, and on the same port after that. */
  async start() {
    const listen = this.url ? new URL(this.url).host : "127.0.0.1:0";
    // Settings for other servers must not reach this one.
    const isOurs = ([name]) => !name.startsWith("CROUPIER_");
    const env = Object.fromEntries(Object.entries(process.env).filter(isOurs));
    const child = spawn(PROGRAM, ["serve", "--data", this.#folder, "--listen", listen], {
      env: { ...env, CROUPIER_LOG: "error" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    let said = "";
    this.url = await new Promise((resolve, reject) => {
      const late = () => reject(new Error(`the server did not start: ${said}`));
      const timer = setTimeout(late, PATIENCE);
      const fail = (why) => {
        clearTimeout(timer);
        reject(new Error(`the server is down: ${why} ${said}`));
      };
      const missing = "cargo build --package croupier makes one.";
      child.once("error", (error) => fail(`${error.message}; ${missing}`));
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

  /** Kills the server without a clean shutdown. */
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

  /** @returns {Promise<Program>} a guest who plays without a page */
  async guest() {
    const welcome = await this.request("guests", { body: { bearer: true } });
    return new Program(this, welcome);
  }

  /** @param {{method?: string, body?: unknown, token?: string, key?: string}} [how] */
  async request(path, { method, body, token, key } = {}) {
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

/** A program that plays over the API. */
class Program {
  #server;
  #token;

  constructor(server, welcome) {
    this.#server = server;
    this.#token = welcome.token;
    this.name = welcome.name;
    this.player = welcome.player;
  }

  request(path, body) {
    return this.#server.request(path, { body, token: this.#token });
  }

  /** Opens a table, by default without clocks. */
  open(opening) {
    const body = { pace: "none", ...opening };
    return this.#server.request("tables", { body, token: this.#token, key: `open-${++keys}` });
  }

  /** @param {string} [invite] */
  send(table, command, invite) {
    const query = invite ? `?invite=${invite}` : "";
    const key = `command-${++keys}`;
    const path = `tables/${table}/commands${query}`;
    return this.#server.request(path, { body: command, token: this.#token, key });
  }

  /** Decides until nothing is left to decide, with the first of the wishes that is offered. */
  async decide(table, ...wishes) {
    for (let turn = 0; turn < 4; turn++) {
      const { round } = await this.request(`tables/${table}`);
      const hand = round?.hands.find(({ decisions }) => decisions?.length);
      if (!hand) return;
      const wanted = wishes.find((wish) => hand.decisions.includes(wish));
      const decision = wanted ?? hand.decisions.at(-1);
      await this.send(table, { command: "decide", seat: hand.seat, decision });
    }
  }
}
