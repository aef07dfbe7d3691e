// The sentences for the live region, which screen readers announce.

import { money } from "../shared/money.js";
import { cardNames, didWord } from "../shared/names.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */

/** The dealer's call when betting closes. */
export const NO_MORE_BETS = "No more bets.";

/** @param {TableState["round"]} round */
const isClosed = (round) => round?.stage === "revealing" || round?.stage === "deciding";

/**
 * Returns whether betting closed since the last news. The cards may be out already.
 * @param {TableState | null} before the state from the news before
 * @param {TableNews} news
 */
export function betsClosed(before, { state, events }) {
  if (!before) return false;
  const isSameRound = before.round_number === state.round_number;
  if (isClosed(state.round)) return !(isSameRound && isClosed(before.round));
  // A round can be over before the page gets news of its cards.
  if (state.version <= before.version) return false;
  return (events ?? []).some(({ event }) => event === "betting-closed");
}

/**
 * @param {TableState | null} before the state from the news before
 * @param {TableNews} news
 * @returns {string} the changes, in sentences
 */
export function announcementFor(before, news) {
  const { state, record, telling } = news;
  const own = state.seats.find((it) => it.you);
  const nameOf = (/** @type {number | undefined} */ seat) =>
    state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  const said = [];
  if (betsClosed(before, news)) said.push(NO_MORE_BETS);
  for (const event of news.events ?? []) {
    if (event.event === "decided") {
      const who = event.seat === own?.seat ? "You" : nameOf(event.seat);
      if (event.by_table) said.push(`${who} ran out of time: ${didWord(event.decision ?? "")}.`);
      else if (who !== "You") said.push(`${who} ${didWord(event.decision ?? "")}.`);
    }
  }
  const was = before?.round_number === state.round_number ? before?.round : null;
  const { round } = state;
  if (round?.stage === "deciding") {
    const hand = round.hands.find((it) => it.seat === own?.seat);
    if (was?.stage !== "deciding" && hand?.cards) said.push(`You have ${cardNames(hand.cards)}.`);
    const turned = round.community.slice(was?.community?.length ?? 0);
    const turnedAs = { 2: "The turn and river", 3: "The flop" }[turned.length] ?? "The board";
    if (turned.length) said.push(`${turnedAs}: ${cardNames(turned)}.`);
    const handBefore = was?.hands.find((it) => it.seat === own?.seat);
    const couldDecide = handBefore?.decisions?.length && !turned.length;
    if (hand?.decisions?.length && !couldDecide) said.push("Your decision.");
  }
  if (round?.stage === "betting" && was?.stage !== "betting") said.push("Place your bets.");
  if (round?.offered && round.offered === own?.seat && was?.offered !== round.offered) {
    said.push("The bank is offered to you.");
  }
  if (record?.result && before && !news.isFirst) {
    if (telling) said.push(telling.call);
    const net = own && netOf(record, own.seat);
    if (net !== undefined) said.push(resultWords(net));
  }
  return said.join(" ");
}

/**
 * @param {number} net
 * @returns {string} the player's result, in a sentence
 */
function resultWords(net) {
  if (net > 0) return `You win ${money(net)}.`;
  return net < 0 ? `You lose ${money(-net)}.` : "You break even.";
}

/**
 * @param {import("../../types/api").RoundRecord} record
 * @param {number} seat
 * @returns {number | undefined} a seat's net win, as a player or as the bank
 */
function netOf({ result, banker }, seat) {
  if (banker?.seat === seat) return result?.bank.net;
  return result?.seats.find((it) => it.seat === seat)?.net;
}
