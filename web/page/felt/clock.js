// The time that is left until the table acts by itself.

import { useEffect, useRef, useState } from "../shared/html.js";

/** @typedef {{seconds: number, share: number}} TimeLeft */
/**
 * @typedef {{deadline: number | null | undefined, now: number}} Clock both by the server's clock
 */

/**
 * @param {Clock | null | undefined} clock
 * @returns {TimeLeft | null} null if there is no deadline
 */
export function useTimeLeft(clock) {
  const deadline = clock?.deadline ?? 0;
  const now = clock?.now ?? 0;
  // The server's clock may differ from this device's.
  const skew = useRef(0);
  const whole = useRef({ deadline: 0, span: 1 });
  const [left, setLeft] = useState(0);
  if (whole.current.deadline !== deadline) {
    whole.current = { deadline, span: Math.max(1, deadline - now) };
  }
  useEffect(() => {
    skew.current = now - Date.now();
  }, [now]);
  useEffect(() => {
    if (!deadline) return undefined;
    const look = () => setLeft(Math.max(0, deadline - (Date.now() + skew.current)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline) return null;
  return {
    seconds: Math.ceil(left / 1000),
    share: Math.min(1, left / whole.current.span),
  };
}
