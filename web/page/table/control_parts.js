// The parts of the controls: a button, a clock, the chip tray, the decisions, the bank's offer.

import { chipColour } from "../felt/chip.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { money, onChip, readMoney } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { total, trayChips, whyNot } from "./bets.js";

/**
 * A button that shows its shortcut key. The key presses it.
 * @param {object} props
 * @param {() => void} props.onPress
 * @param {string} [props.hotkey]
 * @param {string} [props.also] another key, not shown on the button
 * @param {boolean} [props.gold]
 * @param {boolean} [props.disabled]
 * @param {any} [props.children]
 */
export function ActionButton({ onPress, hotkey, also, gold, disabled, children }) {
  const press = disabled ? null : onPress;
  useKeys({ ...(hotkey && { [hotkey]: press }), ...(also && { [also]: press }) });
  // The second half of a double click is not meant for the next button.
  const click = (/** @type {MouseEvent} */ event) => event.detail < 2 && onPress();
  const key = hotkey && html`<kbd aria-hidden="true">${hotkey.toUpperCase()}</kbd>`;
  return html`<button type="button" class="do ${gold ? "gold" : ""}" disabled=${disabled}
    aria-keyshortcuts=${hotkey}
    onClick=${click}>${children}${key}</button>`;
}

/**
 * A thin line that gets shorter, with the seconds left for screen readers.
 * @param {{deadline: number | null | undefined, now: number}} props both by the server's clock
 */
export function Clock({ deadline, now }) {
  const skew = useRef(0);
  const [left, setLeft] = useState(0);
  const whole = useRef({ deadline: 0, span: 1 });
  useEffect(() => {
    skew.current = now - Date.now();
  }, [now]);
  useEffect(() => {
    if (!deadline) return undefined;
    const look = () => setLeft(Math.max(0, deadline - (Date.now() + skew.current)));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline) return html`<div class="clock" aria-hidden="true"></div>`;
  if (whole.current.deadline !== deadline) {
    whole.current = { deadline, span: Math.max(1, deadline - now) };
  }
  const seconds = Math.ceil(left / 1000);
  const share = Math.min(1, left / whole.current.span);
  return html`<div class="clock ${seconds <= 5 ? "short" : ""}" role="timer"
    aria-label=${`${seconds} seconds left`}>
    <span class="sand" style=${{ transform: `scaleX(${share})` }}></span>
  </div>`;
}

/**
 * The chips to bet with.
 * @param {object} props
 * @param {import("./bets.js").Bets} props.bets
 * @param {import("./bets.js").Limits} props.limits
 * @param {number | undefined} props.chips
 * @param {string} props.bonusName
 * @param {boolean} props.canRebet
 * @param {import("./actions.js").Actions} props.act
 * @param {boolean} props.isBusy
 */
export function ChipTray({ bets, limits, chips, bonusName, canRebet, act, isBusy }) {
  const why = whyNot(bets, limits, chips, bonusName);
  const [more, less] = [() => act.nudge(limits.unit), () => act.nudge(-limits.unit)];
  const [rebet, again] = [canRebet && act.rebet, bets.ante > 0 && act.double];
  const clear = total(bets) > 0 && act.clear;
  const keys = {
    r: rebet,
    x: again,
    z: clear,
    backspace: clear,
    t: act.bonus,
    "+": more,
    "=": more,
    "-": less,
  };
  // Bets that are on their way to the table no longer change.
  useKeys(isBusy ? {} : keys);
  const chip = (/** @type {number} */ amount) => html`<button type="button" class="pick-chip"
    aria-label=${money(amount)} onClick=${() => act.add(amount)}>
    <span class="chip ${chipColour(amount)}" aria-hidden="true">${onChip(amount)}</span>
  </button>`;
  return html`<div class="tray" key="tray" role="group" aria-label="Chips">
    <div class="chips">${trayChips(limits).map(chip)}</div>
    <div class="bet-tools">
      <button type="button" disabled=${!rebet} aria-keyshortcuts="r" onClick=${act.rebet}>
        Rebet
      </button>
      <button type="button" disabled=${!again} aria-keyshortcuts="x" onClick=${act.double}>
        Double
      </button>
      <button type="button" disabled=${!clear} aria-keyshortcuts="z" onClick=${act.clear}>
        Clear
      </button>
    </div>
    <${ActionButton} gold hotkey="d" also="enter" disabled=${isBusy || Boolean(why)}
      onPress=${act.deal}>
      Deal · ${money(total(bets))}
    <//>
    <p class="why" role="status">${why}</p>
  </div>`;
}

/**
 * The buttons for a decision. The request names the turn it is for, so a press is harmless if the
 * table has moved on.
 * @param {object} props
 * @param {string[]} props.decisions
 * @param {number} props.most the largest number of choices in this game
 * @param {number} props.ante
 * @param {number} [props.chips]
 * @param {string | null} [props.best]
 * @param {(decision: string) => void} props.onDecide
 */
export function Decisions({ decisions, most, ante, chips, best, onDecide }) {
  const choices = [...decisions].reverse();
  return html`<div key="decisions" class="choices decisions of-${most}" role="group"
    aria-label="Your decision">
    ${choices.map((decision) => {
      const { label, amount, key } = decisionWords(decision, ante);
      // Gold marks the best choice once it is known, and until then a bet.
      const gold = best ? decision === best : decision === choices.at(-1);
      const isTooMuch = amount > (chips ?? amount);
      return html`<${ActionButton} key=${decision} gold=${gold} hotkey=${key} disabled=${isTooMuch}
        onPress=${() => onDecide(decision)}>${label}${amount > 0 && ` · ${money(amount)}`}<//>`;
    })}
  </div>`;
}

/**
 * The offer of the bank.
 * @param {object} props
 * @param {number} props.least
 * @param {number | undefined} props.chips
 * @param {(wager: number) => void} props.onTake
 * @param {() => void} props.onPass
 * @param {boolean} props.isBusy
 */
export function BankOffer({ least, chips, onTake, onPass, isBusy }) {
  const usual = Math.min(50_000, chips ?? 50_000);
  const [text, setText] = useState(String(Math.max(least, usual) / 100));
  const wager = readMoney(text);
  const isTooMuch = wager && chips !== undefined && wager > chips;
  const why = !wager
    ? "Enter an amount, like 500."
    : isTooMuch ? `You only have ${money(chips)}.` : "";
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (wager && !why) onTake(wager);
  };
  return html`<form class="choices offer" key="offer" onSubmit=${submit}>
    <label class="wager">Your wager as the bank
      <input name="wager" inputmode="decimal" value=${text} aria-describedby="bank-why"
        onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
    </label>
    <${ActionButton} hotkey="p" disabled=${isBusy} onPress=${onPass}>Pass<//>
    <${ActionButton} gold hotkey="b" disabled=${isBusy || Boolean(why)}
      onPress=${() => wager && onTake(wager)}>Take the bank<//>
    <p class="why" id="bank-why" role="status">${why}</p>
  </form>`;
}
