// A quiet reminder of time and play money, after a round. It stays until it is closed.

import { html } from "../shared/html.js";
import { money } from "../shared/money.js";
import { go } from "../shared/router.js";
import { settings } from "../shared/settings.js";
import { makeStore, useStore } from "../shared/store.js";

const KEY = "croupier.sitting";

/** A pause of this length counts as a break and ends the sitting, in milliseconds. */
const BREAK = 30 * 60_000;

/**
 * @typedef {object} Sitting
 * @property {number} since when its first wager was made
 * @property {number} last when its last one was made, or its last round was over
 * @property {number} net its result so far, in cents
 * @property {number} timesShown how many reminders of the time were shown
 * @property {number} lossesShown how many reminders of losses were shown
 */

/** @type {Sitting | null} kept here for browsers without storage */
let sitting = null;

/** The text of the current reminder, or null. */
const reminder = makeStore(/** @type {string | null} */ (null));

/** @returns {Sitting | null} */
function current() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (kept && Object.values(kept).every((value) => typeof value === "number")) return kept;
  } catch {
    // Unreadable data counts as none.
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
    // Without storage, it lasts as long as the page.
  }
}

/** Records a wager. The first one begins a sitting. */
export function noteStart(now = Date.now()) {
  const known = current();
  if (known && now - known.last < BREAK) keep({ ...known, last: now });
  else keep({ since: now, last: now, net: 0, timesShown: 0, lossesShown: 0 });
}

/**
 * Records a round's result, and reminds the player if it is time to.
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
  const timesShown = Math.max(times, after.timesShown);
  const lossesShown = Math.max(losses, after.lossesShown);
  keep({ ...after, timesShown, lossesShown });
  if (isTime) reminder.set(reminding(now - after.since, after.net));
}

/**
 * @param {number} millis
 * @param {number} net
 * @returns {string}
 */
export function reminding(millis, net) {
  const fortune = net < 0 ? `${money(-net)} down` : net > 0 ? `${money(net)} up` : "even";
  const time = length(Math.floor(millis / 60_000));
  return `You've played for ${time} and you're ${fortune}. Chips are play money; your time isn't.`;
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
  return html`<div role="status">
    ${text &&
    html`<div class="notice reminder">
      <span>${text}</span>
      <button type="button" class="link" onClick=${leave}>Take a break</button>
      <button type="button" class="plain" aria-label="Close this note" onClick=${close}>✕</button>
    </div>`}
  </div>`;
}
