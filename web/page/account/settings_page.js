// The settings page: looks, motion, sound, reminders, and the player's own seed.

import { Cards } from "../felt/card.js";
import { Segments, Switch } from "../shared/choices.js";
import { html, useState } from "../shared/html.js";
import { money, readMoney } from "../shared/money.js";
import { Link } from "../shared/router.js";
import { change, settings } from "../shared/settings.js";
import { play } from "../shared/sound.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";
import { Sections } from "./sections.js";

/** @typedef {import("../shared/settings.js").Settings} Settings */

const THEMES = [
  { value: "dark", name: "dark" },
  { value: "light", name: "light" },
  { value: "auto", name: "as the device" },
];
const SPEEDS = [
  { value: "calm", name: "calm" },
  { value: "quick", name: "quick" },
  { value: "none", name: "at once" },
];
const MINUTES = [0, 30, 60, 90, 120];

const SECTIONS = [
  { id: "look", name: "Cards and page" },
  { id: "pace", name: "Pace and sound" },
  { id: "reminders", name: "Reminders" },
  { id: "shuffle", name: "Shuffle" },
];

const SAMPLE = ["Ks", "Qh", "Jd", "Tc"];

export function SettingsPage() {
  const now = useStore(settings);
  useTitle("Settings");
  return html`<${Sections} title="Settings" sections=${SECTIONS}
    about=${html`Saved in this browser as you change it. Your name, password and data are on
      your${" "}<${Link} href="/account">account page<//>.`}>
    <section class="box" id="look" aria-labelledby="look-title">
      <h2 id="look-title">Cards and page</h2>
      <fieldset class="bare setting">
        <legend>
          <span class="thing">Deck</span> <span class="aside">four colors, or two</span>
        </legend>
        <div class="decks">
          <${DeckChoice} isFour now=${now} label="Four colors" />
          <${DeckChoice} now=${now} label="Two colors" />
        </div>
      </fieldset>
      <${Switch} title="Large print" about="bigger ranks and suits on every card"
        isOn=${now.largeCards}
        onFlip=${(/** @type {boolean} */ on) => change({ largeCards: on })} />
      <${Segments} title="Page" name="theme" value=${now.theme} options=${THEMES}
        about="the felt stays dark in all of them"
        onPick=${(/** @type {Settings["theme"]} */ theme) => change({ theme })} />
      <${Switch} title="Keys" about="play with letters and numbers, as printed on the buttons"
        isOn=${now.keys} onFlip=${(/** @type {boolean} */ on) => change({ keys: on })} />
    </section>
    <section class="box" id="pace" aria-labelledby="pace-title">
      <h2 id="pace-title">Pace and sound</h2>
      <${Segments} title="Speed" name="speed" value=${now.speed} options=${SPEEDS}
        about="of cards, chips and the reveal after a round"
        onPick=${(/** @type {Settings["speed"]} */ speed) => change({ speed })} />
      <${Switch} title="Sounds" about="a card, a chip, a win; no voice and no music"
        isOn=${now.sound} onFlip=${(/** @type {boolean} */ on) => change({ sound: on })} />
      <div class="setting">
        <div><span class="thing">Try the sound</span></div>
        <button class="small" disabled=${!now.sound} onClick=${() => play("win")}>Listen</button>
      </div>
    </section>
    <${Reminders} now=${now} />
    <section class="box" id="shuffle" aria-labelledby="shuffle-title">
      <h2 id="shuffle-title">Shuffle</h2>
      <${Switch} title="Add my own seed to every shuffle"
        about="so that not even the table knows the deck while bets are open"
        isOn=${now.ownSeed} onFlip=${(/** @type {boolean} */ on) => change({ ownSeed: on })} />
      <p class="quiet">Your browser draws the seed, shows only its fingerprint while betting is
        open, and shows the seed after “no more bets”. <${Link} href="/help#fair">How the proof
        works<//></p>
    </section>
  <//>`;
}

/** @param {{isFour?: boolean, now: Settings, label: string}} props */
function DeckChoice({ isFour = false, now, label }) {
  return html`<label class="deck" data-deck=${isFour ? "four" : "two"}>
    <input type="radio" name="deck" checked=${now.fourColours === isFour} aria-label=${label}
      onChange=${() => change({ fourColours: isFour })} />
    <span aria-hidden="true"><${Cards} cards=${SAMPLE} label=${label} /></span>
  </label>`;
}

/** @param {{now: Settings}} props */
function Reminders({ now }) {
  const [fault, setFault] = useState("");
  const takeMinutes = (/** @type {any} */ event) =>
    change({ remindMinutes: Number(event.target.value) });
  const takeLoss = (/** @type {any} */ event) => {
    const given = event.target.value.trim();
    const cents = given === "" ? 0 : readMoney(given);
    setFault(cents === null ? "Enter an amount like 200 or 200.50, or 0 for never." : "");
    if (cents !== null) change({ lossLimit: cents });
  };
  // A setting from an earlier version may be any number of minutes.
  const minutes = [...new Set([...MINUTES, now.remindMinutes])].sort((one, two) => one - two);
  const words = (/** @type {number} */ count) => (count ? `after ${count} minutes` : "never");
  return html`<section class="box" id="reminders" aria-labelledby="reminders-title">
    <h2 id="reminders-title">Reminders</h2>
    <p class="quiet">It's play money, but your time isn't. After the round that passes a limit you
      get a quiet note, and nothing else happens.</p>
    <label class="setting">
      <span><span class="thing">A break</span><span class="aside">minutes of play</span></span>
      <select class="short" value=${String(now.remindMinutes)} onChange=${takeMinutes}>
        ${minutes.map((it) => html`<option key=${it} value=${String(it)}>${words(it)}</option>`)}
      </select>
    </label>
    <label class="setting">
      <span><span class="thing">Lost in one sitting</span>
        <span class="aside">play money; 0 for never</span></span>
      <input class="short" inputmode="decimal" autocomplete="off"
        value=${now.lossLimit ? money(now.lossLimit) : "0"}
        aria-invalid=${fault ? "true" : undefined} aria-describedby="loss-fault"
        onChange=${takeLoss} />
    </label>
    <p id="loss-fault" class="bad" role="alert">${fault}</p>
  </section>`;
}
