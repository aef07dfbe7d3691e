// Who sits before the page.

import { get, onStranger, post, Problem } from "./api.js";
import { makeStore } from "./store.js";

/** Nothing, while it is not known; null for somebody who has not begun. */
export const session = makeStore(/** @type {import("../types/api").Me | null | undefined} */ (undefined));

/** Whether somebody has begun in this browser: the cookie that says who cannot be read from here. */
const KNOWN = "croupier.known";

/** @param {import("../types/api").Me | null} me */
export function welcome(me) {
  try {
    if (me) localStorage.setItem(KNOWN, "yes");
    else localStorage.removeItem(KNOWN);
  } catch {
    // A browser that keeps nothing has its cookie all the same, for as long as it is open.
  }
  session.set(me);
  return me;
}

/** Looks who it is. */
export async function lookUp() {
  try {
    if (localStorage.getItem(KNOWN) === null) return welcome(null);
  } catch {
    // Then it has to be asked.
  }
  try {
    return welcome(await get("me"));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 401) throw problem;
    return welcome(null);
  }
}

/** @type {Promise<any> | null} */
let beginning = null;

// A session that is over is nobody's.
onStranger(() => session.get() && welcome(null));

/** Makes sure that there is somebody: a guest, if nobody is logged in. */
export async function begin() {
  // Two presses are one guest.
  beginning ??= (async () => session.get() ?? (await lookUp()) ?? welcome(await post("guests", {})))();
  try {
    return await beginning;
  } finally {
    beginning = null;
  }
}

/** The practice chips of the table on the page, or null where you play with the chips of your account. */
export const practiceChips = makeStore(/** @type {number | null} */ (null));

/**
 * @param {number | undefined | null} chips what a table says that there is
 * @param {boolean} [isPractice] whether these chips stay at the table
 */
export function noteChips(chips, isPractice = false) {
  practiceChips.set(isPractice ? (chips ?? null) : null);
  if (isPractice) return;
  const me = session.get();
  if (me && typeof chips === "number" && chips !== me.chips) session.set({ ...me, chips });
}
