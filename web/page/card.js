// A playing card. Its suit is a shape as well as a colour.

import { html } from "./html.js";
import { cardName } from "./words.js";

const SHAPES = /** @type {Record<string, string>} */ ({
  s: "M16 2C13 8 4 12.5 4 19.5a6.2 6.2 0 0 0 10.4 4.6C14.2 26.6 13.3 28.7 11 30h10c-2.3-1.3-3.2-3.4-3.4-5.9A6.2 6.2 0 0 0 28 19.5C28 12.5 19 8 16 2Z",
  h: "M16 29C9 22.5 3 17.5 3 11a6.6 6.6 0 0 1 13-1.9A6.6 6.6 0 0 1 29 11c0 6.5-6 11.5-13 18Z",
  d: "M16 2 26.5 16 16 30 5.5 16Z",
  c: "M16 2a6.3 6.3 0 0 0-5.3 9.7A6.4 6.4 0 1 0 14.5 22c-.2 3.5-1.1 6.3-3.5 8h10c-2.4-1.7-3.3-4.5-3.5-8a6.4 6.4 0 1 0 3.8-10.3A6.3 6.3 0 0 0 16 2Z",
});

/** @param {{suit: string, class?: string}} props */
export function Suit({ suit, class: name }) {
  return html`<svg class="suit ${name ?? ""}" viewBox="0 0 32 32" aria-hidden="true"><path d=${SHAPES[suit]} /></svg>`;
}

/**
 * A card; without one, its back.
 * @param {{card: string | null, best?: boolean, dim?: boolean, order?: number}} props order is when it is dealt, among others
 */
export function Card({ card, best, dim, order = 0 }) {
  // The delay of a deal is a matter of style, and eight steps are enough for it.
  const step = `step-${Math.min(order, 7)}`;
  if (!card) return html`<span class="card back ${step}" role="img" aria-label="card, face down"></span>`;
  const name = `${cardName(card)}${best ? ", counts" : ""}`;
  return html`<span class="card face suit-${card[1]} ${step} ${best ? "best" : ""} ${dim ? "dim" : ""}" role="img" aria-label=${name}>
    <span class="rank" aria-hidden="true">${card[0] === "T" ? "10" : card[0]}</span>
    <${Suit} suit=${card[1]} class="corner" />
    <${Suit} suit=${card[1]} class="middle" />
  </span>`;
}

/**
 * Cards side by side. Where a text is empty, there is a place for a card.
 * @param {{cards: (string | null)[], best?: string[], label: string, first?: number}} props
 */
export function Cards({ cards, best = [], label, first = 0 }) {
  const shown = best.length > 0;
  return html`<div class="cards" role="group" aria-label=${label}>
    ${cards.map((card, place) => {
      if (card === "") return html`<span key=${`${place}`} class="card place"></span>`;
      const counts = Boolean(card && best.includes(card));
      // A card that is turned is another element, so that it turns.
      return html`<${Card} key=${`${place}${card}`} card=${card} best=${counts} dim=${shown && !counts} order=${first + place} />`;
    })}
  </div>`;
}
