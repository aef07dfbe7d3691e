// What is said when something happens, for those who listen.

import { money } from "./money.js";
import { cardNames, didWord } from "./words.js";

/**
 * @param {import("../types/api").TableState | null} before the state that was heard of last
 * @param {import("../types/api").News & {isFirst?: boolean}} news
 * @returns {string} what is new, in sentences
 */
export function spoken(before, news) {
  const { state, record, telling } = news;
  const own = state.seats.find((it) => it.you);
  const nameOf = (/** @type {number | undefined} */ seat) =>
    state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  const said = [];
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
    const settled = record.result.seats.find((it) => it.seat === own?.seat);
    const net = settled?.net ?? (record.banker?.seat === own?.seat ? record.result.bank.net : undefined);
    if (net !== undefined) said.push(net > 0 ? `You win ${money(net)}.` : net < 0 ? `You lose ${money(-net)}.` : "You break even.");
  }
  return said.join(" ");
}
