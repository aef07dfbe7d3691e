// A guided first hand: a real round on the felt, with a mark that explains one idea at a time.

import { Felt } from "../felt/felt.js";
import { printedPlacard } from "../house/pay_tables.js";
import { beginning, scenes } from "../round/replay_scenes.js";
import { get, query } from "../shared/api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { announce } from "../shared/live_region.js";
import { money } from "../shared/money.js";
import { decisionWords } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { go } from "../shared/router.js";
import { useTitle } from "../shared/title.js";
import { Glossary } from "./glossary.js";
import { LESSONS } from "./lessons.js";

/** @typedef {import("./lessons.js").Lesson} Lesson */
/** @typedef {import("./lessons.js").LessonStep} LessonStep */
/** @typedef {import("../../types/api").AdviceReport} AdviceReport */
/** @typedef {import("../felt/scene.js").Scene} Scene */

/** Room between the frame and what it frames, and between the frame and the mark, in pixels. */
const [AROUND, APART] = [10, 16];

/** @param {{game: string}} props */
export function FirstHand({ game }) {
  const lesson = LESSONS[game];
  const [dealt, setDealt] = useState(/** @type {Dealt | null} */ (null));
  const [place, setPlace] = useState(0);
  useTitle("Your first hand");
  useEffect(() => {
    dealLesson(lesson).then(setDealt, showError);
  }, [lesson]);
  const step = lesson.steps[place];
  const last = lesson.steps.length - 1;
  const leave = () => go("/help");
  const next = () => (place === last ? go("/") : setPlace(place + 1));
  const back = () => setPlace(Math.max(0, place - 1));
  useKeys({ arrowright: next, arrowleft: back, escape: leave });

  return html`<main class="table-page lesson" id="main" tabindex="-1">
    <h1 class="unseen">Your first hand of ${lesson.title}</h1>
    <div class="play-area">
      ${dealt && html`<${Felt} scene=${dealt.sceneAt(step)} placard=${dealt.placard}
        rail=${html`<${Choices} step=${step} dealt=${dealt} ante=${anteOf(lesson)}
          onDecide=${next} />`} />`}
      ${dealt && html`<${Mark} step=${step} place=${place} count=${lesson.steps.length}
        values=${step.isChoice ? dealt.advice : null} next=${next} back=${back} leave=${leave} />`}
    </div>
    <aside class="panel" aria-label="Words of the table">
      <h2>Words of the table</h2>
      <${Glossary} words=${step.words} />
    </aside>
  </main>`;
}

/** @param {Lesson} lesson */
const anteOf = ({ record, mine }) =>
  record.seats.find((/** @type {any} */ it) => it.seat === mine).ante;

/**
 * @typedef {object} Dealt
 * @property {(step: LessonStep) => Scene} sceneAt
 * @property {any} placard
 * @property {AdviceReport} advice
 */

/**
 * Has the server deal the lesson's round.
 * @param {Lesson} lesson
 * @returns {Promise<Dealt>}
 */
async function dealLesson({ record, names, mine, hand }) {
  const [telling, whole, house, advice] = await Promise.all([
    query("tell", record),
    query("replay", record),
    get(`houses/${record.house}`),
    query("advise", { house: record.house, hand: hand.join(" ") }),
  ]);
  const nameOf = (/** @type {number} */ seat) => names[seat];
  const moments = scenes(whole, telling, nameOf, mine, false);
  const start = beginning(whole, telling, nameOf, mine);
  const sceneAt = (/** @type {LessonStep} */ { at, seat, nth = 1 }) => {
    if (at === null) return start;
    let left = nth;
    const found = telling.steps.findIndex(
      (/** @type {any} */ it) => it.kind === at && (!seat || it.seat === seat) && --left === 0,
    );
    return (moments[found] ?? moments[moments.length - 1]).scene;
  };
  return { sceneAt, placard: printedPlacard(house, record.bonus_paytable), advice };
}

/**
 * The buttons on the rail, at the step that asks for a decision.
 * @param {{step: LessonStep, dealt: Dealt, ante: number, onDecide: () => void}} props
 */
function Choices({ step, dealt, ante, onDecide }) {
  const [tried, setTried] = useState("");
  useEffect(() => setTried(""), [step]);
  if (!step.isChoice) return html`<div class="lesson-choices"></div>`;
  const { actions, best } = dealt.advice;
  const decide = (/** @type {string} */ action) => {
    if (action === best) return onDecide();
    setTried(action);
    const { label } = decisionWords(action, ante);
    const right = decisionWords(best, ante).label;
    return announce(`${label} is allowed, but ${right} is worth more here.`);
  };
  return html`<div class="lesson-choices">
    ${tried &&
    html`<p class="tried">${decisionWords(tried, ante).label} is allowed, but${" "}
      ${decisionWords(best, ante).label} is worth more here.</p>`}
    <div class="choices" role="group" aria-label="Your decision">
      ${[...actions].reverse().map(({ action }) => {
        const { label, amount } = decisionWords(action, ante);
        return html`<button key=${action} class="do" onClick=${() => decide(action)}>
          ${label}${amount > 0 && ` · ${money(amount)}`}
        </button>`;
      })}
    </div>
  </div>`;
}

/**
 * @typedef {{top: number, left: number, width: number, height: number}} Box
 */

/**
 * The box around all elements that match, relative to the stage.
 * @param {Element} stage
 * @param {string[]} selectors
 * @returns {Box | null}
 */
function boxAround(stage, selectors) {
  const edge = stage.getBoundingClientRect();
  const boxes = selectors
    .flatMap((selector) => [...stage.querySelectorAll(selector)])
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
  if (boxes.length === 0) return null;
  const top = Math.max(2, Math.min(...boxes.map((it) => it.top)) - edge.top - AROUND);
  const left = Math.max(2, Math.min(...boxes.map((it) => it.left)) - edge.left - AROUND);
  const bottom = Math.max(...boxes.map((it) => it.bottom)) - edge.top + AROUND;
  const right = Math.max(...boxes.map((it) => it.right)) - edge.left + AROUND;
  return {
    top,
    left,
    width: Math.min(right, edge.width - 2) - left,
    height: Math.min(bottom, edge.height - 2) - top,
  };
}

/**
 * The mark: a frame around what it speaks of, and a card of paper with one idea.
 * @param {object} props
 * @param {LessonStep} props.step
 * @param {number} props.place
 * @param {number} props.count
 * @param {AdviceReport | null} props.values
 * @param {() => void} props.next
 * @param {() => void} props.back
 * @param {() => void} props.leave
 */
function Mark({ step, place, count, values, next, back, leave }) {
  const mark = useRef(/** @type {any} */ (null));
  const title = useRef(/** @type {any} */ (null));
  const [frame, setFrame] = useState(/** @type {Box | null} */ (null));
  const [at, setAt] = useState({ top: 0, left: 0 });
  useLayoutEffect(() => {
    const stage = mark.current?.parentElement;
    if (!stage) return undefined;
    const measure = () => {
      const found = boxAround(stage, step.lit);
      setFrame(found);
      setAt(placeFor(mark.current, stage, found));
    };
    measure();
    // Cards and chips still move for a moment.
    const timer = setTimeout(measure, 400);
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [step]);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
  }, [step]);
  const isLast = place === count - 1;
  const figure = (/** @type {{action: string, ev: number}} */ { action, ev }) =>
    `${decisionWords(action, 0).label.toLowerCase().replace("bet ", "")} is worth ${
      ev < 0 ? "−" : "+"
    }${Math.abs(ev).toFixed(4)}`;
  const pixels = (/** @type {Record<string, number>} */ box) =>
    Object.fromEntries(Object.entries(box).map(([side, value]) => [side, `${value}px`]));
  return html`
    ${frame
      ? html`<div class="mark-frame" style=${pixels(frame)}></div>`
      : html`<div class="mark-dim"></div>`}
    <div class="mark-paper" ref=${mark} role="group" aria-labelledby="mark-title"
      style=${pixels(at)}>
      <h2 id="mark-title" tabindex="-1" ref=${title}>${step.title}</h2>
      <p>${step.text}</p>
      ${values &&
      html`<p class="mark-figures">In antes, ${values.actions.map(figure).join(", ")}.</p>`}
      <div class="mark-foot">
        <button class="mark-next" onClick=${next}>${isLast ? "Take a seat" : "Next"}</button>
        <button class="mark-back" disabled=${place === 0} onClick=${back}>Back</button>
        <span class="mark-count">
          <span class="dots" aria-hidden="true">
            ${Array.from({ length: count }, (_, dot) => html`<i key=${dot}
              class=${dot === place ? "now" : dot < place ? "past" : ""}></i>`)}
          </span>
          ${place + 1} of ${count}
        </span>
        <button class="mark-skip" onClick=${leave}>${isLast ? "Close" : "Skip"}</button>
      </div>
    </div>`;
}

/**
 * Above the frame if there is room, or else below it, or else at the far end of the stage.
 * @param {HTMLElement} paper
 * @param {HTMLElement} stage
 * @param {Box | null} frame
 */
function placeFor(paper, stage, frame) {
  const { offsetWidth: width, offsetHeight: height } = paper;
  const { clientWidth: across, clientHeight: down } = stage;
  const middle = frame ? frame.left + frame.width / 2 : across / 2;
  const left = Math.max(8, Math.min(across - width - 8, middle - width / 2));
  if (!frame) return { top: Math.max(8, (down - height) / 2), left };
  const above = frame.top - height - APART;
  if (above >= 8) return { top: above, left };
  const below = frame.top + frame.height + APART;
  if (below + height <= down - 8) return { top: below, left };
  return { top: frame.top > down / 2 ? 8 : down - height - 8, left };
}
