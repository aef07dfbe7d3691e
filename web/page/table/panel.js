// The panel that explains the table, tab by tab, with the buttons to leave or close it.

import { Dialog } from "../shared/dialog.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { showNote } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { BankTab } from "./bank_tab.js";
import { Coach } from "./coach.js";
import { invitationLink } from "./invited.js";
import { marks, PayTables, Rules } from "./placard.js";
import { Settlement } from "./settlement.js";
import { TableTab } from "./table_tab.js";

const NAMES = { table: "Table", coach: "Coach", round: "Round", bank: "Bank", rules: "Rules" };

/** @typedef {keyof typeof NAMES} Tab */

/**
 * The tab that belongs to a phase.
 * @param {import("./phase.js").Phase} phase
 * @param {import("./settlement.js").Settled | null} settled
 * @param {string | undefined} player
 * @returns {Tab | null} null if the phase has none of its own
 */
function tabOf(phase, settled, player) {
  if (phase === "deciding") return "coach";
  // A result of the player's own comes before an offer.
  if (settled) return player && settled.record.banker?.player === player ? "bank" : "round";
  if (phase === "offered") return "bank";
  return phase === "betting" || phase === "rail" || phase === "out" ? "table" : null;
}

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null | undefined} props.invite
 * @param {import("../../types/api").TableState} props.state
 * @param {import("../../types/api").SeatState | undefined} props.own
 * @param {import("./phase.js").Phase} props.phase
 * @param {import("./bets.js").Bets} props.bets
 * @param {import("../../types/api").TablePlacard | null} props.placard
 * @param {import("./coach.js").Hint | null} props.hint
 * @param {(() => void) | null} props.onHint
 * @param {import("./settlement.js").Settled | null} props.settled
 * @param {import("./actions.js").Actions} props.act
 * @param {import("../../types/api").Me | null | undefined} props.me
 */
export function Panel(props) {
  const { table, invite, state, own, phase, bets, placard, hint, onHint, settled, act, me } = props;
  const { limits, round } = state;
  const [isClosing, setClosing] = useState(false);
  const [tab, setTab] = useState(/** @type {Tab} */ ("table"));
  const tabs = /** @type {Tab[]} */ (Object.keys(NAMES)).filter(
    (it) => it !== "bank" || state.player_banked,
  );
  // The newest information comes to the front by itself, unless the player reads the rules.
  const fitting = hint ? "coach" : tabOf(phase, settled, own?.player);
  useEffect(() => {
    if (fitting && (tab !== "rules" || hint)) setTab(fitting);
  }, [fitting, hint, settled?.record?.shuffle?.round]);
  // The arrow keys move between tabs, as in any tab list.
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  // A click leaves the focus where it was, so that Enter still presses the gold button.
  const keepFocus = (/** @type {any} */ event) => {
    if (event.target.closest("button")) event.preventDefault();
  };
  const title = state.title || state.house_title;
  const terms = [
    title !== state.house_title && state.house_title,
    `${money(limits.ante_min)} to ${money(limits.ante_max)}`,
    settled ? `round ${settled.record.shuffle?.round}` :
      state.bonus_paytable && `${state.bonus_name} ${state.bonus_paytable}`,
  ];
  return html`<aside class="panel" aria-label="About this table" onMouseDown=${keepFocus}>
    <div class="about">
      <p class="title">${title}</p>
      <p class="quiet">${terms.filter(Boolean).join(" · ")}</p>
      ${marks(state).map((mark) => html`<p key=${mark} class="mark">${mark}</p>`)}
    </div>
    <div class="tabs" role="tablist" aria-label="About this table">
      ${tabs.map(
        (id) => html`<button type="button" role="tab" key=${id} id=${`tab-${id}`}
          aria-selected=${tab === id} aria-controls="tab-panel" tabindex=${tab === id ? 0 : -1}
          onKeyDown=${turn} onClick=${() => setTab(id)}>
          ${NAMES[id]}
        </button>`,
      )}
    </div>
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`}
      tabindex="0">
      ${tab === "table" &&
      html`<${TableTab} table=${table} state=${state} placard=${placard} bets=${bets} />`}
      ${tab === "coach" && html`<${Coach} hint=${hint} onHint=${onHint} />`}
      ${tab === "round" &&
      html`<${Settlement} table=${table} invite=${invite} settled=${settled} own=${own}
        state=${state} placard=${placard} />`}
      ${tab === "bank" &&
      html`<${BankTab} state=${state} placard=${placard} settled=${settled} />`}
      ${tab === "rules" &&
      html`<${PayTables} placard=${placard} /><${Rules} placard=${placard} state=${state} />`}
    </div>
    <div class="table-tools">
      ${state.invite &&
      html`<button onClick=${() => copyInvitation(table, state.invite ?? "", me?.name)}>
        Copy invite link
      </button>`}
      ${own && html`<button onClick=${act.bot}>Ask a bot to join</button>`}
      ${own &&
      html`<button onClick=${own.out ? act.sitIn : act.sitOut}>
        ${own.out ? "Deal me in" : "Sit out"}
      </button>`}
      ${own && !own.leaving && html`<button onClick=${act.leave}>Leave the table</button>`}
      ${state.may_close &&
      html`<button onClick=${() => setClosing(true)}>Close the table…</button>`}
      ${!own && html`<${Link} class="button" href="/">Back to the tables<//>`}
    </div>
    <${Dialog} isOpen=${isClosing && state.may_close} hide=${() => setClosing(false)}
      title="Close the table?">
      <p>All players leave with their chips. If cards are out, the round is played first.</p>
      <p class="row">
        <button class="gold" onClick=${act.close}>Close it</button>
        <button onClick=${() => setClosing(false)}>Keep it open</button>
      </p>
    <//>
    <p class="proof quiet">
      ${round &&
      html`Shuffle <code title=${round.commitment}>${round.commitment.slice(0, 8)}…</code> was fixed
        before the bets. You can verify it after the round.${" "}`}
      Play money only${me?.kind === "guest" ? ", as a guest" : ""}.
    </p>
  </aside>`;
}

/**
 * @param {string} table
 * @param {string} invite
 * @param {string | undefined} from
 */
async function copyInvitation(table, invite, from) {
  const link = invitationLink(table, invite, from);
  try {
    await navigator.clipboard.writeText(link);
    showNote("Link copied. Anyone with the link can sit down here.");
  } catch {
    prompt("Copy this link. Anyone with the link can sit down here.", link);
  }
}
