// What is said when something happens, for those who listen.

import { money } from "./money.js";
import { cardNames, didWord } from "./words.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").News & {isFirst?: boolean}} Heard */

/** The dealer's call when betting closes. */
export const NO_MORE_BETS = "No more bets.";

/** @param {TableState["round"]} round */
const isClosed = (round) => round?.stage === "revealing" || round?.stage === "deciding";

/**
 * Tells whether betting closed since the last news. The cards may be out already.
 * @param {TableState | null} before the state that was heard of last
 * @param {Heard} news
 */
export function betsClosed(before, { state, events }) {
  if (!before) return false;
  const isSameRound = before.round_number === state.round_number;
  if (isClosed(state.round)) return !(isSameRound && isClosed(before.round));
  // A round can be over before the page hears of its cards.
  return state.version > before.version && (events ?? []).some(({ event }) => event === "betting-closed");
}

/**
 * @param {TableState | null} before the state that was heard of last
 * @param {Heard} news
 * @returns {string} what is new, in sentences
 */
export function spoken(before, news) {
  const { state, record, telling } = news;
  const own = state.seats.find((it) => it.you);
  const nameOf = (/** @type {number | undefined} */ seat) =>
    state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  const said = [];
  if (betsClosed(before, news)) said.push(NO_MORE_BETS);
  for (const event of news.events ?? []) {
    if (event.event === "decided") {
      const who = event.seat === own?.seat ? "You" : nameOf(event.seat);
      if (event.by_table) said.push(`${who === "You" ? "Your" : `${who}'s`} time was up: ${didWord(event.decision ?? "")}.`);
      else if (who !== "You") said.push(`${who} ${didWord(event.decision ?? "")}.`);
    }
  }
  const was = before?.round_number === state.round_number ? before?.round : null;
  const { round } = state;
  if (round?.stage === "deciding") {
    const hand = round.hands.find((it) => it.seat === own?.seat);
    if (was?.stage !== "deciding" && hand?.cards) said.push(`You have ${cardNames(hand.cards)}.`);
    const turned = round.community.slice(was?.community?.length ?? 0);
    if (turned.length) said.push(`The board: ${cardNames(turned)}.`);
    const couldDecide = was?.hands.find((it) => it.seat === own?.seat)?.decisions?.length && !turned.length;
    if (hand?.decisions?.length && !couldDecide) said.push("Your decision.");
  }
  if (round?.stage === "betting" && was?.stage !== "betting") said.push("Place your bets.");
  if (round?.offered && round.offered === own?.seat && was?.offered !== round.offered) said.push("The bank is offered to you.");
  if (record?.result && before && !news.isFirst) {
    if (telling) said.push(telling.call);
    const net = own && netOf(record, own.seat);
    if (net !== undefined) said.push(net > 0 ? `You win ${money(net)}.` : net < 0 ? `You lose ${money(-net)}.` : "You break even.");
  }
  return said.join(" ");
}

/**
 * @param {import("../types/api").RoundRecord} record
 * @param {number} seat
 * @returns {number | undefined} what a seat won, as a player or as the bank
 */
function netOf({ result, banker }, seat) {
  if (banker?.seat === seat) return result?.bank.net;
  return result?.seats.find((it) => it.seat === seat)?.net;
}
