// A playing card. Its suit has a shape as well as a color.

import { html, useLayoutEffect, useRef } from "../shared/html.js";
import { cardName } from "../shared/names.js";
import { Face } from "./card_art.js";
import { comeFromShoe } from "./motion.js";

/**
 * A card, or its back if `card` is null.
 * @param {object} props
 * @param {string | null} props.card
 * @param {boolean} [props.best]
 * @param {boolean} [props.also] whether it counts in the hand that lost
 * @param {boolean} [props.dim]
 * @param {boolean} [props.turned] whether it lay there face down, and did not come from the shoe
 * @param {number} [props.order] its place in the deal
 */
export function Card({ card, best, also, dim, turned, order = 0 }) {
  const root = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    if (!turned) comeFromShoe(root.current, order);
  }, []);
  if (!card) {
    return html`<span class="card back" ref=${root} role="img"
      aria-label="card, face down"></span>`;
  }
  const name = `${cardName(card)}${best || also ? ", counts" : ""}`;
  // The style sheet delays each card that is turned, and four steps are enough.
  const turns = turned ? `turned step-${Math.min(order, 3)}` : "";
  const classes = `card face suit-${card[1]} ${turns} ${best ? "best" : also ? "also" : ""} ${
    dim ? "dim" : ""}`;
  return html`<span class=${classes} ref=${root} role="img" aria-label=${name}>
    <span class="rank" aria-hidden="true">${card[0] === "T" ? "10" : card[0]}</span>
    <${Face} card=${card} />
  </span>`;
}

/**
 * How each card came to its place. A card keeps that, so that its movement is not cut short.
 * @param {(string | null)[]} cards
 * @param {number} first the place of the first one in the deal
 * @returns {Map<string, {order: number, turned: boolean}>} by the keys of the cards
 */
function useComing(cards, first) {
  const known = useRef(/** @type {ReturnType<typeof useComing>} */ (new Map()));
  const before = useRef(/** @type {(string | null)[]} */ ([]));
  const coming = new Map();
  let [dealt, turns] = [first, 0];
  cards.forEach((card, place) => {
    if (card === "") return;
    const turned = card !== null && before.current[place] === null;
    const key = `${place}${card}`;
    const order = () => (turned ? turns++ : dealt++);
    coming.set(key, known.current.get(key) ?? { order: order(), turned });
  });
  before.current = cards;
  known.current = coming;
  return coming;
}

/**
 * Cards side by side. An empty string is an empty place for a card.
 * @param {object} props
 * @param {(string | null)[]} props.cards
 * @param {string[]} [props.best] the cards that count
 * @param {string[]} [props.also] the cards that count in the hand that lost
 * @param {string} props.label
 * @param {number} [props.first]
 */
export function Cards({ cards, best = [], also = [], label, first = 0 }) {
  const shown = best.length + also.length > 0;
  const coming = useComing(cards, first);
  return html`<div class="cards of-${cards.length}" role="group" aria-label=${label}>
    ${cards.map((card, place) => {
      if (card === "") return html`<span key=${`${place}`} class="card place"></span>`;
      const counts = Boolean(card && best.includes(card));
      const isAlso = Boolean(card && also.includes(card));
      // A turned card gets a new element, so that the turn is animated.
      const key = `${place}${card}`;
      return html`<${Card} key=${key} card=${card} best=${counts} also=${isAlso}
        dim=${shown && !counts && !isAlso}
        ...${coming.get(key)} />`;
    })}
  </div>`;
}
