// The houses, and what differs between them.

import { get } from "../shared/api.js";
import { useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { showError } from "../shared/notice.js";

/** @typedef {import("../../types/api").House} House */

/** @type {Promise<House[]> | null} */
let asked = null;

/** @returns {House[] | null} null while they are being loaded */
export function useHouses() {
  const [houses, setHouses] = useState(/** @type {House[] | null} */ (null));
  useEffect(() => {
    asked ??= get("houses");
    asked.then(setHouses, (problem) => {
      asked = null;
      showError(problem);
    });
  }, []);
  return houses;
}

/** @param {House} house */
export const isPlayerBanked = (house) => house.banking.by !== "house";

/**
 * The terms that decide the odds of a house. Two houses with the same terms are asked for once.
 * @param {House} house
 * @param {House[]} houses
 * @returns {import("./odds.js").Terms}
 */
export function usualTerms(house, houses) {
  const terms = (/** @type {House} */ it) =>
    [it.game, it.blind_paytable, it.bonus_paytables[0], it.raises, it.qualifying].join();
  const first = houses.find((it) => terms(it) === terms(house)) ?? house;
  return { house: first.id, bonus: first.bonus_paytables[0] };
}

/** @param {House} house */
export const bonusName = (house) => (house.game === "uth" ? "Trips" : "Pair Plus");

/** @param {string} game */
export const gameTitle = (game) =>
  game === "uth" ? "Ultimate Texas Hold'em" : "Ultimate Three Card Poker";

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/** @param {number} count */
export const counted = (count) => COUNTS[count] ?? String(count);

/**
 * @param {House} house
 * @returns {string} what to expect there, in one line
 */
export function houseLine(house) {
  const most = Math.max(...house.raises);
  if (isPlayerBanked(house)) {
    return `Players take turns as the bank. ${sentenceCase(counted(house.seats))} seats, ${
      house.decks === 1 ? "one deck" : `${counted(house.decks)} decks`
    }.`;
  }
  if (house.game === "utcp") {
    return `Three cards, no board. Bet 1×, or up to ${most}× with a pair or better.`;
  }
  if (house.limits.single_wager_max) {
    return `The same game, with no single wager above ${money(house.limits.single_wager_max)}.`;
  }
  return `Two cards and a board of five. Bet up to ${most}×: the earlier, the more.`;
}

/** @param {string} text */
const sentenceCase = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @param {House} house
 * @returns {string} its name among the houses of its game
 */
export function houseName(house) {
  const [, place] = house.title.split(", ");
  return place ?? "Standard";
}
