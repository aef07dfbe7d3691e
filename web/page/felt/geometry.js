// Where everything lies on the felt, for a stage of any size. It is arithmetic alone: it draws
// nothing, and the same size always gives the same places, so nothing moves between phases.

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {Record<import("./scene.js").Bet, Point>} Rhombus the centers of a seat's circles
 *
 * @typedef {object} Slot the place of another player
 * @property {"left" | "right"} side
 * @property {Box} box cards, name and state, one below the other
 * @property {Rhombus | null} circles null if there is no room for them
 * @property {Point | null} plate the center of its number on the rail; null if it is at the name
 *
 * @typedef {object} Stage
 * @property {"table" | "phone" | "flat"} mode a D of felt, a phone upright, or one on its side
 * @property {number} width
 * @property {number} height
 * @property {{dealer: number, board: number, own: number, seat: number}} card widths
 * @property {{own: number, seat: number}} circle diameters
 * @property {number} gap between cards
 * @property {Outline} felt
 * @property {Furniture | null} furniture null if there is no room for it
 * @property {Box} dealer
 * @property {Box | null} board null if the game has none
 * @property {Box} call
 * @property {Box & {isArc: boolean, isTight?: boolean}} motto not in capitals if it is tight
 * @property {{bank: Box, deal: Box}} notes the banker, and where the deal begins
 * @property {{left: Box, right: Box, small: boolean} | null} pays null if there is no room for them
 * @property {Slot[]} left the nearest first
 * @property {Slot[]} right the nearest first
 * @property {{cards: Box, circles: Rhombus, text: Box}} own
 * @property {Box} bar the buttons, on the player's own rail
 * @property {Box | null} more the button that opens the panel; null where the panel has a column
 *
 * @typedef {{rack: Box, discards: Box, shoe: Box}} Furniture
 *
 * @typedef {object} Outline the inner edge of the rail: straight on top, a superellipse below
 * @property {number} middle
 * @property {number} top
 * @property {number} from where the curve begins
 * @property {number} across half the width
 * @property {number} down the height of the curve
 * @property {number} power of the superellipse
 * @property {number} outward how far the rail goes on to the sides
 * @property {number} below how far it goes on below
 */

/**
 * @typedef {object} Needs
 * @property {number} seats of the table
 * @property {boolean} isSeated whether the viewer has a seat, which is then in the middle below
 * @property {number} hand the cards of a hand
 * @property {number} board the cards of the board
 * @property {number} motto the letters of the inscription
 * @property {number} rows the most rows that a printed pay table has
 * @property {boolean} hasBank whether a player banks
 * @property {boolean} hasBar whether there are buttons below
 * @property {boolean} [hasPanel] whether the panel has a column of its own
 */

/** The height of a card for its width. */
export const CARD_RATIO = 1.4;

/** How much of a card of another seat shows, when the next one lies on it. */
export const OVERLAP = 0.72;

/** The size that the drawings were made for. */
const FULL = { width: 1088, height: 844 };

/** Below this width a phone's layout is used, and below this height one for a phone on its side. */
const PHONE = 700;
const FLAT = 540;

/** The rows of seats on each side, from the player up to the dealer, as shares of the height. */
const ROWS = {
  3: { high: [0.572, 0.352, 0.132], low: [0.566, 0.35, 0.134] },
  4: { high: [0.566, 0.396, 0.252, 0.108], low: [0.57, 0.415, 0.262, 0.109] },
};

/** Anything that can be pressed is at least this large. */
const TARGET = 44;

/** A seat's column: its width, and the lines under its cards. */
const COLUMN = 112;
const LINES = 44;

/** @type {(x: number, y: number, width: number, height: number) => Box} */
const box = (x, y, width, height) => ({ x, y, width, height });

/** @type {(middle: number, y: number, width: number, height: number) => Box} */
const centered = (middle, y, width, height) => box(middle - width / 2, y, width, height);

/**
 * @param {Box} one
 * @param {Box} other
 * @param {number} [apart] how far apart they have to be
 */
export function meet(one, other, apart = 0) {
  return (
    one.x < other.x + other.width + apart &&
    other.x < one.x + one.width + apart &&
    one.y < other.y + other.height + apart &&
    other.y < one.y + one.height + apart
  );
}

/**
 * The boxes of a seat's circles.
 * @param {Rhombus} circles
 * @param {number} size
 * @returns {Box[]}
 */
export const circleBoxes = (circles, size) =>
  Object.values(circles).map(({ x, y }) => centered(x, y - size / 2, size, size));

/**
 * The width of cards side by side.
 * @param {number} count
 * @param {number} card
 * @param {number} gap
 */
const across = (count, card, gap) => count * card + (count - 1) * gap;

/**
 * How many seats are on the left and on the right.
 * @param {Needs} needs
 */
export function sides({ seats, isSeated }) {
  const others = isSeated ? seats - 1 : seats;
  const left = Math.ceil(others / 2);
  return { left, right: others - left };
}

/**
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @returns {Stage}
 */
export function stageFor(width, height, needs) {
  if (height < FLAT && width > height) return flat(width, height, needs);
  return width < PHONE ? phone(width, height, needs) : table(width, height, needs);
}

/**
 * Half of the felt's width at a height.
 * @param {Outline} outline
 * @param {number} y
 */
export function halfAt({ from, across, down, power }, y) {
  if (y <= from) return across;
  const share = Math.min(1, (y - from) / down);
  return across * (1 - share ** power) ** (1 / power);
}

/**
 * Points of the outline from the bottom up to where the curve begins, on the right.
 * @param {Outline} outline
 * @param {number} share 0 at the felt, 1 at the rail's outer edge
 * @param {number} steps
 * @returns {Point[]}
 */
export function curve(outline, share = 0, steps = 40) {
  const across = outline.across + outline.outward * share;
  const down = outline.down + outline.below * share;
  const bend = 2 / (outline.power + 0.9 * share);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const turn = (Math.PI / 2) * (step / steps);
    return {
      x: outline.middle + across * Math.sin(turn) ** bend,
      y: outline.from + down * Math.cos(turn) ** bend,
    };
  });
}

/**
 * A seat's circles around a point: Play toward the player, the bonus toward the dealer.
 * @param {Point} at
 * @param {Point} outward a direction of length 1
 * @param {number} size
 * @returns {Rhombus}
 */
function rhombus(at, outward, size) {
  const point = (/** @type {number} */ out, /** @type {number} */ aside) => ({
    x: at.x + size * (out * outward.x - aside * outward.y),
    y: at.y + size * (out * outward.y + aside * outward.x),
  });
  // The first of the two is above the other, on both sides of the table.
  const up = outward.x > 0 ? -0.6 : 0.6;
  return {
    bonus: point(-0.94, 0),
    ante: point(0, up),
    blind: point(0, -up),
    play: point(0.94, 0),
  };
}

/**
 * The player's own circles.
 * @param {Point} at
 * @param {number} size
 * @returns {Rhombus}
 */
const ownRhombus = ({ x, y }, size) => ({
  bonus: { x, y: y - 0.93 * size },
  ante: { x: x - 0.58 * size, y },
  blind: { x: x + 0.58 * size, y },
  play: { x, y: y + 0.93 * size },
});

/**
 * The D of felt.
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @returns {Stage}
 */
function table(width, height, needs) {
  // A tall stage has room for larger cards between the rows of seats, and a narrow one for less.
  const sizes = [1.5, 1.4, 1.3, 1.2, 1.1, 1, 0.93, 0.86];
  const least = sizes[sizes.length - 1];
  const isPrinted = tableOf(width, height, needs, { middle: least, own: least }).pays !== null;
  const fits = (/** @type {number} */ middle, /** @type {number} */ own) => {
    const stage = tableOf(width, height, needs, { middle, own });
    return isClear(stage) && (!isPrinted || stage.pays !== null);
  };
  const own = sizes.find((size) => fits(least, size)) ?? least;
  const middle = sizes.find((size) => fits(size, own)) ?? least;
  return tableOf(width, height, needs, { middle, own });
}

/**
 * @param {Stage} stage
 * @returns {boolean} whether the middle and the player's own place keep clear of seats and rail
 */
function isClear(stage) {
  const { dealer, board, call, own, circle } = stage;
  const ownCircles = circleBoxes(own.circles, circle.own);
  const middle = [dealer, call, own.cards, own.text, ...ownCircles];
  if (board) middle.push(board);
  const around = seatBoxes(stage);
  const size = circle.own;
  const isOnFelt = Object.values(own.circles).every(
    ({ x, y }) => stage.felt.middle - x + size * 0.5 < halfAt(stage.felt, y + size * 0.3),
  );
  const hasRoom = stage.notes.deal.width >= 84;
  const keepsClear = (/** @type {Box} */ one) => around.every((other) => !meet(one, other, 6));
  return isOnFelt && hasRoom && middle.every(keepsClear);
}

/**
 * The same box, moved up or down to the nearest place where it keeps clear of the seats.
 * @param {Box} wanted
 * @param {number} top how far up it may go
 * @param {Box[]} others
 * @returns {Box}
 */
function free(wanted, top, others) {
  for (let off = 0; off <= 60; off += 4) {
    for (const y of [wanted.y - off, wanted.y + off]) {
      const moved = { ...wanted, y };
      if (y >= top && others.every((other) => !meet(moved, other, 7))) return moved;
    }
  }
  return wanted;
}

/**
 * All boxes of other seats.
 * @param {Pick<Stage, "left" | "right" | "circle">} stage
 * @returns {Box[]}
 */
const seatBoxes = ({ left, right, circle }) =>
  [...left, ...right].flatMap((slot) => [
    slot.box,
    ...(slot.circles ? circleBoxes(slot.circles, circle.seat) : []),
  ]);

/**
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @param {{middle: number, own: number}} larger how much larger than usual the cards are
 * @returns {Stage}
 */
function tableOf(width, height, needs, larger) {
  const k = Math.min(width / FULL.width, height / FULL.height);
  const down = height / FULL.height;
  const isLow = height < 800;
  const scale = Math.min(k * larger.middle, down);
  const ownScale = Math.min(k * larger.own, down);
  const middle = width / 2;
  const barHeight = needs.hasBar ? (isLow ? 108 : 112) : 34;
  const edge = height - barHeight;
  const from = 84 * k;
  const felt = {
    middle,
    top: 22,
    from,
    across: middle - 34,
    down: edge - from,
    power: 3.7,
    outward: 30,
    below: needs.hasBar ? 150 : 28,
  };
  const card = {
    dealer: (needs.board ? 62 : 92) * scale,
    board: (isLow ? 78 : 84) * scale,
    own: (needs.hand === 3 ? 96 : 108) * ownScale,
    seat: Math.min(46 * k, (rowGap(needs, isLow) * height - LINES - 2) / CARD_RATIO),
  };
  const circle = { own: (needs.hand === 3 ? 53 : 56) * ownScale, seat: 38 * k };
  const gap = 8 * scale;
  const seats = around(width, height, needs, { k, felt, card, circle, isLow });
  const others = seatBoxes({ ...seats, circle });
  // The player's own circles are pressed, so they are larger if the lowest seat leaves room.
  const lowest = Math.max(0, ...others.map((it) => it.y + it.height));
  circle.own = Math.max(circle.own, Math.min(TARGET, (edge - 14 * k - lowest - 8) / 2.9));
  const furniture = dealersSide(k, middle, others);
  const { rack } = furniture;

  const dealer = centered(
    middle,
    Math.max((needs.board ? 84 : 96) * down, rack.y + rack.height + 8),
    across(needs.hand, card.dealer, gap),
    card.dealer * CARD_RATIO,
  );
  const dealerEnd = dealer.y + dealer.height;
  const board = needs.board
    ? free(
        centered(
          middle,
          Math.max(185 * down, dealerEnd + 8),
          across(needs.board, card.board, 10 * scale),
          card.board * CARD_RATIO,
        ),
        dealerEnd + 8,
        others,
      )
    : null;
  const end = board ? board.y + board.height : dealerEnd;
  const own = ownPlace({ middle, edge: edge - 14 * k, card, circle, gap, felt, needs, others });

  const call = centered(middle, end + 12, 0, 36);
  Object.assign(call, wide(call, others, middle, Math.min(560, width * 0.5)));
  const motto = mottoPlace({ needs, isLow, middle, others, own, top: call.y + call.height });

  const note = { y: dealer.y + dealer.height / 2 - 26, height: 52 };
  const noteWidth = Math.min(190, sideRoom(note, others, middle) - dealer.width / 2 - 24);
  const notes = {
    bank: box(dealer.x - 12 - noteWidth, note.y, noteWidth, note.height),
    deal: box(dealer.x + dealer.width + 12, note.y, noteWidth, note.height),
  };
  const near = [...others, ...circleBoxes(own.circles, circle.own)];
  const pays = printed({ needs, isLow, middle, others: near, own, top: motto.y + motto.height });
  const bar = box(0, edge + 4, width, barHeight - 4);
  const more = needs.hasPanel ? null : box(width - 76, height - 62, 64, 48);
  return {
    mode: "table", width, height, card, circle, gap, felt, furniture, dealer, board, call, motto,
    notes, pays, ...seats, own, bar, more,
  };
}

/** The ways to print the inscription, the best first, and the width of a letter. */
const MOTTOS = [
  { isArc: true, letter: 11, tall: 40, isTight: false },
  { isArc: false, letter: 8.6, tall: 18, isTight: false },
  { isArc: false, letter: 6.5, tall: 18, isTight: true },
];

/**
 * The inscription: on an arc if it is high enough, in the first place below the call that is wide
 * enough for all of it.
 * @param {{needs: Needs, isLow: boolean, middle: number, others: Box[], own: Stage["own"],
 *   top: number}} drawn
 * @returns {Stage["motto"]}
 */
function mottoPlace({ needs, isLow, middle, others, own, top }) {
  const last = own.cards.y - 90;
  for (const { isArc, letter, tall, isTight } of MOTTOS) {
    if (isArc && isLow) continue;
    const wanted = needs.motto * letter;
    for (let y = top + (isArc ? 8 : 5); y + tall <= last; y += 6) {
      const width = 2 * (sideRoom({ y, height: tall }, others, middle) - 8);
      if (width >= wanted) return { ...centered(middle, y, wanted, tall), isArc, isTight };
    }
  }
  const line = centered(middle, top + 5, 0, 18);
  return { ...line, ...wide(line, others, middle, middle), isArc: false, isTight: true };
}

/**
 * The smallest distance between two rows of seats, as a share of the height.
 * @param {Needs} needs
 * @param {boolean} isLow
 */
function rowGap(needs, isLow) {
  const rows = rowsOf(needs, isLow);
  return Math.min(...rows.slice(1).map((row, place) => rows[place] - row));
}

/**
 * @param {Needs} needs
 * @param {boolean} isLow
 */
const rowsOf = (needs, isLow) => ROWS[sides(needs).left > 3 ? 4 : 3][isLow ? "low" : "high"];

/**
 * Rack, shoe and discards. The upper seats may reach up to them, and the rack is then shorter.
 * @param {number} k
 * @param {number} middle
 * @param {Box[]} others
 * @returns {Furniture}
 */
function dealersSide(k, middle, others) {
  const [wide, tall, y] = [63 * k, 58 * k, 9];
  const most = sideRoom({ y, height: tall }, others, middle) - 5;
  const long = Math.min(432 * k, 2 * (most - wide - 7 * k));
  const apart = Math.min(21 * k, most - wide - long / 2);
  const rack = centered(middle, y + 1, long, 56 * k);
  return {
    rack,
    discards: box(rack.x - apart - wide, y, wide, tall),
    shoe: box(rack.x + rack.width + apart, y, wide, tall),
  };
}

/**
 * How far from the middle a line of the page may reach before it meets a seat.
 * @param {{y: number, height: number}} line
 * @param {Box[]} others
 * @param {number} middle
 */
function sideRoom({ y, height }, others, middle) {
  const near = others.filter((it) => meet({ ...it, y, height }, it, 4));
  return Math.min(
    ...near.map((it) => (it.x < middle ? middle - it.x - it.width : it.x - middle)),
    middle - 40,
  );
}

/**
 * The widest box in the middle that keeps clear of the seats.
 * @param {Box} line
 * @param {Box[]} others
 * @param {number} middle
 * @param {number} most
 */
function wide(line, others, middle, most) {
  const width = Math.min(most, 2 * (sideRoom(line, others, middle) - 8));
  return { x: middle - width / 2, width };
}

/**
 * The seats around the felt.
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @param {{k: number, felt: Outline, card: Stage["card"], circle: Stage["circle"],
 *   isLow: boolean}} drawn
 * @returns {{left: Slot[], right: Slot[]}}
 */
function around(width, height, needs, { k, felt, card, circle, isLow }) {
  const { left, right } = sides(needs);
  const rows = rowsOf(needs, isLow);
  const middle = width / 2;
  const reach = felt.across - 70;
  const hand = card.seat * (1 + (needs.hand - 1) * (needs.hand === 3 ? 0.62 : OVERLAP));
  const slot = (/** @type {"left" | "right"} */ side) => (/** @type {number} */ row) => {
    const sign = side === "left" ? -1 : 1;
    const y = rows[row] * height;
    const up = (y - 0.1 * height) / (0.8 * height);
    // On a narrow stage the lowest seats go outward, where the felt is wider than the arc.
    const aside = row === 0 ? Math.max(0, Math.min(26, (960 - width) / 4)) : 0;
    const x = middle + sign * (reach * Math.sqrt(1 - up * up) + aside);
    const tall = card.seat * CARD_RATIO + LINES;
    const place = centered(x, y - tall / 2, COLUMN, tall);
    // The circles turn with the arc, but less than it does.
    const normal = { x: (x - middle) / reach ** 2, y: (y - 0.1 * height) / (0.8 * height) ** 2 };
    const turn = 0.42 * Math.atan2(normal.y, Math.abs(normal.x));
    const outward = { x: sign * Math.cos(turn), y: Math.sin(turn) };
    const far = hand / 2 + 10 * k + 1.32 * circle.seat + 6;
    // A small hand leaves its name close to the circles, which then go up a little.
    const lift = Math.max(0, (1 - k) * 32);
    const at = { x: x - outward.x * far, y: y - outward.y * far - lift };
    const railX = middle + sign * (halfAt(felt, y) + 13);
    return {
      side,
      box: place,
      circles: rhombus(at, outward, circle.seat),
      plate: { x: railX, y },
    };
  };
  const list = (/** @type {"left" | "right"} */ side, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, row) => slot(side)(row));
  return { left: list("left", left), right: list("right", right) };
}

/**
 * The player's own place: cards in the middle, circles on the left, words on the right.
 * @param {object} drawn
 * @param {number} drawn.middle
 * @param {number} drawn.edge
 * @param {Stage["card"]} drawn.card
 * @param {Stage["circle"]} drawn.circle
 * @param {number} drawn.gap
 * @param {Outline} drawn.felt
 * @param {Needs} drawn.needs
 * @param {Box[]} drawn.others
 * @returns {Stage["own"]}
 */
function ownPlace({ middle, edge, card, circle, gap, felt, needs, others }) {
  const tall = card.own * CARD_RATIO;
  const cards = centered(middle, edge - tall, across(needs.hand, card.own, gap), tall);
  const size = circle.own;
  // A result next to the Blind has to fit between its circle and the cards.
  const apart = Math.max((needs.hand === 3 ? 1.66 : 1.84) * size, 0.8 * size + 58);
  const at = { x: cards.x - apart, y: edge - Math.max(tall / 2 + 7, 1.46 * size) };
  const textX = cards.x + cards.width + 22;
  const wanted = Math.min(tall, 112);
  // The lowest seat may reach down to the words.
  const above = others.filter(({ x, width }) => x + width > textX).map((it) => it.y + it.height);
  const textY = Math.max(cards.y + (tall - wanted) / 2, Math.max(0, ...above) + 7);
  const textHeight = Math.min(wanted, edge - textY);
  const room = middle + halfAt(felt, textY + textHeight * 0.7) - 8 - textX;
  return {
    cards,
    circles: ownRhombus(at, size),
    text: box(textX, textY, Math.max(96, Math.min(250, room)), textHeight),
  };
}

/** The sizes of print: a table's width, the gap between two, and the heights of a row and title. */
const PRINTS = [[152, 38, 18, 26], [134, 34, 16, 22], [134, 16, 16, 22], [128, 12, 16, 22]];

/**
 * The pay tables as print on the felt, in the first free place below the motto.
 * @param {{needs: Needs, isLow: boolean, middle: number, others: Box[], own: Stage["own"],
 *   top: number}} drawn
 * @returns {Stage["pays"]}
 */
function printed({ needs, isLow, middle, others, own, top }) {
  const { rows } = needs;
  if (!rows) return null;
  const last = own.cards.y - 6;
  for (const [wide, gap, line, head] of PRINTS) {
    const small = line === 16;
    if (isLow && !small) continue;
    const tall = head + rows * line;
    for (let y = top + 2; y + tall <= last; y += 4) {
      const left = box(middle - gap / 2 - wide, y, wide, tall);
      const right = box(middle + gap / 2, y, wide, tall);
      const isFree = [left, right].every((it) => others.every((other) => !meet(it, other, 3)));
      if (isFree) return { left, right, small };
    }
  }
  return null;
}

/**
 * A phone held upright: the other players are a strip under the board.
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @returns {Stage}
 */
function phone(width, height, needs) {
  const isSmall = height < 600;
  const margin = isSmall ? 12 : 16;
  const middle = width / 2;
  const most = width - 2 * margin;
  const barHeight = needs.hasBar ? (isSmall ? 112 : 132) : 20;
  const edge = height - barHeight;
  const tight = Math.min(1, edge / 660);
  const boardGap = isSmall ? 6 : 7;
  const boardCard = Math.min((most - 4 * boardGap) / 5, 96 * Math.min(1.4, edge / 660) ** 1.4);
  const card = {
    dealer: needs.board ? Math.max(38, 50 * tight) : Math.min((most - 168) / 3, 76 * tight),
    board: boardCard,
    own: Math.max(needs.hand === 3 ? 58 : 68, (needs.hand === 3 ? 74 : 92) * tight),
    seat: edge < 500 ? 0 : 27,
  };
  const circle = { own: Math.max(TARGET, 50 * tight), seat: 0 };
  const gap = 6;
  const strip = card.seat ? card.seat * CARD_RATIO + 40 : 36;
  const tops = [card.dealer, card.board].map((it) => it * CARD_RATIO);
  const terms = needs.hasBank ? 16 : 0;
  const heights = [tops[0], needs.board ? tops[1] : 0, isSmall ? 30 : 34, 16 + terms, strip];
  const ownTall = Math.max(card.own * CARD_RATIO + 46, circle.own * 2.9);
  const used = heights.reduce((sum, it) => sum + it, 0) + ownTall + 16;
  const space = Math.max(4, Math.min(22, (edge - used) / 7));
  let y = Math.max(4, Math.min(16, space));
  const next = (/** @type {number} */ tall, /** @type {number} */ wide) => {
    const placed = centered(middle, y, wide, tall);
    y += tall + (tall ? space : 0);
    return placed;
  };
  const dealer = next(heights[0], across(needs.hand, card.dealer, gap));
  const boardBox = next(heights[1], across(5, card.board, boardGap));
  const call = next(heights[2], most);
  const words = next(heights[3], most);
  const motto = { ...words, height: 16, isArc: false };
  const row = next(heights[4], width - 8);
  const { left, right } = sides(needs);
  const count = left + right;
  const each = row.width / Math.max(count, 6);
  const start = middle - (each * count) / 2;
  const slot = (/** @type {"left" | "right"} */ side) => (/** @type {number} */ place) => ({
    side,
    box: box(start + place * each, row.y, each, row.height),
    circles: null,
    plate: null,
  });
  const ownEdge = edge - 14;
  const tall = card.own * CARD_RATIO;
  const cardsWide = across(needs.hand, card.own, gap);
  const cards = box(width - margin - 16 - cardsWide, ownEdge - tall, cardsWide, tall);
  const at = { x: cards.x / 2 + 4, y: ownEdge - Math.max(1.44 * circle.own, tall / 2) };
  const free = Array.from({ length: left }, (_, place) => place).map(slot("left"));
  const others = Array.from({ length: right }, (_, place) => count - 1 - place).map(slot("right"));
  const textX = at.x + 0.5 * circle.own + 6;
  const aside = (most - dealer.width) / 2 - 10;
  return {
    mode: "phone", width, height, card, circle, gap,
    felt: {
      middle, top: -40, from: edge * 0.55, across: middle - 7, down: edge - edge * 0.55, power: 4.4,
      outward: 20, below: barHeight + 20,
    },
    furniture: null,
    dealer,
    board: needs.board ? boardBox : null,
    call,
    motto,
    notes: {
      bank: box(margin, words.y + 16, most, terms),
      deal: box(margin, dealer.y, aside, dealer.height),
    },
    pays: null,
    left: free,
    right: others,
    own: {
      cards,
      circles: ownRhombus(at, circle.own),
      // Next to the bonus, so that the name of any hand fits.
      text: box(textX, cards.y - 47, cards.x + cards.width - textX, 42),
    },
    bar: box(0, edge, width, barHeight),
    more: box(width - margin - 66, dealer.y, 66, 44),
  };
}

/**
 * A phone on its side: the other players are rows on both sides, the buttons are on the right.
 * @param {number} width
 * @param {number} height
 * @param {Needs} needs
 * @returns {Stage}
 */
function flat(width, height, needs) {
  const k = Math.min(1.35, Math.max(0.8, Math.min(width / 844, height / 350)));
  const margin = 14 * Math.min(1, k);
  const { left, right } = sides(needs);
  const barWide = needs.hasBar ? Math.max(184, Math.min(300, width * 0.27)) : 0;
  const barTall = needs.hasBar && needs.isSeated ? Math.min(210, height * 0.61) : 0;
  const edge = height - 12;
  const sideWide = Math.max(124, Math.min(190, width * 0.19));
  const ownSize = Math.max(TARGET, Math.min(48 * k, (height * 0.46) / 2.9));
  const rhombusTall = ownSize * 2.9;
  const leftRoom = edge - rhombusTall - 8;
  const rightRoom = height - barTall - 8;
  const pitch = {
    left: Math.min(54, (leftRoom - 6) / Math.max(left, 3)),
    right: Math.min(54, (rightRoom - 6) / Math.max(right, 3)),
  };
  const card = {
    dealer: 0,
    board: 0,
    own: (needs.hand === 3 ? 80 : 98) * k,
    seat: Math.min(30, (Math.min(pitch.left, pitch.right) - 4) / CARD_RATIO),
  };
  const middleLeft = margin + sideWide + 8;
  const middleWide = width - 2 * middleLeft;
  const boardGap = 6 * k;
  const cardTall = Math.min(84 * k, height * 0.26);
  // Board and dealer share a row: five cards, a gap, and the hand, each on the one before.
  const count = needs.board || 0;
  const handShare = 1 + (needs.hand - 1) * 0.6;
  const both = count ? count + handShare * 0.84 : needs.hand;
  const gaps = count ? (count - 1) * boardGap + 22 : 2 * boardGap;
  card.board = Math.min(cardTall / CARD_RATIO, (middleWide - 8 - gaps) / both);
  card.dealer = count ? card.board * 0.84 : card.board;
  const top = 10;
  const boardWide = count ? across(count, card.board, boardGap) : 0;
  const dealerWide = count ? card.dealer * handShare : across(needs.hand, card.dealer, boardGap);
  const whole = count ? boardWide + 22 + dealerWide : dealerWide;
  const start = (width - whole) / 2;
  const board = count ? box(start, top, boardWide, card.board * CARD_RATIO) : null;
  const dealerX = count ? start + boardWide + 22 : start;
  const dealer = box(dealerX, top, dealerWide, card.dealer * CARD_RATIO);
  const rowEnd = top + card.board * CARD_RATIO;
  const moreWide = needs.hasPanel ? 0 : 58;
  const call = box(middleLeft + moreWide, rowEnd + 6, middleWide - moreWide, 34);
  const mottoX = middleLeft;
  const barX = width - margin - barWide;
  // Below the call, all has to end where the buttons begin.
  const mottoWide = Math.min(width - middleLeft, barX - 6) - mottoX;
  const motto = { ...box(mottoX, rowEnd + 47, mottoWide, 16), isArc: false };
  const slot = (/** @type {"left" | "right"} */ side) => (
    /** @type {any} */ _, /** @type {number} */ row,
  ) => ({
    side,
    // The nearest seat is the lowest.
    box: box(
      side === "left" ? margin : width - margin - sideWide,
      6 + ((side === "left" ? left : right) - 1 - row) * pitch[side],
      sideWide,
      pitch[side],
    ),
    circles: null,
    plate: null,
  });
  const noteY = motto.y + motto.height + 1;
  const ownTop = noteY + (needs.hasBank ? 38 : 22);
    const rhombusWide = ownSize * 2.2;
  const at = { x: margin + 36 + rhombusWide / 2, y: edge - 4 - rhombusTall / 2 };
  const cardsX = at.x + rhombusWide / 2 + 32;
  // The words next to the cards need this much at least.
  const cardsWide = barX - 10 - 88 - 16 - cardsX;
  const tallest = (edge - 6 - ownTop) / CARD_RATIO;
  card.own = Math.min(card.own, tallest, (cardsWide - 6 * (needs.hand - 1)) / needs.hand);
  const ownTall = card.own * CARD_RATIO;
  const ownWide = across(needs.hand, card.own, 6);
  const cards = box(cardsX, edge - 6 - ownTall, ownWide, ownTall);
  const textX = cards.x + cards.width + 16;
  return {
    mode: "flat", width, height, card,
    circle: { own: ownSize, seat: 0 },
    gap: 6,
    felt: {
      middle: width / 2, top: -40, from: height * 0.35, across: width / 2 - 8,
      down: edge - height * 0.35, power: 5, outward: 20, below: 40,
    },
    furniture: null,
    dealer,
    board,
    call,
    motto,
    notes: {
      bank: box(mottoX, noteY, mottoWide, needs.hasBank ? 16 : 0),
      deal: box(mottoX, noteY + (needs.hasBank ? 16 : 0), mottoWide, 16),
    },
    pays: null,
    left: Array.from({ length: left }).map(slot("left")),
    right: Array.from({ length: right }).map(slot("right")),
    own: {
      cards,
      circles: ownRhombus(at, ownSize),
      text: box(textX, cards.y, Math.max(80, barX - 10 - textX), ownTall),
    },
    bar: box(barX, height - barTall, barWide, Math.max(0, barTall - 6)),
    more: needs.hasPanel ? null : box(middleLeft, rowEnd + 3, 52, 44),
  };
}
