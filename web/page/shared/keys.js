// Keyboard shortcuts. Each belongs to its button: a button that is not on screen has no key.

import { useLayoutEffect, useRef } from "./html.js";
import { settings } from "./settings.js";

/** The shortcuts, as the help dialog lists them. */
export const KEYS = [
  ["4 3 2 1", "Bet that many times the Ante"],
  ["C", "Check"],
  ["F", "Fold"],
  ["1 2 3", "While you bet: take that chip in hand"],
  ["+ and −", "Put the chip in hand on the Ante, or take as much off"],
  ["T and Shift T", "The same for Trips or Pair Plus"],
  ["*", "Double your bets"],
  ["R", "Same again: your last bets"],
  ["X or Backspace", "Clear your bets"],
  ["Enter or D", "Bet; after a round, deal again"],
  ["E", "After a round: change your bets"],
  ["H", "Coach: the exact value of each choice"],
  ["B", "Take the bank"],
  ["P", "Pass the bank"],
  ["?", "This list"],
];

/** Keys that repeat while they are held down. Any other key acts once. */
const COUNTING = /^([+=-]|arrowleft|arrowright)$/;

/** Keys with which a browser presses the focused element. */
const PRESSING = /^(enter| )$/;

/** Keys that move the caret or scroll. */
const MOVING = /^(Arrow.*|Home|End| )$/;

/**
 * Returns whether a key press is meant for a field, a dialog or the browser instead of the page.
 * @param {KeyboardEvent} event
 */
function isElsewhere(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  // With Shift, letters and signs are the same shortcuts, but moving keys select text.
  const isMoving = event.shiftKey && MOVING.test(event.key);
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey || isMoving;
  const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  const isPressed = PRESSING.test(event.key.toLowerCase()) && target.closest("button, a, summary");
  return hasModifier || isField || isPressed || document.querySelector("dialog[open]") !== null;
}

/**
 * Runs an action when its key is pressed, while the component is mounted.
 * @param {Record<string, (() => unknown) | false | null | undefined>} keys in lower case, after
 * `shift+` if it is held; a key without an action is ignored
 */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  // A layout effect, so that a button has its key as soon as it is visible.
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      // Browsers that autofill a form send key events without a key.
      const plain = event.key?.toLowerCase() ?? "";
      const shifted = `shift+${plain}`;
      const isShifted = event.shiftKey && Object.hasOwn(latest.current, shifted);
      const key = isShifted ? shifted : plain;
      const act = Object.hasOwn(latest.current, key) ? latest.current[key] : null;
      if (!act || event.defaultPrevented || !settings.get().keys || isElsewhere(event)) return;
      event.preventDefault();
      if (!event.repeat || COUNTING.test(plain)) act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
