// The player that this browser is logged in as.

import { get, isSessionOver, onSessionEnd, post, postOnce } from "./api.js";
import { makeStore } from "./store.js";

/** The player; undefined while it is not known yet, and null without a session. */
export const session = makeStore(
  /** @type {import("../../types/api").Me | null | undefined} */ (undefined),
);

/** Marks a browser that has a session: scripts cannot read the session cookie itself. */
const KNOWN = "croupier.known";

/** @param {import("../../types/api").Me | null} me */
export function setPlayer(me) {
  try {
    if (me) localStorage.setItem(KNOWN, "yes");
    else localStorage.removeItem(KNOWN);
  } catch {
    // A browser without storage still has its cookie, for as long as it is open.
  }
  session.set(me);
  return me;
}

/** Loads the player from the server. */
export async function loadPlayer() {
  try {
    if (localStorage.getItem(KNOWN) === null) return setPlayer(null);
  } catch {
    // Without storage, the server has to be asked.
  }
  try {
    return setPlayer(await get("me"));
  } catch (problem) {
    if (!isSessionOver(problem)) throw problem;
    return setPlayer(null);
  }
}

/** @type {Promise<any> | null} */
let ensuring = null;

// When the server ends the session, the page has no player anymore.
onSessionEnd(() => session.get() && setPlayer(null));

/** Makes sure that there is a player: creates a guest if there is no session. */
export async function ensurePlayer() {
  // Two presses create only one guest.
  ensuring ??= (async () =>
    session.get() ?? (await loadPlayer()) ?? setPlayer(await post("guests", {})))();
  try {
    return await ensuring;
  } finally {
    ensuring = null;
  }
}

/**
 * Asks for more play money, which a player gets who has run out.
 * @returns {Promise<number>} how much it was, in cents
 */
export async function refill() {
  const before = session.get()?.chips ?? 0;
  const after = await postOnce("me/chips");
  setPlayer(after);
  return after.chips - before;
}

/** The practice chips at the table on screen, or null where the account's chips are in play. */
export const practiceChips = makeStore(/** @type {number | null} */ (null));

/**
 * @param {number | undefined | null} chips the amount that the table reports
 * @param {boolean} [isPractice] whether these chips stay at the table
 */
export function noteChips(chips, isPractice = false) {
  practiceChips.set(isPractice ? (chips ?? null) : null);
  if (isPractice) return;
  const me = session.get();
  if (me && typeof chips === "number" && chips !== me.chips) session.set({ ...me, chips });
}
