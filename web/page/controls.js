// What lies under the thumb: whatever is asked of somebody now, and the clock above it.

import { total, whyNot } from "./bets.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { money } from "./money.js";
import { ownHand, waitingFor } from "./phase.js";
import { BankOffer, ChipTray, Clock, Decisions, Do } from "./tray.js";

/**
 * @typedef {object} Controlled
 * @property {import("../types/api").TableState} state
 * @property {import("./phase.js").Phase} phase
 * @property {boolean} isSettled
 * @property {import("./bets.js").Bets} bets
 * @property {boolean} canRebet
 * @property {string | null | undefined} best the best decision, if somebody asked for it
 * @property {import("./sitting.js").Actions} act
 * @property {boolean} isBusy
 */

/** @param {Controlled} props */
export function Controls(props) {
  const { state, phase } = props;
  const own = state.seats.find((it) => it.you);
  // The wait for another player's seed is everyone's, and ends by the clock.
  const isTimed = own?.awaits || !own || state.round?.stage === "revealing";
  return html`<div class="controls" role="group" aria-label="Your move" ref=${useKeptFocus()} tabindex="-1">
    <${Clock} deadline=${isTimed ? state.deadline : null} now=${state.now} />
    ${phase !== "rail" && html`<${Choices} ...${props} />`}
  </div>`;
}

/** Keeps the focus when the button that had it is gone: the next one is a key away, and not the whole page. */
function useKeptFocus() {
  const box = useRef(/** @type {any} */ (null));
  const isHere = useRef(false);
  const active = document.activeElement;
  if (box.current?.contains(active)) isHere.current = true;
  else if (active && active !== document.body) isHere.current = false;
  useLayoutEffect(() => {
    if (isHere.current && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
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
        <p class="quiet">You sit out.</p><${Do} gold onPress=${act.sitIn} disabled=${isBusy}>Sit in<//>
      </div>`;
    case "deciding":
      return html`<${Decisions} decisions=${hand?.decisions ?? []} most=${state.game === "uth" ? 3 : 4}
        ante=${hand?.stakes.ante ?? 0} best=${best} chips=${chips} onDecide=${act.decide} />`;
    case "offered":
      return html`<${BankOffer} least=${limits.unit} chips=${chips} isBusy=${isBusy}
        onTake=${act.takeBank} onPass=${act.passBank} />`;
    case "again": {
      const why = whyNot(bets, limits, chips, state.bonus_name);
      return html`<div class="choices" key="again">
        <${Do} key="change" hotkey="b" onPress=${act.change} disabled=${isBusy}>Change bets<//>
        <${Do} key="again" gold hotkey="d" also="enter" onPress=${act.deal} disabled=${isBusy || Boolean(why)}>
          Deal again · ${money(total(bets))}
        <//>
        ${why && html`<p class="why" role="status">${why}</p>`}
      </div>`;
    }
    case "betting":
      return html`<${ChipTray} bets=${bets} limits=${limits} chips=${chips} bonusName=${state.bonus_name}
        canRebet=${canRebet} act=${act} isBusy=${isBusy} />`;
    default: {
      const isIn = phase === "wagered";
      return html`<div class="choices waiting" key="waiting">
        <p>${waitingFor(state, isSettled)}</p>
        ${isIn && html`<${Do} key="back" onPress=${act.withdraw} disabled=${isBusy}>Take it back<//>`}
        ${isIn &&
        !state.clocks &&
        html`<${Do} key="now" gold hotkey="d" onPress=${act.dealNow} disabled=${isBusy}>Deal now<//>`}
      </div>`;
    }
  }
}
