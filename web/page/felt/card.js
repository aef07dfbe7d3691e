// A playing card. Its suit has a shape as well as a color.

import { html } from "../shared/html.js";
import { cardName } from "../shared/names.js";

const SHAPES = /** @type {Record<string, string>} */ ({
  s:
    "M16 2C13 8 4 12.5 4 19.5a6.2 6.2 0 0 0 10.4 4.6C14.2 26.6 13.3 28.7 11 30h10" +
    "c-2.3-1.3-3.2-3.4-3.4-5.9A6.2 6.2 0 0 0 28 19.5C28 12.5 19 8 16 2Z",
  h: "M16 29C9 22.5 3 17.5 3 11a6.6 6.6 0 0 1 13-1.9A6.6 6.6 0 0 1 29 11c0 6.5-6 11.5-13 18Z",
  d: "M16 2 26.5 16 16 30 5.5 16Z",
  c:
    "M16 2a6.3 6.3 0 0 0-5.3 9.7A6.4 6.4 0 1 0 14.5 22c-.2 3.5-1.1 6.3-3.5 8h10" +
    "c-2.4-1.7-3.3-4.5-3.5-8a6.4 6.4 0 1 0 3.8-10.3A6.3 6.3 0 0 0 16 2Z",
});

/** @param {{suit: string, class?: string}} props */
export function Suit({ suit, class: name }) {
  return html`<svg class="suit ${name ?? ""}" viewBox="0 0 32 32" aria-hidden="true">
    <path d=${SHAPES[suit]} />
  </svg>`;
}

/**
 * A card, or its back if `card` is null. `order` is its place in the deal.
 * @param {{card: string | null, best?: boolean, dim?: boolean, order?: number}} props
 */
export function Card({ card, best, dim, order = 0 }) {
  // The style sheet delays each card of a deal, and eight steps are enough.
  const step = `step-${Math.min(order, 7)}`;
  if (!card) {
    return html`<span class="card back ${step}" role="img" aria-label="card, face down"></span>`;
  }
  const name = `${cardName(card)}${best ? ", counts" : ""}`;
  const classes = `card face suit-${card[1]} ${step} ${best ? "best" : ""} ${dim ? "dim" : ""}`;
  return html`<span class=${classes} role="img" aria-label=${name}>
    <span class="rank" aria-hidden="true">${card[0] === "T" ? "10" : card[0]}</span>
    <${Suit} suit=${card[1]} class="corner" />
    <${Suit} suit=${card[1]} class="middle" />
  </span>`;
}

/**
 * Cards side by side. An empty string is an empty place for a card.
 * @param {{cards: (string | null)[], best?: string[], label: string, first?: number}} props
 */
export function Cards({ cards, best = [], label, first = 0 }) {
  const shown = best.length > 0;
  return html`<div class="cards" role="group" aria-label=${label}>
    ${cards.map((card, place) => {
      if (card === "") return html`<span key=${`${place}`} class="card place"></span>`;
      const counts = Boolean(card && best.includes(card));
      // A turned card gets a new element, so that the turn is animated.
      return html`<${Card} key=${`${place}${card}`} card=${card} best=${counts}
        dim=${shown && !counts} order=${first + place} />`;
    })}
  </div>`;
}
