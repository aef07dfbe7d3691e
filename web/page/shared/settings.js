// The player's settings, stored in this browser.

import { makeStore } from "./store.js";

const KEY = "croupier.settings";

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} fourColours
 * @property {boolean} largeCards
 * @property {boolean} sound
 * @property {boolean} keys whether keyboard shortcuts are on
 * @property {boolean} ownSeed whether to bring a seed to every shuffle
 * @property {"calm" | "quick" | "none"} speed how fast cards and chips move
 * @property {number} remindMinutes the minutes of play that trigger a reminder; 0 is never
 * @property {number} lossLimit the loss in a sitting that triggers a reminder, in cents; 0 is never
 */

/** @type {Settings} */
export const USUAL = {
  theme: "auto",
  fourColours: true,
  largeCards: false,
  sound: false,
  keys: true,
  ownSeed: false,
  speed: "calm",
  remindMinutes: 60,
  lossLimit: 0,
};

/** @returns {Settings} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(kept).filter(
      ([name, value]) => typeof value === typeof USUAL[/** @type {keyof Settings} */ (name)],
    );
    return { ...USUAL, ...Object.fromEntries(known) };
  } catch {
    return USUAL;
  }
}

export const settings = makeStore(stored());

/** @param {Partial<Settings>} change */
export function change(change) {
  settings.set({ ...settings.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()));
  } catch {
    // A browser without storage keeps them until the page is closed.
  }
}

/** Applies them as data attributes, which the style sheets select by. */
function show() {
  const { theme, fourColours, largeCards, speed } = settings.get();
  Object.assign(document.documentElement.dataset, {
    theme,
    deck: fourColours ? "four" : "two",
    cards: largeCards ? "large" : "usual",
    speed,
  });
}

settings.listen(show);
show();

// Another tab may have changed them.
addEventListener("storage", (event) => {
  if (event.key === KEY) settings.set(stored());
});
