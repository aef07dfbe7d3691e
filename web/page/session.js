// Who sits before the page.

import { get, post, Problem } from "./api.js";
import { makeStore } from "./store.js";

/** Nothing, while it is not known; null for somebody who has not begun. */
export const session = makeStore(/** @type {any} */ (undefined));

/** Looks who it is. */
export async function lookUp() {
  try {
    session.set(await get("me"));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 401) throw problem;
    session.set(null);
  }
  return session.get();
}

/** Makes sure that there is somebody: a guest, if nobody is logged in. */
export async function begin() {
  const me = session.get() ?? (await lookUp());
  if (me) return me;
  session.set(await post("guests", {}));
  return session.get();
}

/** @param {number | undefined | null} chips what a table says that there is */
export function noteChips(chips) {
  const me = session.get();
  if (me && typeof chips === "number" && chips !== me.chips) session.set({ ...me, chips });
}
