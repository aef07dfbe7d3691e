// The player's decisions in a finished round, against the best ones.

import { query } from "../shared/api.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { costOf } from "./coach.js";

/** @typedef {import("../../types/api").AdviceReport} AdviceReport */
/** @typedef {import("../../types/api").RoundRecord} RoundRecord */
/** @typedef {import("../../types/api").TablePlacard} TablePlacard */
/** @typedef {{decision: string, advice: AdviceReport}} Reviewed */

/** How many cards of the board are known at each decision. */
const KNOWN = { uth: [0, 3, 5], utcp: [0] };

const STREETS = /** @type {Record<string, string>} */ ({
  "pre-flop": "Before the flop",
  flop: "On the flop",
  river: "On the river",
  "three-cards": "With three cards",
});

/**
 * Asks for the value of every choice that a seat had, with the cards that it knew then.
 * @param {RoundRecord} record
 * @param {number} seat
 * @param {TablePlacard} placard
 * @returns {Promise<Reviewed[]>}
 */
function review(record, seat, { house, paytables }) {
  const made = record.seats.find((it) => it.seat === seat);
  const { community = [], seats = [] } = record.result ?? {};
  const cards = seats.find((it) => it.seat === seat)?.cards ?? [];
  const terms = {
    game: house.game,
    raises: house.raises,
    qualifying: house.qualifying,
    blind: paytables.find((it) => it.bet === "blind"),
    hand: cards.join(" "),
  };
  return Promise.all(
    (made?.actions ?? []).map(async (decision, turn) => {
      const board = community.slice(0, KNOWN[house.game][turn]).join(" ") || undefined;
      return { decision, advice: await query("advise", { ...terms, board }) };
    }),
  );
}

/**
 * @param {object} props
 * @param {RoundRecord} props.record
 * @param {number} props.seat
 * @param {TablePlacard | null} props.placard
 */
export function Review({ record, seat, placard }) {
  const [reviewed, setReviewed] = useState(/** @type {Reviewed[] | null} */ (null));
  const [isBusy, setBusy] = useState(false);
  const round = record.shuffle?.round;
  useEffect(() => setReviewed(null), [round]);
  const place = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (reviewed) place.current?.scrollIntoView({ block: "nearest" });
  }, [reviewed]);
  const made = record.seats.find((it) => it.seat === seat);
  if (!placard || !made?.actions.length || record.void) return null;
  const ask = async () => {
    setBusy(true);
    try {
      setReviewed(await review(record, seat, placard));
    } catch (problem) {
      showError(problem);
    }
    setBusy(false);
  };
  if (!reviewed) {
    return html`<button type="button" disabled=${isBusy} onClick=${ask}>
      ${isBusy ? "Counting…" : "Check your decisions"}
    </button>`;
  }
  const line = (/** @type {Reviewed} */ { decision, advice }) => {
    const action = advice.actions.find((it) => it.action === decision);
    const cost = action ? costOf({ ...advice, ante: made.ante }, action) : 0;
    const best = decisionWords(advice.best, 0).label.toLowerCase();
    return html`<div key=${advice.street}>
      <dt>${STREETS[advice.street] ?? advice.street}${" "}
        <strong>${decisionWords(decision, 0).label.toLowerCase()}</strong></dt>
      ${cost === 0
        ? html`<dd>✓ best</dd>`
        : html`<dd class="bad">not ${best}: ${money(-Math.round(cost * made.ante))}</dd>`}
    </div>`;
  };
  return html`<section ref=${place}>
    <h3>Your decisions</h3>
    <dl class="figures">${reviewed.map(line)}</dl>
  </section>`;
}
