// The keys of the page. They belong to what they press: a button that is not there has no key.

import { useLayoutEffect, useRef } from "./html.js";
import { settings } from "./settings.js";

/** What is said of them; the same in the terminal. */
export const KEYS = [
  ["4 3 2 1", "Bet so many times the Ante"],
  ["C", "Check"],
  ["F", "Fold"],
  ["D or Enter", "Deal: wager what is in the circles"],
  ["R", "The bets of the last round again"],
  ["X", "Double the bets"],
  ["Z or Backspace", "Clear the bets"],
  ["+ and −", "More or less on the Ante"],
  ["T", "Trips or Pair Plus on or off"],
  ["H", "Hint: what each choice is worth, exactly"],
  ["B", "Take the bank, where a player has it; after a round, change your bets"],
  ["P", "Pass the bank on"],
  ["?", "This list"],
];

/** Those that count while they are held down. Any other acts once. */
const COUNTING = /^([+=-]|arrowleft|arrowright)$/;

/** Those with which a browser presses what has the focus. */
const PRESSING = /^(enter| )$/;

/** Those that go somewhere. */
const MOVING = /^(Arrow.*|Home|End| )$/;

/**
 * Tells whether a key is meant for a field, a dialog or the browser rather than for the page.
 * @param {KeyboardEvent} event
 */
function isElsewhere(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  // With Shift, letters and signs are the same keys; what moves about selects text.
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && MOVING.test(event.key));
  const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  const isPressed = PRESSING.test(event.key.toLowerCase()) && target.closest("button, a, summary");
  return hasModifier || isField || isPressed || document.querySelector("dialog[open]") !== null;
}

/**
 * Does something when a key is pressed, as long as the component is there.
 * @param {Record<string, (() => unknown) | false | null | undefined>} keys in lower case; none is not listened for
 */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  // A button that is seen has its key.
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      // Browsers that fill in a form press keys that are none.
      const key = event.key?.toLowerCase() ?? "";
      const act = Object.hasOwn(latest.current, key) ? latest.current[key] : null;
      if (!act || event.defaultPrevented || !settings.get().keys || isElsewhere(event)) return;
      event.preventDefault();
      if (!event.repeat || COUNTING.test(key)) act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
