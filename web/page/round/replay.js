// A round on the felt, step by step from the beginning: by buttons, by the scrubber, or by itself.

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
 * The step on the felt, and how to move to another.
 * @param {import("./replay_scenes.js").Moment[]} moments
 * @param {string[]} kinds one per moment
 */
export function useReplay(moments, kinds) {
  const last = moments.length - 1;
  const [wanted, setPlace] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const place = Math.max(0, Math.min(last, wanted));
  const show = (/** @type {number} */ to) => {
    const next = Math.max(0, Math.min(last, to));
    setPlace(next);
    announce(moments[next]?.say ?? "");
    const sound = SOUNDS[kinds[next]];
    if (sound) play(sound);
  };
  const move = (/** @type {number} */ to) => {
    setPlaying(false);
    show(to);
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
  }, [isPlaying, place, last]);
  useKeys({
    arrowleft: () => move(place - 1),
    arrowright: () => move(place + 1),
    home: () => move(0),
    end: () => move(last),
    " ": toggle,
  });
  return { place, last, isPlaying, move, toggle };
}

/** @typedef {ReturnType<typeof useReplay>} Replaying */

/**
 * The felt at a step, with the buttons and the scrubber on the rail.
 * @param {object} props
 * @param {import("./replay_scenes.js").Moment[]} props.moments
 * @param {import("./streets.js").Street[]} props.streets
 * @param {Replaying} props.replay
 * @param {any} props.placard
 */
export function Replay({ moments, streets, replay, placard }) {
  const { scene } = moments[replay.place];
  return html`<${Felt} scene=${scene} placard=${placard}
    rail=${html`<${Keys} streets=${streets} replay=${replay} />`} />`;
}

/** @param {{streets: import("./streets.js").Street[], replay: Replaying}} props */
function Keys({ streets, replay }) {
  const { place, last, isPlaying, move, toggle } = replay;
  const playName = isPlaying ? "Pause" : place === last ? "Play again" : "Play";
  return html`<div class="replay-keys">
    <div class="replay-buttons" role="group" aria-label="Replay controls">
      <${Key} name="First step" arrow="first" isOff=${place === 0} go=${() => move(0)} />
      <${Key} name="Previous step" arrow="back" isOff=${place === 0} go=${() => move(place - 1)} />
      <${Key} name=${playName} arrow=${isPlaying ? "pause" : "play"} go=${toggle} />
      <${Key} name="Next step" arrow="on" isOff=${place === last} go=${() => move(place + 1)} />
      <${Key} name="Last step" arrow="last" isOff=${place === last} go=${() => move(last)} />
    </div>
    <div class="scrubber">
      <input type="range" min="0" max=${last} value=${place} aria-label="Step"
        aria-valuetext=${`Step ${place + 1} of ${last + 1}`}
        onInput=${(/** @type {any} */ event) => move(Number(event.target.value))} />
      <div class="scrub-parts" aria-hidden="true">
        ${streets.map(({ name, from, count }) => {
          const done = Math.max(0, Math.min(1, (place - from + 1) / count));
          const isNow = place >= from && place < from + count;
          // A part that is too narrow for its name shows it only while it is played.
          const isNarrow = count / (last + 1) < 0.055 + name.length * 0.012;
          const look = `${isNow ? "now" : ""} ${isNarrow ? "narrow" : ""}`;
          return html`<span key=${name} class=${look} style=${{ flexGrow: count }}>
            <i><b style=${{ width: `${100 * done}%` }}></b></i><em>${name}</em>
          </span>`;
        })}
      </div>
    </div>
  </div>`;
}

const ARROWS = {
  first: "M6 5v14M19 5l-9 7 9 7",
  back: "M15 5l-8 7 8 7",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  on: "M9 5l8 7-8 7",
  last: "M18 5v14M5 5l9 7-9 7",
};

/** @param {{name: string, arrow: keyof typeof ARROWS, isOff?: boolean, go: () => void}} props */
function Key({ name, arrow, isOff = false, go }) {
  return html`<button class=${`key ${arrow}`} aria-label=${name} title=${name} disabled=${isOff}
    onClick=${go}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROWS[arrow]} /></svg>
  </button>`;
}

/**
 * The round as a time line. The step on the felt is a filled box.
 * @param {object} props
 * @param {import("./replay_scenes.js").Moment[]} props.moments
 * @param {import("./streets.js").Street[]} props.streets
 * @param {Replaying} props.replay
 * @param {(place: number) => any} props.about what else to say about a step
 */
export function TimeLine({ moments, streets, replay, about }) {
  const list = useRef(/** @type {any} */ (null));
  const { place, move } = replay;
  // Only the list scrolls to the step. The page stays in place.
  useEffect(() => {
    const shown = list.current?.querySelector("li.now");
    if (!shown) return;
    const middle = list.current.clientHeight / 2;
    list.current.scrollTop = shown.offsetTop - middle + shown.clientHeight / 2;
  }, [place]);
  const street = (/** @type {number} */ at) => streets.find(({ from }) => from === at)?.name;
  return html`<ol class="time-line" ref=${list} aria-label="Steps" tabindex="-1">
    ${moments.map(
      (moment, at) => html`<li key=${at} class=${at < place ? "past" : at === place ? "now" : ""}>
        ${street(at) && html`<h3>${street(at)}</h3>`}
        <button class="replay-step" aria-current=${at === place ? "step" : undefined}
          onClick=${() => move(at)}>${moment.say}</button>
        ${at === place && about(at)}
      </li>`,
    )}
  </ol>`;
}
