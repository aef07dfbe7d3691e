// The phase of a table from a player's point of view.

/** @typedef {import("../../types/api").TableState} TableState */
/**
 * @typedef {"rail" | "out" | "deciding" | "offered" | "betting" | "again" | "wagered"
 *   | "waiting" | "showing"} Phase
 */

/**
 * @param {TableState} state
 * @returns {import("../../types/api").HandView | undefined} the player's own hand
 */
export function ownHand(state) {
  const own = state.seats.find((it) => it.you);
  return state.round?.hands.find((it) => it.seat === own?.seat);
}

/**
 * @param {TableState} state
 * @param {boolean} isSettled whether the last round's result is still shown
 * @returns {Phase}
 */
export function phaseOf(state, isSettled) {
  const own = state.seats.find((it) => it.you);
  if (!own) return "rail";
  const { round } = state;
  const hand = ownHand(state);
  if (own.out && !hand) return "out";
  if (hand?.decisions?.length) return "deciding";
  if (round?.offered === own.seat) return "offered";
  // Between two rounds the next bets can already be made: they are sent when betting opens. Where
  // players bank, the next round begins with an offer, and may be another's or the player's own.
  if (!round && isSettled && !state.paused && !state.closed && !state.player_banked) return "again";
  if (round?.stage !== "betting") return "waiting";
  if (own.awaits === "wager") return isSettled ? "again" : "betting";
  return hand ? "wagered" : "waiting";
}

/**
 * Returns whether the player may call for the cards: without clocks, once there are bets.
 * A banker may, too.
 * @param {TableState} state
 * @returns {boolean}
 */
export function mayDeal(state) {
  const { round } = state;
  // Only a bettor or the banker gets the button: another player still has to bet.
  const own = state.seats.find((it) => it.you);
  if (!own || own.awaits || round?.stage !== "betting") return false;
  return state.may_deal ?? (!state.clocks && round.hands.length > 0);
}

/**
 * Other players may take a while to show their seeds, and the cards can't be dealt before that.
 * @param {TableState} state
 * @returns {string}
 */
function seedsAwaited(state) {
  const others = state.seats.filter((it) => it.awaits === "seed" && !it.you).map((it) => it.name);
  if (!others.length) return "No more bets. The cards are on their way.";
  return `No more bets. The table is waiting for ${others.join(" and ")} to show a seed.`;
}

/**
 * @param {TableState} state
 * @returns {string} what a banker waits for
 */
function banking({ round, seats }) {
  if (round?.stage !== "betting") return "You bank this round.";
  const awaited = seats.filter((it) => it.awaits === "wager").map(({ name }) => name);
  if (!awaited.length) return "You bank this round. All bets are in.";
  return `You bank this round. Still betting: ${awaited.join(", ")}.`;
}

/**
 * @param {TableState} state
 * @param {boolean} isSettled
 * @returns {string} the reason for the wait, for a player with nothing to do
 */
export function waitingFor(state, isSettled) {
  const { round } = state;
  const own = state.seats.find((it) => it.you);
  const hand = ownHand(state);
  if (hand && round?.stage === "betting") return "Your bets are on the felt.";
  if (hand?.to_decide) return "You don't have enough chips to bet more.";
  if (round?.stage === "revealing") return seedsAwaited(state);
  if (hand) {
    return hand.folded ? "You folded. Other players are deciding." : "Other players are deciding.";
  }
  if (round?.banker && round.banker.seat === own?.seat) return banking(state);
  if (state.paused && !round) return "The table is paused.";
  if (state.needs_banker) {
    return "Another player has to bank now: bots don't, and you've had your two hands.";
  }
  if (isSettled || !round) return "The next round is about to begin.";
  return round.stage === "offering" ? "The bank is being offered." : "You're not in this round.";
}
