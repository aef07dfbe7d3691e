// The screen of a table, as a player there or a spectator on its rail sees it.

import { Felt } from "../felt/felt.js";
import { liveScene, settledScene, withBets } from "../felt/scene.js";
import { html, useState } from "../shared/html.js";
import { useKeys } from "../shared/keys.js";
import { useActions, useCommands } from "./actions.js";
import { NO_MORE_BETS } from "./announcements.js";
import { useAutoActions } from "./auto_actions.js";
import { fitted, lastBets } from "./bets.js";
import { useHint } from "./coach.js";
import { Controls } from "./controls.js";
import { Panel } from "./panel.js";
import { ownHand, phaseOf } from "./phase.js";
import { usePlacard } from "./placard.js";
import { useSettlement } from "./settlement.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null} props.invite
 * @param {TableState} props.state
 * @param {TableNews | null} props.last the news with the last finished round
 * @param {number} props.closing the round whose betting has just closed
 * @param {string} props.line
 * @param {import("../../types/api").Me | null | undefined} props.me
 * @param {(news: TableNews) => void} props.onNews
 */
export function TableScreen({ table, invite, state, last, closing, line, me, onNews }) {
  const own = state.seats.find((it) => it.you);
  const { placard, reload } = usePlacard(table, invite);
  const { settled, putAway } = useSettlement(state, last);
  const phase = phaseOf(state, Boolean(settled));
  const [picked, setPicked] = useState(/** @type {"ante" | "bonus"} */ ("ante"));
  const [bets, setBets] = useBets(state);
  const [hint, askForHint] = useHint(state, placard, reload);
  const { send, isBusy } = useCommands(table, invite, onNews);
  const act = useActions({ table, invite, state, bets, setBets, picked, putAway, send });
  useAutoActions(table, invite, state, last?.record);
  const canAsk = phase === "deciding";
  useKeys({ h: canAsk ? askForHint : null });

  const shown = settled ? settledScene(state, settled.record, settled.telling) : liveScene(state);
  const scene = phase === "betting" ? withBets(shown, bets) : shown;
  const mine = scene.seats.find(({ you }) => you);
  // The player's own buttons already show what is awaited from them.
  if (mine && !settled && own?.awaits) mine.word = "";
  if (!settled && closing === state.round_number && isBeforeAll(state)) scene.call = NO_MORE_BETS;
  const free = state.closed ? undefined : scene.seats.find(({ name }) => !name)?.seat;

  return html`<main class="table-page" id="main" tabindex="-1">
    <h1 class="unseen">${state.title || state.house_title}</h1>
    <div class="play-area">
      <p class="line" role="status">${line === "lost" ? "Connection lost. Reconnecting…" : ""}</p>
      <${Felt} scene=${scene} onSit=${own || state.closed ? undefined : act.sit}
        picking=${phase === "betting" ? { picked, onPick: setPicked } : undefined}>
        <p>You're watching from the rail.</p>
        ${free && html`<button class="gold" onClick=${() => act.sit(free)}>Take a seat</button>`}
      <//>
      <${Controls} state=${state} phase=${phase} isSettled=${Boolean(settled)} bets=${bets}
        canRebet=${Boolean(lastBets(state.house))} best=${hint?.best} act=${act} isBusy=${isBusy} />
    </div>
    <${Panel} table=${table} invite=${invite} state=${state} own=${own} placard=${placard}
      hint=${hint} onHint=${canAsk ? askForHint : null} settled=${settled} act=${act} me=${me} />
  </main>`;
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
