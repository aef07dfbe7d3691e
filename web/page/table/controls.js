// The controls under the thumb: the player's current choices.

import { useTimeLeft } from "../felt/clock.js";
import { html, useLayoutEffect, useRef } from "../shared/html.js";
import { money } from "../shared/money.js";
import { ActionButton } from "./action_button.js";
import { BankOffer } from "./bank_offer.js";
import { total, warning, whyNot } from "./bets.js";
import { Decisions } from "./decisions.js";
import { mayDeal, ownHand, waitingFor } from "./phase.js";
import { cannotPlay, Refill } from "./refill.js";
import { ChipTray } from "./tray.js";

/**
 * @typedef {object} Controlled
 * @property {import("../../types/api").TableState} state
 * @property {import("./phase.js").Phase} phase
 * @property {boolean} isSettled
 * @property {import("./bets.js").Bets} bets
 * @property {number} chip the chip in hand
 * @property {boolean} canRebet
 * @property {string | null | undefined} coverage how a bank's wager is used up
 * @property {import("./coach.js").Hint | null} hint the values, if the player asked for them
 * @property {import("./actions.js").Actions} act
 * @property {import("./actions.js").Pending | null} pending the command that is on its way
 */

/** @param {Controlled} props */
export function Controls(props) {
  const { state, phase } = props;
  const own = state.seats.find((it) => it.you);
  // All players wait for another player's seed, and the clock ends that wait.
  const isTimed = own?.awaits || !own || state.round?.stage === "revealing";
  return html`<div class="controls" role="group" aria-label="Your move" ref=${useKeptFocus()}
    tabindex="-1">
    <${Clock} deadline=${isTimed ? state.deadline : null} now=${state.now} />
    ${phase !== "rail" && html`<${Choices} ...${props} />`}
  </div>`;
}

/**
 * The seconds left, for screen readers. The felt draws them.
 * @param {import("../felt/clock.js").Clock} props
 */
function Clock(props) {
  const left = useTimeLeft(props);
  if (!left) return null;
  return html`<div class="unseen" role="timer" aria-label=${`${left.seconds} seconds left`}></div>`;
}

/**
 * Keeps the focus when the focused button is gone, so that the next button is one key away instead
 * of the whole page away.
 */
function useKeptFocus() {
  const box = useRef(/** @type {any} */ (null));
  const isHere = useRef(false);
  const active = document.activeElement;
  if (box.current?.contains(active)) isHere.current = true;
  else if (active && active !== document.body) isHere.current = false;
  useLayoutEffect(() => {
    if (!isHere.current || document.activeElement !== document.body) return;
    box.current?.focus({ preventScroll: true });
  });
  return box;
}

/** @param {Controlled} props */
function Choices(props) {
  const { state, phase, isSettled, bets, chip, canRebet, coverage, hint, act, pending } = props;
  const hand = ownHand(state);
  const isBusy = Boolean(pending);
  switch (phase) {
    case "out":
      return html`<div class="choices" key="out">
        <p class="quiet">You're sitting out.</p>
        <${ActionButton} gold onPress=${act.sitIn} disabled=${isBusy}>Deal me in<//>
      </div>`;
    case "deciding":
      return hand && html`<${Decisions} state=${state} hand=${hand} hint=${hint} act=${act}
        pending=${pending} />`;
    case "offered":
      return html`<${BankOffer} state=${state} coverage=${coverage} act=${act}
        isSettled=${isSettled} pending=${pending} />`;
    case "showing":
      return html`<div class="choices waiting" key="showing">
        <p class="to-skip">Press any key or tap to skip</p>
      </div>`;
    case "again":
      return html`<${Again} state=${state} bets=${bets} act=${act} pending=${pending} />`;
    case "betting":
      return html`<${ChipTray} state=${state} bets=${bets} chip=${chip} canRebet=${canRebet}
        act=${act} pending=${pending} />`;
    default:
      return html`<div class="choices waiting" key="waiting">
        <p>${waitingFor(state, isSettled)}</p>
        ${phase === "wagered" &&
        html`<${ActionButton} key="back" onPress=${act.withdraw} disabled=${isBusy}
          isPending=${pending?.what === "withdraw"} isSlow=${pending?.isSlow}>
          Take bets back
        <//>`}
        ${mayDeal(state) &&
        html`<${ActionButton} key="now" gold hotkey="enter" also="d" onPress=${act.dealNow}
          disabled=${isBusy} isPending=${pending?.what === "deal"} isSlow=${pending?.isSlow}>
          Deal now
        <//>`}
      </div>`;
  }
}

/**
 * After a round: the same bets again, or others.
 * @param {Pick<Controlled, "state" | "bets" | "act" | "pending">} props
 */
function Again({ state, bets, act, pending }) {
  const { limits, chips } = state;
  if (cannotPlay(state)) return html`<${Refill} state=${state} act=${act} />`;
  const why = whyNot(bets, limits, chips, state.bonus_name);
  const isSent = act.isQueued || pending?.what === "wager";
  const remark = why || warning(bets, limits, chips);
  return html`<div class="choices" key="again">
    ${remark && html`<p class="why" role="status">${remark}</p>`}
    <${ActionButton} key="change" hotkey="e" onPress=${act.change}
      disabled=${pending?.what === "wager"}>
      Change bets
    <//>
    <${ActionButton} key="again" gold hotkey="enter" also="d" onPress=${act.bet}
      isPending=${isSent} isSlow=${pending?.isSlow}
      disabled=${Boolean(why) || (Boolean(pending) && !isSent)}>
      Deal again · ${money(total(bets))}
    <//>
  </div>`;
}
