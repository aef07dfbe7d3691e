// The tables on the floor: all public ones, and those where the player has a seat.

import { get } from "../shared/api.js";
import { useEffect, useRef, useState } from "../shared/html.js";

/** @typedef {import("../../types/api").TableListing} TableListing */
/** @typedef {import("../../types/api").TableState} TableState */

/** How often the list of tables is refreshed, in milliseconds. */
const AGAIN = 5000;

/** How many tables one page of the list has. */
const PAGE = 100;

/**
 * Polls the list of public tables, as many pages of it as the player asked for.
 * @returns {{tables: TableListing[] | null, more: (() => void) | null}}
 */
export function usePublicTables() {
  const [tables, setTables] = useState(/** @type {TableListing[] | null} */ (null));
  const [pages, setPages] = useState(1);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      const found = /** @type {TableListing[]} */ ([]);
      for (let page = 0; page < pages && found.length === page * PAGE; page++) {
        const after = page ? `?after=${found[found.length - 1].table}` : "";
        found.push(...(await get(`tables${after}`)));
      }
      if (wanted) setTables(found);
    };
    // A failed request is retried at the next interval.
    const lookUnlessHidden = () => document.hidden || look().catch(() => {});
    lookUnlessHidden();
    const timer = setInterval(lookUnlessHidden, AGAIN);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [pages]);
  return { tables, more: tables?.length === pages * PAGE ? () => setPages(pages + 1) : null };
}

/** @param {TableListing} table */
export const freeSeats = (table) => table.seat_count - table.players - table.bots;

/** @param {{table: string, title?: string}} table */
export const tableName = ({ table, title }) => title || `Table ${table.slice(0, 4)}`;

/**
 * The public table where "Play now" seats a player: the one with the most people that has room.
 * @param {TableListing[]} tables
 * @param {string} house
 * @returns {TableListing | undefined}
 */
export function tableToPlay(tables, house) {
  const suits = (/** @type {TableListing} */ it) =>
    it.house === house && !it.paused && it.players > 0 && freeSeats(it) > 0;
  return tables.filter(suits).sort((one, other) => other.players - one.players)[0];
}

/**
 * The seats of some tables. A table is asked again only when its list entry changes.
 * @param {{table: string, players?: number, bots?: number}[]} wanted
 * @returns {Map<string, TableState>}
 */
export function useTableStates(wanted) {
  const [states, setStates] = useState(/** @type {Map<string, TableState>} */ (new Map()));
  const seen = useRef(/** @type {Map<string, string>} */ (new Map()));
  const signs = wanted.map(({ table, players, bots }) => `${table} ${players} ${bots}`);
  useEffect(() => {
    for (const [place, { table }] of wanted.entries()) {
      if (seen.current.get(table) === signs[place]) continue;
      seen.current.set(table, signs[place]);
      get(`tables/${encodeURIComponent(table)}`).then(
        (state) => setStates((known) => new Map(known).set(table, state)),
        // It may have closed since. The next list says so.
        () => seen.current.delete(table),
      );
    }
  }, [signs.join()]);
  return states;
}
