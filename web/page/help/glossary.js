// The words of the table, as the guided hand and the help page explain them.

import { html, useState } from "../shared/html.js";

/** Each word and its meaning, in the order of a round. */
export const WORDS = [
  ["Ante", "Your first bet. It buys your cards and sets the size of all the others."],
  ["Blind", "Always as much as the Ante. It pays extra when you win with a strong hand, and " +
    "pushes when you win with a weak one."],
  ["Play", "Your one later bet. In Hold'em it is 4× or 3× the Ante before the flop, 2× on the " +
    "flop, 1× at the end. In Three Card it is 1×, or up to 3× with a pair or better."],
  ["Trips", "A side bet in Hold'em on your own hand: three of a kind or better is paid, whether " +
    "you win or lose."],
  ["Pair Plus", "A side bet in Three Card on your own hand: a pair or better is paid, whether " +
    "you win or lose."],
  ["Check", "To see more cards without betting."],
  ["Fold", "To give up. You lose the Ante and the Blind."],
  ["Flop", "The first three cards of the board."],
  ["Turn and river", "The last two cards of the board. They come together."],
  ["Board", "The five cards in the middle. Every hand uses them."],
  ["Hidden pair", "A pair that uses at least one of your own two cards."],
  ["Outs", "The cards that would beat you, if the dealer had one of them."],
  ["Qualify", "The dealer needs a pair in Hold'em, or queen high in Three Card. If the dealer " +
    "doesn't have it, your Ante pushes and the Play bet still counts."],
  ["Push", "Neither won nor lost: the bet is returned."],
  ["Pay table", "The odds that each hand pays. They are printed on the felt."],
  ["3 to 2", "For every $2 bet you win $3, and keep the bet."],
  ["House edge", "The share of an Ante that the bank keeps on average, against perfect play."],
  ["Mini royal", "Ace, king and queen of one suit, the best hand of three cards."],
  ["Player/dealer", "In California, the player who banks the round. A house never does."],
  ["Post", "To put up the money that the bank can lose in a round."],
  ["Action", "The order in which the bank meets the other players' bets, until its money is used."],
  ["Covered", "A bet that the bank's money still reaches. The rest is returned to you."],
  ["Sit out", "To keep your seat and skip rounds."],
  ["Seed", "A random number that fixes the order of a deck."],
  ["Commitment", "A fingerprint of the seed, shown before you bet, so that the seed can't change."],
  ["Record", "Everything about a round in one file: cards, bets, decisions, results and seeds."],
];

/**
 * @param {{words?: string[]}} props the words that are lit
 */
export function Glossary({ words = [] }) {
  const [sought, setSought] = useState("");
  const text = sought.trim().toLowerCase();
  const found = WORDS.filter((entry) => entry.join(" ").toLowerCase().includes(text));
  return html`<div class="glossary">
    <input type="search" aria-label="Find a word" placeholder="Find a word" value=${sought}
      onInput=${(/** @type {any} */ event) => setSought(event.target.value)} />
    <dl>
      ${found.map(
        ([word, meaning]) => html`<div key=${word} class=${words.includes(word) ? "lit" : ""}>
          <dt>${word}</dt><dd>${meaning}</dd>
        </div>`,
      )}
    </dl>
    ${found.length === 0 && html`<p class="quiet">No word matches.</p>`}
  </div>`;
}
