// A value that several parts of the page look at, and that tells them when it changes.

import { useEffect, useState } from "./html.js";

/**
 * @template T
 * @typedef {{get: () => T, set: (value: T) => void, listen: (hear: (value: T) => void) => () => void}} Store
 */

/**
 * @template T
 * @param {T} value
 * @returns {Store<T>}
 */
export function makeStore(value) {
  /** @type {Set<(value: T) => void>} */
  const ears = new Set();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const hear of [...ears]) hear(value);
    },
    listen(hear) {
      ears.add(hear);
      return () => ears.delete(hear);
    },
  };
}

/**
 * Draws again whenever the value changes.
 * @template T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    // It may have changed between the first drawing and now.
    setValue(() => store.get());
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}
