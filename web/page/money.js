// Amounts are whole cents; this is how they are written, and read.

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
 * @returns {string} with a sign, so that it need not be seen by its colour
 */
export function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/**
 * @param {number} cents
 * @returns {string} as on a chip, without the sign of the dollar
 */
export function onChip(cents) {
  if (cents >= 1_000_000) return `${Math.floor(cents / 100_000)}k`;
  return money(cents).slice(1).replaceAll(",", "");
}

/**
 * Reads what somebody typed.
 * @param {string} text
 * @returns {number | null} cents, or nothing if it is no amount
 */
export function readMoney(text) {
  const found = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return null;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
