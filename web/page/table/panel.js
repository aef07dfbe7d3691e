// The panel that explains the table, tab by tab, with the buttons to leave or close it.

import { Dialog } from "../shared/dialog.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { showNote } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { Coach } from "./coach.js";
import { marks, PayTables, Rules } from "./placard.js";
import { Settlement } from "./settlement.js";

const TABS = [
  ["round", "Result"],
  ["coach", "Coach"],
  ["pays", "Pays"],
  ["rules", "Rules"],
];

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null | undefined} props.invite
 * @param {import("../../types/api").TableState} props.state
 * @param {import("../../types/api").SeatState | undefined} props.own
 * @param {import("../../types/api").TablePlacard | null} props.placard
 * @param {import("./coach.js").Hint | null} props.hint
 * @param {(() => void) | null} props.onHint
 * @param {import("./settlement.js").Settled | null} props.settled
 * @param {import("./actions.js").Actions} props.act
 * @param {import("../../types/api").Me | null | undefined} props.me
 */
export function Panel({ table, invite, state, own, placard, hint, onHint, settled, act, me }) {
  const { limits, round } = state;
  const [isClosing, setClosing] = useState(false);
  const [tab, setTab] = useState("pays");
  // The newest information comes to the front by itself.
  useEffect(() => {
    if (settled) setTab("round");
  }, [settled?.record?.shuffle?.round]);
  useEffect(() => {
    if (hint) setTab("coach");
  }, [hint]);
  // The arrow keys move between tabs, as in any tab list.
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const place = TABS.findIndex(([id]) => id === tab);
    const [next] = TABS[(place + step + TABS.length) % TABS.length];
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<aside class="panel" aria-label="About this table">
    <div class="spread about">
      <p>
        <strong>${state.title || state.house_title}</strong><br />
        <span class="quiet">${money(limits.ante_min)} to ${money(limits.ante_max)}
          ${state.bonus_paytable && ` · ${state.bonus_name} ${state.bonus_paytable}`}</span>
        ${marks(state).map((mark) => html`<span key=${mark} class="mark">${mark}</span>`)}
      </p>
    </div>
    <div class="tabs" role="tablist" aria-label="About this table">
      ${TABS.map(
        ([id, name]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${tab === id}
          aria-controls="tab-panel" tabindex=${tab === id ? 0 : -1} onKeyDown=${turn}
          onClick=${() => setTab(id)}>
          ${name}
        </button>`,
      )}
    </div>
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`}
      tabindex="0">
      ${tab === "round" &&
      html`<${Settlement} table=${table} invite=${invite} settled=${settled} own=${own}
        state=${state} />`}
      ${tab === "coach" && html`<${Coach} hint=${hint} onHint=${onHint} />`}
      ${tab === "pays" && html`<${PayTables} placard=${placard} />`}
      ${tab === "rules" && html`<${Rules} placard=${placard} state=${state} />`}
    </div>
    <div class="table-tools">
      ${state.invite &&
      html`<button onClick=${() => copyInvitation(table, state.invite ?? "")}>
        Copy invite link
      </button>`}
      ${own && html`<button onClick=${act.bot}>Ask a bot to join</button>`}
      ${own &&
      html`<button onClick=${own.out ? act.sitIn : act.sitOut}>
        ${own.out ? "Sit in" : "Sit out"}
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
      html`Round ${state.round_number}: commitment${" "}
        <code title=${round.commitment}>${round.commitment.slice(0, 8)}…</code>, to verify after the
        round.${" "}`}
      Play money only${me?.kind === "guest" ? ", as a guest" : ""}.
    </p>
  </aside>`;
}

/**
 * @param {string} table
 * @param {string} invite
 */
async function copyInvitation(table, invite) {
  const link = `${location.origin}/tables/${table}#invite=${invite}`;
  try {
    await navigator.clipboard.writeText(link);
    showNote("Link copied. Anyone with the link can sit down here.");
  } catch {
    prompt("Copy this link. Anyone with the link can sit down here.", link);
  }
}
