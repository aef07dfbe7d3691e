// A finished round: its replay, the result of each wager with the reason, and its verification.

import { printedPlacard } from "../house/pay_tables.js";
import { get, invited, Problem, query } from "../shared/api.js";
import { html, useEffect, useMemo, useRef, useState } from "../shared/html.js";
import { signed, tone } from "../shared/money.js";
import { decisionWords, moment, withNames } from "../shared/names.js";
import { sentence, showError, showNote } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { Replay, TimeLine, useReplay } from "./replay.js";
import { scenes } from "./replay_scenes.js";
import { isUndealt } from "./shuffle.js";
import { streets } from "./streets.js";
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
      <section class="box empty-state">
        <h1>Round ${round} isn't here</h1>
        <p>${sentence(problem.message)} If the table is private, you need the full link. Nothing
          happened to your chips.</p>
        <p class="row">
          <${Link} class="button gold" href="/history">Your rounds<//>
          <${Link} class="button" href="/">To the floor<//>
        </p>
      </section>
    </main>`;
  }
  const record = loaded?.record;
  const nameOf = (/** @type {number} */ seat) => loaded?.names.get(seat);
  return html`<main class="round-page" id="main" tabindex="-1">
    ${record
      ? html`<${RoundView} record=${record} nameOf=${nameOf} mine=${seatOf(record, me?.player)}
          title=${`Round ${round}`} file=${`croupier-${table}-${round}.json`} />`
      : html`<h1 class="unseen">Round ${round}</h1>`}
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
 * @param {string} props.title
 * @param {string} [props.file] the name of its file; also offers the link of this page
 */
export function RoundView({ record, nameOf, mine, title, file }) {
  return isUndealt(record)
    ? html`<${UndealtView} record=${record} title=${title} />`
    : html`<${DealtView} record=${record} nameOf=${nameOf} mine=${mine} title=${title}
        file=${file} />`;
}

/**
 * A round that ended before a card was dealt: it has a reason, and seeds to verify.
 * @param {{record: any, title: string}} props
 */
function UndealtView({ record, title }) {
  return html`<div class="sheet">
    <section class="box">
      <h1>${title}: not dealt</h1>
      <p class="quiet"><${Facts} record=${record} /></p>
      <p>No cards were dealt: ${record.reason}. All wagers were returned.</p>
      <p class="quiet">The seed for the deck was: <code>${record.shuffle?.seed}</code></p>
      <${Verification} record=${record} />
    </section>
  </div>`;
}

/**
 * @param {object} props
 * @param {any} props.record
 * @param {NameOf} props.nameOf
 * @param {number | null} props.mine
 * @param {string} props.title
 * @param {string} [props.file]
 */
function DealtView({ record, nameOf, mine, title, file }) {
  const [told, setTold] = useState(/** @type {{record: any, telling: Telling} | null} */ (null));
  const [problem, setProblem] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState("replay");
  const placard = usePlacard(record);
  useEffect(() => {
    setTold(null);
    setProblem("");
    narrate(record).then(setTold, (error) => {
      if (!(error instanceof Problem)) return showError(error);
      return setProblem([error.message, ...error.faults].map(sentence).join(" "));
    });
  }, [record]);
  const moments = useMemo(
    () => (told ? scenes(told.record, told.telling, nameOf, mine, isOpen) : []),
    [told, mine, isOpen],
  );
  const steps = told?.telling.steps ?? [];
  const parts = useMemo(() => streets(steps), [told]);
  const replay = useReplay(moments, steps.map(({ kind }) => kind));
  const advice = useAdvice(record, told?.record, steps, mine);
  const own = told?.telling.seats.find(({ seat }) => seat === mine);
  const net = own?.net ?? (record.banker?.seat === mine ? told?.telling.bank.net : undefined);
  return html`<div class="round-view">
    <div class="round-felt">
      ${moments.length > 0 && html`<${Replay} moments=${moments} streets=${parts} replay=${replay}
        placard=${placard} />`}
    </div>
    <aside class="round-panel" aria-label="About this round">
      <header>
        <div class="spread">
          <h1>${title}</h1>
          ${net !== undefined && html`<strong class=${`round-net ${tone(net)}`}>
            ${signed(net)}
          </strong>`}
        </div>
        <p class="quiet"><${Facts} record=${record} /></p>
      </header>
      ${problem && html`<p class="bad">This round can't be shown on the felt. ${problem}</p>`}
      <div class="tabs" role="tablist" aria-label="About this round">
        ${[["replay", "Replay"], ["settlement", "Settlement"]].map(
          ([id, name]) => html`<button key=${id} role="tab" id=${`tab-${id}`}
            aria-selected=${tab === id} aria-controls="round-tab"
            onClick=${() => setTab(id)}>${name}</button>`,
        )}
      </div>
      <div class="round-tab" id="round-tab" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
        ${told && tab === "replay" &&
        html`<div class="cards-switch">
            <span class="quiet" id="cards-shown">Cards</span>
            <div class="segments" role="group" aria-labelledby="cards-shown">
              <button aria-pressed=${!isOpen} onClick=${() => setOpen(false)}>
                ${mine ? "as you saw them" : "as the rail saw them"}
              </button>
              <button aria-pressed=${isOpen} onClick=${() => setOpen(true)}>open</button>
            </div>
          </div>
          <${TimeLine} moments=${moments} streets=${parts} replay=${replay}
            about=${(/** @type {number} */ at) => html`<${Values} values=${advice.get(at)}
              decision=${steps[at]?.decision} />`} />`}
        ${told && tab === "settlement" &&
        html`<${Settlement} telling=${told.telling} record=${told.record} nameOf=${nameOf}
          mine=${mine} />`}
      </div>
      ${file && html`<div class="row round-tools">
        <${Share} />
        <${Download} record=${record} name=${file} />
      </div>`}
      <${Verification} record=${record} />
    </aside>
  </div>`;
}

/**
 * The pay tables of the round, as printed on its felt, if its house came with the program.
 * @param {any} record
 */
function usePlacard(record) {
  const [placard, setPlacard] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (typeof record.house !== "string") return;
    get(`houses/${encodeURIComponent(record.house)}`).then(
      (house) => setPlacard(printedPlacard(house, record.bonus_paytable)),
      // A felt without print is still a felt.
      () => {},
    );
  }, [record]);
  return placard;
}

/**
 * The values of the viewer's choices, with the cards as they were known then.
 * @param {any} record
 * @param {any} whole with its result
 * @param {Telling["steps"]} steps
 * @param {number | null} mine
 * @returns {Map<number, import("../../types/api").AdviceReport>} by the place of the step
 */
function useAdvice(record, whole, steps, mine) {
  const [found, setFound] = useState(
    /** @type {Map<number, import("../../types/api").AdviceReport>} */ (new Map()),
  );
  useEffect(() => {
    setFound(new Map());
    const own = whole?.result.seats.find((/** @type {any} */ it) => it.seat === mine);
    if (!own || typeof record.house !== "string") return undefined;
    let isWanted = true;
    const run = async () => {
      let board = /** @type {string[]} */ ([]);
      for (const [place, step] of steps.entries()) {
        if (step.kind === "turned") board = [...board, ...(step.cards ?? [])];
        if (step.kind !== "decided" || step.seat !== mine) continue;
        const asked = { house: record.house, hand: own.cards.join(" "), board: board.join(" ") };
        const report = await query("advise", board.length ? asked : { ...asked, board: undefined });
        if (!isWanted) return;
        setFound((known) => new Map(known).set(place, report));
      }
    };
    // The values are an extra: the replay goes on without them.
    run().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [whole, mine]);
  return found;
}

/**
 * @param {object} props
 * @param {import("../../types/api").AdviceReport | undefined} props.values
 * @param {string | null | undefined} props.decision
 */
function Values({ values, decision }) {
  if (!values) return null;
  const { actions, best } = values;
  const most = Math.max(...actions.map(({ ev }) => ev));
  const made = actions.find(({ action }) => action === decision);
  const cost = made ? most - made.ev : 0;
  return html`<div class="step-values">
    ${actions.map(({ action, ev }) => html`<div key=${action}
      class=${action === best ? "best" : ""}>
      <span>${decisionWords(action, 0).label}</span>
      <span class="track"><span style=${{ width: `${100 * Math.max(0, 1 - (most - ev))}%` }}>
      </span></span>
      <span class="number">${ev < 0 ? "−" : "+"}${Math.abs(ev).toFixed(4)}</span>
    </div>`)}
    <p>With the cards as they were known then, in antes.${" "}
      ${decision === best
        ? "It was the best choice."
        : made && `It cost ${cost.toFixed(4)} antes.`}</p>
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
    <h2 id="settlement-title" class="unseen">Settlement</h2>
    <p>${withNames(telling.call, nameOf)}</p>
    ${record.void && html`<p>The round is void: ${record.void}. All wagers were returned.</p>`}
    <div class="settled-seats">
      ${seats.map(
        (seat) => html`<${Wagers} key=${seat.seat} seat=${seat} caption=${name(seat.seat)} />`,
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
    : html`<button class="small" onClick=${copy}>Copy link</button>`;
}

/** @param {{record: any, name: string}} props */
function Download({ record, name }) {
  const address = useMemo(() => {
    const text = [JSON.stringify(record), "\n"];
    return URL.createObjectURL(new Blob(text, { type: "application/json" }));
  }, [record]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return html`<a class="button small" href=${address} download=${name}>Download record</a>`;
}
