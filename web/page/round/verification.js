// Verifies a round's record: first with the browser's own hashes, then by the rules.

import { Cards } from "../felt/card.js";
import { Problem, query } from "../shared/api.js";
import { Dialog } from "../shared/dialog.js";
import { html, useEffect, useState } from "../shared/html.js";
import { sentence, showNote } from "../shared/notice.js";
import { savedCommitment } from "./commitments.js";
import { canonical, checkShuffle, isUndealt } from "./shuffle.js";

/** @typedef {import("./shuffle.js").Step} Step */

const SHOWN = "The commitment you saw";
const RESULT = "The result";

/**
 * @param {any} record
 * @returns {Promise<Step[]>}
 */
export async function verify(record) {
  const result = isUndealt(record) ? [] : [await resultStep(record)];
  const steps = [...shownSteps(record), ...(await checkShuffle(record)), ...result];
  return record.journal_hash ? [...steps, await fieldsStep(record)] : steps;
}

/**
 * Compares the commitment with the one this browser saw before betting closed, if it saw one.
 * @param {any} record
 * @returns {Step[]}
 */
function shownSteps({ shuffle }) {
  const shown = shuffle ? savedCommitment(shuffle.table, shuffle.round) : null;
  if (shown === null) return [];
  const ok = shown === shuffle.commitment;
  const detail = ok
    ? "This browser saw the same commitment before betting closed, and saved it then."
    : `This browser saw a different commitment before betting closed: ${shown}`;
  return [{ name: SHOWN, ok, detail }];
}

/**
 * Has the server replay the round without its result, so that nothing can be copied from it.
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function resultStep(record) {
  const name = RESULT;
  const { result, ...played } = record;
  let again;
  try {
    again = (await query("replay", played)).result;
  } catch (problem) {
    return { name, ok: isAnswer(problem) ? false : null, detail: words(problem) };
  }
  if (!result)
    return {
      name,
      ok: null,
      detail: "The record has no result, so there's nothing to compare.",
    };
  const other = difference(again, result, "result");
  const detail = other
    ? `The rules give a different result: ${other}.`
    : "Replayed by the rules with these cards and decisions, every wager settles to the same cent.";
  return { name, ok: !other, detail };
}

/**
 * Has the server check the rest: the version of the rules, and that there are no extra fields.
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function fieldsStep(record) {
  const name = "Everything else";
  try {
    const verdict = await query("verify", record);
    const detail = verdict.verified
      ? "The server finds every field correct, including the version of the rules."
      : `The server finds an error in ${verdict.field || "the record"}: ${sentence(
          verdict.error ?? "it does not say which",
        )}`;
    return { name, ok: verdict.verified, detail };
  } catch (problem) {
    return { name, ok: isAnswer(problem) ? false : null, detail: words(problem) };
  }
}

/** @param {unknown} problem */
function isAnswer(problem) {
  const codes = ["bad-record", "malformed"];
  return problem instanceof Problem && codes.includes(problem.code);
}

/** @param {unknown} problem */
function words(problem) {
  if (!(problem instanceof Problem)) throw problem;
  return [problem.message, ...problem.faults].map(sentence).join(" ");
}

/**
 * @param {any} right
 * @param {any} written
 * @param {string} path
 * @returns {string} the first field that differs, or nothing
 */
export function difference(right, written, path) {
  if (right === null || typeof right !== "object") {
    return right === written
      ? ""
      : `${path} should be ${canonical(right)}, but the record has ${canonical(written ?? null)}`;
  }
  if (Array.isArray(right) && right.length !== written?.length)
    return `${path} should have ${right.length} entries, but the record has a different number`;
  for (const name of Object.keys(right)) {
    const found = difference(
      right[name],
      written?.[name],
      Array.isArray(right) ? `${path}[${name}]` : `${path}.${name}`,
    );
    if (found) return found;
  }
  return "";
}

/**
 * @param {Step[]} steps
 * @returns {{ok: boolean | null, text: string}}
 */
export function verdict(steps) {
  if (steps.some(({ ok }) => ok === false)) {
    return { ok: false, text: "This round is not true." };
  }
  if (steps.every(({ ok }) => ok)) return { ok: true, text: "This round is true." };
  return { ok: null, text: "Nothing is wrong, but not everything could be checked." };
}

const SIGNS = { right: "M6 12.5l4 4 8-9", wrong: "M7 7l10 10M17 7L7 17", open: "M12 11v6M12 7v.5" };
const SAYS = { right: "right", wrong: "wrong", open: "not checked" };

/** @param {boolean | null} ok */
const kindOf = (ok) => (ok === null ? "open" : ok ? "right" : "wrong");

/** @param {{ok: boolean | null}} props */
export function Sign({ ok }) {
  const kind = kindOf(ok);
  return html`<span class="sign ${kind}">
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[kind]} /></svg>
    <span class="unseen">${SAYS[kind]}: </span>
  </span>`;
}

/** @param {string} hash @returns {string} its first and last eight digits */
const fingerprint = (hash) => (hash?.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-8)}` : "");

/**
 * The field that a check compared, in a word.
 * @param {Step} step
 * @param {any} record
 * @returns {string}
 */
function proofOf({ name, ok }, record) {
  const { shuffle, journal_hash: seal } = record;
  const seat = /^Seat (\d)'s commitment$/.exec(name)?.[1];
  if (seat) {
    const own = shuffle?.seat_seeds?.find((/** @type {any} */ it) => it.seat === Number(seat));
    return fingerprint(own?.commitment);
  }
  if (name === SHOWN || name === "The table's commitment") return fingerprint(shuffle?.commitment);
  if (name === "The deck" && ok) return "52 of 52";
  if (name === "The seal") return fingerprint(seal);
  if (name === RESULT && ok) return "$0 off";
  return "";
}

/** @param {{steps: Step[], record: any}} props */
function Checks({ steps, record }) {
  return html`<ol class="checks" data-testid="checks">
    ${steps.map(
      (step) => html`<li key=${step.name}>
        <${Sign} ok=${step.ok} />
        <div>
          <strong>${step.name}</strong>
          <p class="quiet">${step.detail}</p>
          ${step.name === "The deck" && step.ok && html`<${Deck} record=${record} />`}
        </div>
        <code>${proofOf(step, record)}</code>
      </li>`,
    )}
  </ol>`;
}

/**
 * The deck, hand by hand as it was dealt.
 * @param {{record: any}} props
 */
function Deck({ record }) {
  const { result } = record;
  if (!result?.dealer) return null;
  const hands = [
    ...result.seats.map((/** @type {any} */ it) => [`Seat ${it.seat}`, it.cards]),
    ["Dealer", result.dealer.cards],
    ["Board", result.community],
  ].filter(([, cards]) => cards.length > 0);
  const dealt = hands.flatMap(([, cards]) => cards).length;
  return html`<div class="deck-check">
    ${hands.map(
      ([name, cards]) => html`<div key=${name}>
        <span>${name}</span><${Cards} cards=${cards} label=${name} />
      </div>`,
    )}
    <p class="quiet">and ${52 - dealt} more, in their order</p>
  </div>`;
}

/**
 * The limits of the proof, in one sentence.
 * @param {{steps?: Step[]}} props
 */
export function Limits({ steps = [] }) {
  const isSaved = steps.some(({ name, ok }) => name === SHOWN && ok);
  return html`<p class="quiet">
    ${isSaved
      ? "This doesn't prove that the table drew its seed at random, unless a seat added its own."
      : "This doesn't prove that the table showed you this commitment before you bet, which only " +
        "you can compare, or that it drew its seed at random, unless a seat added its own."}
  </p>`;
}

/**
 * The state of a round's verification, which begins by itself, and the sheet with all its checks.
 * @param {{record: any}} props
 */
export function Verification({ record }) {
  const [steps, setSteps] = useState(/** @type {Step[] | null} */ (null));
  const [fault, setFault] = useState("");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isWanted = true;
    setSteps(null);
    setFault("");
    verify(record).then(
      (found) => isWanted && setSteps(found),
      (error) => {
        console.error(error);
        if (isWanted) setFault("This record can't be read: it isn't in the right format.");
      },
    );
    return () => {
      isWanted = false;
    };
  }, [record]);
  const all = steps && verdict(steps);
  return html`<div class="verified">
    ${fault
      ? html`<p class="bad" role="alert">${fault}</p>`
      : html`<${Sign} ok=${all ? all.ok : null} />
          <p data-testid="verdict" aria-live="polite">
            <strong>${all ? all.text : "Verifying…"}</strong>
            <span class="aside">Checked here in your browser, and by the rules.</span>
          </p>
          <button class="link" disabled=${!steps} onClick=${() => setOpen(true)}>
            See how<span class="unseen"> it was verified</span>
          </button>`}
    <${Dialog} isOpen=${isOpen && Boolean(steps)} hide=${() => setOpen(false)}
      title=${all?.text.replace(/\.$/, "") ?? "Verifying"}>
      ${steps && html`<${Sheet} record=${record} steps=${steps} hide=${() => setOpen(false)} />`}
    <//>
  </div>`;
}

/** @param {{record: any, steps: Step[], hide: () => void}} props */
function Sheet({ record, steps, hide }) {
  const { shuffle } = record;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(record));
      showNote("Record copied.");
    } catch {
      showNote("Your browser doesn't let a page copy. Download the record instead.");
    }
  };
  return html`<div class="verify-sheet">
    <p class="quiet">
      ${shuffle ? `Round ${shuffle.round} of table ${shuffle.table} · ` : ""}${steps.length} checks
    </p>
    <${Checks} steps=${steps} record=${record} />
    ${shuffle?.commitment &&
    html`<p class="compare">Compare this commitment with the one you saw before you bet:${" "}
      <code>${shuffle.commitment}</code></p>`}
    <footer>
      <${Limits} steps=${steps} />
      <button onClick=${copy}>Copy the record</button>
      <button class="gold" onClick=${hide}>Done</button>
    </footer>
  </div>`;
}
