// Three short, soft, synthesized sounds: a card, a chip, and a win.

import { settings } from "./settings.js";

/** @typedef {"card" | "chip" | "win"} SoundName */

/** @type {AudioContext | null} */
let audio = null;

/** The volume, from 0 to 1. */
const VOLUME = 0.12;

const SOUNDS = {
  card: (/** @type {AudioContext} */ it) => rustle(it, 0.09),
  chip(/** @type {AudioContext} */ it) {
    tone(it, 2300, 0, 0.05);
    tone(it, 3100, 0.035, 0.05);
  },
  win(/** @type {AudioContext} */ it) {
    tone(it, 523.25, 0, 0.32);
    tone(it, 659.25, 0.11, 0.32);
    tone(it, 783.99, 0.22, 0.45);
  },
};

/** @param {SoundName} name */
export function play(name) {
  if (!settings.get().sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  // Browsers suspend audio until the player has interacted with the page.
  if (audio.state === "suspended") audio.resume().catch(() => {});
  SOUNDS[name](audio);
}

/**
 * Plays a source and fades it out.
 * @param {AudioContext} context
 * @param {AudioNode} source
 * @param {number} from
 * @param {number} seconds
 */
function faded(context, source, from, seconds) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(VOLUME, from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  source.connect(gain).connect(context.destination);
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} delay
 * @param {number} seconds
 */
function tone(context, pitch, delay, seconds) {
  const from = context.currentTime + delay;
  const oscillator = context.createOscillator();
  oscillator.type = "sine";
  oscillator.frequency.value = pitch;
  faded(context, oscillator, from, seconds);
  oscillator.start(from);
  oscillator.stop(from + seconds);
}

/**
 * Band-passed noise, like a card on felt.
 * @param {AudioContext} context
 * @param {number} seconds
 */
function rustle(context, seconds) {
  const { sampleRate } = context;
  const buffer = context.createBuffer(1, Math.ceil(sampleRate * seconds), sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 3200;
  filter.Q.value = 0.7;
  source.connect(filter);
  faded(context, filter, context.currentTime, seconds);
  source.start();
}
