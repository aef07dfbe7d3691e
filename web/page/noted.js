// The commitments that tables showed before anybody bet. Whoever notes them can hold a table to its
// word afterwards, and this page notes every one that it sees.

const KEY = "croupier.noted";

/** How many are kept. */
const MOST = 500;

/** @returns {[string, string][]} by table and round, the oldest first */
function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/**
 * @param {string} table
 * @param {number} round
 * @param {string} commitment
 */
export function note(table, round, commitment) {
  const place = `${table}/${round}`;
  const list = kept();
  if (list.some(([known]) => known === place)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...list, [place, commitment]].slice(-MOST)));
  } catch {
    // A browser that keeps nothing has nothing to compare with.
  }
}

/**
 * @param {string} table
 * @param {number} round
 * @returns {string | null} what was shown here before that round, if it was
 */
export function noted(table, round) {
  return kept().find(([place]) => place === `${table}/${round}`)?.[1] ?? null;
}
