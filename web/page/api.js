// What the page says to the server. Every rule and every number is asked for here.

/** What the server refused, in its own words. */
export class Problem extends Error {
  /** @param {{code: string, detail: string, status: number, faults?: string[], retry_after?: number | null}} problem */
  constructor(problem) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.faults = problem.faults ?? [];
    this.retryAfter = problem.retry_after ?? null;
  }
}

/** How often what may be sent again is sent again, and how long it waits in between. */
const PAUSES = [300, 700, 1500, 3000];

/** How long an answer may take, in milliseconds. */
const PATIENCE = 15_000;

/** Answers that say that the same may be sent again. */
const AGAIN = ["busy", "unavailable", "outcome-unknown", "too-many-requests"];

/** Who wants to know when the server does not know the player any more. */
const strangers = /** @type {Set<() => void>} */ (new Set());

/** @param {() => void} hear */
export const onStranger = (hear) => strangers.add(hear);

/**
 * @param {number} millis
 * @returns {Promise<void>}
 */
export function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
async function once(method, path, body, headers = {}) {
  const has = body !== undefined;
  let answer;
  let text;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: has ? { "Content-Type": "application/json", ...headers } : headers,
      body: has ? JSON.stringify(body) : undefined,
      // A line that is dead says nothing for minutes.
      signal: AbortSignal.timeout(PATIENCE),
    });
    text = await answer.text();
  } catch {
    throw new Problem({ code: "no-answer", detail: "The server does not answer. Is it running?", status: 0 });
  }
  if (answer.status === 204) return null;
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Records come as lines, and what a proxy says comes as it likes.
  }
  if (answer.ok) return json ?? text;
  if (json?.code && answer.status === 401) for (const hear of strangers) hear();
  if (json?.code) throw new Problem(json);
  throw new Problem({ code: "no-answer", detail: `The server answers ${answer.status}.`, status: answer.status });
}

/**
 * Sends what does the same however often it arrives, until it is answered.
 * @param {() => Promise<any>} send
 * @returns {Promise<any>}
 */
async function again(send) {
  for (const millis of PAUSES) {
    try {
      return await send();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.code !== "no-answer" && !AGAIN.includes(problem.code)) throw problem;
      await pause(problem.retryAfter ? problem.retryAfter * 1000 : millis);
    }
  }
  return send();
}

/** @param {string} path */
export const get = (path) => again(() => once("GET", path));

/**
 * @param {string} path
 * @param {unknown} body
 */
export const post = (path, body) => once("POST", path, body);

/**
 * @param {string} path
 * @param {unknown} body
 */
export const put = (path, body) => once("PUT", path, body);

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const del = (path, body) => once("DELETE", path, body);

/**
 * Asks for numbers, which may be asked for again.
 * @param {string} path
 * @param {unknown} body
 */
export const ask = (path, body) => again(() => once("POST", path, body));

/** @returns {string} a key that nobody else makes up */
export function newKey() {
  // crypto.randomUUID is there only where a page came over TLS or from this machine.
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Has something done at a table, once, however bad the line is.
 * @param {string} table
 * @param {object} command
 * @param {string | null} [invite]
 */
export function order(table, command, invite) {
  const headers = { "Idempotency-Key": newKey() };
  return again(() => once("POST", `tables/${encodeURIComponent(table)}/commands${invited(invite)}`, command, headers));
}

/**
 * Has something done that takes a key, once, however bad the line is.
 * @param {string} path
 * @param {unknown} [body]
 */
export function doOnce(path, body) {
  const headers = { "Idempotency-Key": newKey() };
  return again(() => once("POST", path, body, headers));
}

/** @param {string} table */
export function closeTable(table) {
  const headers = { "Idempotency-Key": newKey() };
  return again(() => once("DELETE", `tables/${encodeURIComponent(table)}`, undefined, headers));
}

/** @param {object} opening */
export function openTable(opening) {
  const headers = { "Idempotency-Key": newKey() };
  return again(() => once("POST", "tables", opening, headers));
}

/**
 * @param {string | null} [invite]
 * @returns {string}
 */
export function invited(invite) {
  return invite ? `?invite=${encodeURIComponent(invite)}` : "";
}
