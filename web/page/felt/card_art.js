// The drawings on the faces of cards. A card is 100 wide and 140 high, a suit 32 by 32.

import { html } from "../shared/html.js";

/** @type {(x: number, y: number, r: number) => string} */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;

const SUITS = /** @type {Record<string, string>} */ ({
  s:
    "M16 1.2C13.4 7 3 11.8 3 19.7c0 4 3 6.8 6.5 6.8 2.2 0 4.1-1 5.2-2.6-.1 2.9-1.2 5.3-3.9 6.9" +
    "h10.4c-2.7-1.6-3.8-4-3.9-6.9 1.1 1.6 3 2.6 5.2 2.6 3.5 0 6.5-2.8 6.5-6.8 0-7.9-10.4-12.7" +
    "-13-18.5Z",
  h:
    "M16 30.2C12.6 25 2.4 18.9 2.4 10.6 2.4 6 5.7 2.8 9.6 2.8c2.8 0 5.2 1.7 6.4 4.5 1.2-2.8 3.6" +
    "-4.5 6.4-4.5 3.9 0 7.2 3.2 7.2 7.8 0 8.3-10.2 14.4-13.6 19.6Z",
  d:
    "M16 .8c2.6 5.4 6.4 10.7 11 15.2-4.6 4.5-8.4 9.8-11 15.2-2.6-5.4-6.4-10.7-11-15.2" +
    "C9.6 11.5 13.4 6.2 16 .8Z",
  c:
    disc(16, 8.4, 6.7) + disc(8.9, 18.9, 6.7) + disc(23.1, 18.9, 6.7) +
    "M13 12h6l1.5 7-3.1 2.6c.2 4.2 1.4 7.2 4 9.2H10.6c2.6-2 3.8-5 4-9.2L11.5 19Z",
});

/** @param {{suit: string, class?: string}} props */
export function Suit({ suit, class: name }) {
  return html`<svg class="suit ${name ?? ""}" viewBox="0 0 32 32" aria-hidden="true">
    <path d=${SUITS[suit]} />
  </svg>`;
}

/** What a court card wears, as parts from the back to the front. */
const EMBLEMS = /** @type {Record<string, Record<string, string>>} */ ({
  // A crown.
  K: {
    ground: "M46 101 42.5 77 56 89 66 71 76 89 89.5 77 86 101Z",
    band: "M46 105.5h40a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H46a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2Z",
    gold:
      disc(42.5, 75, 3.6) + disc(89.5, 75, 3.6) +
      "M64 69v-5h-4.6v-3.6H64v-4.4h4v4.4h4.6V64H68v5Z",
    jewel: disc(56, 109.5, 1.8) + disc(66, 109.5, 1.8) + disc(76, 109.5, 1.8),
  },
  // A coronet.
  Q: {
    ground:
      "M46 102C45.5 94 43.5 88 40.5 82.5 46 86.5 51 88 54.5 85.5 58.5 83 62.5 79.5 66 73.5 69.5" +
      " 79.5 73.5 83 77.5 85.5 81 88 86 86.5 91.5 82.5 88.5 88 86.5 94 86 102 73 105.5 59 105.5" +
      " 46 102Z",
    band: "M45.5 105.5C59 109.2 73 109.2 86.5 105.5l-.8 7.6C73 116.6 59 116.6 46.3 113.1Z",
    gold:
      disc(66, 69.5, 4) + disc(40, 79.5, 3.2) + disc(92, 79.5, 3.2) +
      "M66 87.5l4.6 5.5-4.6 5.5-4.6-5.5Z",
    jewel: disc(54.5, 111.3, 1.8) + disc(66, 112.4, 1.8) + disc(77.5, 111.3, 1.8),
  },
  // A plumed cap.
  J: {
    ground: "M42.5 98C42.5 82 53 74.5 66 74.5S89.5 82 89.5 98Z",
    band:
      "M40.5 95.5C48 99.5 53 97.6 66 97.6s18 1.9 25.5-2.1l-3 15.7C81 107.8 74 106.6 66 106.6s-15" +
      " 1.2-22.5 4.6Z",
    plume: "M76.5 104C67.5 90 69.5 72 83 60.5l1.6 3.9 4.2-2C92.5 77 88 93 76.5 104Z",
    quill: "M77 101C76 88 78.5 76 84 68.5",
    clasp: disc(76.5, 103, 3.4),
  },
  // The pip of an ace has a ring.
  A: { ring: disc(66, 100, 27) },
});

/**
 * The suit under the index, and one large pip or an emblem below right.
 * @param {{card: string}} props
 */
export function Face({ card: [rank, suit] }) {
  const emblem = Object.entries(EMBLEMS[rank] ?? {});
  const size = rank === "A" ? "ace" : emblem.length > 0 ? "court" : "";
  return html`<svg class="art" viewBox="0 0 100 140" aria-hidden="true">
    <path class="corner" d=${SUITS[suit]} />
    ${emblem.map(([part, d]) => html`<path key=${part} class="emblem ${part}" d=${d} />`)}
    <path class="pip ${size}" d=${SUITS[suit]} />
  </svg>`;
}
