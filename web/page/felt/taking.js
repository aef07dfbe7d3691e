// Taking a chip off a circle: a click adds, and these take away.

import { useRef } from "../shared/html.js";

/** How long a finger stays on a circle to take a chip off, in milliseconds. */
const LONG = 500;

/**
 * The ways to take a chip off a circle: a right click, which is a long press on some phones, a long
 * press on the others, or a key on the focused circle.
 * @param {(() => void) | undefined} onTake
 */
export function useTaking(onTake) {
  const timer = useRef(0);
  const isLong = useRef(false);
  const stop = () => clearTimeout(timer.current);
  const take = () => {
    stop();
    isLong.current = true;
    onTake?.();
  };
  return {
    onContextMenu: (/** @type {Event} */ event) => {
      event.preventDefault();
      // The long press may have been counted here already.
      if (!isLong.current) onTake?.();
      stop();
    },
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      isLong.current = false;
      if (event.pointerType === "touch") timer.current = setTimeout(take, LONG);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onClickCapture: (/** @type {Event} */ event) => {
      // The end of a long press is not a click.
      if (isLong.current) event.stopImmediatePropagation();
      isLong.current = false;
    },
    onKeyDown: (/** @type {KeyboardEvent} */ event) => {
      if (!/^(Delete|Backspace|-)$/.test(event.key)) return;
      event.preventDefault();
      onTake?.();
    },
  };
}
