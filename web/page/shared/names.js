// Names for cards, decisions, hands and times.

const RANKS = /** @type {Record<string, string>} */ ({
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
});
const SUITS = /** @type {Record<string, string>} */ ({
  c: "clubs", d: "diamonds", h: "hearts", s: "spades",
});

/**
 * @param {string} card as in Qs
 * @returns {string} as in queen of spades
 */
export function cardName(card) {
  return `${RANKS[card[0]] ?? card} of ${SUITS[card[1]] ?? "?"}`;
}

/**
 * @param {string[]} cards
 * @returns {string} as in queen of spades, ten of spades
 */
export function cardNames(cards) {
  return cards.map(cardName).join(", ");
}

/**
 * @param {string} id as in four-of-a-kind
 * @returns {string} as in Four of a kind
 */
export function titled(id) {
  const text = id.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The mark of a table whose house did not come with the program. */
export const OWN_HOUSE = "The host's own house, not one of Croupier's";

/**
 * @param {string} decision as in "bet 4"
 * @param {number} ante in cents
 * @returns {{label: string, amount: number, key: string}} its button
 */
export function decisionWords(decision, ante) {
  if (decision === "check") return { label: "Check", amount: 0, key: "c" };
  if (decision === "fold") return { label: "Fold", amount: 0, key: "f" };
  const times = Number(decision.split(" ")[1]);
  return { label: `Bet ${times}×`, amount: times * ante, key: String(times) };
}

/**
 * @param {string} decision
 * @returns {string} the decision as a verb in the past tense
 */
export function didWord(decision) {
  if (decision === "check") return "checked";
  if (decision === "fold") return "folded";
  return `bet ${decision.split(" ")[1]}×`;
}

/**
 * @param {number} millis
 * @returns {string} as in 16 Nov 2026, 14:05
 */
export function moment(millis) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return format.format(millis);
}

/**
 * Replaces the seats in a telling with names. A telling only has seat numbers.
 * @param {string} text
 * @param {(seat: number) => string | undefined} nameOf
 * @returns {string}
 */
export function withNames(text, nameOf) {
  return text.replace(/\b([Ss])eat (\d)\b/g, (said, _, seat) => nameOf(Number(seat)) ?? said);
}
