// What is asked of somebody at a table.

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {"rail" | "out" | "deciding" | "offered" | "betting" | "again" | "wagered" | "waiting"} Phase */

/**
 * @param {TableState} state
 * @returns {import("../types/api").HandView | undefined} one's own
 */
export function ownHand(state) {
  const own = state.seats.find((it) => it.you);
  return state.round?.hands.find((it) => it.seat === own?.seat);
}

/**
 * @param {TableState} state
 * @param {boolean} isSettled whether the round before is still looked at
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
 * Seeds of other players may take a while to come, and no player can ask for the cards before.
 * @param {TableState} state
 * @returns {string}
 */
function seedsAwaited(state) {
  const others = state.seats.filter((it) => it.awaits === "seed" && !it.you).map((it) => it.name);
  if (!others.length) return "No more bets. The cards come in a moment.";
  return `No more bets. The table waits for ${others.join(" and ")} to show a seed.`;
}

/**
 * @param {TableState} state
 * @param {boolean} isSettled
 * @returns {string} what somebody waits for who has nothing to do
 */
export function waitingFor(state, isSettled) {
  const { round } = state;
  const own = state.seats.find((it) => it.you);
  const hand = ownHand(state);
  if (hand && round?.stage === "betting") return "Your bets are on the felt.";
  if (hand?.to_decide) return "You have not the chips for more.";
  if (round?.stage === "revealing") return seedsAwaited(state);
  if (hand) return hand.folded ? "You folded. The others decide." : "The others decide.";
  if (round?.banker && round.banker.seat === own?.seat) return "You bank this round.";
  if (state.paused && !round) return "The table is paused.";
  if (state.needs_banker) return "Another player has to bank now: a bot does not, and you have had your two hands.";
  if (isSettled || !round) return "The next round is about to begin.";
  return round.stage === "offering" ? "The bank is being offered." : "This round goes on without you.";
}
