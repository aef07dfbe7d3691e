// Pay tables as felts print them.

/** @typedef {import("../../types/api").PayTable} PayTable */

/**
 * @param {PayTable} table
 * @returns {[string, string][]} hands and odds, the highest first
 */
export function payRows({ pays }) {
  const ratio = (/** @type {string} */ odds) => {
    const [won, staked] = odds.split(":").map(Number);
    return won / staked;
  };
  return Object.entries(pays).sort(([, one], [, other]) => ratio(other) - ratio(one));
}

const NAMES = /** @type {Record<string, string>} */ ({
  blind: "Blind",
  trips: "Trips",
  "pair-plus": "Pair Plus",
});

/**
 * The part of a placard that is printed: the pay tables of its house.
 * @param {import("../../types/api").HousePage} house
 * @param {string | null | undefined} bonus the id of the bonus pay table
 */
export function printedPlacard(house, bonus) {
  const wanted = [house.blind_paytable, bonus ?? house.bonus_paytables[0]];
  const tables = house.paytables.filter(({ id }) => wanted.includes(id));
  const printed = tables.map((table) => ({
    id: table.id,
    name: NAMES[table.bet] ?? table.title,
    rows: payRows(table).map(([hand, odds]) => ({ hand, pays: odds.replace(":", " to ") })),
  }));
  return { house, placard: house.placard, paytables: tables, printed };
}
