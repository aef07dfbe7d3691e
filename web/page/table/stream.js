// Live news of a table, over a stream or by polling.
//
// A browser opens at most six connections to a server, for all its tabs together, and a stream
// keeps one of them. So tabs share four slots for streams. A tab without a slot, or in the
// background, polls instead.

import { get, invited, pause, Problem } from "../shared/api.js";

/** How many tabs may have a stream open. */
const SLOTS = 4;

/** The polling intervals of a visible and of a hidden tab, in milliseconds. */
const POLL = 1500;
const POLL_HIDDEN = 10_000;

/**
 * After how long without news a stream is checked, in milliseconds: a connection can die without
 * an error.
 */
const SILENCE = 20_000;

/** The delays before reconnecting, from the first failure on, in milliseconds. */
const RETRY = [500, 1000, 2000, 4000];

/**
 * @typedef {import("../../types/api").News & {isFirst?: boolean}} TableNews news of a table. The
 * first news from a stream also has the round before.
 * @typedef {"live" | "asking" | "lost" | "over"} Line the state of the connection
 *
 * @typedef {object} Listener
 * @property {(news: TableNews) => void} news
 * @property {(line: Line, problem?: Problem) => void} line
 */

/**
 * Takes one of the slots for streams, and keeps it until it is released.
 * @param {AbortSignal} signal
 * @returns {Promise<(() => void) | null>} releases it; null if all slots are taken
 */
async function takeSlot(signal) {
  // Pages loaded over plain HTTP from another machine have no locks, so they skip this limit.
  if (!navigator.locks) return () => {};
  for (let slot = 0; slot < SLOTS && !signal.aborted; slot++) {
    const release = await new Promise((resolve) => {
      const keep = (/** @type {unknown} */ lock) =>
        lock ? new Promise((done) => resolve(() => done(undefined))) : resolve(null);
      const name = `croupier-stream-${slot}`;
      navigator.locks.request(name, { ifAvailable: true }, keep).catch(() => resolve(null));
    });
    if (release) return release;
  }
  return null;
}

/**
 * Follows a table until the signal aborts.
 * @param {string} table
 * @param {string | null} invite
 * @param {Listener} listener
 * @param {AbortSignal} signal
 */
export async function follow(table, invite, listener, signal) {
  const seen = { version: -1, dealt: 0 };
  const onNews = (/** @type {TableNews} */ news) => {
    if (signal.aborted || news.state.version < seen.version) return;
    const before = seen.dealt;
    seen.version = news.state.version;
    seen.dealt = news.state.round?.stage === "deciding" ? news.state.round_number : 0;
    // Polling does not bring the record of a finished round, so it is fetched here.
    const ended = before && before !== seen.dealt && !news.record ? before : 0;
    listener.news(news);
    if (ended) fetchEnd(table, invite, ended, news, listener).catch(() => {});
  };
  let failures = 0;
  while (!signal.aborted) {
    const release = document.hidden ? null : await takeSlot(signal);
    try {
      if (release) await listen(table, invite, onNews, listener, signal, () => (failures = 0));
      else await poll(table, invite, onNews, listener, signal);
      failures = 0;
    } catch (problem) {
      if (signal.aborted) break;
      const isOver = problem instanceof Problem && [401, 403, 404].includes(problem.status);
      if (isOver) return listener.line("over", problem);
      listener.line("lost");
      await pause(RETRY[Math.min(failures, RETRY.length - 1)]);
      failures += 1;
    } finally {
      release?.();
    }
  }
  return undefined;
}

/**
 * Fetches the record of a finished round and reports it as a stream would.
 * @param {string} table
 * @param {string | null} invite
 * @param {number} round
 * @param {TableNews} news
 * @param {Listener} listener
 */
async function fetchEnd(table, invite, round, news, listener) {
  const path = `tables/${encodeURIComponent(table)}/rounds/${round}`;
  const [record, telling] = await Promise.all([
    get(path + invited(invite)),
    get(`${path}/telling${invited(invite)}`),
  ]);
  listener.news({ ...news, record, telling, events: [] });
}

/**
 * Listens to a stream. Resolves when the tab is hidden, and rejects when the connection fails.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: TableNews) => void} onNews
 * @param {Listener} listener
 * @param {AbortSignal} signal
 * @param {() => void} well
 * @returns {Promise<void>}
 */
function listen(table, invite, onNews, listener, signal, well) {
  return new Promise((resolve, reject) => {
    // The signal may have aborted while a slot was being taken.
    if (signal.aborted) return resolve();
    const path = `/api/tables/${encodeURIComponent(table)}/events${invited(invite)}`;
    const source = new EventSource(path);
    let isFirst = true;
    let silence = setTimeout(check, SILENCE);
    let isOver = false;
    const end = (/** @type {() => void} */ how) => {
      isOver = true;
      clearTimeout(silence);
      source.close();
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", stop);
      how();
    };
    const stop = () => end(resolve);
    const look = () => document.hidden && end(resolve);
    async function check() {
      try {
        const state = await get(`tables/${encodeURIComponent(table)}${invited(invite)}`);
        if (isOver) return;
        onNews({ state, events: [], missed: false });
        if (state.closed) return end(resolve);
        silence = setTimeout(check, SILENCE);
      } catch (problem) {
        if (!isOver) end(() => reject(problem));
      }
    }
    source.addEventListener("table", (event) => {
      clearTimeout(silence);
      silence = setTimeout(check, SILENCE);
      well();
      listener.line("live");
      // The first news also includes the round before.
      onNews({ ...JSON.parse(event.data), isFirst });
      isFirst = false;
    });
    // The browser would reconnect by itself, but not after every kind of failure, and too late.
    const over = () => (isFirst ? reject(new Error("no stream")) : resolve());
    source.addEventListener("error", () =>
      end(() => findOut(table, invite, onNews).then(over, reject)),
    );
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", stop);
  });
}

/**
 * Finds out why a stream broke: rejects with the server's error, if there is one.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: TableNews) => void} onNews
 */
async function findOut(table, invite, onNews) {
  const path = `/api/tables/${encodeURIComponent(table)}${invited(invite)}`;
  const answer = await fetch(path).catch(() => null);
  if (!answer) throw new Error("no answer");
  if (!answer.ok) throw new Problem(await answer.json());
  const state = await answer.json();
  if (state.closed) {
    throw new Problem({ code: "table-closed", detail: "this table is closed", status: 404 });
  }
  onNews({ state, events: [], missed: false });
}

/**
 * Polls once, and waits until it is time to poll again.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: TableNews) => void} onNews
 * @param {Listener} listener
 * @param {AbortSignal} signal
 */
async function poll(table, invite, onNews, listener, signal) {
  const state = await get(`tables/${encodeURIComponent(table)}${invited(invite)}`);
  listener.line("asking");
  onNews({ state, events: [], missed: false });
  await new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", go);
      signal.removeEventListener("abort", go);
      resolve(undefined);
    };
    const timer = setTimeout(go, document.hidden ? POLL_HIDDEN : POLL);
    document.addEventListener("visibilitychange", go);
    signal.addEventListener("abort", go);
  });
}
