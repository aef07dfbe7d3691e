// A seat: another player's on the arc, or the viewer's own in the middle below.

import { html } from "../shared/html.js";
import { money, signed } from "../shared/money.js";
import { Cards } from "./card.js";
import { Circle, Stack } from "./chip.js";
import { useCount } from "./motion.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").SceneSeat} SceneSeat */
/** @typedef {import("./scene.js").Bet} Bet */
/**
 * @typedef {object} Picking
 * @property {(bet: "ante" | "bonus") => void} onPick puts the chip in hand on a circle
 * @property {(bet: "ante" | "bonus") => void} onTake takes as much off
 */
/** @typedef {import("./geometry.js").Stage} Stage */
/** @typedef {import("./geometry.js").Slot} Slot */
/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./geometry.js").Rhombus} Rhombus */

/** The mark of the seat that gets the first card. */
const FIRST = "the deal begins here";

/** @type {Bet[]} */
const ORDER = ["bonus", "ante", "blind", "play"];

/** @param {number} size in the stage's own unit */
export const length = (size) => `calc(${size.toFixed(2)} * var(--u))`;

/** @param {Box} box */
export const placed = ({ x, y, width, height }) => ({
  left: length(x),
  top: length(y),
  width: length(width),
  height: length(height),
});

/**
 * @param {Point} point
 * @param {Point} from what the point is measured from
 */
const centeredAt = ({ x, y }, from) => ({
  left: length(x - from.x),
  top: length(y - from.y),
});

/**
 * A seat's number, as printed on the felt.
 * @param {{seat: number, isFirst: boolean, at?: Record<string, string>}} props
 */
function Plate({ seat, isFirst, at }) {
  const title = isFirst ? `Seat ${seat}: ${FIRST}` : `Seat ${seat}`;
  return html`<span class="plate ${isFirst ? "first" : ""} ${at ? "on-rail" : ""}" style=${at}
    title=${title} aria-hidden="true">${seat}</span>`;
}

/**
 * The four circles of a seat.
 * @param {object} props
 * @param {Scene} props.scene
 * @param {SceneSeat} props.seat
 * @param {Rhombus} props.circles
 * @param {Point} [props.from] what the circles are measured from
 * @param {string} props.label
 * @param {Picking} [props.picking]
 * @param {Bet | null} [props.lit] the circle where the best choice would go
 */
function Circles({ scene, seat, circles, from = { x: 0, y: 0 }, label, picking, lit }) {
  const { stakes, settled, you } = seat;
  const names = { bonus: scene.bonusName, play: "Play", ante: "Ante", blind: "Blind" };
  return html`<div class="circles" role="group" aria-label=${label}>
    ${ORDER.filter((bet) => bet !== "bonus" || scene.bonusName).map((bet) => {
      const isOpen = picking && (bet === "ante" || bet === "bonus");
      const pick = isOpen ? () => picking.onPick(bet) : undefined;
      const take = isOpen ? () => picking.onTake(bet) : undefined;
      return html`<span key=${bet} class="circle-place ${lit === bet ? "lit" : ""}"
        style=${centeredAt(circles[bet], from)}>
        <${Circle} bet=${bet} name=${names[bet]} amount=${stakes[bet]} settled=${settled[bet]}
          pending=${bet === "play" && seat.pending} onPick=${pick} onTake=${take} />
      </span>`;
    })}
    ${you &&
    html`<span class="equals" aria-hidden="true"
      style=${centeredAt({ x: circles.play.x, y: circles.ante.y }, from)}>=</span>`}
  </div>`;
}

/** The button of the player who banks. */
function BankButton({ label = "player/dealer button" }) {
  return html`<span class="button-chip" role="img" aria-label=${label}>
    <span>PLAYER</span> <span>DEALER</span>
  </span>`;
}

/**
 * A hand: its cards, or the places where they will lie.
 * @param {{cards: (string | null)[], count: number, best: string[], also?: string[], label: string,
 *   first?: number}} props
 */
export function Hand({ cards, count, best, also, label, first }) {
  if (cards.length) {
    return html`<${Cards} cards=${cards} best=${best} also=${also} label=${label}
      first=${first} />`;
  }
  const places = Array.from({ length: count }, (_, place) => html`<span key=${place}
    class="card place"></span>`);
  return html`<div class="cards none" aria-hidden="true">${places}</div>`;
}

/**
 * Another player's seat, or an empty one.
 * @param {object} props
 * @param {Scene} props.scene
 * @param {SceneSeat} props.seat
 * @param {Stage} props.stage
 * @param {Slot} props.slot
 * @param {number} props.count the cards of a hand
 * @param {number | null} props.left the share of the time that is left
 * @param {(seat: number) => void} [props.onSit]
 */
export function Other({ scene, seat, stage, slot, count, left, onSit }) {
  const isFirst = seat.seat === scene.dealFrom;
  const { box, circles } = slot;
  const onRail = slot.plate ? centeredAt(slot.plate, box) : undefined;
  const plate = html`<${Plate} seat=${seat.seat} isFirst=${isFirst} at=${onRail} />`;
  if (!seat.name) {
    const sit = () => onSit?.(seat.seat);
    const about = [`Seat ${seat.seat}: empty`, isFirst && FIRST].filter(Boolean).join(", ");
    return html`<li class="other free ${slot.side}" data-seat=${seat.seat} aria-label=${about}
      style=${placed(box)}>
      ${plate}
      ${onSit && stage.mode === "table"
        ? html`<button class="sit" onClick=${sit}>
            Sit<span class="unseen"> in seat ${seat.seat}</span>
          </button>`
        : html`<span class="sit" aria-hidden="true">
            ${stage.mode === "table" && html`<span>Seat ${seat.seat}</span> <span>open</span>`}
          </span>`}
    </li>`;
  }
  const { name, cards, best, chips } = seat;
  const says = [
    `Seat ${seat.seat}: ${name}`,
    seat.bot && "a bot",
    chips !== null && money(chips),
    seat.word,
    isFirst && FIRST,
  ];
  const about = says.filter(Boolean).join(", ");
  const isOut = seat.folded ? "folded" : "";
  const word = stage.mode === "table" ? seat.word : shortWord(seat);
  return html`<li class="other ${seat.fate} ${isOut} ${slot.side}" data-seat=${seat.seat}
    aria-label=${about} style=${placed(box)}>
    ${onRail && plate}
    <div class="hand">
      ${seat.banks
        ? html`<${BankButton} />`
        : html`<${Hand} cards=${cards} count=${count} best=${best} label=${`${name}'s cards`}
            first=${seat.seat % 4} />`}
    </div>
    <span class="who">
      ${!onRail && plate}
      <span class="name">${name}</span>
      ${seat.bot && html`<${BotMark} />`}
      ${chips !== null && html` <span class="behind">${money(chips)}</span>`}
    </span>
    <span class="state">
      ${word &&
      html`<span class="word ${/×/.test(word) ? "bet" : ""}" key=${word}>${word}
        ${seat.acts &&
        left !== null &&
        html`<span class="seat-clock" style=${{ transform: `scaleX(${left})` }}></span>`}
      </span>`}
    </span>
    ${circles &&
    !seat.banks &&
    html`<${Circles} scene=${scene} seat=${seat} circles=${circles} from=${box}
      label=${`${name}'s bets`} />`}
  </li>`;
}

/** Words that are too long for the seats on a phone. */
const SHORT = /** @type {Record<string, string>} */ ({
  thinking: "to act",
  checked: "check",
  "offered the bank": "bank?",
  "waiting for a seed": "seed",
  "sits out": "out",
});

/**
 * @param {SceneSeat} seat
 * @returns {string} what it does, or how it ended, in as few letters as possible
 */
const shortWord = ({ word, net }) => (net === null ? SHORT[word] ?? word : signed(net));

function BotMark() {
  return html`<abbr class="bot" role="img" title="plays by a published strategy" aria-label="bot">
    <svg viewBox="0 0 16 14" aria-hidden="true">
      <path d="M8 1v2.5M2 6.5a3 3 0 0 1 3-3h6a3 3 0 0 1 3 3V10a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3Z" />
      <path d="M6 7.3v1.6M10 7.3v1.6" />
    </svg>
  </abbr>`;
}

/**
 * The result of a round, which counts up.
 * @param {{amount: number}} props
 */
function Net({ amount }) {
  return signed(useCount(amount));
}

/**
 * The viewer's own place.
 * @param {object} props
 * @param {Scene} props.scene
 * @param {SceneSeat} props.seat
 * @param {Stage} props.stage
 * @param {number} props.count the cards of a hand
 * @param {Picking} [props.picking]
 * @param {Bet | null} [props.lit]
 */
export function Own({ scene, seat, stage, count, picking, lit }) {
  const { cards, best, word, hand, chips, banks } = seat;
  const { own } = stage;
  const isFirst = seat.seat === scene.dealFrom;
  const onTable = Object.values(seat.stakes).reduce((sum, stake) => sum + stake, 0);
  const isOver = seat.net !== null;
  // The name of a hand waits for the cards that are on their way.
  const isComing = Boolean(hand) && scene.dealer.includes(null);
  const title = hand || (banks ? "You bank" : onTable > 0 ? money(onTable) : "");
  const isLong = title.length > 22;
  const net = html`<${Net} amount=${seat.net ?? 0} />`;
  // The title says it already.
  const state = word === "banks" ? "" : word;
  const under = isOver ? net : !hand && onTable > 0 ? "on the table" : state;
  return html`
    <span class="unseen">You're in seat ${seat.seat}${isFirst && `, ${FIRST}`}.</span>
    ${!banks &&
    html`<${Circles} scene=${scene} seat=${seat} circles=${own.circles} label="Your bets"
      picking=${picking} lit=${lit} />`}
    <div class="hand" style=${placed(own.cards)}>
      ${banks
        ? html`<div class="posted">
            <${BankButton} label="You bank" />
            ${scene.posted > 0 &&
            html`<span class="posted-stack">
              <span class="posted-name">Posted</span>
              <${Stack} amount=${scene.posted} />
            </span>`}
          </div>`
        : html`<${Hand} cards=${cards} count=${count} best=${best} also=${scene.also}
            label="Your cards" />`}
    </div>
    <div class="own-text ${own.text.width < 180 ? "narrow" : ""}" style=${placed(own.text)}>
      <p class="own-hand ${isComing ? "coming" : ""} ${isLong ? "long" : ""}" key=${title}>
        ${title}
      </p>
      <p class="own-under ${isOver ? "own-net" : ""}">${under}</p>
      <p class="own-behind">
        <${Plate} seat=${seat.seat} isFirst=${isFirst} />
        ${chips !== null &&
        html`<span>${money(chips)} <span class="behind-word">behind</span></span>`}
      </p>
    </div>`;
}
