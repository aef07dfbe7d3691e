// The felt: dealer and board on top, the other players on an arc, the player below.

import { html, useLayoutEffect, useMemo, useRef, useState } from "../shared/html.js";
import { titled } from "../shared/names.js";
import { Cards } from "./card.js";
import { useTimeLeft } from "./clock.js";
import { Furniture } from "./furniture.js";
import { stageFor } from "./geometry.js";
import { Hand, length, Other, Own, placed } from "./seat.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").SceneSeat} SceneSeat */
/** @typedef {import("./geometry.js").Stage} Stage */
/** @typedef {import("../../types/api").TablePlacard} TablePlacard */

/** How many seconds before the end the call counts them. */
const LAST_SECONDS = 5;

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

/**
 * The size of the stage, and its unit in pixels. The unit follows the reader's own type size, and
 * grows on a very large screen, where type of the usual size would be lost on the felt.
 * @param {{current: any}} element
 */
function useSize(element) {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element.current;
      if (!width || !height) return;
      setSize((was) => (was.width === width && was.height === height ? was : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  const { width, height } = size;
  const wanted = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
  // On a small screen, larger type would leave no room for the cards.
  const isUpright = width < height;
  const most = isUpright ? Math.min(width / 320, height / 510) : Math.min(width, 2 * height) / 640;
  const type = Math.max(1, Math.min(wanted, most));
  const room = Math.min(width / 1088, height / 844) / type;
  const unit = type * Math.max(1, Math.min(2, room * 0.88));
  return { width, height, unit };
}

/**
 * @param {object} props
 * @param {Scene} props.scene
 * @param {TablePlacard | null} [props.placard] for the pay tables, printed on the felt
 * @param {(seat: number) => void} [props.onSit] takes a free seat
 * @param {import("./seat.js").Picking} [props.picking] what a press on a circle does
 * @param {import("./scene.js").Bet | null} [props.lit] the circle where the best choice would go
 * @param {import("./clock.js").Clock | null} [props.clock] until when the table waits
 * @param {any} [props.rail] the buttons on the player's own rail
 * @param {any} [props.more] the button that opens the panel, where it has no column of its own
 * @param {any} [props.children] what a spectator sees in place of their own hand
 */
export function Felt({ scene, placard, onSit, picking, lit, clock, rail, more, children }) {
  const root = useRef(/** @type {any} */ (null));
  const { width, height, unit } = useSize(root);
  const left = useTimeLeft(clock);
  const mine = scene.seats.find(({ you }) => you);
  const tables = printedTables(placard);
  const rows = Math.max(0, ...tables.map((it) => it.rows.length));
  const { hand, board } = scene.sizes;
  const seats = scene.seats.length;
  const motto = scene.inscription.length;
  const needs = {
    seats, hand, board, rows, motto,
    isSeated: Boolean(mine),
    hasBank: Boolean(scene.bank),
    hasBar: Boolean(rail),
    hasPanel: !more,
  };
  const stage = useMemo(
    () => stageFor(width / unit, height / unit, needs),
    [width, height, unit, ...Object.values(needs)],
  );
  const around = neighbors(scene.seats, mine?.seat ?? 0);
  const share = left ? left.share : null;
  const side = (/** @type {"left" | "right"} */ name) => html`<ul class="others"
    aria-label=${`Seats to the ${name}`}>
    ${around[name].map(
      (seat, place) => html`<${Other} key=${seat.seat} scene=${scene} seat=${seat} stage=${stage}
        slot=${stage[name][place]} count=${hand} left=${share} onSit=${onSit} />`,
    )}
  </ul>`;
  const isMine = Boolean(mine?.acts);
  const classes = [
    "felt", `mode-${stage.mode}`, `game-${scene.game}`, `deck-${scene.deckColour}`,
    stage.pays?.small ? "small-print" : "", stage.card.seat ? "" : "no-cards",
  ];
  const style = {
    "--u": `${unit}px`,
    "--card-dealer": length(stage.card.dealer),
    "--card-board": length(stage.card.board),
    "--card-own": length(stage.card.own),
    "--card-seat": length(stage.card.seat),
    "--circle-own": length(stage.circle.own),
    "--circle-seat": length(stage.circle.seat),
    "--card-gap": length(stage.gap),
    "--own-cards": length(stage.own.cards.width),
  };
  return html`<div class=${classes.filter(Boolean).join(" ")} ref=${root} style=${style}>
    <${Furniture} stage=${stage} left=${isMine ? share : null} hasDiscards=${scene.hasDiscards} />
    <div class="dealer" style=${placed(stage.dealer)}>
      <span class="unseen">Dealer: </span>
      <${Hand} cards=${scene.dealer} count=${hand} best=${scene.dealerBest} also=${scene.also}
        label="Dealer's cards" />
    </div>
    ${stage.board &&
    html`<div class="board" style=${placed(stage.board)}><${Board} scene=${scene} /></div>`}
    <${Call} scene=${scene} stage=${stage} seconds=${isMine && left ? left.seconds : null} />
    <${Motto} text=${scene.inscription} stage=${stage} />
    <p class="note note-bank" style=${placed(stage.notes.bank)}>
      ${scene.bank &&
      html`<span key=${scene.bank} data-testid="bank">${words(scene.bank)}</span>`}
    </p>
    <p class="note note-deal" style=${placed(stage.notes.deal)}>
      <span key=${scene.dealFrom} data-testid="deal-from">
        The deal begins at seat ${scene.dealFrom}
      </span>
    </p>
    ${stage.pays && html`<${Print} tables=${tables} stage=${stage} paid=${scene.paid} />`}
    ${side("left")} ${side("right")}
    <div class="own ${mine?.fate ?? ""}">
      ${mine
        ? html`<${Own} scene=${scene} seat=${mine} stage=${stage} count=${hand}
            picking=${picking} lit=${lit} />`
        : children &&
          html`<div class="watcher" style=${placed(watcherBox(stage))}>${children}</div>`}
    </div>
    ${more && stage.more && html`<div class="more" style=${placed(stage.more)}>${more}</div>`}
    ${rail && html`<div class="rail" style=${placed(stage.bar)}>${rail}</div>`}
  </div>`;
}

/**
 * Where a spectator's words and button are: over all of the place of an own hand.
 * @param {Stage} stage
 */
function watcherBox({ own, width }) {
  const { y, height } = own.cards;
  return { x: width * 0.25, y, width: width * 0.5, height };
}

/**
 * Wraps each word, so that a line may break between words and not at a hyphen.
 * @param {string} text
 */
const words = (text) =>
  text
    .split(" ")
    .map((word, place) => html`${place > 0 && " "}<span class="whole" key=${place}>${word}</span>`);

/**
 * The pay tables without the row for all other hands, as felts have them.
 * @param {TablePlacard | null | undefined} placard
 */
function printedTables(placard) {
  if (!placard) return [];
  return placard.printed.map((table) => ({
    ...table,
    rows: table.rows.filter(({ pays }) => /\d/.test(pays)),
  }));
}

/**
 * The pay tables, printed on the felt.
 * @param {{tables: ReturnType<typeof printedTables>, stage: Stage, paid: Scene["paid"]}} props
 */
function Print({ tables, stage, paid }) {
  const { pays } = stage;
  if (!pays) return null;
  const boxes = tables.length === 1 ? [middleOf(pays.left, pays.right)] : [pays.left, pays.right];
  return tables.slice(0, 2).map((table, place) => {
    const won = paid[table.name === "Blind" ? "blind" : "bonus"];
    return html`<table key=${table.id} class="felt-pays"
      style=${{ ...placed(boxes[place]), height: "auto" }}>
      <caption>${table.name}</caption>
      <thead class="unseen"><tr><th scope="col">Hand</th><th scope="col">Pays</th></tr></thead>
      <tbody>
        ${table.rows.map(
          ({ hand, pays: odds }) => html`<tr key=${hand} class=${isRow(hand, won) ? "paid" : ""}>
            <th scope="row">${titled(hand)}</th><td>${odds}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  });
}

/**
 * @param {string} id of a row, as in four-of-a-kind
 * @param {string | undefined} hand as in "four of a kind"
 */
const isRow = (id, hand) => id.replaceAll("-", " ").toLowerCase() === hand?.toLowerCase();

/**
 * @param {import("./geometry.js").Box} left
 * @param {import("./geometry.js").Box} right
 */
const middleOf = (left, right) => ({ ...left, x: (left.x + right.x) / 2 });

/**
 * The dealer's call. In the player's last seconds it counts them.
 * @param {{scene: Scene, stage: Stage, seconds: number | null}} props
 */
function Call({ scene, stage, seconds }) {
  const isLast = seconds !== null && seconds <= LAST_SECONDS;
  const isLong = scene.call.length * 8 > stage.call.width - 60;
  return html`<div class="call-place" style=${placed(stage.call)}>
    ${/* New text is a new element, so that nothing visibly moves. */ ""}
    ${scene.call &&
    html`<p class="call ${isLong ? "long" : ""}" key=${scene.call}>
      <span data-testid="call">${scene.call}</span>
      ${isLast && html` <b class="seconds" aria-hidden="true">${seconds} s</b>`}
    </p>`}
  </div>`;
}

/**
 * The inscription, on an arc if there is room.
 * @param {{text: string, stage: Stage}} props
 */
function Motto({ text, stage }) {
  const { motto } = stage;
  if (!motto.isArc) {
    return html`<p class="motto ${motto.isTight ? "tight" : ""}" data-testid="inscription"
      style=${placed(motto)}>${text}</p>`;
  }
  // A shallow arc that sinks in the middle, as the felt does.
  const { width, height } = motto;
  const arc = `M0 ${height * 0.36}Q${width / 2} ${height * 0.96} ${width} ${height * 0.36}`;
  return html`<p class="motto arc" data-testid="inscription" style=${placed(motto)}>
    <span class="unseen">${text}</span>
    <svg viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
      <path id="motto-arc" d=${arc} />
      <text><textPath href="#motto-arc" startOffset="50%" text-anchor="middle">${text}</textPath>
      </text>
    </svg>
  </p>`;
}

/** @param {{scene: Scene}} props */
function Board({ scene }) {
  const mine = scene.seats.find(({ you }) => you);
  const counted = [...(mine?.best ?? []), ...scene.dealerBest];
  const isCounted = (/** @type {string[]} */ five) =>
    scene.board.some((card) => card && five.includes(card));
  const best = isCounted(counted) ? counted : [];
  const also = scene.also && isCounted(scene.also) ? scene.also : [];
  const board = Array.from(
    { length: scene.sizes.board },
    (_, place) => scene.board[place] ?? (place < scene.board.length ? null : ""),
  );
  return html`<${Cards} cards=${board} best=${best} also=${also} label="The board" />`;
}
