// The dialog that opens a table.

import { openTable } from "../shared/api.js";
import { Dialog } from "../shared/dialog.js";
import { html, useState } from "../shared/html.js";
import { showError } from "../shared/notice.js";
import { go } from "../shared/router.js";
import { ensurePlayer } from "../shared/session.js";

/** @typedef {import("../../types/api").House} House */

const PACES = [
  ["usual", "Standard clocks"],
  ["quick", "Quick"],
  ["slow", "Slow"],
  ["none", "No clocks (private tables only)"],
];

/** @param {{house: House | null, hide: () => void}} props */
export function OpenTable({ house, hide }) {
  const [isBusy, setBusy] = useState(false);
  const [isPublic, setPublic] = useState(false);
  const isBanked = house?.banking.by === "player-dealer";
  const open = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!house) return;
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    setBusy(true);
    try {
      await ensurePlayer();
      const state = await openTable({
        house: house.id,
        bonus: form.get("bonus") || undefined,
        pace: String(form.get("pace")),
        public: isPublic,
        practice_bank: form.has("practice"),
        title: String(form.get("title")).trim() || undefined,
      });
      go(`/tables/${state.table}${state.invite ? `#invite=${state.invite}` : ""}`);
      hide();
    } catch (problem) {
      showError(problem);
    } finally {
      setBusy(false);
    }
  };
  const title = house ? `Open a table: ${house.title}` : "";
  return html`<${Dialog} isOpen=${Boolean(house)} hide=${hide} title=${title}>
    ${house && html`<form class="sheet-form" onSubmit=${open}>
      <label class="field">Table name
        <input name="title" maxlength="64" placeholder="optional" />
      </label>
      <label class="field">${house.game === "uth" ? "Trips" : "Pair Plus"} pay table
        <select name="bonus" disabled=${isBanked && isPublic}>
          ${isBanked && html`<option value="">The card room's</option>`}
          ${house.bonus_paytables.map(
            (/** @type {string} */ id) => html`<option key=${id}>${id}</option>`,
          )}
        </select>
      </label>
      <label class="field">Pace
        <select name="pace">
          ${PACES.map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`)}
        </select>
      </label>
      <fieldset>
        <legend>Open to</legend>
        <label class="choice"><input type="radio" name="who" value="private" checked=${!isPublic}
          onChange=${() => setPublic(false)} /> Anyone with the link</label>
        <label class="choice"><input type="radio" name="who" value="public" checked=${isPublic}
          onChange=${() => setPublic(true)} /> Everyone</label>
      </fieldset>
      ${isBanked && !isPublic && html`<label class="choice">
        <input type="checkbox" name="practice" />
        Practice: let bots bank when it's their turn</label>`}
      ${isBanked && isPublic && html`<p class="quiet">Public tables use the card room's pay table,
        and bots never bank there.</p>`}
      <button class="gold" disabled=${isBusy}>Open the table</button>
    </form>`}
  <//>`;
}
