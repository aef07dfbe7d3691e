// What explains the table: the settlement, what each choice is worth, the placard.

import { Dialog } from "./dialog.js";
import { html, useEffect, useState } from "./html.js";
import { money, signed } from "./money.js";
import { tell } from "./notice.js";
import { Link } from "./router.js";
import { tone, Wagers } from "./wagers.js";
import { decisionWords, OWN_HOUSE, titled } from "./words.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").TablePlacard} TablePlacard */
/** @typedef {{record: import("../types/api").RoundRecord, telling: import("../types/api").Telling | null}} Settled */

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
 * @param {TableState} props.state
 * @param {import("../types/api").SeatState | undefined} props.own
 * @param {TablePlacard | null} props.placard
 * @param {import("./sitting.js").Hint | null} props.hint
 * @param {(() => void) | null} props.onHint
 * @param {Settled | null} props.settled
 * @param {import("./sitting.js").Actions} props.act
 * @param {import("../types/api").Me | null | undefined} props.me
 */
export function Panel({ table, invite, state, own, placard, hint, onHint, settled, act, me }) {
  const { limits, round } = state;
  const [isClosing, setClosing] = useState(false);
  const [tab, setTab] = useState("pays");
  // What has just happened comes to the front by itself.
  useEffect(() => {
    if (settled) setTab("round");
  }, [settled?.record?.shuffle?.round]);
  useEffect(() => {
    if (hint) setTab("coach");
  }, [hint]);
  // The arrows go from tab to tab, as everywhere.
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
          aria-controls="tab-panel" tabindex=${tab === id ? 0 : -1} onKeyDown=${turn} onClick=${() => setTab(id)}>
          ${name}
        </button>`,
      )}
    </div>
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0">
      ${tab === "round" &&
      html`<${Settlement} table=${table} invite=${invite} settled=${settled} own=${own} state=${state} />`}
      ${tab === "coach" && html`<${Coach} hint=${hint} onHint=${onHint} />`}
      ${tab === "pays" && html`<${PayTables} placard=${placard} />`}
      ${tab === "rules" && html`<${Rules} placard=${placard} state=${state} />`}
    </div>
    <div class="table-tools">
      ${state.invite &&
      html`<button onClick=${() => copyInvitation(table, state.invite ?? "")}>Copy the invitation</button>`}
      ${own && html`<button onClick=${act.bot}>Ask a bot to join</button>`}
      ${own && html`<button onClick=${own.out ? act.sitIn : act.sitOut}>${own.out ? "Sit in" : "Sit out"}</button>`}
      ${own && !own.leaving && html`<button onClick=${act.leave}>Leave the table</button>`}
      ${state.may_close && html`<button onClick=${() => setClosing(true)}>Close the table…</button>`}
      ${!own && html`<${Link} class="button" href="/">Back to the tables<//>`}
    </div>
    <${Dialog} isOpen=${isClosing && state.may_close} hide=${() => setClosing(false)} title="Close the table?">
      <p>Everybody leaves, with the chips that are theirs. If cards are out, the round is played first.</p>
      <p class="row">
        <button class="gold" onClick=${act.close}>Close it</button>
        <button onClick=${() => setClosing(false)}>Keep it open</button>
      </p>
    <//>
    <p class="proof quiet">
      ${round &&
      html`Round ${state.round_number}: <code title=${round.commitment}>${round.commitment.slice(0, 8)}…</code>, to be
        checked when it is over.${" "}`}
      Play money only${me?.kind === "guest" ? ", as a guest" : ""}.
    </p>
  </aside>`;
}

/**
 * Says what is unusual about a table.
 * @param {TableState} state
 * @returns {string[]}
 */
function marks(state) {
  const found = [];
  if (state.own_house) found.push(OWN_HOUSE);
  if (state.practice_chips) {
    found.push("Practice chips: every seat gets some, and more when they run out. They stay at this table.");
  }
  if (state.practice_bank) found.push("Practice table: a bot of the room may bank.");
  if (state.card_room_paytable) {
    const { bonus_name: bonus, bonus_paytable: own, card_room_paytable: usual } = state;
    found.push(`Practice table: ${bonus} pays by ${own}. The card room's table is ${usual}.`);
  }
  return found;
}

/**
 * @param {string} table
 * @param {string} invite
 */
async function copyInvitation(table, invite) {
  const link = `${location.origin}/tables/${table}#invite=${invite}`;
  try {
    await navigator.clipboard.writeText(link);
    tell("The link is copied. Whoever has it can sit down here.");
  } catch {
    prompt("Copy this link: whoever has it can sit down here.", link);
  }
}

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null | undefined} props.invite
 * @param {Settled | null} props.settled
 * @param {import("../types/api").SeatState | undefined} props.own
 * @param {TableState} props.state
 */
function Settlement({ table, invite, settled, own, state }) {
  if (!settled) {
    return html`<p key="none" class="quiet">When a round is over, this says what became of each wager, and why.</p>`;
  }
  const { record, telling } = settled;
  const round = record.shuffle?.round;
  const mine = telling?.seats.find((it) => it.seat === own?.seat);
  const banked = record.banker && record.banker.seat === own?.seat;
  const net = mine?.net ?? (banked ? record.result?.bank.net ?? null : null);
  const link = `/rounds/${table}/${round}${invite ? `#invite=${invite}` : ""}`;
  const nameOf = (/** @type {number} */ seat) => state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  return html`
    <div class="spread">
      <p class="net ${tone(net ?? 0)}">${net !== null && signed(net)}</p>
      <${Link} class="button small" href=${link}>Replay and verify<//>
    </div>
    ${record.void && html`<p>The round is void: ${record.void}. Every stake went back.</p>`}
    ${mine
      ? html`<${Wagers} seat=${mine} caption="Settlement" />`
      : telling?.seats.map((seat) => html`<${Wagers} key=${seat.seat} seat=${seat} caption=${nameOf(seat.seat)} />`)}
    ${telling && html`<p key=${`bank ${round}`} class="quiet">${telling.bank.say}</p>`}`;
}

/** @param {{hint: import("./sitting.js").Hint | null, onHint: (() => void) | null}} props */
function Coach({ hint, onHint }) {
  if (!hint) {
    return html`<p class="quiet">What each choice is worth, exactly, with what you can see.</p>
      <p>
        <button disabled=${!onHint} onClick=${onHint ?? undefined}>Show me <kbd aria-hidden="true">H</kbd></button>
      </p>`;
  }
  const values = hint.actions.map((it) => it.ev);
  const least = Math.min(...values, 0);
  const span = Math.max(...values, 0) - least || 1;
  const worst = [...hint.actions].sort((a, b) => a.ev - b.ev)[0];
  const cost = Math.max(...values) - worst.ev;
  const name = (/** @type {string} */ action) => decisionWords(action, 0).label;
  const value = (/** @type {import("../types/api").ActionReport} */ { action, ev }) => {
    const isBest = action === hint.best;
    return html`<li class=${isBest ? "best" : ""}>
      <span>${name(action)}${isBest && html`<span class="unseen"> (best)</span>`}</span>
      <span class="track" aria-hidden="true"><span style=${{ width: `${(100 * (ev - least)) / span}%` }}></span></span>
      <span class="number">${ev >= 0 ? "+" : "−"}${Math.abs(ev).toFixed(4)}</span>
    </li>`;
  };
  return html`<h3>Exact value, in antes</h3>
    <ul class="values">${hint.actions.map(value)}</ul>
    <p>${name(hint.best)} is best.${" "}
      ${hint.actions.length > 1 &&
      html`${name(worst.action)} would cost <strong>${cost.toFixed(3)} antes</strong>,${" "}
        ${money(Math.round(cost * hint.ante))} here.`}</p>`;
}

/** @param {{placard: TablePlacard | null}} props */
function PayTables({ placard }) {
  if (!placard) return null;
  const row = (/** @type {{hand: string, pays: string}} */ { hand, pays }) => html`<tr key=${hand}>
    <th scope="row">${titled(hand)}</th><td class="number">${pays}</td>
  </tr>`;
  return placard.printed.map(
    (pay) => html`<table key=${pay.id} class="pays">
      <caption>${pay.name} <span class="quiet">${pay.id}</span></caption>
      <thead class="unseen"><tr><th scope="col">Hand</th><th scope="col">Pays</th></tr></thead>
      <tbody>${pay.rows.map(row)}</tbody>
    </table>`,
  );
}

/** @param {{placard: TablePlacard | null, state: TableState}} props */
function Rules({ placard, state }) {
  if (!placard) return null;
  const clocks = state.clocks
    ? "Who is out of time is checked, or folded where one cannot check."
    : "This table has no clocks: it waits for you.";
  return html`${marks(state).map((mark) => html`<p key=${mark} class="mark">${mark}</p>`)}
    <dl class="rules">
      ${placard.placard.map((line) => html`<dt>${line.name}</dt><dd>${line.text}</dd>`)}
    </dl>
    <p class="quiet">${clocks}${" "}
      When a round is over it is public: all cards, bets and results, and the seeds of its shuffle.</p>`;
}
