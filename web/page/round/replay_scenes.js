// A round, step by step: the text of each step, and the felt at that step.

import {
  bankLine,
  BETS,
  dealFrom,
  emptySeat,
  ended,
  noStakes,
  outlined,
  outlinedOnce,
  SIZES,
  wagers,
} from "../felt/scene.js";
import { didWord, withNames } from "../shared/names.js";

/**
 * @typedef {import("../felt/scene.js").Bet} Bet
 * @typedef {import("../felt/scene.js").Scene} Scene
 * @typedef {import("../felt/scene.js").SceneSeat} SceneSeat
 * @typedef {import("../../types/api").Telling} Telling
 * @typedef {Telling["steps"][number]} TellingStep
 *
 * @typedef {{say: string, scene: Scene}} Moment
 */

/** The word for each outcome of a hand against the dealer's. */
const OUTCOMES = /** @type {Record<string, string>} */ ({
  win: "wins",
  lose: "loses",
  push: "ties",
  fold: "folded",
  void: "void",
});

/**
 * @param {any} record with its result
 * @param {Telling} telling
 * @param {(seat: number) => string | undefined} nameOf
 * @param {number | null} mine the viewer's seat, if they were in the round
 * @param {boolean} [isOpen] whether all cards are face up, instead of as the viewer saw them
 * @returns {Moment[]}
 */
export function scenes(record, telling, nameOf, mine, isOpen = true) {
  let scene = beginning(record, telling, nameOf, mine);
  return telling.steps.map((step, place) => {
    const say = withNames(printed(withYou(step.say, mine)), nameOf);
    scene = { ...after(scene, step, record, telling, isOpen), call: say };
    // A telling may settle in few or many steps. The last step shows the final result.
    if (place === telling.steps.length - 1) scene = settled(scene, record);
    scene = { ...scene, dealFrom: dealFrom(scene.seats) };
    return { say, scene };
  });
}

/**
 * Speaks to the viewer about their own seat.
 * @param {string} say
 * @param {number | null} mine
 */
function withYou(say, mine) {
  if (!mine) return say;
  const verbs = "wager|bet|check|fold|win|lose|tie|bank|post|withdraw";
  const verb = new RegExp(`^Seat ${mine} (${verbs})s\\b`);
  return say
    .replace(verb, "You $1")
    .replace(new RegExp(`^Seat ${mine}'s\\b`), "Your")
    .replace(new RegExp(`^Seat ${mine}(?=:| )`), "You")
    .replace(new RegExp(`\\bseat ${mine}'s\\b`, "i"), "your")
    .replace(new RegExp(`\\bseat ${mine}\\b`, "i"), "you");
}

const SUITS = /** @type {Record<string, string>} */ ({ c: "♣", d: "♦", h: "♥", s: "♠" });

/**
 * Writes cards with the signs of their suits, as in 10♠ for Ts, and bets with a real sign.
 * @param {string} say
 */
function printed(say) {
  const card = (/** @type {string} */ _, /** @type {string} */ rank, /** @type {string} */ suit) =>
    (rank === "T" ? "10" : rank) + SUITS[suit];
  return say.replace(/\b([2-9TJQKA])([cdhs])\b/g, card).replace(/\b(\d)x\b/g, "$1×");
}

/**
 * The empty felt. Only the players of the round sit around it; the other seats are empty.
 * @param {any} record
 * @param {Telling} telling
 * @param {(seat: number) => string | undefined} nameOf
 * @param {number | null} mine
 * @returns {Scene}
 */
export function beginning(record, telling, nameOf, mine) {
  const inRound = [...record.seats, ...(record.banker ? [record.banker] : [])];
  const seats = Array.from({ length: telling.seat_count }, (_, place) => {
    const seat = emptySeat(place + 1);
    const player = inRound.find((it) => it.seat === seat.seat);
    if (!player) return seat;
    const bot = String(player.player ?? "").startsWith("bot-");
    const name = nameOf(seat.seat) ?? `Seat ${seat.seat}`;
    return { ...seat, name, you: seat.seat === mine, bot };
  });
  const banker = (/** @type {number} */ seat) =>
    seat === mine ? "You" : (nameOf(seat) ?? `Seat ${seat}`);
  const game = record.result.dealer.cards.length === 3 ? "utcp" : "uth";
  const bonus = telling.seats.flatMap((seat) => seat.wagers).find(({ bet }) => bet === "bonus");
  return {
    game,
    bonusName: bonus?.name ?? (game === "uth" ? "Trips" : "Pair Plus"),
    dealer: [],
    dealerBest: [],
    board: [],
    seats,
    call: "",
    inscription: telling.inscription,
    bank: record.banker ? bankLine(record.banker, banker) : "",
    dealFrom: dealFrom(seats),
    deckColour: record.deck_colour ?? "red",
    sizes: SIZES[game],
    posted: record.banker?.wager ?? 0,
    hasDiscards: false,
    paid: {},
  };
}

/**
 * Applies a step to the scene.
 * @param {Scene} scene
 * @param {TellingStep} step
 * @param {any} record
 * @param {Telling} telling
 * @param {boolean} isOpen
 * @returns {Scene}
 */
function after(scene, step, record, telling, isOpen) {
  const { result } = record;
  const ofSeat = (/** @type {number} */ seat) =>
    result.seats.find((/** @type {any} */ it) => it.seat === seat);
  const at = (/** @type {(seat: SceneSeat) => Partial<SceneSeat>} */ change) => ({
    ...scene,
    seats: scene.seats.map((seat) =>
      step.seat == null || step.seat === seat.seat ? { ...seat, ...change(seat) } : seat,
    ),
  });
  switch (step.kind) {
    case "banked":
      return at(() => ({ banks: true, word: "banks" }));
    case "wagered":
      return at((seat) => {
        const made = atFirst(ofSeat(seat.seat), step.bet);
        return { stakes: { ...seat.stakes, ...made } };
      });
    case "withdrawn":
      return at(() => ({ stakes: noStakes() }));
    case "dealt":
      return {
        ...at((seat) => {
          const cards = ofSeat(seat.seat)?.cards ?? [];
          return { cards: isOpen || seat.you ? cards : cards.map(() => null) };
        }),
        dealer: result.dealer.cards.map(() => null),
      };
    case "turned":
      return { ...scene, board: turned(scene.board, step.cards ?? []) };
    case "decided":
      return at((seat) => decided(seat, step, ofSeat(seat.seat)));
    case "dealer-shown":
      return { ...scene, dealer: result.dealer.cards, dealerBest: result.dealer.best };
    case "judged": {
      const hand = (/** @type {number} */ seat) =>
        telling.seats.find((told) => told.seat === seat)?.hand ?? "";
      return outlinedOnce(at((seat) => judged(step, ofSeat(seat.seat), hand(seat.seat))));
    }
    case "settled":
      return at((seat) => paid(seat, ofSeat(seat.seat), step.bet));
    default:
      return scene;
  }
}

/**
 * A seat's wagers before the cards.
 * @param {any} result of the seat
 * @param {string | null | undefined} bet the only one, if the step is about one bet
 * @returns {Partial<Record<Bet, number>>}
 */
function atFirst(result, bet) {
  const made = BETS.filter((it) => (bet ? it === bet : it !== "play") && result?.wagers[it]);
  return Object.fromEntries(made.map((it) => [it, result.wagers[it].staked]));
}

/**
 * @param {(string | null)[]} board
 * @param {string[]} cards
 * @returns {(string | null)[]}
 */
function turned(board, cards) {
  const up = [...board.filter((card) => card !== null), ...cards];
  return [...up, ...board.slice(up.length)];
}

/**
 * @param {SceneSeat} seat
 * @param {TellingStep} step
 * @param {any} result
 * @returns {Partial<SceneSeat>}
 */
function decided(seat, step, result) {
  const decision = step.decision ?? "";
  const isBet = decision.startsWith("bet");
  return {
    word: didWord(decision),
    stakes: isBet ? { ...seat.stakes, play: result?.wagers.play?.staked ?? 0 } : seat.stakes,
  };
}

/**
 * @param {TellingStep} step
 * @param {any} result
 * @param {string} hand
 * @returns {Partial<SceneSeat>}
 */
function judged(step, result, hand) {
  if (!result) return {};
  const outcome = step.outcome ?? result.outcome;
  const { cards } = result;
  return { cards, word: OUTCOMES[outcome] ?? outcome, best: outlined(result), hand };
}

/**
 * @param {SceneSeat} seat
 * @param {any} result
 * @param {string | null} [bet] the bet that this step settles, if it settles only one
 * @returns {Partial<SceneSeat>}
 */
function paid(seat, result, bet) {
  if (!result) return {};
  const all = wagers(result.wagers);
  const done = bet
    ? { ...seat.settled, [bet]: all.settled[/** @type {Bet} */ (bet)] }
    : all.settled;
  const isOver = Object.keys(result.wagers).every((it) => done[/** @type {Bet} */ (it)]);
  return { stakes: all.stakes, settled: done, ...(isOver ? ended(result, seat.you) : {}) };
}

/**
 * @param {Scene} scene
 * @param {any} record
 * @returns {Scene}
 */
function settled(scene, record) {
  const { result } = record;
  const outcome = record.void ? "void" : "";
  const seats = scene.seats.map((seat) => {
    if (seat.seat === record.banker?.seat) {
      return { ...seat, banks: true, ...ended({ outcome, net: result.bank.net }) };
    }
    const own = result.seats.find((/** @type {any} */ it) => it.seat === seat.seat);
    if (!own) return seat;
    return { ...seat, cards: own.cards, best: outlined(own), ...paid(seat, own) };
  });
  return outlinedOnce({ ...scene, board: result.community, seats });
}
