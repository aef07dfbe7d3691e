// What explains the table: the settlement, what each choice is worth, the placard.

import { html, useEffect, useState } from "./html.js";
import { money, signed } from "./money.js";
import { tell } from "./notice.js";
import { Link } from "./router.js";
import { decisionWords, oddsWords, titled } from "./words.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").TablePlacard} TablePlacard */
/** @typedef {{record: import("../types/api").RoundRecord, telling: import("../types/api").Telling | null}} Settled */

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null | undefined} props.invite
 * @param {TableState} props.state
 * @param {import("../types/api").SeatState | undefined} props.own
 * @param {TablePlacard | null} props.placard
 * @param {(import("../types/api").AdviceReport & {ante: number}) | null} props.hint
 * @param {(() => void) | null} props.onHint
 * @param {Settled | null} props.settled
 * @param {Record<string, () => void>} props.act
 * @param {import("../types/api").Me | null | undefined} props.me
 */
export function Panel({ table, invite, state, own, placard, hint, onHint, settled, act, me }) {
  const [tab, setTab] = useState("pays");
  // What has just happened comes to the front by itself.
  useEffect(() => {
    if (settled) setTab("round");
  }, [settled?.record?.shuffle?.round]);
  useEffect(() => {
    if (hint) setTab("coach");
  }, [hint]);
  const tabs = [
    ["round", "Result"],
    ["coach", "Coach"],
    ["pays", "Pays"],
    ["rules", "Rules"],
  ];
  // The arrows go from tab to tab, as everywhere.
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const place = tabs.findIndex(([id]) => id === tab);
    const [next] = tabs[(place + step + tabs.length) % tabs.length];
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<aside class="panel" aria-label="About this table">
    <div class="spread about">
      <p><strong>${state.title || state.house_title}</strong><br /><span class="quiet">${money(state.limits.ante_min)} to ${money(state.limits.ante_max)} · ${state.bonus_name} ${state.bonus_paytable ?? ""}</span></p>
    </div>
    <div class="tabs" role="tablist" aria-label="About this table">
      ${tabs.map(([id, name]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${tab === id} aria-controls="tab-panel"
        tabindex=${tab === id ? 0 : -1} onKeyDown=${turn} onClick=${() => setTab(id)}>${name}</button>`)}
    </div>
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0">
      ${tab === "round" && html`<${Settlement} table=${table} invite=${invite} settled=${settled} own=${own} state=${state} />`}
      ${tab === "coach" && html`<${Coach} hint=${hint} onHint=${onHint} />`}
      ${tab === "pays" && html`<${PayTables} placard=${placard} />`}
      ${tab === "rules" && html`<${Rules} placard=${placard} state=${state} />`}
    </div>
    <div class="table-tools">
      ${own && state.invite && html`<button onClick=${() => copyInvitation(table, state.invite ?? "")}>Copy the invitation</button>`}
      ${own && html`<button onClick=${act.bot}>Ask a bot to join</button>`}
      ${own && (own.out ? html`<button onClick=${act.sitIn}>Sit in</button>` : html`<button onClick=${act.sitOut}>Sit out</button>`)}
      ${own && !own.leaving && html`<button onClick=${act.leave}>Leave the table</button>`}
      ${!own && html`<${Link} class="button" href="/">Back to the tables<//>`}
    </div>
    <p class="proof quiet">
      ${state.round ? html`Round ${state.round_number}: <code title=${state.round.commitment}>${state.round.commitment.slice(0, 8)}…</code>, to be checked when it is over. ` : ""}
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
    tell("The link is copied. Whoever has it can sit down here.");
  } catch {
    prompt("Copy this link: whoever has it can sit down here.", link);
  }
}

/** @param {{table: string, invite: string | null | undefined, settled: Settled | null, own: import("../types/api").SeatState | undefined, state: TableState}} props */
function Settlement({ table, invite, settled, own, state }) {
  if (!settled) return html`<p key="none" class="quiet">When a round is over, this says what became of each wager, and why.</p>`;
  const { record, telling } = settled;
  const round = record.shuffle?.round;
  const mine = telling?.seats.find((it) => it.seat === own?.seat);
  const banked = record.banker && record.banker.seat === own?.seat;
  const net = mine?.net ?? (banked ? record.result?.bank.net ?? null : null);
  const link = `/rounds/${table}/${round}${invite ? `#invite=${invite}` : ""}`;
  const nameOf = (/** @type {number} */ seat) => state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  return html`
    <div class="spread">
      <p class="net ${net && net > 0 ? "good" : net ? "bad" : ""}">${net !== null && signed(net)}</p>
      <${Link} class="button small" href=${link}>Replay and verify<//>
    </div>
    ${record.void && html`<p>The round is void: ${record.void}. Every stake went back.</p>`}
    ${mine
      ? html`<${Wagers} seat=${mine} caption="Settlement" />`
      : telling?.seats.map((seat) => html`<${Wagers} key=${seat.seat} seat=${seat} caption=${nameOf(seat.seat)} />`)}
    ${telling && html`<p key=${`bank ${round}`} class="quiet">${telling.bank.say}</p>`}`;
}

/**
 * What each wager of a seat came to, and why.
 * @param {{seat: import("../types/api").ToldSeat, caption: string}} props
 */
export function Wagers({ seat, caption }) {
  return html`<table class="wagers">
    <caption>${caption}${seat.hand && html`<span class="quiet"> ${seat.hand}</span>`}</caption>
    <thead class="unseen"><tr><th scope="col">Wager</th><th scope="col">Staked</th><th scope="col">Result</th></tr></thead>
    <tbody>
      ${seat.wagers.map((wager) => {
        const net = wager.returned - wager.staked;
        return html`<tr>
          <th scope="row">${wager.name}<span class="quiet reason">${wager.why}</span></th>
          <td class="number">${money(wager.staked)}</td>
          <td class="number ${net > 0 ? "good" : net < 0 ? "bad" : ""}">${signed(net)}</td>
        </tr>`;
      })}
    </tbody>
    <tfoot><tr><th scope="row">Together</th><td></td><td class="number ${seat.net > 0 ? "good" : seat.net < 0 ? "bad" : ""}">${signed(seat.net)}</td></tr></tfoot>
  </table>`;
}

/** @param {{hint: (import("../types/api").AdviceReport & {ante: number}) | null, onHint: (() => void) | null}} props */
function Coach({ hint, onHint }) {
  if (!hint) {
    return html`<p class="quiet">What each choice is worth, exactly, with what you can see.</p>
      <p><button disabled=${!onHint} onClick=${onHint ?? undefined}>Show me <kbd aria-hidden="true">H</kbd></button></p>`;
  }
  const values = hint.actions.map((it) => it.ev);
  const least = Math.min(...values, 0);
  const span = Math.max(...values, 0) - least || 1;
  const worst = [...hint.actions].sort((a, b) => a.ev - b.ev)[0];
  const cost = Math.max(...values) - worst.ev;
  return html`<h3>Exact value, in antes</h3>
    <ul class="values">
      ${hint.actions.map((it) => html`<li class=${it.action === hint.best ? "best" : ""}>
        <span>${decisionWords(it.action, 0).label}${it.action === hint.best && html`<span class="unseen"> (best)</span>`}</span>
        <span class="track" aria-hidden="true"><span style=${{ width: `${(100 * (it.ev - least)) / span}%` }}></span></span>
        <span class="number">${it.ev >= 0 ? "+" : "−"}${Math.abs(it.ev).toFixed(4)}</span>
      </li>`)}
    </ul>
    <p>${decisionWords(hint.best, 0).label} is best. ${hint.actions.length > 1 && html`${decisionWords(worst.action, 0).label} would cost <strong>${cost.toFixed(3)} antes</strong>, ${money(Math.round(cost * hint.ante))} here.`}</p>`;
}

/** @param {{placard: TablePlacard | null}} props */
function PayTables({ placard }) {
  if (!placard) return null;
  return placard.paytables.map(
    (pay) => html`<table key=${pay.id} class="pays">
      <caption>${pay.bet === "blind" ? "Blind" : titled(pay.bet)} <span class="quiet">${pay.id}</span></caption>
      <thead class="unseen"><tr><th scope="col">Hand</th><th scope="col">Pays</th></tr></thead>
      <tbody>${Object.entries(pay.pays).map(([hand, odds]) => html`<tr><th scope="row">${titled(hand)}</th><td class="number">${oddsWords(String(odds))}</td></tr>`)}</tbody>
    </table>`,
  );
}

/** @param {{placard: TablePlacard | null, state: TableState}} props */
function Rules({ placard, state }) {
  if (!placard) return null;
  return html`<dl class="rules">
      ${placard.placard.map((line) => html`<dt>${line.name}</dt><dd>${line.text}</dd>`)}
    </dl>
    <p class="quiet">${state.clocks ? "Who is out of time is checked, or folded where one cannot check." : "This table has no clocks: it waits for you."}
      When a round is over it is public: all cards, bets and results, and the seeds of its shuffle.</p>`;
}
