// The phase of a table from a player's point of view.

/** @typedef {import("../../types/api").TableState} TableState */
/**
 * @typedef {"rail" | "out" | "deciding" | "offered" | "betting" | "again" | "wagered"
 *   | "waiting"} Phase
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
  if (round?.stage !== "betting") return "waiting";
  if (own.awaits === "wager") return isSettled ? "again" : "betting";
  return hand ? "wagered" : "waiting";
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
  if (round?.banker && round.banker.seat === own?.seat) return "You bank this round.";
  if (state.paused && !round) return "The table is paused.";
  if (state.needs_banker) {
    return "Another player has to bank now: bots don't, and you've had your two hands.";
  }
  if (isSettled || !round) return "The next round is about to begin.";
  return round.stage === "offering" ? "The bank is being offered." : "You're not in this round.";
}
