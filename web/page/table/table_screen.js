// The screen of a table, as a player there or a spectator on its rail sees it.

import { Felt } from "../felt/felt.js";
import { asDealt } from "../felt/reveal.js";
import { liveScene, settledScene, withBets } from "../felt/scene.js";
import { html, useEffect, useRef, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { decisionWords } from "../shared/names.js";
import { useActions, useCommands } from "./actions.js";
import { NO_MORE_BETS } from "./announcements.js";
import { useAutoActions } from "./auto_actions.js";
import { fitted, lastBets, trayChips } from "./bets.js";
import { useHint } from "./coach.js";
import { Controls } from "./controls.js";
import { choicesOf } from "./decisions.js";
import { Panel } from "./panel.js";
import { ownHand, phaseOf } from "./phase.js";
import { playerBanking, usePlacard } from "./placard.js";
import { useSettlement } from "./settlement.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */
/** @typedef {import("../felt/scene.js").Scene} Scene */

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null} props.invite
 * @param {TableState} props.state
 * @param {TableNews | null} props.last the news with the last finished round
 * @param {number} props.closing the round whose betting has just closed
 * @param {Scene | null} props.showdown the felt while the end of a round is shown
 * @param {string} props.line
 * @param {import("../../types/api").Me | null | undefined} props.me
 * @param {(news: TableNews) => void} props.onNews
 */
export function TableScreen({ table, invite, state, last, closing, showdown, line, me, onNews }) {
  const own = state.seats.find((it) => it.you);
  const hand = ownHand(state);
  const { placard, reload } = usePlacard(table, invite);
  const { settled, putAway } = useSettlement(state, last);
  const phase = showdown ? "showing" : phaseOf(state, Boolean(settled));
  const [bets, setBets] = useBets(state);
  const [chip, setChip] = useState(() => trayChips(state.limits)[0] ?? state.limits.unit);
  const [hint, askForHint] = useHint(state, placard, reload);
  const commands = useCommands(table, invite, onNews, line === "lost");
  const act = useActions({
    table, invite, state, bets, setBets, chip, setChip, putAway, onNews, commands,
  });
  useAutoActions(table, invite, state, last?.record);
  const canAsk = phase === "deciding";
  useKeys({ h: canAsk ? askForHint : null });

  const live = liveScene(state);
  const dealt = useRef(live);
  if (!settled) dealt.current = live;
  const over = settled && settledScene(state, settled.record, settled.telling);
  const shown = over ? asDealt(over, dealt.current) : live;
  const unsent = line === "lost" ? commands.pending : null;
  const placed = phase === "betting" ? withBets(shown, bets) : withUnsent(shown, hand, unsent);
  const scene = showdown ?? placed;
  // The next question to the player is worth more than how the last round ended.
  if (settled && phase === "offered") scene.call = live.call;
  const mine = scene.seats.find(({ you }) => you);
  // The player's own buttons already show what is awaited from them.
  if (mine && !settled && own?.awaits) mine.word = "";
  const isClosing = closing === state.round_number && isBeforeAll(state);
  if (!settled && !showdown && isClosing) scene.call = NO_MORE_BETS;
  const free = state.closed ? undefined : scene.seats.find(({ name }) => !name)?.seat;

  const drawer = useDrawer(settled ? "Result" : "Info");
  const best = hint?.best ?? "";
  const waits = own?.awaits || !own || state.round?.stage === "revealing";
  const deadline = showdown ? null : state.deadline;

  return html`<main class="table-page ${drawer.isOpen ? "panel-open" : ""}" id="main"
    tabindex="-1">
    <h1 class="unseen">${state.title || state.house_title}</h1>
    <div class="play-area">
      <p class="line" role="status">${line === "lost" ? "Connection lost. Reconnecting…" : ""}</p>
      <${Felt} scene=${scene} placard=${placard} lit=${best.startsWith("bet") ? "play" : null}
        onSit=${own || state.closed ? undefined : act.sit}
        clock=${waits || deadline ? { deadline, now: state.now } : null}
        picking=${phase === "betting" ? { onPick: act.put, onTake: act.take } : undefined}
        more=${drawer.button}
        rail=${html`<${Controls} state=${{ ...state, deadline }} phase=${phase}
          isSettled=${Boolean(settled)}
          bets=${bets} chip=${chip} canRebet=${Boolean(lastBets(state.house))}
          coverage=${playerBanking(placard)?.coverage} hint=${hint} act=${act}
          pending=${commands.pending} />`}>
        <p>You're watching from the rail.</p>
        ${free && html`<button class="gold" onClick=${() => act.sit(free)}>Take a seat</button>`}
      <//>
    </div>
    ${drawer.isOpen && html`<div class="scrim" onClick=${drawer.hide}></div>`}
    <${Panel} table=${table} invite=${invite} state=${state} own=${own} phase=${phase}
      bets=${bets} placard=${placard} hint=${hint} onHint=${canAsk ? askForHint : null}
      settled=${settled} act=${act} me=${me} />
  </main>`;
}

/** Below this width the panel is a drawer, and a button opens it. */
const NARROW = "(max-width: 68.74em)";

/**
 * The drawer that holds the panel on a narrow screen.
 * @param {string} name of the button that opens it
 */
function useDrawer(name) {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = () => setNarrow(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  const hide = () => setOpen(false);
  useKeys({ escape: isOpen ? hide : null });
  const button = isNarrow
    ? html`<button type="button" class="open-panel" aria-expanded=${isOpen}
        aria-controls="tab-panel" onClick=${() => setOpen(!isOpen)}>
        ${isOpen ? "Close" : name}
      </button>`
    : null;
  return { isOpen: isNarrow && isOpen, hide, button };
}

/**
 * The bets in the circles, initially those of the player's last round at the same house.
 * @param {TableState} state
 */
function useBets({ house, limits }) {
  return useState(() => fitted(lastBets(house) ?? { ante: limits.ante_min, bonus: 0 }, limits));
}

/**
 * Returns whether the bets are closed and nothing newsworthy has happened since.
 * @param {TableState} state
 */
function isBeforeAll(state) {
  const { round } = state;
  if (round?.stage === "revealing") return true;
  return round?.stage === "deciding" && !round.community.length && !ownHand(state)?.actions.length;
}

/**
 * The same scene with a Play bet that could not be sent yet.
 * @param {import("../felt/scene.js").Scene} scene
 * @param {import("../../types/api").HandView | undefined} hand
 * @param {import("./actions.js").Pending | null} pending
 * @returns {import("../felt/scene.js").Scene}
 */
function withUnsent(scene, hand, pending) {
  const choice = hand && choicesOf(hand).find(({ decision }) => decision === pending?.what);
  if (!choice?.amount) return scene;
  const seats = scene.seats.map((seat) =>
    seat.you
      ? { ...seat, stakes: { ...seat.stakes, play: choice.amount }, pending: true }
      : seat,
  );
  const { label } = decisionWords(choice.decision, 0);
  return { ...scene, seats, call: `You ${label.toLowerCase()}. Not sent yet.` };
}
