// A table, as long as somebody looks at it.

import { html, useEffect, useRef, useState } from "./html.js";
import { note } from "./noted.js";
import { complain, tell } from "./notice.js";
import { Link } from "./router.js";
import { begin, noteChips, practiceChips, session } from "./session.js";
import { Sitting } from "./sitting.js";
import { say } from "./speech.js";
import { useStore } from "./store.js";
import { follow } from "./stream.js";
import { betsClosed, spoken } from "./telling.js";
import { didWord } from "./words.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").News & {isFirst?: boolean}} Heard what a stream tells; its first news are about what was before */
/** @typedef {{line: string, problem: import("./api.js").Problem | null}} Line */

/** How long "No more bets" stands on the felt when nothing else is said in the meantime, in milliseconds. */
const CALLED = 1500;

/** @param {{table: string}} props */
export function TablePage({ table }) {
  const invite = useInvite();
  const me = useStore(session);
  const { state, last, closing, line, hear } = useTable(table, invite);
  useEffect(() => {
    document.title = state ? `${state.title || state.house_title} – Croupier` : "Croupier";
  }, [state?.title, state?.house_title]);

  if (line.line === "over") return html`<${Over} problem=${line.problem} />`;
  if (!state) return html`<${Empty} isLost=${line.line === "lost"} />`;
  return html`<${Sitting} table=${table} invite=${invite ?? state.invite ?? null} state=${state} last=${last}
    closing=${closing} line=${line.line} me=${me} hear=${hear} />`;
}

/** @returns {string | null} what opens a table that is not public: it is in the part of the address that servers are not sent */
function useInvite() {
  const inAddress = () => new URLSearchParams(location.hash.slice(1)).get("invite");
  const [invite, setInvite] = useState(inAddress);
  useEffect(() => {
    // Who was told to ask for the whole link may paste it into the same tab.
    const look = () => setInvite(inAddress());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return invite;
}

/**
 * Follows a table.
 * @param {string} table
 * @param {string | null} invite
 */
function useTable(table, invite) {
  const [state, setState] = useState(/** @type {TableState | null} */ (null));
  const [last, setLast] = useState(/** @type {Heard | null} */ (null));
  const [line, setLine] = useState(/** @type {Line} */ ({ line: "live", problem: null }));
  const before = useRef(/** @type {TableState | null} */ (null));
  // The cards may come at once: the dealer's call is seen all the same.
  const [closing, setClosing] = useState(0);
  useEffect(() => {
    if (!closing) return undefined;
    const timer = setTimeout(() => setClosing(0), CALLED);
    return () => clearTimeout(timer);
  }, [closing]);
  const hear = (/** @type {Heard} */ news) => {
    const { state: seen, record } = news;
    // What a round came to is worth knowing even if the table has gone on since.
    const roundOf = (/** @type {Heard | null} */ heard) => heard?.record?.shuffle?.round ?? 0;
    if (record) setLast((last) => (roundOf(news) >= roundOf(last) ? news : last));
    if (before.current && seen.version < before.current.version) return;
    // The state is the same for everybody who looks on, but for what only he may see.
    say(spoken(before.current, news));
    if (betsClosed(before.current, news)) setClosing(seen.round_number);
    if (seen.round?.stage === "betting") note(table, seen.round_number, seen.round.commitment);
    const own = seen.seats.find((it) => it.you);
    const late = news.events.find((it) => it.event === "decided" && it.by_table && it.seat === own?.seat);
    if (late?.event === "decided") tell(`Your time was up, and the table ${didWord(late.decision)} for you.`);
    before.current = seen;
    setState(seen);
    noteChips(seen.chips, seen.practice_chips);
  };
  // Who has begun to play sees more than a stranger.
  const player = useStore(session)?.player;
  useEffect(() => {
    const stop = new AbortController();
    const draw = (/** @type {string} */ name, /** @type {Line["problem"]} */ problem = null) =>
      setLine({ line: name, problem });
    draw("live");
    follow(table, invite, { news: hear, line: draw }, stop.signal);
    return () => {
      stop.abort();
      practiceChips.set(null);
    };
  }, [table, invite, player]);
  return { state, last, closing, line, hear };
}

/** @param {{problem: Line["problem"]}} props */
function Over({ problem }) {
  if (problem?.status === 401) {
    return html`<main class="sheet" id="main" tabindex="-1">
      <h1>Your session is over</h1>
      <p>Log in again to find your chips and your seat where they were, or go on as a new guest.</p>
      <p class="row">
        <${Link} class="button gold" href="/account">Log in<//>
        <button onClick=${() => begin().then(() => location.reload(), complain)}>Go on as a guest</button>
      </p>
    </main>`;
  }
  const [what, then] =
    problem?.code === "table-closed"
      ? ["This table has closed.", "Your chips are back in your purse."]
      : ["There is no such table, or it needs an invitation.", "Ask whoever sent you here for the whole link."];
  return html`<main class="sheet" id="main" tabindex="-1">
    <h1>${what}</h1>
    <p>${then}</p>
    <p><${Link} class="button gold" href="/">To the tables<//></p>
  </main>`;
}

/**
 * The room that a table takes, before it is known.
 * @param {{isLost: boolean}} props
 */
function Empty({ isLost }) {
  return html`<main class="table-page" id="main" tabindex="-1">
    <h1 class="unseen">A table</h1>
    <div class="play-area">
      <p class="line" role="status">${isLost ? "Looking for the server…" : ""}</p>
      <div class="felt"></div>
      <div class="controls"></div>
    </div>
    <aside class="panel" aria-label="About this table"></aside>
  </main>`;
}
