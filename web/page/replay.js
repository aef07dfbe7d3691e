// A round on the felt, step by step: forwards, backwards, or by itself.

import { Felt } from "./felt.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { say } from "./speech.js";

/** How long a step stands while the round plays by itself, in milliseconds. */
const PACES = { calm: 1500, quick: 800, none: 1500 };

/** What a step sounds like, for those who want sounds. */
const SOUNDS = /** @type {Record<string, import("./sound.js").SoundName>} */ ({
  banked: "chip",
  wagered: "chip",
  dealt: "card",
  turned: "card",
  "dealer-shown": "card",
  settled: "chip",
});

/** @param {{moments: import("./story.js").Moment[], kinds: string[]}} props the kind of each step beside it */
export function Replay({ moments, kinds }) {
  const last = moments.length - 1;
  // What a round came to is what most people look for first.
  const [place, setPlace] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  const list = useRef(/** @type {any} */ (null));

  const show = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(last, wanted));
    setPlace(next);
    say(moments[next].say);
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

  // The list follows, within itself: the page stays where it is.
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    if (shown) list.current.scrollTop = shown.offsetTop - list.current.clientHeight / 2 + shown.clientHeight / 2;
  }, [place]);

  return html`<div class="replay">
    <div class="replay-felt"><${Felt} scene=${moments[place].scene} /></div>
    <div class="replay-keys" role="group" aria-label="Go through the round">
      <${Key} name="To the first step" arrow="first" isOff=${place === 0} go=${() => move(0)} />
      <${Key} name="A step back" arrow="back" isOff=${place === 0} go=${() => move(place - 1)} />
      <button class="gold" onClick=${toggle}>${isPlaying ? "Pause" : place === last ? "Play again" : "Play"}</button>
      <${Key} name="A step on" arrow="on" isOff=${place === last} go=${() => move(place + 1)} />
      <${Key} name="To the last step" arrow="last" isOff=${place === last} go=${() => move(last)} />
    </div>
    <ol class="replay-steps" ref=${list} aria-label="Steps" tabindex="-1">
      ${moments.map(
        (moment, at) => html`<li key=${at}>
        <button class="replay-step" aria-current=${at === place ? "step" : undefined} onClick=${() => move(at)}>
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
