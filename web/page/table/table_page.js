// A table while it is on screen.

import { saveCommitment } from "../round/commitments.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { announce } from "../shared/live_region.js";
import { didWord } from "../shared/names.js";
import { showError, showNote } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { ensurePlayer, noteChips, practiceChips, session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { announcementFor, betsClosed } from "./announcements.js";
import { inviter } from "./invited.js";
import { useShowdown } from "./showdown.js";
import { follow } from "./stream.js";
import { TableScreen } from "./table_screen.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */
/** @typedef {{line: string, problem: import("../shared/api.js").Problem | null}} Line */

/** How long "No more bets" stays on the felt unless another call replaces it, in milliseconds. */
const CALLED = 1500;

/** @param {{table: string}} props */
export function TablePage({ table }) {
  const invite = useInvite();
  const me = useStore(session);
  const from = inviter();
  const [isIn, setIn] = useState(false);
  const { state, last, closing, showdown, line, onNews } = useTable(table, invite);
  useTitle(state ? state.title || state.house_title : "");

  if (line.line === "over") return html`<${Over} problem=${line.problem} />`;
  if (!state) return html`<${Empty} isLost=${line.line === "lost"} />`;
  const isSeated = state.seats.some((it) => it.you);
  if (invite && from && !isSeated && !isIn && !state.closed) {
    return html`<${LateInvitation} from=${from} invite=${invite} state=${state}
      onWatch=${() => setIn(true)} />`;
  }
  return html`<${TableScreen} table=${table} invite=${invite ?? state.invite ?? null} state=${state}
    last=${last} closing=${closing} showdown=${showdown} line=${line.line} me=${me}
    onNews=${onNews} />`;
}

/**
 * @returns {string | null} the invitation to a private table. It is in the URL's fragment, which
 * browsers don't send to servers.
 */
function useInvite() {
  const inAddress = () => new URLSearchParams(location.hash.slice(1)).get("invite");
  const [invite, setInvite] = useState(inAddress);
  useEffect(() => {
    // A player who was asked for the full link may paste it into the same tab.
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
  const [last, setLast] = useState(/** @type {TableNews | null} */ (null));
  const [line, setLine] = useState(/** @type {Line} */ ({ line: "live", problem: null }));
  const before = useRef(/** @type {TableState | null} */ (null));
  // The cards may come at once. The dealer's call is shown anyway.
  const [closing, setClosing] = useState(0);
  useEffect(() => {
    if (!closing) return undefined;
    const timer = setTimeout(() => setClosing(0), CALLED);
    return () => clearTimeout(timer);
  }, [closing]);
  const apply = (/** @type {TableNews} */ news) => {
    const { state: seen, record } = news;
    // A round's result is worth showing even if the table has moved on since.
    const roundOf = (/** @type {TableNews | null} */ news) => news?.record?.shuffle?.round ?? 0;
    if (record) setLast((last) => (roundOf(news) >= roundOf(last) ? news : last));
    if (before.current && seen.version < before.current.version) return;
    // Every viewer gets the same state, except for the cards that only one player may see.
    announce(announcementFor(before.current, news));
    if (betsClosed(before.current, news)) setClosing(seen.round_number);
    if (seen.round?.stage === "betting") {
      saveCommitment(table, seen.round_number, seen.round.commitment);
    }
    const own = seen.seats.find((it) => it.you);
    const late = news.events.find(
      (it) => it.event === "decided" && it.by_table && it.seat === own?.seat,
    );
    if (late?.event === "decided") {
      showNote(`You ran out of time, so the table ${didWord(late.decision)} for you.`);
    }
    before.current = seen;
    setState(seen);
    noteChips(seen.chips, seen.practice_chips);
  };
  const { scene: showdown, onNews } = useShowdown(before, apply);
  // A known player sees more than an anonymous viewer, so a new session starts a new stream.
  const player = useStore(session)?.player;
  useEffect(() => {
    const stop = new AbortController();
    const draw = (/** @type {string} */ name, /** @type {Line["problem"]} */ problem = null) =>
      setLine({ line: name, problem });
    draw("live");
    follow(table, invite, { news: onNews, line: draw }, stop.signal);
    return () => {
      stop.abort();
      practiceChips.set(null);
    };
  }, [table, invite, player]);
  return { state, last, closing, showdown, line, onNews };
}

/**
 * The invitation, which few visits need.
 * @param {{[name: string]: any}} props
 */
function LateInvitation(props) {
  const [It, setIt] = useState(/** @type {any} */ (null));
  useEffect(() => {
    import("./invitation.js").then(({ Invitation }) => setIt(() => Invitation), showError);
  }, []);
  return It
    ? html`<${It} ...${props} />`
    : html`<main class="sheet" id="main" tabindex="-1"></main>`;
}

/** @param {{problem: Line["problem"]}} props */
function Over({ problem }) {
  if (problem?.status === 401) {
    return html`<main class="sheet" id="main" tabindex="-1">
      <section class="box empty-state">
        <h1>Your session has ended</h1>
        <p class="quiet">Your chips, your seat and any bet on the felt are kept. If a decision is
          due, the table checks for you, or folds when you can't check. Log in to get back, or
          continue as a new guest.</p>
        <p class="row">
          <${Link} class="button gold" href="/account">Log in<//>
          <button onClick=${() => ensurePlayer().then(() => location.reload(), showError)}>
            Continue as a guest
          </button>
        </p>
      </section>
    </main>`;
  }
  const [what, then] =
    problem?.code === "table-closed"
      ? ["This table has closed.", "All is settled and kept: your chips are back in your account."]
      : [
          "This table doesn't exist, or it needs an invitation.",
          "If another player sent you here, ask them for the full link.",
        ];
  return html`<main class="sheet" id="main" tabindex="-1">
    <section class="box empty-state">
      <h1>${what}</h1>
      <p class="quiet">${then}</p>
      <p class="row">
        <${Link} class="button gold" href="/">Back to the tables<//>
        <${Link} class="button" href="/history">Your rounds<//>
      </p>
    </section>
  </main>`;
}

/**
 * The space that a table takes, before its state is loaded.
 * @param {{isLost: boolean}} props
 */
function Empty({ isLost }) {
  return html`<main class="table-page" id="main" tabindex="-1">
    <h1 class="unseen">Table</h1>
    <div class="play-area">
      <p class="line" role="status">${isLost ? "Connecting to the server…" : ""}</p>
      <div class="felt"></div>
      <div class="controls"></div>
    </div>
    <aside class="panel" aria-label="About this table"></aside>
  </main>`;
}
