// The felt at one moment, of a live table, a settlement, or a replay.

import { money } from "../shared/money.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("../../types/api").SeatState} SeatState */
/** @typedef {import("../../types/api").HandView} HandView */
/** @typedef {import("../../types/api").RoundView} RoundView */
/** @typedef {import("../../types/api").RoundRecord} RoundRecord */
/** @typedef {import("../../types/api").Telling} Telling */

/**
 * @typedef {"bonus" | "ante" | "blind" | "play"} Bet
 *
 * @typedef {object} SceneSeat
 * @property {number} seat
 * @property {string} name empty if the seat is empty
 * @property {boolean} you
 * @property {boolean} bot
 * @property {boolean} banks
 * @property {(string | null)[]} cards null is a card face down
 * @property {string[]} best the cards that count, once they are shown
 * @property {Record<Bet, number>} stakes
 * @property {Partial<Record<Bet, {result: string, paid: number}>>} settled the result of each bet;
 *   `paid` is on top of the stake
 * @property {string} word one word for the seat's action or result
 * @property {"won" | "lost" | "even" | ""} fate
 * @property {string} hand as in "queen-high flush"
 * @property {number | null} chips behind, in cents; null if they are not known
 * @property {boolean} acts whether the table waits for this seat
 * @property {boolean} folded
 * @property {boolean} [pending] whether the Play bet is on its way to the table
 * @property {number | null} net the result of the round in cents; null until it is settled
 *
 * @typedef {object} Scene
 * @property {"uth" | "utcp"} game
 * @property {string} bonusName Trips or Pair Plus; empty if the table has neither
 * @property {(string | null)[]} dealer
 * @property {string[]} dealerBest
 * @property {string[]} [also] the cards that count in the hand that lost, yours or the dealer's
 * @property {(string | null)[]} board null is a card not turned yet
 * @property {SceneSeat[]} seats by number, including empty seats
 * @property {string} call the dealer's call
 * @property {string} inscription the text printed on the felt
 * @property {string} bank the banker and the amount posted; empty where the house banks
 * @property {number} dealFrom the seat that gets the first card
 * @property {string} deckColour
 * @property {{hand: number, board: number}} sizes how many cards a hand has, and the board
 * @property {number} posted by the player who banks, in cents
 * @property {boolean} hasDiscards whether used cards lie next to the rack
 * @property {Partial<Record<Bet, string>>} paid the hand that each bet of the viewer was paid for
 */

/** @type {Bet[]} */
export const BETS = ["bonus", "ante", "blind", "play"];

/** How many cards a hand has, and how many are on the board. */
export const SIZES = { uth: { hand: 2, board: 5 }, utcp: { hand: 3, board: 0 } };

/** @param {number} count */
const faceDown = (count) => /** @type {(string | null)[]} */ (Array(count).fill(null));

/** @returns {Record<Bet, number>} */
export const noStakes = () => ({ bonus: 0, ante: 0, blind: 0, play: 0 });

/**
 * @param {number} seat
 * @returns {SceneSeat}
 */
export function emptySeat(seat) {
  return {
    seat,
    name: "",
    you: false,
    bot: false,
    banks: false,
    cards: [],
    best: [],
    stakes: noStakes(),
    settled: {},
    word: "",
    fate: "",
    hand: "",
    chips: null,
    acts: false,
    folded: false,
    net: null,
  };
}

/**
 * The felt of a live table.
 * @param {TableState} state
 * @returns {Scene}
 */
export function liveScene(state) {
  const { round } = state;
  const sizes = SIZES[state.game];
  const isDealt = round?.stage === "deciding";
  const seats = Array.from({ length: state.seat_count }, (_, place) => {
    const seat = emptySeat(place + 1);
    const sitter = state.seats.find((it) => it.seat === seat.seat);
    if (!sitter) return seat;
    const hand = round?.hands.find((it) => it.seat === seat.seat);
    const banks = round?.banker?.seat === seat.seat;
    return {
      ...seat,
      name: sitter.name,
      you: sitter.you,
      bot: sitter.bot,
      banks,
      cards: hand && isDealt ? hand.cards ?? faceDown(sizes.hand) : [],
      stakes: hand ? { ...noStakes(), ...hand.stakes } : noStakes(),
      word: doing(sitter, hand, round, banks),
      hand: hand?.name ?? "",
      chips: sitter.chips ?? (sitter.you ? state.chips ?? null : null),
      acts: Boolean(sitter.awaits),
      folded: Boolean(hand?.folded),
    };
  });
  return {
    inscription: state.inscription,
    bank: state.player_banked ? bankLine(round?.banker, (seat) => sitterAt(state, seat)) : "",
    dealFrom: dealFrom(seats),
    game: state.game,
    bonusName: state.bonus_paytable ? state.bonus_name : "",
    dealer: isDealt ? faceDown(sizes.hand) : [],
    dealerBest: [],
    board: round?.community ?? [],
    seats,
    call: calling(state),
    deckColour: round?.deck_colour ?? "red",
    sizes,
    posted: round?.banker?.wager ?? 0,
    hasDiscards: false,
    paid: {},
  };
}

/**
 * Returns the seat that gets the first card: the wagering seat nearest to the dealer's left, which
 * has the lowest number. Before there are wagers, it is the first seat that can wager.
 * @param {SceneSeat[]} seats by number
 * @returns {number}
 */
export function dealFrom(seats) {
  const first = seats.find(({ stakes }) => stakes.ante > 0) ?? seats.find(({ banks }) => !banks);
  return first?.seat ?? 1;
}

/**
 * @param {TableState} state
 * @param {number} seat
 * @returns {string} the name of the player there
 */
function sitterAt(state, seat) {
  const sitter = state.seats.find((it) => it.seat === seat);
  return sitter ? (sitter.you ? "You" : sitter.name) : `Seat ${seat}`;
}

/**
 * The banker, and the amount posted.
 * @param {{seat: number, wager: number} | null | undefined} banker
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function bankLine(banker, nameOf) {
  if (!banker) return "No player banks yet";
  const name = nameOf(banker.seat);
  return `${name} ${name === "You" ? "bank" : "banks"}: ${money(banker.wager)} posted`;
}

/**
 * One word for a seat's current action.
 * @param {SeatState} sitter
 * @param {HandView | undefined} hand
 * @param {RoundView | null | undefined} round
 * @param {boolean} banks
 * @returns {string}
 */
function doing(sitter, hand, round, banks) {
  if (sitter.leaving) return "leaving";
  if (round?.offered === sitter.seat) return "offered the bank";
  if (banks) return "banks";
  if (hand?.folded) return "folded";
  if (hand?.to_decide) return "thinking";
  const last = hand?.actions.at(-1);
  if (last) return last === "check" ? "checked" : `${last}×`;
  if (sitter.awaits === "wager") return "betting";
  if (sitter.awaits === "seed") return "waiting for a seed";
  if (sitter.out) return "sits out";
  return "";
}

/** The names of the streets, by the number of cards on the board. */
const STREETS = /** @type {Record<number, string>} */ ({
  0: "Before the flop",
  3: "On the flop",
  5: "On the river",
});

/**
 * The dealer's current call.
 * @param {TableState} state
 * @returns {string}
 */
function calling(state) {
  if (state.closed) return "This table is closed.";
  const nameOf = (/** @type {number | null | undefined} */ seat) => {
    const sitter = state.seats.find((it) => it.seat === seat);
    return sitter ? (sitter.you ? "you" : sitter.name) : `seat ${seat}`;
  };
  const { round } = state;
  if (!round) {
    if (state.paused) return `The table is paused: ${state.paused}`;
    if (!state.seats.length) return "This table is empty.";
    const there = state.seats.filter((it) => !it.out).length;
    if (!there) return "All players are sitting out.";
    if (state.needs_banker) return "Waiting for another player to bank.";
    if (state.player_banked && there < 2) return "Waiting for another player.";
    return "The next round is about to begin.";
  }
  switch (round.stage) {
    case "offering":
      return `The bank is offered to ${nameOf(round.offered)}.`;
    case "betting":
      return "Place your bets.";
    case "revealing":
      return "No more bets.";
    default: {
      const waiting = round.hands.filter((hand) => hand.to_decide);
      const who = waiting.length === 1 ? nameOf(waiting[0].seat) : `${waiting.length} players`;
      const what = who === "you" ? "your decision" : `${who} to decide`;
      const street = state.game === "uth" && STREETS[round.community.length];
      const said = street ? `${street}: ${what}` : what;
      return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
    }
  }
}

/**
 * The same scene with the player's bets in the circles, before they are sent.
 * @param {Scene} scene
 * @param {{ante: number, bonus: number}} bets in cents
 * @returns {Scene}
 */
export function withBets(scene, { ante, bonus }) {
  const put = (/** @type {SceneSeat} */ seat) => ({
    ...seat,
    stakes: { ...seat.stakes, ante, blind: ante, bonus },
    chips: seat.chips === null ? null : Math.max(0, seat.chips - 2 * ante - bonus),
  });
  const seats = scene.seats.map((seat) => (seat.you ? put(seat) : seat));
  return { ...scene, seats };
}

/**
 * The felt after a round's settlement.
 * @param {TableState} state for the names at the seats
 * @param {RoundRecord} record
 * @param {Telling | null} telling
 * @returns {Scene}
 */
export function settledScene(state, record, telling) {
  const live = liveScene({ ...state, round: null });
  const { result } = record;
  if (!result) return live;
  const seats = live.seats.map((seat) => {
    const settled = result.seats.find((it) => it.seat === seat.seat);
    const told = telling?.seats.find((it) => it.seat === seat.seat);
    const banks = record.banker?.seat === seat.seat;
    const name = seat.name || (settled || banks ? "gone" : "");
    if (banks) {
      const outcome = record.void ? "void" : "";
      const { net } = result.bank;
      return { ...seat, name, banks, net, acts: false, ...ended({ outcome, net }) };
    }
    if (!settled) return { ...seat, word: seat.word === "betting" ? "" : seat.word };
    return {
      ...seat,
      name,
      cards: settled.cards ?? [],
      best: outlined(settled),
      ...wagers(settled.wagers),
      ...ended(settled, seat.you),
      hand: told?.hand ?? "",
      folded: settled.outcome === "fold",
      net: settled.net,
      acts: false,
    };
  });
  const mine = seats.find(({ you }) => you);
  const compared = result.seats.find((it) => it.seat === mine?.seat);
  const scene = outlinedOnce({
    ...live,
    bank: state.player_banked ? bankLine(record.banker, (seat) => sitterAt(state, seat)) : "",
    dealFrom: dealFrom(seats),
    dealer: result.dealer?.cards ?? [],
    dealerBest: result.dealer?.best ?? [],
    board: result.community ?? [],
    seats,
    call: telling?.call ?? "",
    deckColour: record.deck_colour ?? "red",
    posted: record.banker?.wager ?? 0,
    hasDiscards: true,
    paid: paidFor(telling, mine?.seat),
  });
  const { best = [] } = result.dealer ?? {};
  switch (compared?.outcome) {
    case "win":
      return { ...scene, also: best };
    case "lose":
      return { ...scene, also: compared.best };
    case "push":
      return { ...scene, dealerBest: best };
    default:
      return scene;
  }
}

/**
 * The hands that a seat's bets were paid for, by the rows of the pay tables.
 * @param {Telling | null} telling
 * @param {number | undefined} seat
 * @returns {Scene["paid"]}
 */
export function paidFor(telling, seat) {
  const told = telling?.seats.find((it) => it.seat === seat);
  const won = told?.wagers?.filter(({ result }) => result === "win") ?? [];
  return Object.fromEntries(won.map(({ bet, why }) => [bet, why.split(" pays ")[0]]));
}

/**
 * How a round ended for a seat.
 * @param {{outcome: string, net: number}} result
 * @param {boolean} [you] the player knows that they folded, and sees the cost instead
 * @returns {Pick<SceneSeat, "word" | "fate">}
 */
export function ended({ outcome, net }, you = false) {
  const came = net > 0 ? `wins ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "even";
  const word = outcome === "void" ? "void" : outcome === "fold" && !you ? "folded" : came;
  return { word, fate: net > 0 ? "won" : net < 0 ? "lost" : "even" };
}

/**
 * @param {{outcome: string, best: string[]}} result
 * @returns {string[]} the cards that count, if the player won or pushed
 */
export function outlined({ outcome, best }) {
  return outcome === "win" || outcome === "push" ? best : [];
}

/**
 * Outlines the dealer's five cards only if the player's are not: the board cannot show both.
 * @param {Scene} scene
 * @returns {Scene}
 */
export function outlinedOnce(scene) {
  const isOutlined = scene.seats.some(({ you, best }) => you && best.length > 0);
  return isOutlined ? { ...scene, dealerBest: [] } : scene;
}

/**
 * The stake and the result of each bet.
 * @param {Record<string, {staked: number, returned: number, result: string}>} made
 */
export function wagers(made) {
  const stakes = noStakes();
  const settled = /** @type {SceneSeat["settled"]} */ ({});
  for (const bet of BETS) {
    const wager = made?.[bet];
    if (!wager) continue;
    stakes[bet] = wager.staked;
    settled[bet] = { result: wager.result, paid: Math.max(0, wager.returned - wager.staked) };
  }
  return { stakes, settled };
}
