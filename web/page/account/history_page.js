// All rounds that the player has played, and their results.

import { get, Problem } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { money, signed, tone } from "../shared/money.js";
import { moment } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { session } from "../shared/session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../shared/title.js";

/** @typedef {import("../../types/api").MyRound} MyRound */
/** @typedef {import("../../types/api").Statistics} Statistics */

export function HistoryPage() {
  const me = useStore(session);
  const [rounds, setRounds] = useState(/** @type {MyRound[] | null} */ (null));
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [statistics, setStatistics] = useState(/** @type {Statistics | null} */ (null));
  const [houses, setHouses] = useState(/** @type {Map<string, string>} */ (new Map()));
  const [isBusy, setBusy] = useState(false);
  useTitle("History");

  const more = async (/** @type {string | null} */ before) => {
    setBusy(true);
    try {
      const page = await get(`me/rounds${before ? `?before=${encodeURIComponent(before)}` : ""}`);
      setRounds((known) => [...(before ? (known ?? []) : []), ...page.rounds]);
      setNext(page.next ?? null);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 401) showError(problem);
      if (problem instanceof Problem && problem.status === 401) setRounds([]);
    }
    setBusy(false);
  };
  useEffect(() => {
    if (!me) {
      setRounds(me === null ? [] : null);
      return;
    }
    more(null);
    get("me/statistics").then(setStatistics, showError);
  }, [me?.player, me === null]);
  useEffect(() => {
    const titles = (/** @type {any[]} */ all) => new Map(all.map((it) => [it.id, it.title]));
    get("houses").then((all) => setHouses(titles(all)), showError);
  }, []);

  return html`<main class="sheet" id="main" tabindex="-1">
    <div class="page-head">
      <div>
        <h1>History</h1>
        <p class="quiet">Every round you've played, kept for good. You can replay and verify each
          one.</p>
      </div>
    </div>
    ${
      rounds?.length === 0
        ? html`<${Nothing} />`
        : html`<${Figures} statistics=${statistics} />
        <${Rounds} rounds=${rounds} houses=${houses} />
        <div class="row">
          ${next &&
          html`<button disabled=${isBusy} onClick=${() => more(next)}>
            ${isBusy ? "Loading…" : "Show more"}
          </button>`}
          ${
            rounds &&
            html`<a class="button" href="/api/me/records" download="croupier-rounds.jsonl">
              Download all records
            </a>
            <${Link} class="button" href="/verify">Verify records<//>`
          }
        </div>`
    }
  </main>`;
}

function Nothing() {
  return html`<section class="card-like empty">
    <h2>You haven't played a round yet</h2>
    <p class="quiet">Your rounds show up here: what you bet, what you won or lost, and the proof of
      the deck. Taking a seat needs one click, no name and no money.</p>
    <p class="row">
      <${Link} class="button gold" href="/">Choose a table<//>
      <${Link} class="button" href="/account">Log in<//>
    </p>
  </section>`;
}

/** @param {{statistics: Statistics | null}} props */
function Figures({ statistics }) {
  const it = statistics;
  const share = it && it.rounds > 0 ? ` ${Math.round((100 * it.won) / it.rounds)}%` : "";
  const figures = /** @type {[string, any, string?][]} */ ([
    ["Rounds", it && it.rounds.toLocaleString("en-US")],
    ["Won", it && html`${it.won.toLocaleString("en-US")}<small class="quiet">${share}</small>`],
    ["Total bet", it && money(it.staked)],
    ["Net", it && signed(it.net), it ? tone(it.net) : ""],
    ["Best round", it && signed(it.best), it ? tone(it.best) : ""],
    ["Worst round", it && signed(it.worst), it ? tone(it.worst) : ""],
    ...(it && it.banked > 0
      ? [
          ["Rounds banked", it.banked.toLocaleString("en-US")],
          ["Bank net", signed(it.bank_net), tone(it.bank_net)],
        ]
      : []),
  ]);
  return html`<section aria-labelledby="figures-title">
    <h2 id="figures-title" class="unseen">Totals</h2>
    <dl class="figures">
      ${figures.map(
        ([name, value, look]) =>
          html`<div><dt>${name}</dt><dd class=${look ?? ""}>${value ?? "…"}</dd></div>`,
      )}
    </dl>
  </section>`;
}

/**
 * @param {MyRound} round
 * @param {Map<string, string>} houses
 * @returns {string} its place: the house, or else the beginning of the table's long id
 */
function placeOf({ house, table }, houses) {
  if (house) return houses.get(house) ?? house;
  return `Table ${table.length > 10 ? `${table.slice(0, 8)}…` : table}`;
}

/** @param {{rounds: MyRound[] | null, houses: Map<string, string>}} props */
function Rounds({ rounds, houses }) {
  return html`<section aria-labelledby="rounds-title">
    <h2 id="rounds-title">Rounds</h2>
    <table class="rounds" data-testid="rounds">
      <thead><tr>
        <th scope="col">Round</th><th scope="col" class="when">When</th>
        <th scope="col" class="number">Bet</th><th scope="col" class="number">Net</th>
      </tr></thead>
      <tbody>
        ${rounds === null && html`<tr><td colspan="4" class="quiet wait">Loading…</td></tr>`}
        ${rounds?.map(
          (it) => html`<tr key=${`${it.table}/${it.round}/${it.seat}`}>
          <th scope="row">
            <${Link} href=${`/rounds/${it.table}/${it.round}`}>
              ${placeOf(it, houses)}, round ${it.round}
            <//>
            <span class="quiet">
              ${[it.banked && "banked", it.void && "void"].filter(Boolean).join(", ")}
            </span>
            <span class="quiet then">${moment(it.at)}</span>
          </th>
          <td class="when">${moment(it.at)}</td>
          <td class="number">${money(it.staked)}</td>
          <td class="number ${tone(it.net)}">${signed(it.net)}</td>
        </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
