// What lies on the felt at one moment, whether a table shows it, a settlement, or a replay.

/**
 * @typedef {"bonus" | "ante" | "blind" | "play"} Bet
 *
 * @typedef {object} SceneSeat
 * @property {number} seat
 * @property {string} name empty, if nobody sits there
 * @property {boolean} you
 * @property {boolean} bot
 * @property {boolean} banks
 * @property {(string | null)[]} cards null lies face down
 * @property {string[]} best the cards that count, once they are shown
 * @property {Record<Bet, number>} stakes
 * @property {Partial<Record<Bet, {result: string, paid: number}>>} settled what became of them; paid is above the stake
 * @property {string} word one word for what he did, does, or won
 * @property {"won" | "lost" | "even" | ""} fate
 * @property {string} hand as in "flush, queen high"
 *
 * @typedef {object} Scene
 * @property {"uth" | "utcp"} game
 * @property {string} bonusName Trips, or Pair Plus
 * @property {(string | null)[]} dealer
 * @property {string[]} dealerBest
 * @property {(string | null)[]} board null has not been turned
 * @property {SceneSeat[]} seats in the order of their numbers, empty ones too
 * @property {string} call what the dealer says
 * @property {string} deckColour
 */

/** @type {Bet[]} */
export const BETS = ["bonus", "ante", "blind", "play"];

/** How many cards a hand has, and how many lie on the board. */
const SIZES = { uth: { hand: 2, board: 5 }, utcp: { hand: 3, board: 0 } };

/** @param {number} count */
const faceDown = (count) => /** @type {(string | null)[]} */ (Array(count).fill(null));

/** @returns {Record<Bet, number>} */
export const noStakes = () => ({ bonus: 0, ante: 0, blind: 0, play: 0 });

/**
 * @param {number} seat
 * @returns {SceneSeat}
 */
export function emptySeat(seat) {
  return { seat, name: "", you: false, bot: false, banks: false, cards: [], best: [], stakes: noStakes(), settled: {}, word: "", fate: "", hand: "" };
}
