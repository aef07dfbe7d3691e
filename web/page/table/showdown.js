// The showdown: the news of a finished round waits until its cards and chips have been shown.

import { hurry, pace } from "../felt/motion.js";
import { reveal } from "../felt/reveal.js";
import { liveScene, settledScene } from "../felt/scene.js";
import { useEffect, useRef, useState } from "../shared/html.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("../felt/scene.js").Scene} Scene */
/** @typedef {import("./stream.js").TableNews} TableNews */

/** Keys that don't skip: they move the focus or belong to another key. */
const NO_SKIP = /^(Tab|Shift|Control|Alt|Meta|CapsLock|Escape)$/;

/** How long the page waits for the record of a round that is over, in milliseconds. */
const PATIENCE = 1_000;

/**
 * Holds the news back while the end of a round is shown. Until then, the page knows nothing of it,
 * so no word, number or sound can tell what the cards have not told yet.
 * @param {{current: TableState | null}} before the state that is on screen
 * @param {(news: TableNews) => void} apply
 */
export function useShowdown(before, apply) {
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const held = useRef(/** @type {TableNews[]} */ ([]));
  const isRunning = useRef(false);
  const timers = useRef(/** @type {ReturnType<typeof setTimeout>[]} */ ([]));
  const clear = () => {
    timers.current.forEach(clearTimeout);
    timers.current = [];
  };

  const end = () => {
    clear();
    isRunning.current = false;
    const news = held.current;
    held.current = [];
    setScene(null);
    news.forEach(apply);
  };
  const skip = () => {
    if (!isRunning.current) return;
    hurry();
    end();
  };
  const run = (/** @type {ReturnType<typeof reveal>} */ { moments, length }) => {
    clear();
    isRunning.current = true;
    const speed = pace();
    const later = (/** @type {() => void} */ act, /** @type {number} */ at) =>
      timers.current.push(setTimeout(act, at * speed));
    for (const moment of moments.slice(1)) later(() => setScene(moment.scene), moment.at);
    later(end, length);
    setScene(moments[0].scene);
  };
  const onNews = (/** @type {TableNews} */ news) => {
    // The answer to a decision may overtake the news of the stream.
    const isOld = held.current.some(({ state }) => state.version > news.state.version);
    held.current.push(news);
    if (isRunning.current) {
      if (!isOld && isDealing(news.state)) skip();
      return;
    }
    const shown = showdownOf(before.current, news);
    if (shown) run(shown);
    else if (isOld) return;
    else if (!isAwaited(before.current, news)) end();
    else if (!timers.current.length) timers.current = [setTimeout(end, PATIENCE)];
  };

  const isShown = scene !== null;
  useEffect(() => {
    if (!isShown) return undefined;
    const press = (/** @type {KeyboardEvent} */ event) => {
      const target = /** @type {Element} */ (event.target);
      if (NO_SKIP.test(event.key) || target.closest("input, select, textarea, dialog")) return;
      // The key is spent: it must not press the button that comes next.
      event.preventDefault();
      event.stopImmediatePropagation();
      skip();
    };
    const hide = () => document.hidden && skip();
    addEventListener("keydown", press, true);
    addEventListener("pointerdown", skip);
    document.addEventListener("visibilitychange", hide);
    return () => {
      removeEventListener("keydown", press, true);
      removeEventListener("pointerdown", skip);
      document.removeEventListener("visibilitychange", hide);
    };
  }, [isShown]);
  useEffect(() => clear, []);
  return { scene, onNews };
}

/** @param {TableState} state */
const isDealing = ({ round }) => round?.stage === "revealing" || round?.stage === "deciding";

/** Returns whether movement would be seen. */
const isWatched = () => !document.hidden && pace() > 0;

/**
 * Returns whether the round on screen is over and its record is still on its way: the answer to the
 * last decision comes without it.
 * @param {TableState | null} before
 * @param {TableNews} news
 */
function isAwaited(before, { state, record }) {
  if (record || before?.round?.stage !== "deciding" || isDealing(state)) return false;
  const isOver = !state.round || state.round_number > before.round_number;
  return isOver && !state.closed && isWatched();
}

/**
 * @param {TableState | null} before
 * @param {TableNews} news
 * @returns {ReturnType<typeof reveal> | null} null if there is nothing to show
 */
function showdownOf(before, { state, record, telling, isFirst }) {
  const isSeen = before?.round?.stage === "deciding" &&
    before.round_number === record?.shuffle?.round;
  if (!before || !isSeen || isFirst || !record?.result || record.void) return null;
  if (isDealing(state) || !isWatched()) return null;
  const steps = telling?.steps.filter(({ kind }) => kind === "settled") ?? [];
  const payments = steps.map(({ seat, bet }) => ({ seat, bet }));
  const after = settledScene(state, record, telling ?? null);
  return reveal(liveScene(before), after, /** @type {any} */ (payments));
}
