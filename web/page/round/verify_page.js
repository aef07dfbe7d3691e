// Verifies records from any source: dropped, chosen or pasted, checked one at a time.

import { get } from "../shared/api.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { announce } from "../shared/live_region.js";
import { showError } from "../shared/notice.js";
import { useTitle } from "../shared/title.js";
import { readRecords } from "./records.js";
import { RoundView } from "./round_page.js";
import { Limits, Sign, verdict, verify } from "./verification.js";

/** How many records this page checks. The command line checks any number. */
const MOST = 200;

/** The largest file that is read: a record is about three thousand characters long. */
const MOST_BYTES = 5_000_000;

/**
 * @typedef {import("./records.js").Entry} Entry
 * @typedef {{ok: boolean | null, text: string}} Found
 */

export function VerifyPage() {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const [entries, setEntries] = useState(/** @type {Entry[]} */ ([]));
  const [isOver, setOver] = useState(false);
  const chooser = useRef(/** @type {any} */ (null));
  useTitle("Verify a round");

  const take = (/** @type {string} */ given) => {
    const found = readRecords(given);
    const none = "There's no record here. Paste one, or choose a file that has one.";
    setFault(found.length === 0 ? none : "");
    setEntries(found);
  };
  useEffect(() => {
    // The history leads here with all of the player's rounds.
    if (location.hash !== "#mine") return;
    get("me/records").then(
      (found) => take(typeof found === "string" ? found : JSON.stringify(found)),
      showError,
    );
  }, []);
  const open = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      setEntries([]);
      setFault("This file is too large for this page. Use the command line: croupier verify FILE");
      return;
    }
    const given = await file.text();
    // A long file would only slow down the text field.
    setText(given.length < 20_000 ? given : "");
    take(given);
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    open(event.dataTransfer?.files[0]);
  };
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(true);
  };

  return html`<main class="sheet wide" id="main" tabindex="-1">
    <div class="page-head"><div>
      <h1>Verify a round</h1>
      <p class="quiet">Paste the record of a round, or many records, one per line, from this server
        or any other. Your browser recomputes the deck from the seeds, and the server replays the
        round by the rules.</p>
    </div></div>
    <section class="drop ${isOver ? "over" : ""}" aria-label="The record"
      onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label class="field" for="record">Paste a record, or drop a file here
        <textarea id="record" class="mono" rows="5" spellcheck=${false} autocomplete="off"
          value=${text} aria-describedby="record-fault"
          onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
      </label>
      <p id="record-fault" class="bad" role="alert">${fault}</p>
      <div class="row">
        <button class="gold" onClick=${() => take(text)}>Verify</button>
        <button onClick=${() => chooser.current?.click()}>Choose a file</button>
        <input class="unseen" type="file" ref=${chooser}
          accept=".json,.jsonl,.ndjson,.txt,application/json" tabindex="-1"
          aria-label="A file of records"
          onChange=${(/** @type {any} */ event) => open(event.target.files[0])} />
      </div>
    </section>
    ${entries.length > 0 && html`<${Entries} key=${entries} entries=${entries} />`}
  </main>`;
}

/** @param {{entries: Entry[]}} props */
function Entries({ entries }) {
  const shown = entries.slice(0, MOST);
  const [found, setFound] = useState(/** @type {Map<number, Found>} */ (new Map()));
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  useEffect(() => goThrough(shown, (all) => setFound(new Map(all))), []);
  const only = shown.length === 1 ? 0 : chosen;
  const picked = only === null ? undefined : shown[only];
  return html`
    <section aria-labelledby="found-title">
      <h2 id="found-title">
        ${shown.length === 1 ? "Findings" : `${found.size} of ${shown.length} checked`}
      </h2>
      ${entries.length > MOST &&
      html`<p class="quiet">
        The first ${MOST} of ${entries.length} are checked here. To check all of them, run:${" "}
        <code>croupier verify FILE</code>
      </p>`}
      <div class="found" role="region" aria-label="Rounds and verdicts"
        tabindex="0"><table data-testid="found">
        <thead><tr><th scope="col">Round</th><th scope="col">Verdict</th></tr></thead>
        <tbody>${shown.map(
          (it, place) => html`<tr key=${place}>
          <th scope="row">${
            it.record && shown.length > 1
              ? html`<button class="link" aria-pressed=${chosen === place}
                  onClick=${() => setChosen(place)}>
                  ${nameOf(it)}
                </button>`
              : nameOf(it)
          }</th>
          <td><${Finding} found=${found.get(place)} /></td>
        </tr>`,
        )}</tbody>
      </table></div>
      ${!picked?.record && html`<${Limits} />`}
    </section>
    ${picked?.record &&
    html`<div class="picked-round">
      <${RoundView} key=${only} record=${picked.record} nameOf=${() => undefined} mine=${null}
        title=${nameOf(picked)} />
    </div>`}`;
}

/** @param {{found: Found | undefined}} props undefined while it is being checked */
function Finding({ found }) {
  if (!found) return html`<span class="quiet">checking…</span>`;
  return html`<${Sign} ok=${found.ok} />${found.text}`;
}

/** @param {Entry} entry */
function nameOf({ line, record }) {
  const proof = record?.shuffle;
  return proof?.table ? `Table ${proof.table}, round ${proof.round}` : `Record ${line}`;
}

/**
 * @param {Entry[]} entries
 * @param {(found: Map<number, Found>) => void} onFound
 * @returns {() => void} stops it
 */
function goThrough(entries, onFound) {
  const found = new Map();
  let isWanted = true;
  const run = async () => {
    for (const [place, { record, fault }] of entries.entries()) {
      if (!isWanted) return;
      found.set(place, fault ? { ok: false, text: fault } : await judged(record));
      onFound(found);
    }
    const wrong = [...found.values()].filter(({ ok }) => ok === false).length;
    const open = [...found.values()].filter(({ ok }) => ok === null).length;
    const rest = open
      ? `Nothing is wrong, but ${open} of ${entries.length} could not be checked.`
      : "Everything is checked, and nothing is wrong.";
    announce(wrong ? `${wrong} of ${entries.length} do not check out.` : rest);
  };
  run();
  return () => {
    isWanted = false;
  };
}

/**
 * @param {any} record
 * @returns {Promise<Found>}
 */
async function judged(record) {
  try {
    const steps = await verify(record);
    const { ok, text } = verdict(steps);
    const why = steps.find((step) => step.ok === false) ?? steps.find((step) => step.ok === null);
    return { ok, text: why ? `${text} ${why.name}: ${why.detail}` : text };
  } catch (fault) {
    console.error(fault);
    return { ok: false, text: "This record can't be read: it isn't in the right format." };
  }
}
