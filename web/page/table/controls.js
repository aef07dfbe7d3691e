// The controls under the thumb: the player's current choices, and the clock above them.

import { html, useLayoutEffect, useRef } from "../shared/html.js";
import { money } from "../shared/money.js";
import { total, whyNot } from "./bets.js";
import { ActionButton, BankOffer, ChipTray, Clock, Decisions } from "./control_parts.js";
import { ownHand, waitingFor } from "./phase.js";

/**
 * @typedef {object} Controlled
 * @property {import("../../types/api").TableState} state
 * @property {import("./phase.js").Phase} phase
 * @property {boolean} isSettled
 * @property {import("./bets.js").Bets} bets
 * @property {boolean} canRebet
 * @property {string | null | undefined} best the best decision, if the player asked for a hint
 * @property {import("./actions.js").Actions} act
 * @property {boolean} isBusy
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
function Choices({ state, phase, isSettled, bets, canRebet, best, act, isBusy }) {
  const { limits, chips } = state;
  const hand = ownHand(state);
  switch (phase) {
    case "out":
      return html`<div class="choices" key="out">
        <p class="quiet">You're sitting out.</p>
        <${ActionButton} gold onPress=${act.sitIn} disabled=${isBusy}>Sit in<//>
      </div>`;
    case "deciding":
      return html`<${Decisions} decisions=${hand?.decisions ?? []}
        most=${state.game === "uth" ? 3 : 4} ante=${hand?.stakes.ante ?? 0} best=${best}
        chips=${chips} onDecide=${act.decide} />`;
    case "offered":
      return html`<${BankOffer} least=${limits.unit} chips=${chips} isBusy=${isBusy}
        onTake=${act.takeBank} onPass=${act.passBank} />`;
    case "again": {
      const why = whyNot(bets, limits, chips, state.bonus_name);
      return html`<div class="choices" key="again">
        <${ActionButton} key="change" hotkey="b" onPress=${act.change} disabled=${isBusy}>
          Change bets
        <//>
        <${ActionButton} key="again" gold hotkey="d" also="enter" onPress=${act.deal}
          disabled=${isBusy || Boolean(why)}>
          Deal again · ${money(total(bets))}
        <//>
        ${why && html`<p class="why" role="status">${why}</p>`}
      </div>`;
    }
    case "betting":
      return html`<${ChipTray} bets=${bets} limits=${limits} chips=${chips}
        bonusName=${state.bonus_name} canRebet=${canRebet} act=${act} isBusy=${isBusy} />`;
    default: {
      const isIn = phase === "wagered";
      return html`<div class="choices waiting" key="waiting">
        <p>${waitingFor(state, isSettled)}</p>
        ${isIn &&
        html`<${ActionButton} key="back" onPress=${act.withdraw} disabled=${isBusy}>
          Take bets back
        <//>`}
        ${isIn &&
        !state.clocks &&
        html`<${ActionButton} key="now" gold hotkey="d" onPress=${act.dealNow} disabled=${isBusy}>
          Deal now
        <//>`}
      </div>`;
    }
  }
}
