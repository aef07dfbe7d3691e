// What somebody likes: how it looks, how it moves, and when to be reminded.

import { Cards } from "./card.js";
import { html, useState } from "./html.js";
import { money, readMoney } from "./money.js";
import { change, settings } from "./settings.js";
import { play } from "./sound.js";
import { useStore } from "./store.js";
import { useTitle } from "./title.js";

/** @typedef {import("./settings.js").Settings} Settings */

const THEMES = [
  { value: "auto", name: "As my device has it" },
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
      <p class="quiet">They are kept in this browser, and take effect at once.</p>
    </div></div>
    <div class="two-columns">
      <section class="card-like">
        <h2>Page</h2>
        <${Choice} title="Colours" name="theme" options=${THEMES} value=${now.theme} />
        <${Tick} name="keys" isOn=${now.keys}>Play with letters and digits of the keyboard<//>
      </section>
      <section class="card-like">
        <h2>Motion and sound</h2>
        <${Choice} title="How cards and chips move" name="speed" options=${SPEEDS} value=${now.speed} />
        <div class="spread">
          <${Tick} name="sound" isOn=${now.sound}>Soft sounds<//>
          <button disabled=${!now.sound} onClick=${() => play("win")}>Listen</button>
        </div>
      </section>
      <section class="card-like">
        <h2>Cards</h2>
        <div class="sample"><${Cards} cards=${["As", "Kh", "Qd", "Jc"]} label="What cards look like" /></div>
        <div>
          <${Tick} name="fourColours" isOn=${now.fourColours}>Four colours: diamonds are blue, clubs green<//>
          <${Tick} name="largeCards" isOn=${now.largeCards}>Large figures<//>
        </div>
      </section>
      <${Reminders} now=${now} />
      <section class="card-like">
        <h2>Shuffle</h2>
        <${Tick} name="ownSeed" isOn=${now.ownSeed}>Bring a seed of my own to every shuffle<//>
        <p class="quiet">Your browser draws it, shows only its fingerprint while betting is open, and the seed after “no
          more bets”. Then nobody can have known the deck while bets were taken, the table included.</p>
      </section>
    </div>
  </main>`;
}

/** @param {{title: string, name: "theme" | "speed", options: {value: string, name: string}[], value: string}} props */
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

/** @param {{name: "fourColours" | "largeCards" | "sound" | "keys" | "ownSeed", isOn: boolean, children?: any}} props */
function Tick({ name, isOn, children }) {
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
    setFault(cents === null ? "Write an amount like 200 or 200.50, or 0 for never." : "");
    if (cents !== null) change({ lossLimit: cents });
  };
  return html`<section class="card-like">
    <h2>Reminders</h2>
    <p class="quiet">Chips are play money; time is not. After a round that passes one of these, a calm note says so, and
      nothing else happens.</p>
    <label class="field">Minutes of play, 0 for never
      <input type="number" inputmode="numeric" min="0" max="600" step="5" value=${now.remindMinutes}
        onChange=${takeMinutes} />
    </label>
    <label class="field">Play money lost in a sitting, 0 for never
      <input inputmode="decimal" autocomplete="off" value=${now.lossLimit ? money(now.lossLimit) : "0"}
        aria-invalid=${fault ? "true" : undefined} aria-describedby="loss-fault" onChange=${takeLoss} />
    </label>
    <p id="loss-fault" class="bad" role="alert">${fault}</p>
  </section>`;
}
