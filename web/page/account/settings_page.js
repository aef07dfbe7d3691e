// The settings page: looks, motion, sound, reminders, and the player's own seed.

import { Cards } from "../felt/card.js";
import { html, useState } from "../shared/html.js";
import { money, readMoney } from "../shared/money.js";
import { change, settings } from "../shared/settings.js";
import { play } from "../shared/sound.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";

/** @typedef {import("../shared/settings.js").Settings} Settings */

const THEMES = [
  { value: "auto", name: "Same as my device" },
  { value: "dark", name: "Dark" },
  { value: "light", name: "Light" },
];
const SPEEDS = [
  { value: "calm", name: "Calm" },
  { value: "quick", name: "Quick" },
  { value: "none", name: "No motion" },
];

export function SettingsPage() {
  const now = useStore(settings);
  useTitle("Settings");
  return html`<main class="sheet" id="main" tabindex="-1">
    <div class="page-head"><div>
      <h1>Settings</h1>
      <p class="quiet">Saved in this browser. Changes apply right away.</p>
    </div></div>
    <div class="two-columns">
      <section class="card-like">
        <h2>Page</h2>
        <${Choice} title="Colors" name="theme" options=${THEMES} value=${now.theme} />
        <${Checkbox} name="keys" isOn=${now.keys}>Play with letter and number keys<//>
      </section>
      <section class="card-like">
        <h2>Motion and sound</h2>
        <${Choice} title="How cards and chips move" name="speed" options=${SPEEDS}
          value=${now.speed} />
        <div class="spread">
          <${Checkbox} name="sound" isOn=${now.sound}>Soft sounds<//>
          <button disabled=${!now.sound} onClick=${() => play("win")}>Listen</button>
        </div>
      </section>
      <section class="card-like">
        <h2>Cards</h2>
        <div class="sample">
          <${Cards} cards=${["As", "Kh", "Qd", "Jc"]} label="Sample cards" />
        </div>
        <div>
          <${Checkbox} name="fourColours" isOn=${now.fourColours}>
            Four colors: diamonds are blue, clubs are green
          <//>
          <${Checkbox} name="largeCards" isOn=${now.largeCards}>Large print<//>
        </div>
      </section>
      <${Reminders} now=${now} />
      <section class="card-like">
        <h2>Shuffle</h2>
        <${Checkbox} name="ownSeed" isOn=${now.ownSeed}>Add my own seed to every shuffle<//>
        <p class="quiet">Your browser draws it, shows only its fingerprint while betting is open,
          and shows the seed after “no more bets”. That way, not even the table knows the deck
          while bets are open.</p>
      </section>
    </div>
  </main>`;
}

/**
 * @param {object} props
 * @param {string} props.title
 * @param {"theme" | "speed"} props.name
 * @param {{value: string, name: string}[]} props.options
 * @param {string} props.value
 */
function Choice({ title, name, options, value }) {
  return html`<fieldset class="bare">
    <legend class="quiet">${title}</legend>
    ${options.map(
      (option) => html`<label class="choice" key=${option.value}>
      <input type="radio" name=${name} value=${option.value} checked=${option.value === value}
        onChange=${() => change({ [name]: option.value })} />
      ${option.name}
    </label>`,
    )}
  </fieldset>`;
}

/**
 * @param {object} props
 * @param {"fourColours" | "largeCards" | "sound" | "keys" | "ownSeed"} props.name
 * @param {boolean} props.isOn
 * @param {any} [props.children]
 */
function Checkbox({ name, isOn, children }) {
  const flip = (/** @type {any} */ event) => change({ [name]: event.target.checked });
  return html`<label class="choice">
    <input type="checkbox" checked=${isOn} onChange=${flip} />
    <span>${children}</span>
  </label>`;
}

/** @param {{now: Settings}} props */
function Reminders({ now }) {
  const [fault, setFault] = useState("");
  const takeMinutes = (/** @type {any} */ event) => {
    const minutes = Math.round(Number(event.target.value));
    change({ remindMinutes: Math.max(0, Math.min(600, Number.isFinite(minutes) ? minutes : 0)) });
  };
  const takeLoss = (/** @type {any} */ event) => {
    const given = event.target.value.trim();
    const cents = given === "" ? 0 : readMoney(given);
    setFault(cents === null ? "Enter an amount like 200 or 200.50, or 0 for never." : "");
    if (cents !== null) change({ lossLimit: cents });
  };
  return html`<section class="card-like">
    <h2>Reminders</h2>
    <p class="quiet">Chips are play money; your time isn't. After a round that passes one of these
      limits, you get a quiet note, and nothing else happens.</p>
    <label class="field">Minutes of play, 0 for never
      <input type="number" inputmode="numeric" min="0" max="600" step="5" value=${now.remindMinutes}
        onChange=${takeMinutes} />
    </label>
    <label class="field">Play money lost in one sitting, 0 for never
      <input inputmode="decimal" autocomplete="off"
        value=${now.lossLimit ? money(now.lossLimit) : "0"}
        aria-invalid=${fault ? "true" : undefined} aria-describedby="loss-fault"
        onChange=${takeLoss} />
    </label>
    <p id="loss-fault" class="bad" role="alert">${fault}</p>
  </section>`;
}
