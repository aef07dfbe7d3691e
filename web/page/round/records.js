// Finds records in a text, and explains what is wrong with text that is not a record.

/** @typedef {{line: number, record?: any, fault?: string}} Entry */

/**
 * Reads one record, a list of records, or one record per line.
 * @param {string} text
 * @returns {Entry[]}
 */
export function readRecords(text) {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.map((record, place) => entry(place + 1, record));
  if (whole !== undefined) return [entry(1, whole)];
  return text
    .split("\n")
    .map((line, place) => ({ line: place + 1, text: line.trim() }))
    .filter((it) => it.text)
    .map((it) => entry(it.line, parsed(it.text)));
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {number} line
 * @param {any} record
 * @returns {Entry}
 */
function entry(line, record) {
  if (record === undefined) return { line, fault: "This is not JSON: part of it may be missing." };
  if (record === null || typeof record !== "object" || Array.isArray(record))
    return { line, fault: "This is JSON, but not a record." };
  if (record.format !== "croupier-round/1") {
    const has = typeof record.format === "string" ? `"${record.format.slice(0, 40)}"` : "none";
    return { line, fault: `A record has the format "croupier-round/1", and this has ${has}.` };
  }
  if (!Array.isArray(record.seats) || !record.deck)
    return { line, fault: "A record needs a deck and a list of seats, and one is missing." };
  return { line, record };
}
