// A finished round: its replay, the result of each wager with the reason, and its verification.

import { get, invited, Problem, query } from "../shared/api.js";
import { html, useEffect, useMemo, useRef, useState } from "../shared/html.js";
import { signed, tone } from "../shared/money.js";
import { moment, withNames } from "../shared/names.js";
import { sentence, showError, showNote } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { Replay } from "./replay.js";
import { scenes } from "./replay_scenes.js";
import { isUndealt } from "./shuffle.js";
import { Verification } from "./verification.js";
import { Wagers } from "./wagers.js";

/** @typedef {import("../../types/api").Telling} Telling */
/** @typedef {(seat: number) => string | undefined} NameOf */

/** @param {{table: string, round: string}} props */
export function RoundPage({ table, round }) {
  const [loaded, setLoaded] = useState(
    /** @type {{record: any, names: Map<number, string>} | null} */ (null),
  );
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const me = useStore(session);
  useTitle(`Round ${round}`);
  useEffect(() => {
    load(table, round).then(setLoaded, (error) => {
      if (error instanceof Problem) setProblem(error);
      else showError(error);
    });
  }, [table, round]);

  if (problem) {
    return html`<main class="sheet" id="main" tabindex="-1">
      <h1>Round ${round}</h1>
      <p>${sentence(problem.message)} If the table is private, you need the full link.</p>
      <p class="row">
        <${Link} class="button" href="/history">Your rounds<//>
        <${Link} class="button" href="/">Tables<//>
      </p>
    </main>`;
  }
  const record = loaded?.record;
  const nameOf = (/** @type {number} */ seat) => loaded?.names.get(seat);
  return html`<main class="sheet wide" id="main" tabindex="-1">
    <div class="page-head">
      <div>
        <h1>Round ${round}</h1>
        <p class="quiet">${record ? html`<${Facts} record=${record} />` : "Loading…"}</p>
      </div>
      <div class="row">
        <${Share} />
        ${record
          ? html`<${Download} record=${record} name=${`croupier-${table}-${round}.json`} />`
          : html`<button disabled>Download the record</button>`}
      </div>
    </div>
    ${record
      ? html`<${RoundView} record=${record} nameOf=${nameOf} mine=${seatOf(record, me?.player)} />`
      : html`<div class="replay-wait"></div>`}
  </main>`;
}

/**
 * @param {string} table
 * @param {string} round
 */
async function load(table, round) {
  const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
  const path = `tables/${encodeURIComponent(table)}/rounds`;
  const [record, names] = await Promise.all([
    get(`${path}/${encodeURIComponent(round)}${invited(invite)}`),
    namesIn(path, Number(round), invite),
  ]);
  return { record, names };
}

/**
 * The player's name at each seat. A record has only the players' ids.
 * @param {string} path
 * @param {number} round
 * @param {string | null} invite
 * @returns {Promise<Map<number, string>>}
 */
async function namesIn(path, round, invite) {
  const query = new URLSearchParams({ before: String(round + 1), ...(invite ? { invite } : {}) });
  try {
    const rounds = await get(`${path}?${query}`);
    const seats = rounds.find((/** @type {any} */ it) => it.round === round)?.seats ?? [];
    const named = seats.filter((/** @type {any} */ it) => it.name);
    return new Map(named.map((/** @type {any} */ it) => [it.seat, it.name]));
  } catch {
    // The round can be shown without names.
    return new Map();
  }
}

/**
 * @param {any} record
 * @param {string | undefined} player
 * @returns {number | null}
 */
function seatOf(record, player) {
  if (isUndealt(record)) return null;
  const all = [...record.seats, record.banker];
  const own = all.find((seat) => seat?.player && seat.player === player);
  return own?.seat ?? null;
}

/** @param {{record: any}} props */
function Facts({ record }) {
  return isUndealt(record) ? moment(record.journal.at) : html`<${DealtFacts} record=${record} />`;
}

/** @param {{record: any}} props */
function DealtFacts({ record }) {
  const house =
    typeof record.house === "string" ? record.house : (record.house.title ?? record.house.id);
  const [title, setTitle] = useState("");
  useEffect(() => {
    get("houses").then(
      (houses) => setTitle(houses.find((/** @type {any} */ it) => it.id === house)?.title ?? ""),
      () => {},
    );
  }, [house]);
  return [title || house, record.journal && moment(record.journal.at), record.bonus_paytable]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Everything about a round, from a record of any origin.
 * @param {object} props
 * @param {any} props.record
 * @param {NameOf} props.nameOf
 * @param {number | null} props.mine
 * @param {boolean} [props.atOnce] whether to verify right away
 */
export function RoundView({ record, nameOf, mine, atOnce }) {
  return isUndealt(record)
    ? html`<${UndealtView} record=${record} atOnce=${atOnce} />`
    : html`<${DealtView} record=${record} nameOf=${nameOf} mine=${mine} atOnce=${atOnce} />`;
}

/**
 * A round that ended before a card was dealt: it has a reason, and seeds to verify.
 * @param {{record: any, atOnce?: boolean}} props
 */
function UndealtView({ record, atOnce }) {
  return html`<div class="round-parts">
    <section aria-labelledby="undealt-title">
      <h2 id="undealt-title">Not dealt</h2>
      <p>No cards were dealt: ${record.reason}. All wagers were returned.</p>
      <p class="quiet">The seed for the deck was: <code>${record.shuffle?.seed}</code></p>
    </section>
    <${Verification} record=${record} atOnce=${atOnce} />
  </div>`;
}

/** @param {{record: any, nameOf: NameOf, mine: number | null, atOnce?: boolean}} props */
function DealtView({ record, nameOf, mine, atOnce }) {
  const [told, setTold] = useState(/** @type {{record: any, telling: Telling} | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setTold(null);
    setProblem("");
    narrate(record).then(setTold, (error) => {
      if (!(error instanceof Problem)) return showError(error);
      return setProblem([error.message, ...error.faults].map(sentence).join(" "));
    });
  }, [record]);
  const moments = useMemo(
    () => (told ? scenes(told.record, told.telling, nameOf, mine) : []),
    [told, mine],
  );
  return html`
    ${problem && html`<p class="bad">This round can't be shown on the felt. ${problem}</p>`}
    ${!problem && !told && html`<div class="replay-wait"></div>`}
    ${told &&
    moments.length > 0 &&
    html`<${Replay} moments=${moments} kinds=${told.telling.steps.map(({ kind }) => kind)} />`}
    <div class="round-parts">
      ${told &&
      html`<${Settlement} telling=${told.telling} record=${told.record} nameOf=${nameOf}
        mine=${mine} />`}
      <${Verification} record=${record} atOnce=${atOnce} />
    </div>`;
}

/**
 * Has the server narrate and replay a record. The felt shows the result that the rules give, even
 * if the record claims another.
 * @param {any} record
 */
async function narrate({ result: _, ...played }) {
  const [telling, whole] = await Promise.all([query("tell", played), query("replay", played)]);
  return { record: whole, telling };
}

/** @param {{telling: Telling, record: any, nameOf: NameOf, mine: number | null}} props */
function Settlement({ telling, record, nameOf, mine }) {
  const name = (/** @type {number} */ seat) =>
    seat === mine ? "You" : (nameOf(seat) ?? `Seat ${seat}`);
  // The player's own seat comes first.
  const isMine = (/** @type {{seat: number}} */ { seat }) => Number(seat === mine);
  const seats = [...telling.seats].sort((one, other) => isMine(other) - isMine(one));
  const { net } = telling.bank;
  return html`<section aria-labelledby="settlement-title">
    <h2 id="settlement-title">Settlement</h2>
    <p>${withNames(telling.call, nameOf)}</p>
    ${record.void && html`<p>The round is void: ${record.void}. All wagers were returned.</p>`}
    <div class="settled-seats">
      ${seats.map(
        (seat) => html`<div class="card-like" key=${seat.seat}>
          <${Wagers} seat=${seat} caption=${name(seat.seat)} />
        </div>`,
      )}
    </div>
    <p class="spread bank-line">
      <span>${withNames(telling.bank.say, nameOf)}</span>
      <strong class="number ${tone(net)}">${signed(net)}</strong>
    </p>
  </section>`;
}

/** A button that copies the URL, or shows it where the browser does not let a page copy. */
function Share() {
  const [link, setLink] = useState("");
  const field = useRef(/** @type {any} */ (null));
  useEffect(() => field.current?.select(), [link]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      showNote(
        location.hash
          ? "Link copied. Anyone with the link can also sit down at the table."
          : "Link copied.",
      );
    } catch {
      setLink(location.href);
    }
  };
  return link
    ? html`<label class="field">Copy this link <input ref=${field} readonly
        value=${link} /></label>`
    : html`<button onClick=${copy}>Copy the link</button>`;
}

/** @param {{record: any, name: string}} props */
function Download({ record, name }) {
  const address = useMemo(() => {
    const text = [JSON.stringify(record), "\n"];
    return URL.createObjectURL(new Blob(text, { type: "application/json" }));
  }, [record]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return html`<a class="button" href=${address} download=${name}>Download the record</a>`;
}
