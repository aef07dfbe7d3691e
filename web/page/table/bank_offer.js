// The offer of the bank: what to post, and what can become of it.

import { html, useState } from "../shared/html.js";
import { money, readMoney } from "../shared/money.js";
import { ActionButton } from "./action_button.js";
import { bankRisk, usualPost } from "./bank.js";

/** Amounts to choose from, in multiples of the smallest Ante. */
const MULTIPLES = [10, 20, 50, 100, 200];

/**
 * @param {object} props
 * @param {import("../../types/api").TableState} props.state
 * @param {string | null | undefined} props.coverage
 * @param {import("./actions.js").Actions} props.act
 * @param {boolean} props.isSettled whether the felt still shows the last round: then the offer
 *   takes no place there
 * @param {import("./actions.js").Pending | null} props.pending
 */
export function BankOffer({ state, coverage, act, isSettled, pending }) {
  const { limits, chips } = state;
  const [text, setText] = useState(String(usualPost(limits, chips) / 100));
  const wager = readMoney(text);
  const isTooMuch = wager && chips !== undefined && wager > chips;
  const why = !wager
    ? "Enter an amount, like 100."
    : isTooMuch ? `You only have ${money(chips)}.` : "";
  const take = () => {
    if (wager && !why) act.takeBank(wager);
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    take();
  };
  const amounts = MULTIPLES.map((times) => times * limits.ante_min)
    .filter((amount) => amount % limits.unit === 0 && amount <= (chips ?? amount))
    .slice(0, 4);
  const look = isSettled ? "compact" : "";
  return html`<form class="choices offer ${look}" key="offer" onSubmit=${submit}>
    <div class="post" role="group" aria-label="What you post">
      ${!isSettled && amounts.map(
        (amount) => html`<button type="button" key=${amount} class="amount"
          aria-pressed=${amount === wager} onClick=${() => setText(String(amount / 100))}>
          ${money(amount)}
        </button>`,
      )}
      <label class="wager">Amount to post
        <input name="wager" inputmode="decimal" value=${text} aria-describedby="bank-why"
          onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      </label>
    </div>
    <p class="why" id="bank-why" role="status">${why || bankRisk(wager ?? 0, coverage)}</p>
    <${ActionButton} key="pass" hotkey="p" disabled=${Boolean(pending)}
      isPending=${pending?.what === "pass"} isSlow=${pending?.isSlow}
      onPress=${act.passBank}>Pass<//>
    <${ActionButton} key="take" gold hotkey="b" disabled=${Boolean(pending) || Boolean(why)}
      isPending=${pending?.what === "bank"} isSlow=${pending?.isSlow} onPress=${take}>
      Take the bank${wager && !why ? ` · ${money(wager)}` : ""}
    <//>
  </form>`;
}
