// Formats and parses amounts, which are whole cents.

const plain = new Intl.NumberFormat("en-US");

/**
 * @param {number} cents
 * @returns {string} as in $12.50 and −$5
 */
export function money(cents) {
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const fraction = rest ? `.${String(rest).padStart(2, "0")}` : "";
  return `${cents < 0 ? "−" : ""}$${plain.format(whole)}${fraction}`;
}

/**
 * @param {number} cents
 * @returns {string} with a sign, so that color is not the only cue
 */
export function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/**
 * @param {number} cents
 * @returns {string} the CSS class of a win or a loss
 */
export const tone = (cents) => (cents > 0 ? "good" : cents < 0 ? "bad" : "");

/**
 * @param {number} cents
 * @returns {string} as on a chip: without the dollar sign, and in thousands if that is exact
 */
export function onChip(cents) {
  if (cents >= 1_000_000 && cents % 10_000 === 0) return `${cents / 100_000}k`;
  return money(cents).slice(1).replaceAll(",", "");
}

/**
 * Parses a typed amount.
 * @param {string} text
 * @returns {number | null} cents, or null if it is not an amount
 */
export function readMoney(text) {
  const found = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return null;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
