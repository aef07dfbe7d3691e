// A second reading of the rules, to check the page with: slow, and written from the rulebook alone.
// It knows nothing of the server's code. Amounts are in cents.

const RANKS = [
  "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
  "ace",
];
const ACE = 14;
const QUEEN = 12;

/** Reads a card as the page names it: "queen of spades" is rank 12 and suit "spades". */
export function readCard(name) {
  const [, rank, suit] = /^(\w+) of (\w+)/.exec(name) ?? [];
  const place = RANKS.indexOf(rank);
  if (place < 0) throw new Error(`"${name}" is not a card`);
  return { rank: place + 2, suit };
}

/** All ways to choose some of the things. */
function choose(things, count) {
  if (count === 0) return [[]];
  return things.flatMap((thing, place) =>
    choose(things.slice(place + 1), count - 1).map((rest) => [thing, ...rest]));
}

/** Compares two lists of numbers, the first difference first. */
export function compare(a, b) {
  const place = a.findIndex((number, index) => number !== b[index]);
  return place < 0 ? 0 : a[place] - b[place];
}

/**
 * The shape of a hand: its ranks, those that occur most often first, and whether it is a straight
 * or a flush.
 */
function shape(cards) {
  const ranks = cards.map(({ rank }) => rank).sort((a, b) => b - a);
  const times = (rank) => ranks.filter((it) => it === rank).length;
  const grouped = [...ranks].sort((a, b) => times(b) - times(a) || b - a);
  const counts = [...new Set(grouped)].map(times);
  const isFlush = cards.every(({ suit }) => suit === cards[0].suit);
  const isRun = ranks.every((rank, place) => rank === ranks[0] - place);
  // The ace is low in the lowest straight only: 5-4-3-2-A, and 3-2-A with three cards.
  const low = ranks.map((rank) => (rank === ACE ? 1 : rank)).sort((a, b) => b - a);
  const isLow = ranks[0] === ACE && low[0] === cards.length &&
    low.every((rank, place) => rank === low[0] - place);
  return { grouped, counts, isFlush, isStraight: isRun || isLow, top: isLow ? low[0] : ranks[0] };
}

const FIVE = [
  "high-card", "pair", "two-pair", "three-of-a-kind", "straight", "flush", "full-house",
  "four-of-a-kind", "straight-flush", "royal-flush",
];
const THREE = [
  "high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush", "mini-royal",
];

/** The category of a hand, by name. */
function category({ counts, isFlush, isStraight, top }, size) {
  if (isFlush && isStraight) {
    if (top !== ACE) return "straight-flush";
    return size === 5 ? "royal-flush" : "mini-royal";
  }
  if (counts[0] === 4) return "four-of-a-kind";
  if (counts[0] === 3) return counts[1] === 2 ? "full-house" : "three-of-a-kind";
  if (isFlush) return "flush";
  if (isStraight) return "straight";
  if (counts[0] === 2) return counts[1] === 2 ? "two-pair" : "pair";
  return "high-card";
}

/** The strength of exactly five or three cards: the category, then the ranks that break ties. */
function strength(cards) {
  const found = shape(cards);
  const name = category(found, cards.length);
  const order = (cards.length === 5 ? FIVE : THREE).indexOf(name);
  const ranks = found.isStraight && found.counts[0] === 1 ? [found.top] : found.grouped;
  return { name, order: [order, ...ranks] };
}

/** The best hand of these cards: all of three, or any five of seven. */
export function bestHand(cards) {
  const hands = choose(cards, cards.length === 3 ? 3 : 5).map(strength);
  return hands.reduce((best, hand) => (compare(hand.order, best.order) > 0 ? hand : best));
}

/** What each bet pays for a hand, to 1. */
const PAYS = {
  uth: {
    blind: {
      "royal-flush": 500, "straight-flush": 50, "four-of-a-kind": 10, "full-house": 3, flush: 1.5,
      straight: 1,
    },
    bonus: {
      "royal-flush": 50, "straight-flush": 40, "four-of-a-kind": 30, "full-house": 9, flush: 7,
      straight: 4, "three-of-a-kind": 3,
    },
  },
  utcp: {
    blind: {
      "mini-royal": 100, "straight-flush": 20, "three-of-a-kind": 10, straight: 2, flush: 1,
    },
    bonus: {
      "mini-royal": 50, "straight-flush": 40, "three-of-a-kind": 30, straight: 6, flush: 4, pair: 1,
    },
  },
};

/** Whether the dealer plays: with a pair or better, and with three cards from queen high. */
function qualifies(game, { name, order }) {
  if (name !== "high-card") return true;
  return game === "utcp" && order[1] >= QUEEN;
}

/**
 * Settles a hand against the dealer's.
 * @returns {{stakes: Record<string, number>, nets: Record<string, number>, net: number}} the stake
 *   and the net result of each bet that was made, and of all
 */
export function settle({ game, cards, board, dealer, ante, bonus, play, isFolded }) {
  const own = bestHand([...cards, ...board].map(readCard));
  const theirs = bestHand([...dealer, ...board].map(readCard));
  const pays = PAYS[game];
  const nets = {};
  const stakes = { Ante: ante, Blind: ante };
  if (isFolded) {
    Object.assign(nets, { Ante: -ante, Blind: -ante });
  } else {
    const order = Math.sign(compare(own.order, theirs.order));
    const ofBlind = (pays.blind[own.name] ?? 0) * ante;
    nets.Ante = qualifies(game, theirs) ? order * ante : 0;
    nets.Blind = order > 0 ? ofBlind : order * ante;
    nets.Play = order * play;
    stakes.Play = play;
  }
  if (bonus > 0) {
    const name = game === "uth" ? "Trips" : "Pair Plus";
    stakes[name] = bonus;
    nets[name] = pays.bonus[own.name] ? pays.bonus[own.name] * bonus : -bonus;
  }
  // No result is −0.
  for (const bet of Object.keys(nets)) nets[bet] += 0;
  const net = Object.values(nets).reduce((sum, it) => sum + it, 0);
  return { stakes, nets, net };
}
