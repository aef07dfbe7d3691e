// What lies under the thumb: chips to bet with, decisions to make, and the clock above them.

import { trayChips, total, whyNot } from "./bets.js";
import { chipColour } from "./chip.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { money, onChip, readMoney } from "./money.js";
import { decisionWords } from "./words.js";

/**
 * A button with its key on it. The second half of a double click is not meant for what comes next.
 * @param {{onPress: () => void, hotkey?: string, gold?: boolean, disabled?: boolean, label?: string, children?: any}} props
 */
export function Do({ onPress, hotkey, gold, disabled, label, children }) {
  return html`<button type="button" class="do ${gold ? "gold" : ""}" disabled=${disabled} aria-label=${label}
    aria-keyshortcuts=${hotkey} onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && onPress()}>${children}${hotkey && html`<kbd aria-hidden="true">${hotkey.toUpperCase()}</kbd>`}</button>`;
}

/**
 * A thin line that grows shorter, and the seconds for those who want to know.
 * @param {{deadline: number | null | undefined, now: number}} props both by the clock of the server
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
  if (whole.current.deadline !== deadline) whole.current = { deadline, span: Math.max(1, deadline - now) };
  const seconds = Math.ceil(left / 1000);
  return html`<div class="clock ${seconds <= 5 ? "short" : ""}" role="timer" aria-label=${`${seconds} seconds left`}>
    <span class="sand" style=${{ transform: `scaleX(${Math.min(1, left / whole.current.span)})` }}></span>
  </div>`;
}

/**
 * Chips to bet with.
 * @param {object} props
 * @param {import("./bets.js").Bets} props.bets
 * @param {import("./bets.js").Limits} props.limits
 * @param {number | undefined} props.chips
 * @param {string} props.bonusName
 * @param {boolean} props.canRebet
 * @param {Record<string, any>} props.act
 */
export function ChipTray({ bets, limits, chips, bonusName, canRebet, act }) {
  const why = whyNot(bets, limits, chips, bonusName);
  return html`<div class="tray" key="tray" role="group" aria-label="Chips">
    <div class="chips">
      ${trayChips(limits).map((chip) => html`<button type="button" class="pick-chip" aria-label=${money(chip)} onClick=${() => act.add(chip)}>
        <span class="chip ${chipColour(chip)}" aria-hidden="true">${onChip(chip)}</span></button>`)}
    </div>
    <div class="bet-tools">
      <button type="button" disabled=${!canRebet} aria-keyshortcuts="r" onClick=${act.rebet}>Rebet</button>
      <button type="button" disabled=${!bets.ante} aria-keyshortcuts="x" onClick=${act.double}>Double</button>
      <button type="button" disabled=${!total(bets)} aria-keyshortcuts="z" onClick=${act.clear}>Clear</button>
    </div>
    <${Do} gold hotkey="d" disabled=${Boolean(why)} onPress=${act.deal}>Deal · ${money(total(bets))}<//>
    <p class="why" role="status">${why}</p>
  </div>`;
}

/**
 * What may be decided.
 * @param {{decisions: string[], most: number, ante: number, chips?: number, best?: string | null, onDecide: (decision: string) => void}} props
 */
export function Decisions({ decisions, most, ante, chips, best, onDecide }) {
  const choices = [...decisions].reverse();
  return html`<div key="decisions" class="choices decisions of-${most}" role="group" aria-label="Your decision">
    ${choices.map((decision) => {
      const { label, amount, key } = decisionWords(decision, ante);
      // Gold is for the best choice, once it is known, and before that for putting money down.
      const gold = best ? decision === best : decision === choices.at(-1);
      return html`<${Do} key=${decision} gold=${gold} hotkey=${key} disabled=${amount > (chips ?? amount)} onPress=${() => onDecide(decision)}>
        ${label}${amount > 0 && ` · ${money(amount)}`}<//>`;
    })}
  </div>`;
}

/**
 * The bank, offered.
 * @param {{least: number, chips: number | undefined, onTake: (wager: number) => void, onPass: () => void, isBusy: boolean}} props
 */
export function BankOffer({ least, chips, onTake, onPass, isBusy }) {
  const [text, setText] = useState(String(Math.max(least, Math.min(50_000, chips ?? 50_000)) / 100));
  const wager = readMoney(text);
  const why = !wager ? "Write an amount, as in 500." : chips !== undefined && wager > chips ? `You have ${money(chips)}.` : "";
  return html`<form class="choices offer" key="offer" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), wager && !why && onTake(wager))}>
    <label class="wager">Your wager as the bank
      <input name="wager" inputmode="decimal" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} aria-describedby="bank-why" />
    </label>
    <${Do} hotkey="p" disabled=${isBusy} onPress=${onPass}>Pass<//>
    <${Do} gold hotkey="b" disabled=${isBusy || Boolean(why)} onPress=${() => wager && onTake(wager)}>Take the bank<//>
    <p class="why" id="bank-why" role="status">${why}</p>
  </form>`;
}
