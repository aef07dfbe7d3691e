// An invitation to a private table: the players there, the stakes, and a field for your name.

import { drawnSeats, TableDrawing } from "../felt/table_drawing.js";
import { percent, useOdds } from "../house/odds.js";
import { patch, Problem, sendCommand } from "../shared/api.js";
import { html, useState } from "../shared/html.js";
import { money } from "../shared/money.js";
import { sentence, showError } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { ensurePlayer, session, setPlayer } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";

/** @typedef {import("../../types/api").TableState} TableState */

/** The longest name that the server takes. */
const NAME_MAX = 24;

/**
 * @param {object} props
 * @param {string} props.from
 * @param {string} props.invite
 * @param {TableState} props.state
 * @param {() => void} props.onWatch
 */
export function Invitation({ from, invite, state, onWatch }) {
  const me = useStore(session);
  const [name, setName] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const house = state.own_house ? [] : [{ house: state.house, bonus: state.bonus_paytable }];
  const sheet = useOdds(house)(house[0] ?? { house: "" });
  useTitle("Invitation");
  const taken = state.seats.map(({ seat }) => seat);
  const seats = Array.from({ length: state.seat_count }, (_, place) => place + 1);
  const free = seats.find((seat) => !taken.includes(seat));
  const isNew = !me || me.kind === "guest";

  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setFault("");
    try {
      const player = await ensurePlayer();
      const wanted = name.trim();
      if (isNew && wanted && wanted !== player.name) setPlayer(await patch("me", { name: wanted }));
      await sendCommand(state.table, { command: "join", seat: free }, invite);
      onWatch();
    } catch (problem) {
      if (problem instanceof Problem) setFault(sentence(problem.message));
      else showError(problem);
      setBusy(false);
    }
  };

  const drawn = drawnSeats(state.seat_count, state, Boolean(free)).map((seat, place) => ({
    ...seat,
    name: seat.kind === "yours" ? "you" : state.seats.find((it) => it.seat === place + 1)?.name,
  }));
  const against = state.player_banked ? "with players as the bank" : "against the house";
  return html`<main class="sheet wide invitation" id="main" tabindex="-1">
    <div class="invited">
      <p><span class="initial" aria-hidden="true">${from[0].toUpperCase()}</span>
        <strong>${from}</strong> invites you to a table</p>
      <h1 class="display">${free ? `Seat ${free} is free.` : "The table is full."}</h1>
      <p class="lead">${state.house_title} ${against}, for play money. You start with $1,000.
        Nothing can be bought, and nothing is paid out.</p>
      <${TableDrawing} title=${state.house_title} seats=${drawn}
        deckColour=${state.round?.deck_colour} />
    </div>
    <form class="box" onSubmit=${sit}>
      <h2>${state.title || "The table"}</h2>
      <dl class="facts">
        <div><dt>Ante</dt>
          <dd>${money(state.limits.ante_min)}–${money(state.limits.ante_max)}</dd></div>
        ${!state.player_banked && !state.own_house &&
        html`<div><dt>House edge</dt><dd>${percent(sheet?.main.edge)}</dd></div>`}
        ${state.bonus_paytable && !state.own_house &&
        html`<div><dt>${state.bonus_name}</dt><dd>${percent(sheet?.bonus_bet?.edge)}</dd></div>`}
        <div><dt>Clock</dt><dd>${state.clocks ? "yes" : "none"}</dd></div>
      </dl>
      <ol class="sitters">
        ${seats.map((seat) => {
          const sitter = state.seats.find((it) => it.seat === seat);
          const who = sitter ? sitter.name : seat === free ? "You" : "open";
          const look = sitter ? "" : seat === free ? "yours" : "faint";
          return html`<li key=${seat}><span class="faint">${seat}</span>
            <span class=${look}>${who}${sitter?.bot && html` <span class="faint">bot</span>`}</span>
          </li>`;
        })}
      </ol>
      ${isNew && html`<label class="field">What should they call you?
        <input name="name" maxlength=${NAME_MAX} minlength="2" autocomplete="nickname"
          spellcheck=${false} value=${name} placeholder=${me?.name ?? "a name, if you like"}
          pattern="[A-Za-z][A-Za-z0-9_\\-]*"
          title="2 to 24 letters, digits, - or _, starting with a letter"
          onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
        <small>${name.length} of ${NAME_MAX} letters</small>
      </label>`}
      <p class="bad" role="alert">${fault}</p>
      ${free && html`<button class="gold large" disabled=${isBusy}>Take a seat</button>`}
      <div class="row after">
        <button type="button" class="link" onClick=${onWatch}>Watch first</button>
        <${Link} href=${`/help#first-hand-${state.game}`}>How it is played, in 2 minutes<//>
      </div>
    </form>
  </main>`;
}
