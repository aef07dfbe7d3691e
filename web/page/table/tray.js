// The chips to bet with: one of them is in hand, and a press on a circle puts it there.

import { Chip } from "../felt/chip.js";
import { html } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { money } from "../shared/money.js";
import { ActionButton } from "./action_button.js";
import { total, trayChips, warning, whyNot } from "./bets.js";
import { cannotPlay, Refill } from "./refill.js";

/**
 * @param {object} props
 * @param {import("../../types/api").TableState} props.state
 * @param {import("./bets.js").Bets} props.bets
 * @param {number} props.chip the chip in hand
 * @param {boolean} props.canRebet
 * @param {import("./actions.js").Actions} props.act
 * @param {import("./actions.js").Pending | null} props.pending
 */
export function ChipTray({ state, bets, chip, canRebet, act, pending }) {
  const { limits, chips } = state;
  const why = whyNot(bets, limits, chips, state.bonus_name);
  const rebet = canRebet && act.rebet;
  const clear = total(bets) > 0 && act.clear;
  const all = trayChips(limits);
  const picks = all.map((amount, place) => [String(place + 1), () => act.pick(amount)]);
  const keys = {
    ...Object.fromEntries(picks),
    "*": bets.ante > 0 && act.double,
    backspace: clear,
    t: () => act.put("bonus"),
    "shift+t": () => act.take("bonus"),
    "+": () => act.put("ante"),
    "=": () => act.put("ante"),
    "-": () => act.take("ante"),
  };
  // Bets that are on their way to the table no longer change.
  useKeys(pending ? {} : keys);
  if (cannotPlay(state)) return html`<${Refill} state=${state} act=${act} />`;
  const pick = (/** @type {number} */ amount) => html`<button type="button" key=${amount}
    class="pick-chip ${amount === chip ? "in-hand" : ""}" aria-pressed=${amount === chip}
    aria-label=${money(amount)} onClick=${() => act.pick(amount)}>
    <${Chip} amount=${amount} />
  </button>`;
  const isSent = pending?.what === "wager";
  return html`<div class="tray" key="tray" role="group" aria-label="Chips">
    <p class="why" role="status">${why || warning(bets, limits, chips)}</p>
    <div class="chips" role="group" aria-label="The chip in hand">${all.map(pick)}</div>
    <${ActionButton} key="clear" hotkey="x" disabled=${!clear || Boolean(pending)}
      onPress=${act.clear}>Clear<//>
    <${ActionButton} key="rebet" hotkey="r" disabled=${!rebet || Boolean(pending)}
      onPress=${act.rebet}>Same again<//>
    <${ActionButton} key="bet" gold hotkey="enter" also="d" isPending=${isSent}
      isSlow=${pending?.isSlow} disabled=${Boolean(why) || (Boolean(pending) && !isSent)}
      onPress=${act.bet}>
      ${total(bets) > 0 ? `Bet ${money(total(bets))}` : "Bet"}
    <//>
  </div>`;
}
