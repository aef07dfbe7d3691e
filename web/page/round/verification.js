// Verifies a round's record: first with the browser's own hashes, then by the rules.

import { Problem, query } from "../shared/api.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { announce } from "../shared/live_region.js";
import { sentence } from "../shared/notice.js";
import { savedCommitment } from "./commitments.js";
import { canonical, checkShuffle, isUndealt } from "./shuffle.js";

/** @typedef {import("./shuffle.js").Step} Step */

const SHOWN = "The commitment you saw";

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
  const name = "The result";
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
    return { ok: false, text: "This round does not check out." };
  }
  if (steps.every(({ ok }) => ok)) return { ok: true, text: "Everything checks out." };
  return { ok: null, text: "Nothing is wrong, but not everything could be checked." };
}

const SIGNS = { right: "✓", wrong: "✗", open: "–" };
const SAYS = { right: "right", wrong: "wrong", open: "not checked" };

/** @param {boolean | null} ok */
const kindOf = (ok) => (ok === null ? "open" : ok ? "right" : "wrong");

/** @param {{ok: boolean | null}} props */
export function Sign({ ok }) {
  const kind = kindOf(ok);
  return html`<span class="sign ${kind}">
    <span aria-hidden="true">${SIGNS[kind]}</span><span class="unseen">${SAYS[kind]}: </span>
  </span>`;
}

/** @param {{steps: Step[]}} props */
export function Steps({ steps }) {
  return html`<ol class="checks" data-testid="checks">
    ${steps.map(
      ({ name, ok, detail }) => html`<li key=${name}>
      <${Sign} ok=${ok} /><div><strong>${name}</strong><p class="quiet">${detail}</p></div>
    </li>`,
    )}
  </ol>`;
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
 * A button that verifies a round, and the findings.
 * @param {{record: any, atOnce?: boolean}} props
 */
export function Verification({ record, atOnce }) {
  const [state, setState] = useState(
    /** @type {{steps?: Step[], isBusy?: boolean, fault?: string}} */ ({}),
  );
  const found = useRef(/** @type {any} */ (null));
  useEffect(() => {
    setState({});
    if (atOnce) run();
  }, [record]);
  // The button is gone, so the verdict takes its place and the focus.
  useEffect(() => {
    if (state.steps && !atOnce) found.current?.focus();
  }, [state.steps]);
  const run = async () => {
    setState({ isBusy: true });
    try {
      const steps = await verify(record);
      setState({ steps });
      if (!atOnce) announce(verdict(steps).text);
    } catch (fault) {
      console.error(fault);
      setState({ fault: "This record can't be read: it isn't in the right format." });
    }
  };
  const { steps, isBusy, fault } = state;
  const all = steps && verdict(steps);
  return html`<section aria-labelledby="verify-title">
    <h2 id="verify-title">Verify</h2>
    <p class="quiet">${
      isUndealt(record)
        ? "Your browser itself recomputes the commitments and the seal from the seeds."
        : "Your browser itself recomputes the commitments, the deck and the seal from the seeds. " +
          "Then the server replays the round, and every number must match."
    }</p>
    ${record.shuffle?.commitment &&
    html`<p>
      Compare this commitment with the one you saw before you bet:${" "}
      <code>${record.shuffle.commitment}</code>
    </p>`}
    ${all &&
    html`<p class="verdict ${kindOf(all.ok)}" tabindex="-1" ref=${found} data-testid="verdict">
      <${Sign} ok=${all.ok} />${all.text}
    </p>`}
    ${fault && html`<p class="bad" role="alert">${fault}</p>`}
    ${
      steps
        ? html`<${Steps} steps=${steps} />`
        : html`<p><button class="gold" disabled=${isBusy} onClick=${run}>
      ${isBusy ? "Verifying…" : "Verify this round"}
    </button></p>`
    }
    <${Limits} steps=${steps} />
  </section>`;
}
