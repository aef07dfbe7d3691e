// A table: what happens there, and what one does about it.

import { get, invited, order, pause, post, Problem } from "./api.js";
import { add, double, fitted, total, whyNot } from "./bets.js";
import { Felt } from "./felt.js";
import { isTyping } from "./help.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { money } from "./money.js";
import { note } from "./noted.js";
import { complain, tell } from "./notice.js";
import { Panel } from "./panel.js";
import { noteRound, noteStart } from "./reminder.js";
import { go, Link } from "./router.js";
import { liveScene, settledScene } from "./scene.js";
import { begin, noteChips, session } from "./session.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { say } from "./speech.js";
import { useStore } from "./store.js";
import { follow } from "./stream.js";
import { spoken } from "./telling.js";
import { BankOffer, ChipTray, Clock, Decisions, Do } from "./tray.js";
import { didWord } from "./words.js";

/** @typedef {import("../types/api").TableState} TableState */
/** @typedef {import("../types/api").News & {isFirst?: boolean}} Heard what a stream tells; its first news are about what was before */

/** @returns {string | null} what opens a table that is not public: it is in the part of the address that servers are not sent */
function inviteInAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("invite");
}

/**
 * Follows a table.
 * @param {string} table
 * @param {string | null} invite
 */
function useTable(table, invite) {
  const [state, setState] = useState(/** @type {TableState | null} */ (null));
  const [last, setLast] = useState(/** @type {Heard | null} */ (null));
  const [line, setLine] = useState(/** @type {{line: string, problem: Problem | null}} */ ({ line: "live", problem: null }));
  const before = useRef(/** @type {TableState | null} */ (null));
  const hear = (/** @type {Heard} */ news) => {
    const { state: seen, record } = news;
    // What a round came to is worth knowing even if the table has gone on since.
    if (record) setLast((last) => ((record.shuffle?.round ?? 0) >= (last?.record?.shuffle?.round ?? 0) ? news : last));
    if (before.current && seen.version < before.current.version) return;
    // The state is the same for everybody who looks on, but for what only he may see.
    say(spoken(before.current, news));
    if (seen.round?.stage === "betting") note(table, seen.round_number, seen.round.commitment);
    const own = seen.seats.find((it) => it.you);
    const late = news.events.find((it) => it.event === "decided" && it.by_table && it.seat === own?.seat);
    if (late) tell(`Your time was up, and the table ${didWord(late.decision ?? "")} for you.`);
    before.current = seen;
    setState(seen);
    noteChips(seen.chips);
  };
  // Who has begun to play sees more than a stranger.
  const player = useStore(session)?.player;
  useEffect(() => {
    const stop = new AbortController();
    setLine({ line: "live", problem: null });
    follow(table, invite, { news: hear, line: (name, problem) => setLine({ line: name, problem: problem ?? null }) }, stop.signal);
    return () => stop.abort();
  }, [table, invite, player]);
  return { state, last, line, hear };
}

/**
 * Does something in one tab only, if several come to it at the same moment.
 * @param {string} what
 * @param {() => Promise<unknown>} act
 */
async function alone(what, act) {
  // Pages that came over plain HTTP from another machine have no locks: there it is done by all.
  if (!navigator.locks) return act();
  return navigator.locks.request(`croupier ${what}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await act();
    await pause(2000);
  });
}

/** What has been done by somebody else in the meantime is no reason to complain. */
const unlessLate = (/** @type {unknown} */ problem) => problem instanceof Problem && problem.status === 409 ? undefined : complain(problem);

/** The bets of the last round at each kind of table, for who comes back. */
const BETS_KEY = "croupier.bets.";

/** @param {string} house */
function lastBets(house) {
  try {
    const { ante, bonus } = JSON.parse(localStorage.getItem(BETS_KEY + house) ?? "null");
    return Number.isInteger(ante) && Number.isInteger(bonus) ? { ante, bonus } : null;
  } catch {
    return null;
  }
}

/** @param {{table: string}} props */
export function TablePage({ table }) {
  const [invite, setInvite] = useState(inviteInAddress);
  useEffect(() => {
    // Who was told to ask for the whole link may paste it into the same tab.
    const look = () => setInvite(inviteInAddress());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const me = useStore(session);
  const { state, last, line, hear } = useTable(table, invite);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    document.title = state ? `${state.title || state.house_title} – Croupier` : "Croupier";
  }, [state?.title, state?.house_title]);

  if (line.line === "over") {
    if (line.problem?.status === 401) {
      return html`<main class="sheet" id="main" tabindex="-1"><h1>Your session is over</h1>
        <p>Log in again to find your chips and your seat where they were, or go on as a new guest.</p>
        <p class="row"><${Link} class="button gold" href="/account">Log in<//>
          <button onClick=${() => begin().then(() => location.reload(), complain)}>Go on as a guest</button></p></main>`;
    }
    const why = line.problem?.code === "table-closed" ? "This table has closed." : "There is no such table, or it needs an invitation.";
    return html`<main class="sheet" id="main" tabindex="-1"><h1>${why}</h1>
      <p>${line.problem?.code === "table-closed" ? "Your chips are back in your purse." : "Ask whoever sent you here for the whole link."}</p>
      <p><${Link} class="button gold" href="/">To the tables<//></p></main>`;
  }
  if (!state) {
    return html`<main class="table-page" id="main" tabindex="-1"><h1 class="unseen">A table</h1>
      <div class="play-area"><p class="line" role="status">${line.line === "lost" ? "Looking for the server…" : ""}</p><div class="felt"></div><div class="controls"></div></div>
      <aside class="panel" aria-label="About this table"></aside></main>`;
  }
  /** @param {object} command */
  const send = async (command) => {
    setBusy(true);
    try {
      const done = await order(table, command, invite ?? state.invite);
      hear({ state: done.state, events: done.events, missed: false });
      return done;
    } catch (problem) {
      // A decision that the table has made already has been told; any other that comes late has not.
      const isDecision = "then" in command && /** @type {any} */ (command.then).command === "decide";
      if (!(isDecision && problem instanceof Problem && problem.code === "moved-on")) complain(problem);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return html`<${Sitting} table=${table} invite=${invite ?? state.invite} state=${state} last=${last} line=${line.line} me=${me} send=${send} isBusy=${isBusy} />`;
}

/**
 * @param {{table: string, invite: string | null, state: TableState, last: Heard | null, line: string, me: import("../types/api").Me | null | undefined, send: (command: object) => Promise<any>, isBusy: boolean}} props
 */
function Sitting({ table, invite, state, last, line, me, send, isBusy }) {
  const own = state.seats.find((it) => it.you);
  const { round, limits } = state;
  const seat = own?.seat ?? 0;
  const hand = round?.hands.find((it) => it.seat === seat);
  const [bets, setBets] = useState(() => fitted(lastBets(state.house) ?? { ante: limits.ante_min, bonus: 0 }, limits));
  const [picked, setPicked] = useState(/** @type {"ante" | "bonus"} */ ("ante"));
  const [away, setAway] = useState(0);
  const [hint, setHint] = useState(/** @type {(import("../types/api").AdviceReport & {ante: number}) | null} */ (null));
  const rebet = lastBets(state.house);
  const [placard, setPlacard] = useState(/** @type {import("../types/api").TablePlacard | null} */ (null));

  // What a round came to stays on the felt until somebody wants to go on, or the next one is dealt.
  const settledRound = last?.record?.shuffle?.round ?? 0;
  const isDealt = round?.stage === "deciding" || round?.stage === "revealing";
  const hasWagered = Boolean(hand && round?.stage === "betting");
  // Who has just sat down has nothing to do with the round before.
  const played = [...(last?.record?.seats ?? []), last?.record?.banker];
  const isOthers = played.some((it) => it?.seat === own?.seat && it?.player !== own?.player);
  const wasThere = !own || (!isOthers && (!last?.isFirst || played.some((it) => it?.player === own.player)));
  const isSettled = Boolean(last?.record?.result) && wasThere && !isDealt && !hasWagered && away !== settledRound;
  const telling = last?.telling ?? null;
  useEffect(() => {
    get(`tables/${encodeURIComponent(table)}/placard${invited(invite)}`).then(setPlacard, complain);
  }, [table]);

  // The end of a round: its sound, and the sitting's account.
  const result = last?.record?.result;
  const net = last?.record?.banker?.seat === seat ? result?.bank.net : result?.seats.find((it) => it.seat === seat)?.net;
  const heard = useRef(settledRound);
  useEffect(() => {
    if (!settledRound || heard.current === settledRound) return;
    heard.current = settledRound;
    if (net === undefined) return;
    noteRound(net);
    play(net > 0 ? "win" : "chip");
  }, [settledRound]);
  useEffect(() => {
    if (round?.stage === "deciding") play("card");
    setHint(null);
  }, [round?.stage, round?.community.length, state.round_number]);

  // A hint that comes late is about another spot.
  const now = useRef("");
  now.current = `${state.round_number}/${hand?.actions.length ?? 0}`;

  const awaits = own?.awaits ?? null;
  const isBetting = round?.stage === "betting" && awaits === "wager" && !isSettled;
  const canGoOn = round?.stage === "betting" && awaits === "wager" && isSettled;
  const decisions = hand?.decisions ?? [];

  useEffect(() => {
    if (awaits === "seed") import("./seed.js").then((it) => it.showSeed(table, state.round_number, seat, invite)).catch(unlessLate);
  }, [awaits, state.round_number]);

  // A table without clocks deals when somebody says so. Once everybody has bet it is said for them,
  // by one page: that of the first person there, and there by one tab.
  const first = state.seats.find((it) => !it.bot && round?.hands.some((hand) => hand.seat === it.seat));
  const isForMe = !state.clocks && hasWagered && first?.you && !state.seats.some((it) => it.awaits === "wager");
  useEffect(() => {
    if (isForMe) alone(`deal ${table} ${state.round_number}`, () => order(table, { command: "deal" }, invite)).catch(unlessLate);
  }, [isForMe, state.round_number]);

  const act = {
    add: (/** @type {number} */ amount) => (setBets(add(bets, picked, amount, limits)), play("chip")),
    rebet: () => rebet && setBets(fitted(rebet, limits)),
    double: () => setBets(double(bets, limits)),
    clear: () => setBets({ ante: 0, bonus: 0 }),
    change: () => setAway(settledRound),
    deal: async () => {
      if (whyNot(bets, limits, state.chips, state.bonus_name)) return;
      noteStart();
      const command = { command: "expecting", round: state.round_number, then: { command: "wager", seat, ante: bets.ante, bonus: bets.bonus } };
      // Few bring a seed, so what that takes is loaded when somebody does.
      if (settings.get().ownSeed) await import("./seed.js").then((it) => it.commitSeed(table, state.round_number, seat, invite)).catch(unlessLate);
      if (!(await send(command))) return;
      setAway(settledRound);
      try {
        localStorage.setItem(BETS_KEY + state.house, JSON.stringify(bets));
      } catch {
        // A browser that keeps nothing has no last bets.
      }
    },
    withdraw: () => send({ command: "withdraw", seat }),
    decide: (/** @type {string} */ decision) =>
      send({ command: "expecting", round: state.round_number, turn: hand?.actions.length, then: { command: "decide", seat, decision } }),
    takeBank: (/** @type {number} */ wager) => send({ command: "take-bank", seat, wager }),
    passBank: () => send({ command: "decline-bank", seat }),
    hint: async () => {
      if (!round || !hand?.cards || !decisions.length || !placard) return;
      const { house, paytables } = placard;
      const blind = paytables.find((it) => it.bet === "blind");
      const spot = { hand: hand.cards.join(" "), board: round.community.join(" ") || undefined };
      const terms = { game: house.game, raises: house.raises, qualifying: house.qualifying, blind };
      const asked = `${state.round_number}/${hand.actions.length}`;
      await post("advise", { ...terms, ...spot }).then((advice) => now.current === asked && setHint({ ...advice, ante: hand.stakes.ante }), complain);
    },
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
      if (done) {
        if (!done.state.seats.some((/** @type {import("../types/api").SeatState} */ it) => it.you)) go("/");
        else tell("You leave when this round is over. For what is left to decide, the table checks or folds.");
      }
    },
    sitIn: () => send({ command: "sit-in", seat }),
    sitOut: () => send({ command: "sit-out", seat }),
    bot: () => post(`tables/${table}/bots${invited(invite)}`, undefined).catch(complain),
  };

  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      // A key that is held down decides once.
      if (isTyping(event) || !own || (event.repeat && !/[+=-]/.test(event.key))) return;
      const on = /** @type {HTMLElement} */ (event.target);
      // Enter and the space bar belong to the button that has the focus.
      if (/^(BUTTON|A|SUMMARY)$/.test(on.tagName) && (event.key === "Enter" || event.key === " ")) return;
      const key = event.key.toLowerCase();
      const decision = { c: "check", f: "fold", 1: "bet 1", 2: "bet 2", 3: "bet 3", 4: "bet 4" }[key] ?? "";
      // A decision says which one it is, so that it does no harm if the table has moved on.
      if (decisions.includes(decision)) act.decide(decision);
      else if (isBusy) return;
      else if (key === "h") act.hint();
      else if (round?.offered === seat && key === "p") act.passBank();
      else if (round?.offered === seat && key === "b") document.querySelector(/** @type {any} */ (".offer .gold"))?.click();
      else if (canGoOn && (key === "d" || key === "enter")) act.deal();
      else if (canGoOn && key === "b") act.change();
      else if (hasWagered && !state.clocks && key === "d") send({ command: "deal" });
      else if (isBetting) {
        const bet = {
          d: act.deal, enter: act.deal, r: act.rebet, x: act.double, z: act.clear, backspace: act.clear,
          "+": () => setBets(add(bets, "ante", limits.unit, limits)),
          "=": () => setBets(add(bets, "ante", limits.unit, limits)),
          "-": () => setBets(add(bets, "ante", -limits.unit, limits)),
          t: () => setBets({ ...bets, bonus: bets.bonus ? 0 : limits.bonus_min }),
        }[key];
        if (!bet) return;
        bet();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  const settled = isSettled && last?.record ? { record: last.record, telling } : null;
  const scene = settled ? settledScene(state, settled.record, telling) : liveScene(state);
  if (isBetting) {
    const mine = scene.seats.find(({ you }) => you);
    if (mine) Object.assign(mine, { stakes: { ...mine.stakes, ante: bets.ante, blind: bets.ante, bonus: bets.bonus }, word: "" });
  }
  const mine = scene.seats.find(({ you }) => you);
  // What is asked of oneself is in the buttons.
  if (mine && !isSettled && awaits) mine.word = "";
  const banker = round?.banker;
  const bankerName = banker && (banker.seat === seat ? "You" : scene.seats[banker.seat - 1]?.name || `Seat ${banker.seat}`);
  const free = scene.seats.find(({ name }) => !name)?.seat;

  return html`<main class="table-page" id="main" tabindex="-1">
    <h1 class="unseen">${state.title || state.house_title}</h1>
    <div class="play-area">
    <p class="line" role="status">${line === "lost" ? "The line is broken. Connecting again…" : ""}</p>
    <${Felt} scene=${scene} onSit=${own || state.closed ? undefined : act.sit}
      print=${printed()} bank=${Boolean(banker)}
      picking=${isBetting ? { picked, onPick: setPicked } : undefined}>
      <p>You watch from the rail.</p>
      ${free && !state.closed && html`<button class="gold" onClick=${() => act.sit(free)}>Take a seat</button>`}
    <//>
    <div class="controls">
      <${Clock} deadline=${awaits || !own ? state.deadline : null} now=${state.now} />
      ${own && controls()}
    </div>
    </div>
    <${Panel} table=${table} invite=${invite} state=${state} own=${own} placard=${placard} hint=${hint} onHint=${decisions.length ? act.hint : null}
      settled=${settled} act=${act} me=${me} />
  </main>`;

  // Who pays is worth more than what is printed on the felt.
  function printed() {
    if (banker) return `${bankerName} ${bankerName === "You" ? "bank" : "banks"}: ${money(banker.wager)} posted`;
    const line = placard?.placard.find((it) => it.name === "Dealer");
    return line ? `The dealer ${line.text}` : "";
  }

  function controls() {
    if (own?.out && !hand) {
      return html`<div class="choices" key="out"><p class="quiet">You sit out.</p><${Do} gold onPress=${act.sitIn} disabled=${isBusy}>Sit in<//></div>`;
    }
    if (hand && decisions.length) {
      return html`<${Decisions} decisions=${decisions} most=${state.game === "uth" ? 3 : 4} ante=${hand.stakes.ante} best=${hint?.best} chips=${state.chips} onDecide=${act.decide} />`;
    }
    if (round?.offered === seat) {
      return html`<${BankOffer} least=${limits.unit} chips=${state.chips} onTake=${act.takeBank} onPass=${act.passBank} isBusy=${isBusy} />`;
    }
    if (canGoOn) {
      const why = whyNot(bets, limits, state.chips, state.bonus_name);
      return html`<div class="choices" key="again">
        <${Do} key="change" hotkey="b" onPress=${act.change} disabled=${isBusy}>Change bets<//>
        <${Do} key="again" gold hotkey="d" onPress=${act.deal} disabled=${isBusy || Boolean(why)}>Deal again · ${money(total(bets))}<//>
        ${why && html`<p class="why" role="status">${why}</p>`}
      </div>`;
    }
    if (isBetting) {
      return html`<${ChipTray} bets=${bets} limits=${limits} chips=${state.chips} bonusName=${state.bonus_name} canRebet=${Boolean(rebet)} act=${act} />`;
    }
    const waits = waitingFor();
    return html`<div class="choices waiting" key="waiting"><p>${waits}</p>
      ${hasWagered && html`<${Do} key="back" onPress=${act.withdraw} disabled=${isBusy}>Take it back<//>`}
      ${hasWagered && !state.clocks && html`<${Do} key="now" gold hotkey="d" onPress=${() => send({ command: "deal" })} disabled=${isBusy}>Deal now<//>`}
    </div>`;
  }

  function waitingFor() {
    if (hasWagered) return "Your bets are on the felt.";
    if (hand?.to_decide) return "You have not the chips for more.";
    if (round?.stage === "revealing") return "No more bets. The cards come in a moment.";
    if (hand) return hand.folded ? "You folded. The others decide." : "The others decide.";
    if (banker?.seat === seat) return "You bank this round.";
    if (isSettled) return "The next round is about to begin.";
    if (state.paused) return "The table is paused.";
    if (!round) return "The next round is about to begin.";
    return round.stage === "offering" ? "The bank is being offered." : "This round goes on without you.";
  }
}
