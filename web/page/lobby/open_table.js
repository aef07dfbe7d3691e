// The dialog that opens a table: game, house, pay table with its exact edge, pace, and visitors.

import {
  bonusName,
  gameTitle,
  houseLine,
  houseName,
  isPlayerBanked,
} from "../house/houses.js";
import { percent, useOdds } from "../house/odds.js";
import { payRows } from "../house/pay_tables.js";
import { get, openTable, postOnce, Problem, sendCommand } from "../shared/api.js";
import { Option, Segments } from "../shared/choices.js";
import { Dialog } from "../shared/dialog.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { titled } from "../shared/names.js";
import { sentence, showError } from "../shared/notice.js";
import { go } from "../shared/router.js";
import { ensurePlayer } from "../shared/session.js";

/** @typedef {import("../../types/api").House} House */
/** @typedef {import("../../types/api").PayTable} PayTable */

const PACES = [
  { value: "quick", name: "Quick", about: "a third of the usual time" },
  { value: "usual", name: "Usual", about: "the clocks of public tables" },
  { value: "slow", name: "Slow", about: "three times the usual time" },
  { value: "none", name: "No clock", about: "the table waits for you" },
];

const BOTS = [0, 1, 3, 6].map((count) => ({
  value: String(count),
  name: count === 0 ? "None" : String(count),
}));

/** The longest title that the server takes. */
const TITLE_MAX = 40;

/**
 * @param {{isOpen: boolean, houses: House[], first: House | undefined, hide: () => void}} props
 */
export function OpenTable({ isOpen, houses, first, hide }) {
  return html`<${Dialog} isOpen=${isOpen} hide=${hide} title="Open a table">
    ${houses.length > 0 &&
    html`<${OpenForm} houses=${houses} first=${first ?? houses[0]} hide=${hide} />`}
  <//>`;
}

/** @returns {Map<string, PayTable>} all pay tables by id */
function usePayTables() {
  const [tables, setTables] = useState(/** @type {Map<string, PayTable>} */ (new Map()));
  useEffect(() => {
    const byId = (/** @type {PayTable[]} */ all) => new Map(all.map((it) => [it.id, it]));
    get("paytables").then((all) => setTables(byId(all)), showError);
  }, []);
  return tables;
}

/** @param {{houses: House[], first: House, hide: () => void}} props */
function OpenForm({ houses, first, hide }) {
  const [house, setHouse] = useState(first);
  const [chosen, setBonus] = useState("");
  const [pace, setPace] = useState("usual");
  const [isPublic, setPublic] = useState(false);
  const [bots, setBots] = useState("0");
  const [isPractice, setPractice] = useState(false);
  const [title, setTitle] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const payTables = usePayTables();

  const isBanked = isPlayerBanked(house);
  // Where players bank, a public table pays by the card room's table.
  const isFixed = isBanked && isPublic;
  const bonus = house.bonus_paytables.includes(chosen) ? chosen : "";
  const shown = bonus || house.bonus_paytables[0];
  const terms = (/** @type {House} */ { id }, /** @type {string} */ table) => ({
    house: id,
    bonus: table,
  });
  const alike = houses.filter((it) => it.game === house.game && !isPlayerBanked(it));
  const odds = useOdds([
    ...alike.map((it) => terms(it, it.bonus_paytables[0])),
    ...house.bonus_paytables.map((id) => terms(house, id)),
  ]);
  const known = odds({ house: house.id, bonus: shown });
  const games = [...new Set(houses.map(({ game }) => game))];

  const open = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setFault("");
    try {
      await ensurePlayer();
      const state = await openTable({
        house: house.id,
        bonus: (!isFixed && (isBanked ? bonus : shown)) || undefined,
        pace,
        public: isPublic,
        practice_bank: isBanked && !isPublic && isPractice,
        title: title.trim() || undefined,
      });
      await takeSeat(state, Number(bots));
      go(`/tables/${state.table}${state.invite ? `#invite=${state.invite}` : ""}`);
      hide();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      setFault([problem.message, ...problem.faults].map(sentence).join(" "));
      setBusy(false);
    }
  };

  return html`<form class="open-table" onSubmit=${open}>
    <div class="open-choices">
      <p class="quiet">Nothing about a table can be changed later, so that the odds on its placard
        stay true.</p>
      <${Segments} title="Game" name="game" value=${house.game}
        options=${games.map((game) => ({ value: game, name: gameTitle(game) }))}
        onPick=${(/** @type {string} */ game) =>
          setHouse(houses.find((it) => it.game === game) ?? house)} />
      <fieldset class="options">
        <legend class="eyebrow">House</legend>
        ${houses
          .filter(({ game }) => game === house.game)
          .map(
            (it) => html`<${Option} key=${it.id} name="house" value=${it.id} title=${houseName(it)}
              about=${houseLine(it)} isChosen=${it.id === house.id}
              figure=${isPlayerBanked(it)
                ? "no house"
                : `edge ${percent(odds(terms(it, it.bonus_paytables[0]))?.main.edge)}`}
              onPick=${() => setHouse(it)} />`,
          )}
      </fieldset>
      <fieldset class="options pay-options" disabled=${isFixed}>
        <legend class="eyebrow">${bonusName(house)} pays <span>house edge, exact</span></legend>
        ${house.bonus_paytables.map(
          (id) => html`<${Option} key=${id} name="bonus" value=${id} title=${id}
            about=${paysLine(payTables.get(id))} isChosen=${!isFixed && id === shown}
            figure=${percent(odds({ house: house.id, bonus: id })?.bonus_bet?.edge, 5)}
            onPick=${() => setBonus(id)} />`,
        )}
        ${isFixed &&
        html`<p class="quiet">Public tables use the card room's pay table, and bots never bank
          there.</p>`}
      </fieldset>
      <div class="open-row">
        <${Segments} title="Pace" name="pace" value=${pace} onPick=${setPace}
          options=${PACES.filter(({ value }) => !isPublic || value !== "none")}
          about=${PACES.find(({ value }) => value === pace)?.about} />
        <${Segments} title="Open to" name="who" value=${isPublic ? "public" : "private"}
          options=${[
            { value: "private", name: "Anyone with the link" },
            { value: "public", name: "Everyone" },
          ]}
          onPick=${(/** @type {string} */ who) => {
            setPublic(who === "public");
            if (who === "public" && pace === "none") setPace("usual");
          }} />
      </div>
      <div class="open-row">
        <${Segments} title="Bots" name="bots" value=${bots} options=${BOTS} onPick=${setBots}
          about="They bet the minimum and play a published strategy." />
        <label class="field">
          <span class="eyebrow">Table name, if you like</span>
          <input name="title" maxlength=${TITLE_MAX} value=${title}
            onInput=${(/** @type {any} */ event) => setTitle(event.target.value)} />
        </label>
      </div>
      ${isBanked && !isPublic && html`<label class="choice">
        <input type="checkbox" checked=${isPractice}
          onChange=${(/** @type {any} */ event) => setPractice(event.target.checked)} />
        Practice: let bots bank when it's their turn
      </label>`}
    </div>
    <div class="open-placard">
      <h3 class="eyebrow">The placard</h3>
      <${Placard} house=${house} pays=${isFixed ? undefined : payTables.get(shown)}
        title=${title} />
      <dl class="sums">
        <div><dt>The main game keeps</dt><dd>${percent(known?.main.edge, 5)} of an Ante</dd></div>
        ${!isFixed && html`
          <div>
            <dt>${bonusName(house)} keeps</dt><dd>${percent(known?.bonus_bet?.edge, 5)}</dd>
          </div>
          <div>
            <dt>${bonusName(house)} pays in</dt>
            <dd>${percent(known?.bonus_bet?.hit_frequency)} of rounds</dd>
          </div>`}
      </dl>
      <p class="quiet">${isBanked
        ? "Against perfect play, over all deals. Here the bank is a player, so it can be you."
        : "Against perfect play, counted over all deals."}</p>
      <p class="bad" role="alert">${fault}</p>
      <button class="gold large" disabled=${isBusy}>Open the table</button>
    </div>
  </form>`;
}

/**
 * Seats the host and their bots. A host who can't sit down still has the table.
 * @param {import("../../types/api").TableState} state
 * @param {number} bots
 */
async function takeSeat(state, bots) {
  try {
    await sendCommand(state.table, { command: "join", seat: 1 }, state.invite);
    const room = Math.min(bots, state.seat_count - 1);
    for (let bot = 0; bot < room; bot++) {
      await postOnce(`tables/${encodeURIComponent(state.table)}/bots`);
    }
  } catch (problem) {
    showError(problem);
  }
}

/** @param {PayTable | undefined} table */
function paysLine(table) {
  return table ? payRows(table).map(([, pays]) => pays.replace(/:1$/, "")).join(" ") : " ";
}

/** @param {{house: House, pays: PayTable | undefined, title: string}} props */
function Placard({ house, pays, title }) {
  const { limits } = house;
  return html`<div class="placard">
    <p class="placard-title">${title.trim() || house.title}</p>
    <p>Ante ${money(limits.ante_min)} to ${money(limits.ante_max)}</p>
    ${pays &&
    html`<table>
      <caption>${bonusName(house)} ${pays.id}</caption>
      <tbody>
        ${payRows(pays).map(
          ([hand, odds]) => html`<tr key=${hand}>
            <th scope="row">${titled(hand)}</th><td>${odds.replace(":", " to ")}</td>
          </tr>`,
        )}
      </tbody>
    </table>`}
  </div>`;
}
