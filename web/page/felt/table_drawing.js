// A table seen from above, as the floor and an invitation show it.

import { html } from "../shared/html.js";

/** The size of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [280, 184];

/** The ellipse that the seats lie on: its center and its half axes. */
const SEATS = { x: WIDTH / 2, y: 58, across: 106, down: 94 };

/** The longest line of print that fits between the upper seats. */
const LINE_MAX = 20;

const RACK = ["red", "red", "green", "green", "black", "violet", "black", "green", "red"];

/**
 * @typedef {object} DrawnSeat
 * @property {"player" | "bot" | "open" | "yours"} kind
 * @property {string} [name] printed over the seat, on a large drawing
 * @property {boolean} [banks]
 */

/** @typedef {import("../../types/api").TableState} TableState */

/**
 * The seats of a drawing. Without a state, all of them are open.
 * @param {number} count
 * @param {TableState | undefined} state
 * @param {boolean} [marksYours] whether the seat that "Play now" gives is marked
 * @returns {DrawnSeat[]}
 */
export function drawnSeats(count, state, marksYours = false) {
  const seats = Array.from({ length: count }, (_, place) => {
    const sitter = state?.seats.find(({ seat }) => seat === place + 1);
    const banks = state?.round?.banker?.seat === place + 1;
    /** @type {DrawnSeat["kind"]} */
    const kind = sitter ? (sitter.you ? "yours" : sitter.bot ? "bot" : "player") : "open";
    return { kind, banks };
  });
  const first = seats.find(({ kind }) => kind === "open");
  if (marksYours && first && !seats.some(({ kind }) => kind === "yours")) first.kind = "yours";
  return seats;
}

/**
 * The outline of the table: straight on the dealer's side, round on the players'.
 * @param {number} inset from the edge of the drawing
 */
function outline(inset) {
  const [left, right, top] = [inset, WIDTH - inset, inset];
  const corner = 14 - inset / 2;
  const across = WIDTH / 2 - inset;
  const shoulder = 40;
  const down = HEIGHT - inset - shoulder;
  const points = Array.from({ length: 49 }, (_, step) => {
    const turn = (Math.PI * step) / 48;
    const power = 2 / 2.6;
    const x = WIDTH / 2 + across * Math.sign(Math.cos(turn)) * Math.abs(Math.cos(turn)) ** power;
    const y = shoulder + down * Math.sin(turn) ** power;
    return `L${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return [
    `M${left} ${top + corner}Q${left} ${top} ${left + corner} ${top}`,
    `H${right - corner}Q${right} ${top} ${right} ${top + corner}`,
    ...points,
    "Z",
  ].join("");
}

const RAIL = outline(1);
const FELT = outline(9);

/**
 * Breaks a title at the first space that leaves two lines that fit.
 * @param {string} title
 */
export function titleLines(title) {
  const words = title.split(" ");
  const broken = words
    .map((_, place) => [words.slice(0, place + 1).join(" "), words.slice(place + 1).join(" ")])
    .find((lines) => lines.every((line) => line.length <= LINE_MAX));
  return (broken ?? [title]).filter(Boolean);
}

/**
 * Seats go clockwise, and seat 1 is on the dealer's left, which is on the right here.
 * @param {number} place
 * @param {number} count
 */
function seatPoint(place, count) {
  const turn = count > 1 ? (Math.PI * place) / (count - 1) : Math.PI / 2;
  const { x, y, across, down } = SEATS;
  return { x: x + across * Math.cos(turn), y: y + down * Math.sin(turn) };
}

/** @param {{kind: DrawnSeat["kind"], banks?: boolean}} props */
function SeatSign({ kind, banks }) {
  if (banks) {
    return html`<circle class="sign-player" r="12.5" /><circle class="sign-ring" r="12.5" />
      <text class="sign-word" y="4">PD</text>`;
  }
  switch (kind) {
    case "player":
      return html`<circle class="sign-player" r="8.5" />`;
    case "bot":
      return html`<rect class="sign-bot" x="-7" y="-7" width="14" height="14" rx="4" />`;
    case "yours":
      return html`<circle class="sign-yours" r="9" /><circle class="sign-dot" r="3.6" />`;
    default:
      return html`<circle class="sign-open" r="7.5" />`;
  }
}

/**
 * The sign of a seat on its own, as a legend or a list shows it.
 * @param {{kind: DrawnSeat["kind"]}} props
 */
export function Sign({ kind }) {
  return html`<svg class="seat-sign" viewBox="-11 -11 22 22" aria-hidden="true">
    <${SeatSign} kind=${kind} />
  </svg>`;
}

/**
 * A drawing only: its text stands next to it for readers.
 * @param {object} props
 * @param {string} props.title printed on the felt
 * @param {DrawnSeat[]} props.seats by number
 * @param {string} [props.deckColour]
 */
export function TableDrawing({ title, seats, deckColour = "red" }) {
  // Print has real apostrophes.
  const lines = titleLines(title.replaceAll("'", "’"));
  return html`<svg class="table-drawing" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <defs>
      <radialGradient id="drawn-felt" cx="50%" cy="28%" r="80%">
        <stop class="felt-stop-1" offset="0" /><stop class="felt-stop-2" offset="0.55" />
        <stop class="felt-stop-3" offset="1" />
      </radialGradient>
    </defs>
    <path class="drawn-rail" d=${RAIL} />
    <path class="drawn-felt" d=${FELT} fill="url(#drawn-felt)" />
    <path class="drawn-line" d=${FELT} />
    <rect class="drawn-rack" x="97" y="2" width="86" height="15" rx="3" />
    ${RACK.map(
      (color, place) => html`<rect key=${place} class="drawn-chips chips-${color}"
        x=${101 + place * 8.8} y="5" width="7.4" height="9" rx="1.2" />`,
    )}
    <rect class="drawn-shoe" x="189" y="1" width="20" height="17" rx="4" />
    <rect class="drawn-back back-${deckColour}" x="193" y="4" width="12" height="8" rx="1.5" />
    ${lines.map(
      (line, place) => html`<text key=${line} class="drawn-title" x=${WIDTH / 2}
        y=${(lines.length === 1 ? 72 : 60) + place * 22}>${line}</text>`,
    )}
    ${seats.map((seat, place) => {
      const { x, y } = seatPoint(place, seats.length);
      return html`<g key=${place} transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">
        <${SeatSign} ...${seat} />
        ${seat.name &&
        html`<text class=${`drawn-name ${seat.kind}`} y="-14">${seat.name}</text>`}
      </g>`;
    })}
  </svg>`;
}
