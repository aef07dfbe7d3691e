// The end of a round as an event: from the last decision to the settled felt, scene by scene.
//
// No word comes before its cards: the dealer's call and the names of hands follow the last card,
// and the result of a seat follows its chips.

/** @typedef {import("./scene.js").Bet} Bet */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").SceneSeat} SceneSeat */
/**
 * @typedef {{at: number, scene: Scene}} Moment `at` is in milliseconds, at the calm pace
 * @typedef {{seat: number, bet: Bet}} Payment a wager that the house settles
 */

/** How long each part takes, in milliseconds. */
const LENGTHS = {
  bets: 120,
  flop: 380,
  card: 240,
  dealer: 280,
  hands: 200,
  judged: 280,
  seat: 120,
  wager: 60,
  last: 340,
};

/** The most that all payments take before the last one. A full table is paid a little faster. */
const PAYMENTS = 600;

/**
 * The scenes from the last decision to the settled felt.
 * @param {Scene} before the live felt
 * @param {Scene} after the settled felt
 * @param {Payment[]} payments in the order in which the house settles
 * @returns {{moments: Moment[], length: number}}
 */
export function reveal(before, after, payments) {
  const end = asDealt(after, before);
  const moments = /** @type {Moment[]} */ ([]);
  let [at, scene] = [0, before];
  /** @type {(next: Scene, length: number) => void} */
  const show = (next, length) => {
    moments.push({ at, scene: next });
    [at, scene] = [at + length, next];
  };

  show(decided(before, end), isRaised(before, end) ? LENGTHS.bets : 0);
  for (const cards of streets(before.board, end.board)) {
    const isFlop = cards.length - scene.board.length > 1;
    show({ ...scene, board: cards }, isFlop ? LENGTHS.flop : LENGTHS.card);
  }
  if (isHidden(scene.dealer, end.dealer)) show({ ...scene, dealer: end.dealer }, LENGTHS.dealer);
  const turned = scene.seats.map((seat) => ({ ...seat, cards: endOf(seat, end).cards }));
  const isTurned = scene.seats.some((seat, place) => isHidden(seat.cards, turned[place].cards));
  show({ ...scene, seats: turned }, isTurned ? LENGTHS.hands : 0);
  show(judged(scene, end), LENGTHS.judged);

  const seats = [...new Set(payments.map(({ seat }) => seat))];
  const rate = Math.min(1, PAYMENTS / span(seats, payments, end));
  for (const number of seats) {
    const own = payments.filter(({ seat }) => seat === number);
    // The wagers of another seat are settled at once, and the viewer's own one by one.
    const isOwn = end.seats.some(({ seat, you }) => you && seat === number);
    const parts = isOwn ? own.map((payment) => [payment]) : [own];
    for (const [place, part] of parts.entries()) {
      const isLast = place === parts.length - 1;
      const length = isLast ? LENGTHS.seat : LENGTHS.wager;
      show(paid(scene, end, number, part, isLast), length * rate);
    }
  }
  show(end, LENGTHS.last);
  return { moments: moments.filter(isLasting), length: at };
}

/**
 * The settled felt with every hand in the order in which it lay there, so that no card moves.
 * @param {Scene} after
 * @param {Scene} before
 * @returns {Scene}
 */
export function asDealt(after, before) {
  const kept = (/** @type {(string | null)[]} */ cards, /** @type {(string | null)[]} */ were) =>
    were.length === cards.length && were.every((card) => card && cards.includes(card))
      ? were
      : cards;
  const seats = after.seats.map((seat) => {
    const was = before.seats.find((it) => it.seat === seat.seat);
    return was ? { ...seat, cards: kept(seat.cards, was.cards) } : seat;
  });
  return { ...after, seats };
}

/**
 * A moment that another one follows at the same time is not shown.
 * @param {Moment} moment
 * @param {number} place
 * @param {Moment[]} all
 */
const isLasting = ({ at }, place, all) => place === all.length - 1 || all[place + 1].at > at;

/**
 * @param {SceneSeat} seat
 * @param {Scene} end
 * @returns {SceneSeat} the same seat at the end
 */
const endOf = (seat, end) => end.seats.find((it) => it.seat === seat.seat) ?? seat;

/**
 * The felt after the last decisions: all bets are down, and nothing is known yet.
 * @param {Scene} before
 * @param {Scene} end
 * @returns {Scene}
 */
function decided(before, end) {
  const seats = before.seats.map((seat) => {
    const { stakes, folded, name } = endOf(seat, end);
    const word = folded && !seat.you ? "folded" : seat.word;
    return {
      ...seat,
      name: seat.name || name,
      stakes: name ? stakes : seat.stakes,
      folded,
      word: word === "thinking" ? "" : word,
      // More cards make it another hand.
      hand: end.board.length > before.board.length ? "" : seat.hand,
      acts: false,
      pending: false,
    };
  });
  return { ...before, seats, call: "" };
}

/**
 * @param {Scene} before
 * @param {Scene} end
 * @returns {boolean} whether chips were put down with the last decisions
 */
const isRaised = (before, end) =>
  before.seats.some((seat) => endOf(seat, end).stakes.play > seat.stakes.play);

/**
 * The boards from now to the end: the flop, and the other two cards one by one.
 * @param {(string | null)[]} now
 * @param {(string | null)[]} end
 * @returns {(string | null)[][]}
 */
const streets = (now, end) =>
  [3, 4, 5].filter((count) => count > now.length && count <= end.length).map((count) =>
    end.slice(0, count));

/**
 * @param {(string | null)[]} now
 * @param {(string | null)[]} end
 * @returns {boolean} whether cards are turned
 */
const isHidden = (now, end) => end.some((card, place) => card && !now[place]);

/**
 * The felt when all cards are known: the call, the names of the hands, and the cards that count.
 * @param {Scene} scene
 * @param {Scene} end
 * @returns {Scene}
 */
function judged(scene, end) {
  const seats = scene.seats.map((seat) => {
    const { best, hand } = endOf(seat, end);
    return { ...seat, best, hand };
  });
  return { ...scene, seats, dealerBest: end.dealerBest, call: end.call };
}

/**
 * The felt with some wagers of a seat settled, and its result after the last one.
 * @param {Scene} scene
 * @param {Scene} end
 * @param {number} number of the seat
 * @param {Payment[]} part
 * @param {boolean} isLast
 * @returns {Scene}
 */
function paid(scene, end, number, part, isLast) {
  const rows = { ...scene.paid };
  const seats = scene.seats.map((seat) => {
    if (seat.seat !== number) return seat;
    const last = endOf(seat, end);
    const settled = { ...seat.settled };
    for (const { bet } of part) {
      if (last.settled[bet]) settled[bet] = last.settled[bet];
      if (last.you && end.paid[bet]) rows[bet] = end.paid[bet];
    }
    return isLast ? last : { ...seat, settled };
  });
  return { ...scene, seats, paid: rows };
}

/**
 * @param {number[]} seats
 * @param {Payment[]} payments
 * @param {Scene} end
 * @returns {number} how long all payments take, if nothing presses
 */
function span(seats, payments, end) {
  const you = end.seats.find((seat) => seat.you)?.seat;
  const own = payments.filter(({ seat }) => seat === you).length;
  return LENGTHS.seat * seats.length + LENGTHS.wager * Math.max(0, own - 1);
}
