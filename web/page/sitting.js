// Somebody at a table, or on its rail: what he sees, and what he does.

import { closeTable, doOnce, get, invited, order, post, Problem } from "./api.js";
import { add, double, fitted, keepBets, lastBets, whyNot } from "./bets.js";
import { Controls } from "./controls.js";
import { unlessLate, useErrands } from "./errands.js";
import { Felt } from "./felt.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { complain, tell } from "./notice.js";
import { Panel } from "./panel.js";
import { ownHand, phaseOf } from "./phase.js";
import { noteStart } from "./reminder.js";
import { go } from "./router.js";
import { liveScene, settledScene, withBets } from "./scene.js";
import { begin } from "./session.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { NO_MORE_BETS } from "./telling.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").SeatState} SeatState */
/** @typedef {import("../types/api").TablePlacard} TablePlacard */
/** @typedef {import("./table.js").Heard} Heard */
/** @typedef {ReturnType<typeof useActions>} Actions */
/** @typedef {import("../types/api").AdviceReport & {ante: number}} Hint what each choice is worth, in antes of so many cents */

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null} props.invite
 * @param {TableState} props.state
 * @param {Heard | null} props.last the news of the last round that is over
 * @param {number} props.closing the round whose betting has just closed
 * @param {string} props.line
 * @param {import("../types/api").Me | null | undefined} props.me
 * @param {(news: Heard) => void} props.hear
 */
export function Sitting({ table, invite, state, last, closing, line, me, hear }) {
  const own = state.seats.find((it) => it.you);
  const { placard, askAgain } = usePlacard(table, invite);
  const { settled, putAway } = useSettlement(state, last);
  const phase = phaseOf(state, Boolean(settled));
  const [picked, setPicked] = useState(/** @type {"ante" | "bonus"} */ ("ante"));
  const [bets, setBets] = useBets(state);
  const [hint, ask] = useHint(state, placard, askAgain);
  const { send, isBusy } = useOrders(table, invite, hear);
  const act = useActions({ table, invite, state, bets, setBets, picked, putAway, send });
  useErrands(table, invite, state, last?.record);
  const canAsk = phase === "deciding";
  useKeys({ h: canAsk ? ask : null });

  const shown = settled ? settledScene(state, settled.record, settled.telling) : liveScene(state);
  const scene = phase === "betting" ? withBets(shown, bets) : shown;
  const mine = scene.seats.find(({ you }) => you);
  // What is asked of oneself is in the buttons.
  if (mine && !settled && own?.awaits) mine.word = "";
  if (!settled && closing === state.round_number && isBeforeAll(state)) scene.call = NO_MORE_BETS;
  const free = state.closed ? undefined : scene.seats.find(({ name }) => !name)?.seat;

  return html`<main class="table-page" id="main" tabindex="-1">
    <h1 class="unseen">${state.title || state.house_title}</h1>
    <div class="play-area">
      <p class="line" role="status">${line === "lost" ? "The line is broken. Connecting again…" : ""}</p>
      <${Felt} scene=${scene} onSit=${own || state.closed ? undefined : act.sit}
        picking=${phase === "betting" ? { picked, onPick: setPicked } : undefined}>
        <p>You watch from the rail.</p>
        ${free && html`<button class="gold" onClick=${() => act.sit(free)}>Take a seat</button>`}
      <//>
      <${Controls} state=${state} phase=${phase} isSettled=${Boolean(settled)} bets=${bets}
        canRebet=${Boolean(lastBets(state.house))} best=${hint?.best} act=${act} isBusy=${isBusy} />
    </div>
    <${Panel} table=${table} invite=${invite} state=${state} own=${own} placard=${placard} hint=${hint}
      onHint=${canAsk ? ask : null} settled=${settled} act=${act} me=${me} />
  </main>`;
}

/**
 * @param {string} table
 * @param {string | null} invite
 */
function usePlacard(table, invite) {
  const [placard, setPlacard] = useState(/** @type {TablePlacard | null} */ (null));
  const load = async () => {
    const found = await get(`tables/${encodeURIComponent(table)}/placard${invited(invite)}`);
    setPlacard(found);
    return /** @type {TablePlacard} */ (found);
  };
  useEffect(() => {
    load().catch(complain);
  }, [table]);
  return { placard, askAgain: load };
}

/**
 * What a round came to stays on the felt until somebody wants to go on, or the next one is dealt.
 * @param {TableState} state
 * @param {Heard | null} last
 */
function useSettlement(state, last) {
  const own = state.seats.find((it) => it.you);
  const number = last?.record?.shuffle?.round ?? 0;
  const [away, setAway] = useState(0);
  const isDealt = state.round?.stage === "deciding" || state.round?.stage === "revealing";
  const hasWagered = state.round?.stage === "betting" && Boolean(ownHand(state));
  // Who has just sat down has nothing to do with the round before.
  const played = [...(last?.record?.seats ?? []), last?.record?.banker];
  const isOthers = played.some((it) => it?.seat === own?.seat && it?.player !== own?.player);
  const wasThere = !own || (!isOthers && (!last?.isFirst || played.some((it) => it?.player === own.player)));
  const isShown = last?.record?.result && wasThere && !isDealt && !hasWagered && away !== number;
  return {
    settled: isShown && last.record ? { record: last.record, telling: last.telling ?? null } : null,
    putAway: () => setAway(number),
  };
}

/**
 * The bets that are about to be made; at first those of the last round at such a table.
 * @param {TableState} state
 */
function useBets({ house, limits }) {
  return useState(() => fitted(lastBets(house) ?? { ante: limits.ante_min, bonus: 0 }, limits));
}

/**
 * What each choice is worth, for who asks.
 * @param {TableState} state
 * @param {TablePlacard | null} placard
 * @param {() => Promise<TablePlacard>} askAgain for a placard that did not come
 * @returns {[Hint | null, () => Promise<void>]}
 */
function useHint(state, placard, askAgain) {
  const [hint, setHint] = useState(/** @type {Hint | null} */ (null));
  const hand = ownHand(state);
  const spot = `${state.round_number}/${state.round?.stage}/${hand?.actions.length ?? 0}`;
  // A hint that comes late is about another spot.
  const now = useRef(spot);
  now.current = spot;
  useEffect(() => setHint(null), [spot]);
  const ask = async () => {
    if (!state.round || !hand?.cards) return;
    try {
      const { house, paytables } = placard ?? (await askAgain());
      const advice = await post("advise", {
        game: house.game,
        raises: house.raises,
        qualifying: house.qualifying,
        blind: paytables.find((it) => it.bet === "blind"),
        hand: hand.cards.join(" "),
        board: state.round.community.join(" ") || undefined,
      });
      if (now.current === spot) setHint({ ...advice, ante: hand.stakes.ante });
    } catch (problem) {
      complain(problem);
    }
  };
  return [hint, ask];
}

/**
 * Tells the table what to do, and the page what came of it.
 * @param {string} table
 * @param {string | null} invite
 * @param {(news: Heard) => void} hear
 */
function useOrders(table, invite, hear) {
  const [isBusy, setBusy] = useState(false);
  const send = async (/** @type {Record<string, any>} */ command) => {
    setBusy(true);
    try {
      const done = await order(table, command, invite);
      hear({ state: done.state, events: done.events, missed: false });
      return done;
    } catch (problem) {
      // A decision that the table has made already has been told; any other that comes late has not.
      const isTold = problem instanceof Problem && problem.code === "moved-on" && command.then?.command === "decide";
      if (!isTold) complain(problem);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy };
}

/**
 * All that can be done at a table.
 * @param {object} given
 * @param {string} given.table
 * @param {string | null} given.invite
 * @param {TableState} given.state
 * @param {import("./bets.js").Bets} given.bets
 * @param {(bets: import("./bets.js").Bets) => void} given.setBets
 * @param {"ante" | "bonus"} given.picked
 * @param {() => void} given.putAway
 * @param {(command: object) => Promise<any>} given.send
 */
function useActions({ table, invite, state, bets, setBets, picked, putAway, send }) {
  const { limits, round_number: round } = state;
  const seat = state.seats.find((it) => it.you)?.seat ?? 0;
  const rebet = lastBets(state.house);
  return {
    add: (/** @type {number} */ amount) => {
      setBets(add(bets, picked, amount, limits));
      play("chip");
    },
    nudge: (/** @type {number} */ amount) => setBets(add(bets, "ante", amount, limits)),
    bonus: () => state.bonus_paytable && setBets({ ...bets, bonus: bets.bonus ? 0 : limits.bonus_min }),
    rebet: () => rebet && setBets(fitted(rebet, limits)),
    double: () => setBets(double(bets, limits)),
    clear: () => setBets({ ante: 0, bonus: 0 }),
    change: putAway,
    deal: async () => {
      if (whyNot(bets, limits, state.chips, state.bonus_name)) return;
      noteStart();
      // Few bring a seed, so what that takes is loaded when somebody does.
      if (settings.get().ownSeed) {
        const seeds = import("./seed.js");
        await seeds.then((it) => it.commitSeed(table, round, seat, invite)).catch(unlessLate);
      }
      const wager = { command: "wager", seat, ante: bets.ante, bonus: bets.bonus };
      if (!(await send({ command: "expecting", round, then: wager }))) return;
      putAway();
      keepBets(state.house, bets);
    },
    dealNow: () => send({ command: "deal" }),
    withdraw: () => send({ command: "withdraw", seat }),
    decide: (/** @type {string} */ decision) => {
      const turn = ownHand(state)?.actions.length;
      return send({ command: "expecting", round, turn, then: { command: "decide", seat, decision } });
    },
    takeBank: (/** @type {number} */ wager) => send({ command: "take-bank", seat, wager }),
    passBank: () => send({ command: "decline-bank", seat }),
    sit: async (/** @type {number} */ free) => {
      try {
        await begin();
        await send({ command: "join", seat: free });
      } catch (problem) {
        complain(problem);
      }
    },
    leave: async () => {
      const done = await send({ command: "leave", seat });
      if (!done) return;
      if (!done.state.seats.some((/** @type {SeatState} */ it) => it.you)) go("/");
      else tell("You leave when this round is over. For what is left to decide, the table checks or folds.");
    },
    close: async () => {
      try {
        const { state: after } = await closeTable(table);
        if (after.closed) go("/");
        tell(after.closed ? "The table is closed." : "The table closes when this round is over.");
      } catch (problem) {
        complain(problem);
      }
    },
    sitIn: () => send({ command: "sit-in", seat }),
    sitOut: () => send({ command: "sit-out", seat }),
    bot: () => doOnce(`tables/${table}/bots${invited(invite)}`).catch(complain),
  };
}

/**
 * Tells whether the bets are closed, and nothing has happened since that is worth more words.
 * @param {TableState} state
 */
function isBeforeAll(state) {
  const { round } = state;
  if (round?.stage === "revealing") return true;
  return round?.stage === "deciding" && !round.community.length && !ownHand(state)?.actions.length;
}
