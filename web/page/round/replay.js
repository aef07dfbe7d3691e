// A round on the felt, step by step: forward, backward, or by itself.

import { Felt } from "../felt/felt.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { announce } from "../shared/live_region.js";
import { settings } from "../shared/settings.js";
import { play } from "../shared/sound.js";

/** How long each step is shown while the round plays by itself, in milliseconds. */
const PACES = { calm: 1500, quick: 800, none: 1500 };

/** The sound of each kind of step, for players who turned sound on. */
const SOUNDS = /** @type {Record<string, import("../shared/sound.js").SoundName>} */ ({
  banked: "chip",
  wagered: "chip",
  dealt: "card",
  turned: "card",
  "dealer-shown": "card",
  settled: "chip",
});

/**
 * @param {object} props
 * @param {import("./replay_scenes.js").Moment[]} props.moments
 * @param {string[]} props.kinds one per moment
 */
export function Replay({ moments, kinds }) {
  const last = moments.length - 1;
  // The result comes first: most players look for it.
  const [place, setPlace] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  const list = useRef(/** @type {any} */ (null));

  const show = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(last, wanted));
    setPlace(next);
    announce(moments[next].say);
    const sound = SOUNDS[kinds[next]];
    if (sound) play(sound);
  };
  const move = (/** @type {number} */ wanted) => {
    setPlaying(false);
    show(wanted);
  };
  const toggle = () => {
    if (!isPlaying && place === last) show(0);
    setPlaying(!isPlaying);
  };

  useEffect(() => {
    if (!isPlaying) return undefined;
    if (place === last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => show(place + 1), PACES[settings.get().speed]);
    return () => clearTimeout(timer);
  }, [isPlaying, place]);

  useKeys({
    arrowleft: () => move(place - 1),
    arrowright: () => move(place + 1),
    home: () => move(0),
    end: () => move(last),
    " ": toggle,
  });

  // Only the list scrolls to the step. The page stays in place.
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    if (!shown) return;
    const middle = list.current.clientHeight / 2;
    list.current.scrollTop = shown.offsetTop - middle + shown.clientHeight / 2;
  }, [place]);

  return html`<div class="replay">
    <div class="replay-felt"><${Felt} scene=${moments[place].scene} /></div>
    <div class="replay-keys" role="group" aria-label="Replay controls">
      <${Key} name="First step" arrow="first" isOff=${place === 0} go=${() => move(0)} />
      <${Key} name="Previous step" arrow="back" isOff=${place === 0} go=${() => move(place - 1)} />
      <button class="gold" onClick=${toggle}>
        ${isPlaying ? "Pause" : place === last ? "Play again" : "Play"}
      </button>
      <${Key} name="Next step" arrow="on" isOff=${place === last} go=${() => move(place + 1)} />
      <${Key} name="Last step" arrow="last" isOff=${place === last} go=${() => move(last)} />
    </div>
    <ol class="replay-steps" ref=${list} aria-label="Steps" tabindex="-1">
      ${moments.map(
        (moment, at) => html`<li key=${at}>
        <button class="replay-step" aria-current=${at === place ? "step" : undefined}
          onClick=${() => move(at)}>
          ${moment.say}
        </button>
      </li>`,
      )}
    </ol>
  </div>`;
}

const ARROWS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  on: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};

/** @param {{name: string, arrow: keyof typeof ARROWS, isOff: boolean, go: () => void}} props */
function Key({ name, arrow, isOff, go }) {
  return html`<button aria-label=${name} title=${name} disabled=${isOff} onClick=${go}>
    <svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROWS[arrow]} /></svg>
  </button>`;
}
