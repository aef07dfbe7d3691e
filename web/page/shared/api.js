// The page's requests to the server. Every rule and every number comes from here.

/** An error response of the server, with its own text. */
export class Problem extends Error {
  /**
   * @param {object} problem
   * @param {string} problem.code
   * @param {string} problem.detail
   * @param {number} problem.status
   * @param {string[]} [problem.faults]
   * @param {number | null} [problem.retry_after]
   */
  constructor(problem) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.faults = problem.faults ?? [];
    this.retryAfter = problem.retry_after ?? null;
  }
}

/** The delays between retries of a request that may be repeated, in milliseconds. */
const RETRY_DELAYS = [300, 700, 1500, 3000];

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 15_000;

/** Error codes after which the same request may be sent again. */
const RETRYABLE = ["busy", "unavailable", "outcome-unknown", "too-many-requests"];

/**
 * Error codes that mean that this browser has no session anymore. A wrong password has the same
 * status, and says nothing about the session.
 */
const SESSION_OVER = ["not-logged-in", "session-over"];

/**
 * @param {unknown} problem
 * @returns {boolean} whether the server no longer knows the player
 */
export const isSessionOver = (problem) =>
  problem instanceof Problem && SESSION_OVER.includes(problem.code);

/** Called when the server no longer knows the player. */
const sessionEndListeners = /** @type {Set<() => void>} */ (new Set());

/** @param {() => void} listener */
export const onSessionEnd = (listener) => sessionEndListeners.add(listener);

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
      // A dead connection may stay silent for minutes.
      signal: AbortSignal.timeout(TIMEOUT),
    });
    text = await answer.text();
  } catch {
    const detail = "The server isn't responding. Is it running?";
    throw new Problem({ code: "no-answer", detail, status: 0 });
  }
  if (answer.status === 204) return null;
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Records come as lines of JSON, and a proxy may send anything.
  }
  if (answer.ok) return json ?? text;
  if (json?.code) {
    const problem = new Problem(json);
    if (isSessionOver(problem)) for (const listener of sessionEndListeners) listener();
    throw problem;
  }
  const { status } = answer;
  throw new Problem({ code: "no-answer", detail: `The server responded with ${status}.`, status });
}

/**
 * Sends an idempotent request, with retries until there is a response.
 * @param {() => Promise<any>} send
 * @param {() => boolean} [isWanted] whether to go on for as long as the server doesn't answer
 * @returns {Promise<any>}
 */
async function again(send, isWanted = () => false) {
  for (let turn = 0; ; turn++) {
    try {
      return await send();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const isLost = problem.code === "no-answer";
      if (!isLost && !RETRYABLE.includes(problem.code)) throw problem;
      if (turn >= RETRY_DELAYS.length && !(isLost && isWanted())) throw problem;
      const usual = RETRY_DELAYS[Math.min(turn, RETRY_DELAYS.length - 1)];
      await pause(problem.retryAfter ? problem.retryAfter * 1000 : usual);
    }
  }
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
 * @param {unknown} body
 */
export const patch = (path, body) => once("PATCH", path, body);

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const del = (path, body) => once("DELETE", path, body);

/**
 * Posts a question that has no side effects, so it may be retried.
 * @param {string} path
 * @param {unknown} body
 */
export const query = (path, body) => again(() => once("POST", path, body));

/** @returns {string} a key that no other client has */
export function newKey() {
  // crypto.randomUUID exists only on pages loaded over TLS or from this machine.
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
 * Sends a command to a table, which runs once even if the request is retried.
 * @param {string} table
 * @param {object} command
 * @param {string | null} [invite]
 * @param {() => boolean} [isWanted] whether to go on for as long as the server doesn't answer
 */
export function sendCommand(table, command, invite, isWanted) {
  const headers = { "Idempotency-Key": newKey() };
  const path = `tables/${encodeURIComponent(table)}/commands${invited(invite)}`;
  return again(() => once("POST", path, command, headers), isWanted);
}

/**
 * Posts a request with an idempotency key, which runs once even if it is retried.
 * @param {string} path
 * @param {unknown} [body]
 */
export function postOnce(path, body) {
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
