// A value that several parts of the page share, with listeners for its changes.

import { useEffect, useState } from "./html.js";

/**
 * @template T
 * @typedef {object} Store
 * @property {() => T} get
 * @property {(value: T) => void} set
 * @property {(listener: (value: T) => void) => () => void} listen returns a function that stops it
 */

/**
 * @template T
 * @param {T} value
 * @returns {Store<T>}
 */
export function makeStore(value) {
  /** @type {Set<(value: T) => void>} */
  const listeners = new Set();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Renders the component again whenever the value changes.
 * @template T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    // It may have changed between the first render and now.
    setValue(() => store.get());
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}
