// The guided hands: a round of each game, and what to say at each of its steps. The rounds are
// records like any other: the server deals, judges and settles them.

/**
 * @typedef {object} LessonStep
 * @property {string | null} at the kind of the last step of the round that has happened; null
 *   before the first
 * @property {number} [seat] the seat of that step, if it is about one
 * @property {number} [nth] which of several such steps, counted from 1
 * @property {string[]} lit selectors of what the step speaks of
 * @property {string} title
 * @property {string} text
 * @property {string[]} [words] of the glossary
 * @property {boolean} [isChoice] whether the step asks for the decision
 *
 * @typedef {object} Lesson
 * @property {string} title
 * @property {any} record
 * @property {Record<number, string>} names by seat; the viewer has none
 * @property {number} mine
 * @property {string[]} hand
 * @property {LessonStep[]} steps
 */

const FRESH = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

/**
 * A whole deck that begins with these cards.
 * @param {string} first
 */
function deck(first) {
  const cards = first.split(" ");
  return [...cards, ...FRESH.filter((card) => !cards.includes(card))];
}

const OWN_CARDS = ".felt .own .cards";
const OWN_BETS = ".felt .own .circles *";
const OWN = [OWN_CARDS, OWN_BETS, ".felt .own-text"];
const BOARD = ".felt .board";
const DEALER = ".felt .dealer";
const RAIL = ".lesson-choices .choices";
const PAYS = ".felt-pays";

/** @type {Lesson} */
const HOLDEM = {
  title: "Ultimate Texas Hold'em",
  record: {
    format: "croupier-round/1",
    house: "uth-standard",
    bonus_paytable: "UTH-01",
    deck: deck("7h 3c Kc 9d 6s 4h Ad Td 8c 5d 9h 4s Jd 2d 5s"),
    seats: [
      { seat: 3, player: "bot-carl", ante: 500, actions: ["check", "check", "fold"] },
      { seat: 4, player: "you", ante: 1000, bonus: 500, actions: ["bet 4"] },
      { seat: 5, player: "bot-ada", ante: 500, actions: ["check", "bet 2"] },
      { seat: 6, player: "bot-blaise", ante: 500, actions: ["bet 4"] },
    ],
  },
  names: { 3: "Carl", 5: "Ada", 6: "Blaise" },
  mine: 4,
  hand: ["Kc", "9d"],
  steps: [
    {
      at: null,
      lit: OWN,
      title: "This is your place",
      text:
        "You play against the dealer, and so does everyone else. The other players' cards and " +
        "bets never count against yours.",
      words: ["Board"],
    },
    {
      at: "wagered",
      seat: 4,
      lit: [OWN_BETS],
      title: "Two equal bets, and one if you like",
      text:
        "The Ante and the Blind are always the same: here $10 each. Trips, on top, is a side " +
        "bet on your own hand. You can leave it out.",
      words: ["Ante", "Blind", "Trips"],
    },
    {
      at: "dealt",
      lit: [OWN_CARDS],
      title: "Two cards, for your eyes only",
      text: "Five more will come to the board, for everyone. Your best five of seven cards count.",
      words: ["Board"],
    },
    {
      at: "dealt",
      lit: [...OWN, RAIL],
      title: "You hold a king. Bet, or look first?",
      text:
        "Bet 4× now, and you win most when you're ahead. Check, and you see three cards first, " +
        "but may then bet only 2×. A king with a five or better bets 4×.",
      words: ["Play", "Check"],
      isChoice: true,
    },
    {
      at: "decided",
      seat: 5,
      nth: 2,
      lit: [BOARD, '[data-seat="5"]'],
      title: "The flop",
      text:
        "You've bet, so you have nothing left to decide. A player who checked may now bet 2×, " +
        "and Ada does. You get one Play bet per round, and the earlier it is, the bigger it may " +
        "be.",
      words: ["Flop", "Play"],
    },
    {
      at: "decided",
      seat: 3,
      nth: 3,
      lit: [BOARD, '[data-seat="3"]'],
      title: "The turn and the river",
      text:
        "They come together. A player who checked twice must now bet 1× or fold. Carl has " +
        "nothing and folds: the Ante and the Blind are lost.",
      words: ["Turn and river", "Fold"],
    },
    {
      at: "dealer-shown",
      lit: [DEALER, BOARD],
      title: "The dealer turns over",
      text:
        "A pair of fives. The dealer needs a pair or better to qualify. Without one, your Ante " +
        "would come back, and your Play bet would still count.",
      words: ["Qualify"],
    },
    {
      at: "settled",
      seat: 4,
      nth: 4,
      lit: OWN,
      title: "Your pair of nines wins",
      text:
        "Play wins $40 and the Ante wins $10, even money. The Blind pushes: it is paid from " +
        "a straight up. Trips loses: it needs three of a kind.",
      words: ["Push", "Blind", "Trips"],
    },
    {
      at: "settled",
      seat: 4,
      nth: 4,
      lit: [PAYS],
      title: "What pays more",
      text:
        "Win with a straight or better, and the Blind pays by its table. Trips pays by its own " +
        "table, even when you lose. That's the whole game.",
      words: ["Pay table", "3 to 2"],
    },
  ],
};

/** @type {Lesson} */
const THREE_CARD = {
  title: "Ultimate Three Card Poker",
  record: {
    format: "croupier-round/1",
    house: "utcp-standard",
    bonus_paytable: "UTCP-01",
    deck: deck("9h 6c 2d 8h 8c Qd Kh 7c 3d Ks 9s 4c"),
    seats: [
      { seat: 3, player: "bot-carl", ante: 500, actions: ["fold"] },
      { seat: 4, player: "you", ante: 1000, bonus: 500, actions: ["bet 3"] },
      { seat: 5, player: "bot-ada", ante: 500, actions: ["bet 1"] },
    ],
  },
  names: { 3: "Carl", 5: "Ada" },
  mine: 4,
  hand: ["8h", "8c", "Qd"],
  steps: [
    {
      at: null,
      lit: OWN,
      title: "This is your place",
      text:
        "You play against the dealer, and so does everyone else. The other players' cards and " +
        "bets never count against yours.",
    },
    {
      at: "wagered",
      seat: 4,
      lit: [OWN_BETS],
      title: "Two equal bets, and one if you like",
      text:
        "The Ante and the Blind are always the same: here $10 each. Pair Plus, on top, is a " +
        "side bet on your own hand. You can leave it out.",
      words: ["Ante", "Blind", "Pair Plus"],
    },
    {
      at: "dealt",
      lit: [OWN_CARDS],
      title: "Three cards, and no board",
      text:
        "Three cards for you and three for the dealer. With three cards a straight beats a " +
        "flush, because it is rarer.",
      words: ["Mini royal"],
    },
    {
      at: "dealt",
      lit: [...OWN, RAIL],
      title: "You have a pair. How much?",
      text:
        "Without a pair you bet 1× or fold. With a pair or better you may bet up to 3×. A pair " +
        "is ahead of most hands, so it bets 3×.",
      words: ["Play"],
      isChoice: true,
    },
    {
      at: "decided",
      seat: 5,
      lit: ['[data-seat="3"]', '[data-seat="5"]'],
      title: "The others decide, too",
      text:
        "Ada has a hand worth 1×. Carl has nine high and folds: the Ante and the Blind are " +
        "lost. The rule is short: bet with jack, seven, four or better.",
      words: ["Fold"],
    },
    {
      at: "dealer-shown",
      lit: [DEALER],
      title: "The dealer turns over",
      text:
        "King high. The dealer needs queen high or better to qualify. Without it, your Ante " +
        "would come back, and your Play bet would still count.",
      words: ["Qualify"],
    },
    {
      at: "settled",
      seat: 4,
      nth: 4,
      lit: OWN,
      title: "Your pair of eights wins",
      text:
        "Play wins $30 and the Ante wins $10, even money. The Blind pushes: it is paid from " +
        "a flush up. Pair Plus wins $5 for the pair.",
      words: ["Push", "Blind", "Pair Plus"],
    },
    {
      at: "settled",
      seat: 4,
      nth: 4,
      lit: [PAYS],
      title: "What pays more",
      text:
        "Win with a flush or better, and the Blind pays by its table. Pair Plus pays by its own " +
        "table, even when you lose. That's the whole game.",
      words: ["Pay table"],
    },
  ],
};

/** @type {Record<string, Lesson>} */
export const LESSONS = { uth: HOLDEM, utcp: THREE_CARD };
