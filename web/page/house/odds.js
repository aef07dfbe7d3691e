// The exact odds of houses, asked one after the other: a sheet takes a moment the first time.

import { query } from "../shared/api.js";
import { useEffect, useState } from "../shared/html.js";

/** @typedef {import("../../types/api").OddsReport} OddsReport */
/** @typedef {{house: string, bonus?: string | null}} Terms */

/** Sheets that were asked for since the page was loaded. */
const sheets = /** @type {Map<string, Promise<OddsReport>>} */ (new Map());

/** @param {Terms} terms */
const keyOf = ({ house, bonus }) => `${house} ${bonus ?? ""}`;

/** @param {Terms} terms */
function load({ house, bonus }) {
  const key = keyOf({ house, bonus });
  const asked = sheets.get(key) ?? query("odds", bonus ? { house, bonus } : { house });
  sheets.set(key, asked);
  asked.catch(() => sheets.delete(key));
  return asked;
}

/**
 * Loads the odds of these terms, the first first.
 * @param {Terms[]} wanted
 * @returns {(terms: Terms) => OddsReport | undefined} undefined while they are not known
 */
export function useOdds(wanted) {
  const [known, setKnown] = useState(/** @type {Map<string, OddsReport>} */ (new Map()));
  const list = wanted.map(keyOf).join();
  useEffect(() => {
    let isWanted = true;
    const run = async () => {
      for (const terms of wanted) {
        if (!isWanted) return;
        const sheet = await load(terms).catch(() => null);
        if (sheet && isWanted) setKnown((map) => new Map(map).set(keyOf(terms), sheet));
      }
    };
    run();
    return () => {
      isWanted = false;
    };
  }, [list]);
  return (terms) => known.get(keyOf(terms));
}

/**
 * @param {number | undefined} share
 * @param {number} [digits]
 * @returns {string} as in 2.18%, or a placeholder while it is being counted
 */
export function percent(share, digits = 2) {
  return share === undefined ? "…" : `${(100 * share).toFixed(digits).replace("-", "−")}%`;
}
