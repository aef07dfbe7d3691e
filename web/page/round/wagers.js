// The result of each wager of a seat, with the reason.

import { html } from "../shared/html.js";
import { money, signed, tone } from "../shared/money.js";

/** @param {{seat: import("../../types/api").ToldSeat, caption: string}} props */
export function Wagers({ seat, caption }) {
  const row = (/** @type {import("../../types/api").ToldWager} */ wager) => {
    const net = wager.returned - wager.staked;
    return html`<tr>
      <th scope="row">${wager.name}<span class="quiet reason">${wager.why}</span></th>
      <td class="number">${money(wager.staked)}</td>
      <td class="number ${tone(net)}">${signed(net)}</td>
    </tr>`;
  };
  const heads = ["Wager", "Amount", "Result"].map((name) => html`<th scope="col">${name}</th>`);
  return html`<table class="wagers">
    <caption>${caption}${seat.hand && html`<span class="quiet"> ${seat.hand}</span>`}</caption>
    <thead class="unseen"><tr>${heads}</tr></thead>
    <tbody>${seat.wagers.map(row)}</tbody>
    <tfoot><tr>
      <th scope="row">Total</th><td></td>
      <td class="number ${tone(seat.net)}">${signed(seat.net)}</td>
    </tr></tfoot>
  </table>`;
}
