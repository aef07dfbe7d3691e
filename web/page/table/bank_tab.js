// The panel's tab about the bank, where players bank.

import { html } from "../shared/html.js";
import { money, signed, tone } from "../shared/money.js";
import { bankRisk } from "./bank.js";
import { playerBanking } from "./placard.js";

/** @typedef {import("../../types/api").TableState} TableState */

/**
 * The seats in the order in which the bank goes around, beginning with the one that has it now.
 * @param {TableState} state
 */
function inTurn({ seats, round }) {
  const from = round?.offered ?? round?.banker?.seat ?? 1;
  const ordered = [...seats].sort((a, b) => a.seat - b.seat);
  return [...ordered.filter((it) => it.seat >= from), ...ordered.filter((it) => it.seat < from)];
}

/**
 * @param {object} props
 * @param {TableState} props.state
 * @param {import("../../types/api").TablePlacard | null} props.placard
 * @param {import("./settlement.js").Settled | null} props.settled
 */
export function BankTab({ state, placard, settled }) {
  const { round } = state;
  const banking = playerBanking(placard);
  const posted = placard?.placard.find(({ name }) => name === "Posted")?.text;
  const says = (/** @type {import("../../types/api").SeatState} */ sitter) => {
    if (round?.banker?.seat === sitter.seat) return `banks, ${money(round.banker.wager)} posted`;
    if (round?.offered === sitter.seat) return "offered now";
    if (sitter.bot && !state.practice_bank) return "a bot doesn't bank";
    return sitter.out ? "sits out" : "";
  };
  const own = state.seats.find((it) => it.you);
  const isMine = round?.banker && round.banker.seat === own?.seat;
  return html`
    ${isMine &&
    html`<p key="risk" class="advice">${bankRisk(round.banker?.wager ?? 0, banking?.coverage)}</p>`}
    ${settled?.record.banker && html`<${Banked} key="banked" state=${state} settled=${settled} />`}
    <section key="turn">
      <h3>Whose turn it is</h3>
      <ol class="turns">
        ${inTurn(state).map(
          (sitter) => html`<li key=${sitter.seat}>
            <span class="quiet">${sitter.seat}</span>
            <b>${sitter.you ? "You" : sitter.name}</b>
            <span class="quiet">${says(sitter)}</span>
          </li>`,
        )}
      </ol>
    </section>
    <p key="terms" class="quiet">
      ${banking ? `A player banks at most ${banking.max_consecutive} rounds in a row. ` : ""}
      ${posted ? `What is posted is ${posted}. ` : ""}
      The banker's hand is the dealer's, and makes no other wager.
    </p>`;
}

/**
 * The last round from the bank's side, in the order of settlement.
 * @param {{state: TableState, settled: import("./settlement.js").Settled}} props
 */
function Banked({ state, settled: { record, telling } }) {
  const { banker, result } = record;
  const net = result?.bank.net ?? 0;
  const nameOf = (/** @type {number} */ seat) => {
    const sitter = state.seats.find((it) => it.seat === seat);
    return sitter?.you ? "You" : sitter?.name ?? `Seat ${seat}`;
  };
  const row = (/** @type {import("../../types/api").ToldSeat} */ seat) => {
    const uncovered = seat.wagers.reduce((sum, wager) => sum + wager.uncovered, 0);
    return html`<li key=${seat.seat}>
      <span class="quiet">${seat.seat}</span>
      <b>${nameOf(seat.seat)}</b>
      <span class="number ${tone(seat.net)}">${signed(seat.net)}</span>
      ${uncovered > 0 && html`<span class="quiet reason">${money(uncovered)} not covered</span>`}
    </li>`;
  };
  return html`<section>
    <div class="spread banked">
      <p><b>${nameOf(banker?.seat ?? 0)}</b><br />
        <span class="quiet">posted ${money(banker?.wager ?? 0)}</span></p>
      <p class="net ${tone(net)}">${signed(net)}</p>
    </div>
    <h3>In the order of action</h3>
    <ol class="turns">${telling?.seats.map(row)}</ol>
  </section>`;
}
