// The felt: dealer and board on top, the other players on an arc, the player below.

import { html } from "../shared/html.js";
import { Cards } from "./card.js";
import { Circles } from "./chip.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").SceneSeat} SceneSeat */

/**
 * Returns the seats to the left and to the right of a player, the nearest first. Seats go
 * clockwise, seen from above, so the next seat is on the left of a player who faces the dealer.
 * @param {SceneSeat[]} seats
 * @param {number} mine 0 for a spectator
 * @returns {{left: SceneSeat[], right: SceneSeat[]}}
 */
export function neighbors(seats, mine) {
  const from = Math.max(0, seats.findIndex(({ seat }) => seat === mine));
  const turned = [...seats.slice(from), ...seats.slice(0, from)];
  const others = mine ? turned.slice(1) : turned;
  const half = Math.ceil(others.length / 2);
  return { left: others.slice(0, half), right: others.slice(half).reverse() };
}

/** The mark of the seat that gets the first card. */
const FIRST = "the deal begins here";

/**
 * A seat's number, as printed on the felt.
 * @param {{seat: number, isFirst: boolean}} props
 */
function Plate({ seat, isFirst }) {
  const title = isFirst ? `Seat ${seat}: ${FIRST}` : `Seat ${seat}`;
  return html`<span class="plate ${isFirst ? "first" : ""}" title=${title}
    aria-hidden="true">${seat}</span>`;
}

/** @param {{scene: Scene, seat: SceneSeat, onSit?: (seat: number) => void}} props */
function Other({ scene, seat, onSit }) {
  const isFirst = seat.seat === scene.dealFrom;
  const plate = html`<${Plate} seat=${seat.seat} isFirst=${isFirst} />`;
  if (!seat.name) {
    const sit = () => onSit?.(seat.seat);
    const about = [`Seat ${seat.seat}: empty`, isFirst && FIRST].filter(Boolean).join(", ");
    return html`<li class="other free" data-seat=${seat.seat} aria-label=${about}>
      ${plate}
      ${onSit
        ? html`<button class="sit" onClick=${sit}>
            Sit<span class="unseen"> in seat ${seat.seat}</span>
          </button>`
        : html`<span class="sit" aria-hidden="true"></span>`}
    </li>`;
  }
  const { name, cards, best, stakes, settled } = seat;
  const about = [`Seat ${seat.seat}: ${name}`, seat.bot && "a bot", seat.word, isFirst && FIRST]
    .filter(Boolean)
    .join(", ");
  return html`<li class="other ${seat.fate}" data-seat=${seat.seat} aria-label=${about}>
    ${plate}
    ${seat.banks
      ? html`<span class="button-chip" role="img" aria-label="player/dealer button">
          PLAYER DEALER
        </span>`
      : html`<${Circles} bonusName=${scene.bonusName} stakes=${stakes} settled=${settled}
          label=${`${name}'s bets`} />`}
    <div class="hand">
      ${cards.length > 0 &&
      html`<${Cards} cards=${cards} best=${best} label=${`${name}'s cards`}
        first=${seat.seat % 4} />`}
      ${seat.word && html`<span class="word">${seat.word}</span>`}
    </div>
    <span class="who">
      <span class="name">${name}</span>
      ${seat.bot && html` <abbr title="plays by a published strategy">bot</abbr>`}
    </span>
  </li>`;
}

/**
 * Wraps each word, so that a line may break between words and not at a hyphen.
 * @param {string} text
 */
const words = (text) =>
  text
    .split(" ")
    .map((word, place) => html`${place > 0 && " "}<span key=${place}>${word}</span>`);

/**
 * @param {object} props
 * @param {Scene} props.scene
 * @param {(seat: number) => void} [props.onSit] takes a free seat
 * @param {any} [props.picking] the props that `Circles` needs to make bets
 * @param {any} [props.children] content for the middle of an empty felt
 */
export function Felt({ scene, onSit, picking, children }) {
  const mine = scene.seats.find(({ you }) => you);
  const { left, right } = neighbors(scene.seats, mine?.seat ?? 0);
  const side = (/** @type {string} */ name, /** @type {SceneSeat[]} */ seats) => html`<ul
    class="others ${name} of-${seats.length}" aria-label=${`Seats to the ${name}`}>
    ${seats.map(
      (seat) => html`<${Other} key=${seat.seat} scene=${scene} seat=${seat} onSit=${onSit} />`,
    )}
  </ul>`;
  const { game, deckColour } = scene;
  return html`<div class="felt game-${game} deck-${deckColour} players-${scene.seats.length}">
    <div class="middle-of-felt">
      <div class="dealer">
        <span class="unseen">Dealer: </span>
        ${scene.dealer.length > 0
          ? html`<${Cards} cards=${scene.dealer} best=${scene.dealerBest} label="Dealer's cards" />`
          : html`<div class="cards none"></div>`}
      </div>
      ${scene.game === "uth" && html`<div class="board"><${Board} scene=${scene} /></div>`}
      ${/* New text is a new element, so that nothing visibly moves. */ ""}
      <p class="call" key=${scene.call} data-testid="call">${scene.call}</p>
      <p class="print" data-testid="inscription">${words(scene.inscription)}</p>
      <p class="terms">
        ${scene.bank && html`<span key=${scene.bank} data-testid="bank">${scene.bank}</span>`}
        <span key=${scene.dealFrom} data-testid="deal-from">
          The deal begins at seat ${scene.dealFrom}
        </span>
      </p>
    </div>
    <div class="around">${side("left", left)} ${side("right", right)}</div>
    <div class="own ${mine?.fate ?? ""}">
      ${mine
        ? html`<${Own} scene=${scene} seat=${mine} picking=${picking} />`
        : html`<div class="rail">${children}</div>`}
    </div>
  </div>`;
}

/** @param {{scene: Scene, seat: SceneSeat, picking: any}} props */
function Own({ scene, seat, picking }) {
  const { cards, best, stakes, settled, word, hand } = seat;
  const count = scene.game === "uth" ? 2 : 3;
  const places = Array.from({ length: count }, () => html`<span class="card place"></span>`);
  const isFirst = seat.seat === scene.dealFrom;
  return html`
    <div class="spot">
      <span class="unseen">You're in seat ${seat.seat}${isFirst && `, ${FIRST}`}.</span>
      <${Plate} seat=${seat.seat} isFirst=${isFirst} />
      ${seat.banks
        ? html`<span class="button-chip large" role="img" aria-label="You bank">
            PLAYER DEALER
          </span>`
        : html`<${Circles} bonusName=${scene.bonusName} stakes=${stakes} settled=${settled}
            label="Your bets" ...${picking ?? {}} />`}
    </div>
    <div class="hand">
      ${cards.length > 0
        ? html`<${Cards} cards=${cards} best=${best} label="Your cards" />`
        : html`<div class="cards none">${places}</div>`}
      ${word && html`<span class="word">${word}</span>`}
    </div>
    <p class="own-hand">
      <span class="own-word">${word}${word && hand ? " · " : ""}</span>${hand}
    </p>`;
}

/** @param {{scene: Scene}} props */
function Board({ scene }) {
  const mine = scene.seats.find(({ you }) => you);
  const counted = mine?.best.length ? mine.best : scene.dealerBest;
  const best = scene.board.some((card) => card && counted.includes(card)) ? counted : [];
  const board = Array.from({ length: 5 }, (_, place) => scene.board[place] ?? "");
  return html`<${Cards} cards=${board} best=${best} label="The board" />`;
}
