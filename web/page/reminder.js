// A calm word about time and play money, after a round, and never in the middle of one.

import { Dialog } from "./dialog.js";
import { html } from "./html.js";
import { money } from "./money.js";
import { go } from "./router.js";
import { settings } from "./settings.js";
import { makeStore, useStore } from "./store.js";

const KEY = "croupier.sitting";

/** Who has not played for so long has had his break, in milliseconds. */
const BREAK = 30 * 60_000;

/**
 * @typedef {object} Sitting
 * @property {number} since when its first wager was made
 * @property {number} last when its last one was made, or its last round was over
 * @property {number} net what it came to so far, in cents
 * @property {number} timesShown how many reminders of the time there were
 * @property {number} lossesShown how many reminders of the losses
 */

/** @type {Sitting | null} kept here for browsers that keep nothing */
let sitting = null;

/** What is said now; nothing, while there is nothing to say. */
const reminder = makeStore(/** @type {string | null} */ (null));

/** @returns {Sitting | null} */
function current() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (kept && Object.values(kept).every((value) => typeof value === "number")) return kept;
  } catch {
    // What cannot be read is not there.
  }
  return sitting;
}

/** @param {Sitting | null} next */
function keep(next) {
  sitting = next;
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** Notes a wager: a sitting begins with the first. */
export function noteStart(now = Date.now()) {
  const known = current();
  if (known && now - known.last < BREAK) keep({ ...known, last: now });
  else keep({ since: now, last: now, net: 0, timesShown: 0, lossesShown: 0 });
}

/**
 * Notes what a round came to, and reminds if it is time to.
 * @param {number} net
 */
export function noteRound(net, now = Date.now()) {
  const known = current();
  if (!known) return;
  const after = { ...known, last: now, net: known.net + net };
  const { remindMinutes, lossLimit } = settings.get();
  const times = remindMinutes > 0 ? Math.floor((now - after.since) / (remindMinutes * 60_000)) : 0;
  const losses = lossLimit > 0 && after.net < 0 ? Math.floor(-after.net / lossLimit) : 0;
  const isTime = times > after.timesShown || losses > after.lossesShown;
  keep({ ...after, timesShown: Math.max(times, after.timesShown), lossesShown: Math.max(losses, after.lossesShown) });
  if (isTime) reminder.set(reminding(now - after.since, after.net));
}

/**
 * @param {number} millis
 * @param {number} net
 * @returns {string}
 */
export function reminding(millis, net) {
  const fortune = net < 0 ? `are ${money(-net)} down` : net > 0 ? `are ${money(net)} up` : "are even";
  const time = length(Math.floor(millis / 60_000));
  return `You have played for ${time}, and ${fortune}. Chips are play money; time is not.`;
}

/** @param {number} minutes */
function length(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const some = rest === 1 ? "a minute" : `${rest} minutes`;
  if (hours === 0) return minutes === 0 ? "less than a minute" : some;
  return `${hours === 1 ? "an hour" : `${hours} hours`}${rest ? ` and ${some}` : ""}`;
}

export function Reminder() {
  const text = useStore(reminder);
  const close = () => reminder.set(null);
  const leave = () => {
    keep(null);
    close();
    go("/");
  };
  return html`<${Dialog} isOpen=${text !== null} hide=${close} title="A moment">
    <p>${text}</p>
    <div class="row"><button onClick=${close}>Continue</button><button onClick=${leave}>Take a break</button></div>
  <//>`;
}
