// The commitments that tables showed before players bet. A player who saved them can hold a table
// to its word afterwards, and this page saves every one that it sees.

/** The storage key. It keeps its former name, so that commitments saved earlier are still found. */
const KEY = "croupier.noted";

/** How many are stored. */
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
export function saveCommitment(table, round, commitment) {
  const place = `${table}/${round}`;
  const list = kept();
  if (list.some(([known]) => known === place)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...list, [place, commitment]].slice(-MOST)));
  } catch {
    // A browser without storage has nothing to compare with later.
  }
}

/**
 * @param {string} table
 * @param {number} round
 * @returns {string | null} the commitment that this browser saw before that round, if any
 */
export function savedCommitment(table, round) {
  return kept().find(([place]) => place === `${table}/${round}`)?.[1] ?? null;
}
