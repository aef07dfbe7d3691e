// Whether a round is what its record says: by the browser's own sums first, then by the rules.

import { ask, Problem } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { noted } from "./noted.js";
import { sentence } from "./notice.js";
import { canonical, checkShuffle, isUndealt } from "./shuffle.js";
import { say } from "./speech.js";

/** @typedef {import("./shuffle.js").Step} Step */

const SHOWN = "What you were shown";

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
 * Compares with what this browser was shown before anybody bet, if it was there.
 * @param {any} record
 * @returns {Step[]}
 */
function shownSteps({ shuffle }) {
  const shown = shuffle ? noted(shuffle.table, shuffle.round) : null;
  if (shown === null) return [];
  const ok = shown === shuffle.commitment;
  const detail = ok
    ? "The table showed this browser the same commitment before betting opened, and it was noted then."
    : `The table showed this browser another commitment before betting opened: ${shown}`;
  return [{ name: SHOWN, ok, detail }];
}

/**
 * Has the round played again without its result, so that nothing can be copied from it.
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function resultStep(record) {
  const name = "The result";
  const { result, ...played } = record;
  let again;
  try {
    again = (await ask("replay", played)).result;
  } catch (problem) {
    return { name, ok: isAnswer(problem) ? false : null, detail: words(problem) };
  }
  if (!result)
    return {
      name,
      ok: null,
      detail: "The record does not say what the round came to, so there is nothing to compare.",
    };
  const other = difference(again, result, "result");
  const detail = other
    ? `By the rules it came to something else: ${other}.`
    : "Played again by the rules, with these cards and decisions, every wager comes to the same, to the cent.";
  return { name, ok: !other, detail };
}

/**
 * The server goes through what is left: the version of the rules, and that no field is one too many.
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function fieldsStep(record) {
  const name = "Everything else";
  try {
    const verdict = await ask("verify", record);
    const detail = verdict.verified
      ? "The server finds every field true, the version of the rules among them."
      : `The server finds a fault in ${verdict.field || "it"}: ${sentence(verdict.error ?? "it does not say which")}`;
    return { name, ok: verdict.verified, detail };
  } catch (problem) {
    return { name, ok: isAnswer(problem) ? false : null, detail: words(problem) };
  }
}

/** @param {unknown} problem */
function isAnswer(problem) {
  return problem instanceof Problem && (problem.code === "bad-record" || problem.code === "malformed");
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
 * @returns {string} the first field that is not the same, or nothing
 */
export function difference(right, written, path) {
  if (right === null || typeof right !== "object") {
    return right === written ? "" : `${path} is ${canonical(right)}, and the record has ${canonical(written ?? null)}`;
  }
  if (Array.isArray(right) && right.length !== written?.length)
    return `${path} has ${right.length} entries, and the record has others`;
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
  if (steps.some(({ ok }) => ok === false)) return { ok: false, text: "This round does not check out." };
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
 * What none of it can show, in one sentence.
 * @param {{steps?: Step[]}} props
 */
export function Limits({ steps = [] }) {
  const isNoted = steps.some(({ name, ok }) => name === SHOWN && ok);
  return html`<p class="quiet">
    ${isNoted
      ? "This does not prove that the table drew its seed at random, unless a seat brought a seed of its own."
      : "This does not prove that the table showed you this commitment before you wagered, which only you can " +
        "compare, nor that it drew its seed at random, unless a seat brought a seed of its own."}
  </p>`;
}

/**
 * A button that checks a round, and what it found.
 * @param {{record: any, atOnce?: boolean}} props
 */
export function Verification({ record, atOnce }) {
  const [state, setState] = useState(/** @type {{steps?: Step[], isBusy?: boolean, fault?: string}} */ ({}));
  const found = useRef(/** @type {any} */ (null));
  useEffect(() => {
    setState({});
    if (atOnce) run();
  }, [record]);
  // The button has gone; what it was pressed for takes its place.
  useEffect(() => {
    if (state.steps && !atOnce) found.current?.focus();
  }, [state.steps]);
  const run = async () => {
    setState({ isBusy: true });
    try {
      const steps = await verify(record);
      setState({ steps });
      if (!atOnce) say(verdict(steps).text);
    } catch (fault) {
      console.error(fault);
      setState({ fault: "This record could not be gone through: it is not as records are." });
    }
  };
  const { steps, isBusy, fault } = state;
  const all = steps && verdict(steps);
  return html`<section aria-labelledby="verify-title">
    <h2 id="verify-title">Verify</h2>
    <p class="quiet">${
      isUndealt(record)
        ? "Your browser works the commitments and the seal out again from the seeds, with its own sums."
        : "Your browser works the commitments, the deck and the seal out again from the seeds, with its own sums. " +
          "Then the server plays the round again, and every figure must be the same."
    }</p>
    ${record.shuffle?.commitment &&
    html`<p>
      The commitment, to compare with what you were shown before you wagered:${" "}
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
