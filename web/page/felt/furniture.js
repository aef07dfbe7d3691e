// The table itself: the felt, its padded rail, and the dealer's rack, shoe and discards.

import { html, useMemo } from "../shared/html.js";
import { curve } from "./geometry.js";

/** @typedef {import("./geometry.js").Stage} Stage */
/** @typedef {import("./geometry.js").Outline} Outline */
/** @typedef {import("./geometry.js").Box} Box */
/** @typedef {import("./geometry.js").Point} Point */

/** The colors across the leather, from the felt outward. */
const LEATHER = /** @type {[number, number[]][]} */ ([
  [0, [0x0e, 0x0a, 0x08]],
  [0.2, [0x42, 0x34, 0x2b]],
  [0.6, [0x22, 0x1a, 0x16]],
  [1, [0x0f, 0x0c, 0x0a]],
]);
const LAYERS = 24;
const STITCHES = 0.68;

/** @param {number} share of the way from the felt to the rail's outer edge */
function leather(share) {
  const next = Math.max(1, LEATHER.findIndex(([at]) => share <= at));
  const [[from, one], [to, other]] = [LEATHER[next - 1], LEATHER[next]];
  const part = (share - from) / (to - from);
  const mixed = one.map((value, place) => Math.round(value + part * (other[place] - value)));
  return `rgb(${mixed.join(" ")})`;
}

/** @param {Point} point */
const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * The closed outline at a share of the way from the felt to the rail's outer edge.
 * @param {Outline} outline
 * @param {number} share
 */
function outlineAt(outline, share) {
  const right = curve(outline, share);
  const mirrored = right.map(({ x, y }) => ({ x: 2 * outline.middle - x, y })).reverse();
  const edge = right[right.length - 1].x;
  const left = 2 * outline.middle - edge;
  const top = outline.top - 18 * share;
  const round = 20 + 16 * share;
  return [
    `M${at(mirrored[0])}`,
    ...mirrored.slice(1).map((point) => `L${at(point)}`),
    ...right.slice(1).map((point) => `L${at(point)}`),
    `L${edge.toFixed(1)} ${top + round}`,
    `Q${edge.toFixed(1)} ${top} ${(edge - round).toFixed(1)} ${top}`,
    `L${(left + round).toFixed(1)} ${top}`,
    `Q${left.toFixed(1)} ${top} ${left.toFixed(1)} ${top + round}Z`,
  ].join("");
}

/**
 * Half of the line that the clock runs along: from the middle below toward one side.
 * @param {Outline} outline
 * @param {1 | -1} sign
 */
function clockLine(outline, sign) {
  const reach = outline.across * 0.82;
  const points = curve(outline, 0, 60)
    .filter(({ x }) => x - outline.middle <= reach)
    .map(({ x, y }) => ({ x: outline.middle + sign * (x - outline.middle), y }));
  return points.map((point, place) => `${place ? "L" : "M"}${at(point)}`).join("");
}

/** The tubes of the rack: the color of their chips, and how full they are. */
const TUBES = /** @type {[string, number][]} */ ([
  ["red", 1], ["red", 0.7], ["green", 0.8], ["green", 0.95], ["black", 0.9], ["black", 0.65],
  ["violet", 0.8], ["black", 0.9], ["black", 0.9], ["green", 0.7], ["green", 0.85], ["red", 0.9],
  ["red", 1],
]);

/** @param {{box: Box}} props */
function Rack({ box }) {
  const { x, y, width, height } = box;
  const inset = height * 0.16;
  const step = (width - 2 * inset) / TUBES.length;
  const tall = height - 2 * inset;
  return html`<g class="rack">
    <rect class="rack-frame" x=${x} y=${y} width=${width} height=${height} rx=${height * 0.2} />
    ${TUBES.map(([color, full], place) => {
      const left = x + inset + place * step + step * 0.1;
      const wide = step * 0.8;
      const top = y + inset + tall * (1 - full);
      const chips = Array.from({ length: Math.round(full * 11) }, (_, chip) => {
        const line = y + inset + tall - (chip + 1) * (tall / 11);
        return `M${left} ${line.toFixed(1)}h${wide.toFixed(1)}`;
      }).join("");
      return html`<g key=${place}>
        <rect class="tube" x=${left} y=${y + inset} width=${wide} height=${tall} rx="2" />
        <rect class="tube-${color}" x=${left} y=${top} width=${wide} height=${tall * full} rx="1" />
        <rect class="tube-mark" x=${left + wide * 0.33} y=${top} width=${wide * 0.34}
          height=${tall * full} />
        <path class="tube-lines" d=${chips} />
      </g>`;
    })}
  </g>`;
}

/** @param {{box: Box, hasCards: boolean}} props */
function Discards({ box: { x, y, width, height }, hasCards }) {
  return html`<g>
    <rect class="discards" x=${x} y=${y} width=${width} height=${height} rx=${width * 0.13} />
    ${hasCards &&
    [0, 1, 2].map(
      (card) => html`<rect key=${card} class="discard" x=${x + width * 0.15}
        y=${y + height * (0.74 - card * 0.09)} width=${width * 0.7} height=${height * 0.055}
        rx="1" />`,
    )}
  </g>`;
}

/** @param {{box: Box}} props */
function Shoe({ box: { x, y, width, height } }) {
  return html`<g>
    <rect class="shoe" x=${x} y=${y} width=${width} height=${height} rx=${width * 0.12} />
    <rect class="shoe-card" x=${x + width * 0.14} y=${y + height * 0.14} width=${width * 0.72}
      height=${height * 0.5} rx="3" />
    <rect class="shoe-inset" x=${x + width * 0.2} y=${y + height * 0.2} width=${width * 0.6}
      height=${height * 0.38} rx="2" />
    <rect class="shoe-lip" x=${x + width * 0.2} y=${y + height * 0.76} width=${width * 0.6}
      height=${height * 0.075} rx="2" />
  </g>`;
}

/**
 * The table, under all that lies on it.
 * @param {{stage: Stage, hasDiscards: boolean, left: number | null}} props `left` is the share of
 *   the player's time that is left
 */
export function Furniture({ stage, hasDiscards, left }) {
  const { felt, furniture, width, height } = stage;
  const drawn = useMemo(
    () => ({
      layers: Array.from({ length: LAYERS + 1 }, (_, layer) => 1 - layer / LAYERS).map((share) => ({
        path: outlineAt(felt, share),
        fill: leather(share),
      })),
      stitches: outlineAt(felt, STITCHES),
      felt: outlineAt(felt, 0),
      print: outlineAt(
        { ...felt, top: felt.top + 14, across: felt.across - 16, down: felt.down - 16 },
        0,
      ),
      clock: [clockLine(felt, -1), clockLine(felt, 1)],
    }),
    [stage],
  );
  const isShort = left !== null && left < 0.25;
  return html`<svg class="furniture" viewBox=${`0 0 ${width} ${height}`} aria-hidden="true"
    focusable="false">
    <defs>
      <radialGradient id="felt-color" cx="50%" cy="36%" r="72%">
        <stop offset="0" class="felt-1" />
        <stop offset=".55" class="felt-2" />
        <stop offset="1" class="felt-3" />
      </radialGradient>
    </defs>
    ${drawn.layers.map(
      ({ path, fill }, layer) => html`<path key=${layer} d=${path} fill=${fill} />`,
    )}
    <path class="rail-edge" d=${drawn.layers[0].path} />
    <path class="stitches" d=${drawn.stitches} />
    <path class="felt-cloth" d=${drawn.felt} fill="url(#felt-color)" />
    ${stage.mode === "table" && html`<path class="felt-print" d=${drawn.print} />`}
    <path class="rail-line" d=${drawn.felt} />
    ${left !== null &&
    drawn.clock.map(
      (path, side) => html`<path key=${side} class="clock-line ${isShort ? "short" : ""}" d=${path}
        pathLength="1" style=${{ strokeDashoffset: `${1 - left}` }} />`,
    )}
    ${furniture &&
    html`<${Discards} box=${furniture.discards} hasCards=${hasDiscards} />
      <${Rack} box=${furniture.rack} />
      <${Shoe} box=${furniture.shoe} />`}
  </svg>`;
}
