// News of a table, as they happen, over whatever line there is.
//
// A browser opens six connections to a server at most, for all its tabs together, and a stream
// keeps one of them. So tabs share four places for streams; a tab that gets none, or that nobody
// looks at, asks now and then instead.

import { get, invited, pause, Problem } from "./api.js";

/** How many tabs may keep a stream open. */
const PLACES = 4;

/** How often a tab without a stream asks, in milliseconds: one that is looked at, and one that is not. */
const ASK = 1500;
const ASK_RARELY = 10_000;

/** After how long without news a stream is checked: a line can be dead without anybody being told. */
const DOUBT = 20_000;

/** How long a server that does not answer is left alone, from the first time on. */
const RETRY = [500, 1000, 2000, 4000];

/**
 * @typedef {import("../types/api").News & {isFirst?: boolean}} Heard
 * @typedef {"live" | "asking" | "lost" | "over"} Line how the page hears of the table
 *
 * @typedef {object} Ear
 * @property {(news: Heard) => void} news
 * @property {(line: Line, problem?: Problem) => void} line
 */

/**
 * Takes one of the places for streams, and keeps it until the signal.
 * @param {AbortSignal} signal
 * @returns {Promise<(() => void) | null>} what gives it back; nothing, if all are taken
 */
async function takePlace(signal) {
  // Pages that came over plain HTTP from another machine have no locks, and go without.
  if (!navigator.locks) return () => {};
  for (let place = 0; place < PLACES && !signal.aborted; place++) {
    const release = await new Promise((resolve) => {
      const keep = (/** @type {unknown} */ lock) =>
        lock ? new Promise((done) => resolve(() => done(undefined))) : resolve(null);
      navigator.locks.request(`croupier-stream-${place}`, { ifAvailable: true }, keep).catch(() => resolve(null));
    });
    if (release) return release;
  }
  return null;
}

/**
 * Follows a table until the signal.
 * @param {string} table
 * @param {string | null} invite
 * @param {Ear} ear
 * @param {AbortSignal} signal
 */
export async function follow(table, invite, ear, signal) {
  const seen = { version: -1, dealt: 0 };
  const hear = (/** @type {Heard} */ news) => {
    if (signal.aborted || news.state.version < seen.version) return;
    const before = seen.dealt;
    seen.version = news.state.version;
    seen.dealt = news.state.round?.stage === "deciding" ? news.state.round_number : 0;
    // Whoever asks now and then hears nothing of the end of a round by himself.
    const ended = before && before !== seen.dealt && !news.record ? before : 0;
    ear.news(news);
    if (ended) fetchEnd(table, invite, ended, news, ear).catch(() => {});
  };
  let failures = 0;
  while (!signal.aborted) {
    const release = document.hidden ? null : await takePlace(signal);
    try {
      if (release) await listen(table, invite, hear, ear, signal, () => (failures = 0));
      else await ask(table, invite, hear, ear, signal);
      failures = 0;
    } catch (problem) {
      if (signal.aborted) break;
      if (problem instanceof Problem && [401, 403, 404].includes(problem.status)) return ear.line("over", problem);
      ear.line("lost");
      await pause(RETRY[Math.min(failures, RETRY.length - 1)]);
      failures += 1;
    } finally {
      release?.();
    }
  }
  return undefined;
}

/**
 * Brings the record of a round that has ended, as a stream would have.
 * @param {string} table
 * @param {string | null} invite
 * @param {number} round
 * @param {Heard} news
 * @param {Ear} ear
 */
async function fetchEnd(table, invite, round, news, ear) {
  const path = `tables/${encodeURIComponent(table)}/rounds/${round}`;
  const [record, telling] = await Promise.all([get(path + invited(invite)), get(`${path}/telling${invited(invite)}`)]);
  ear.news({ ...news, record, telling, events: [] });
}

/**
 * Listens to a stream. Comes back when nobody looks any more, and fails when the line does.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: Heard) => void} hear
 * @param {Ear} ear
 * @param {AbortSignal} signal
 * @param {() => void} well
 * @returns {Promise<void>}
 */
function listen(table, invite, hear, ear, signal, well) {
  return new Promise((resolve, reject) => {
    // It may have been called off while a place was looked for.
    if (signal.aborted) return resolve();
    const source = new EventSource(`/api/tables/${encodeURIComponent(table)}/events${invited(invite)}`);
    let isFirst = true;
    let doubt = setTimeout(check, DOUBT);
    let isOver = false;
    const end = (/** @type {() => void} */ how) => {
      isOver = true;
      clearTimeout(doubt);
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
        hear({ state, events: [], missed: false });
        if (state.closed) return end(resolve);
        doubt = setTimeout(check, DOUBT);
      } catch (problem) {
        if (!isOver) end(() => reject(problem));
      }
    }
    source.addEventListener("table", (event) => {
      clearTimeout(doubt);
      doubt = setTimeout(check, DOUBT);
      well();
      ear.line("live");
      // The first one tells of the round before, too, whoever listens.
      hear({ ...JSON.parse(event.data), isFirst });
      isFirst = false;
    });
    // The browser would come back by itself, but not after every kind of failure, and not in time.
    source.addEventListener("error", () => end(() => findOut(table, invite, hear).then(() => (isFirst ? reject(new Error("no stream")) : resolve()), reject)));
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", stop);
  });
}

/**
 * Finds out why a stream broke off: it fails with what the server says, if it says anything.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: Heard) => void} hear
 */
async function findOut(table, invite, hear) {
  const answer = await fetch(`/api/tables/${encodeURIComponent(table)}${invited(invite)}`).catch(() => null);
  if (!answer) throw new Error("no answer");
  if (!answer.ok) throw new Problem(await answer.json());
  const state = await answer.json();
  if (state.closed) throw new Problem({ code: "table-closed", detail: "this table is closed", status: 404 });
  hear({ state, events: [], missed: false });
}

/**
 * Asks once, and waits until it is time to ask again.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: Heard) => void} hear
 * @param {Ear} ear
 * @param {AbortSignal} signal
 */
async function ask(table, invite, hear, ear, signal) {
  const state = await get(`tables/${encodeURIComponent(table)}${invited(invite)}`);
  ear.line("asking");
  hear({ state, events: [], missed: false });
  await new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", go);
      signal.removeEventListener("abort", go);
      resolve(undefined);
    };
    const timer = setTimeout(go, document.hidden ? ASK_RARELY : ASK);
    document.addEventListener("visibilitychange", go);
    signal.addEventListener("abort", go);
  });
}
