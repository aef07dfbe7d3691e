// How to play: guided hands, the rules in short, the words, the keys, the clocks, bots and proofs.

import { Sections } from "../account/sections.js";
import { bonusName, houseLine, isPlayerBanked, useHouses } from "../house/houses.js";
import { percent, useOdds } from "../house/odds.js";
import { printedPlacard } from "../house/pay_tables.js";
import { get } from "../shared/api.js";
import { html, useEffect, useState } from "../shared/html.js";
import { KEYS } from "../shared/keys.js";
import { titled } from "../shared/names.js";
import { showError } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { useTitle } from "../shared/title.js";
import { FirstHand } from "./first_hand.js";
import { Glossary } from "./glossary.js";

/** @typedef {import("../../types/api").HousePage} HousePage */

/** The addresses of the guided hands, below the page's own. */
const LESSON = /^#first-hand-(uth|utcp)$/;

const SECTIONS = [
  { id: "first-hand", name: "Your first hand" },
  { id: "uth", name: "Texas Hold'em in short" },
  { id: "utcp", name: "Three Card in short" },
  { id: "houses", name: "House rules" },
  { id: "clocks", name: "Clocks and pauses" },
  { id: "bots", name: "The bots" },
  { id: "fair", name: "The shuffle" },
  { id: "keys", name: "Keys" },
  { id: "words", name: "Words of the table" },
];

/** @returns {string} the URL's fragment */
function useHash() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    addEventListener("hashchange", look);
    addEventListener("popstate", look);
    return () => {
      removeEventListener("hashchange", look);
      removeEventListener("popstate", look);
    };
  }, []);
  return hash;
}

export function HelpPage() {
  const game = LESSON.exec(useHash())?.[1];
  return game ? html`<${FirstHand} key=${game} game=${game} />` : html`<${Manual} />`;
}

/** @returns {Map<string, HousePage>} the houses with their rules and pay tables */
function useHousePages() {
  const houses = useHouses();
  const [pages, setPages] = useState(/** @type {Map<string, HousePage>} */ (new Map()));
  useEffect(() => {
    if (!houses) return;
    const load = async () => {
      const found = await Promise.all(houses.map(({ id }) => get(`houses/${id}`)));
      setPages(new Map(found.map((it) => [it.id, it])));
    };
    load().catch(showError);
  }, [houses]);
  return pages;
}

function Manual() {
  const pages = useHousePages();
  useTitle("How to play");
  const ofGame = (/** @type {string} */ game) => [...pages.values()].find((it) => it.game === game);
  return html`<${Sections} title="How to play" sections=${SECTIONS}
    about="Play money only: chips can't be bought, sold or cashed out.">
    <section class="box" id="first-hand" aria-labelledby="first-title">
      <h2 id="first-title">Your first hand</h2>
      <p>One round on a real felt, one idea at a time. It takes two minutes, and no chips.</p>
      <div class="row">
        <${Link} class="button gold" href="/help#first-hand-uth">Texas Hold'em<//>
        <${Link} class="button" href="/help#first-hand-utcp">Three Card Poker<//>
      </div>
    </section>
    <${Game} id="uth" title="Texas Hold'em in short" page=${ofGame("uth")} steps=${HOLDEM} />
    <${Game} id="utcp" title="Three Card in short" page=${ofGame("utcp")} steps=${THREE_CARD} />
    <section class="box" id="houses" aria-labelledby="houses-title">
      <h2 id="houses-title">House rules</h2>
      <p>A house is a set of rules for a table. Its placard has them in full.</p>
      ${[...pages.values()].map((it) => html`<${HouseRules} key=${it.id} page=${it} />`)}
    </section>
    <section class="box" id="clocks" aria-labelledby="clocks-title">
      <h2 id="clocks-title">Clocks and pauses</h2>
      <ul class="points">
        <li><strong>Alone at a table, you have all the time you like.</strong> The clocks start
          when a second person sits down.</li>
        <li><strong>A table with clocks goes on.</strong> Its clock is the gold line in front of
          you. If your time runs out, the table checks for you, or folds when you can't check.</li>
        <li><strong>A table without clocks waits</strong> as long as you like. Open one with the
          pace “No clock”.</li>
        <li><strong>To pause, sit out.</strong> You keep your seat, and rounds go on without
          you.</li>
        <li><strong>If the connection breaks</strong>, your bets and your seat stay. A decision that
          was not sent is sent when the line is back, if there is still time.</li>
        <li><strong>Settings, help and history</strong> don't stop a table that you sit at.</li>
      </ul>
    </section>
    <section class="box" id="bots" aria-labelledby="bots-title">
      <h2 id="bots-title">The bots</h2>
      <p>Ada, Blaise, Carl, Emmy, Pierre, Sonja and Thomas. They are marked as bots, bet the
        minimum, never make the side bet, and think for a second. They leave with the last
        person.</p>
      <p>They see only their own cards, and play by short rules that everyone can read:</p>
      <${Strategies} />
    </section>
    <section class="box" id="fair" aria-labelledby="fair-title">
      <h2 id="fair-title">A shuffle that you can check</h2>
      <ul class="points">
        <li>Before you bet, the table draws a seed and shows its fingerprint. The fingerprint fixes
          the whole deck.</li>
        <li>You may add a seed of your own, so that not even the table knows the deck while bets are
          open.</li>
        <li>After the round all seeds are shown. Your browser shuffles again and compares every
          card, and the rules are run again to the cent.</li>
      </ul>
      <div class="row"><${Link} class="button" href="/verify">Verify a round<//></div>
    </section>
    <section class="box" id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <table class="keys-table">
        <thead class="unseen"><tr><th scope="col">Key</th><th scope="col">Action</th></tr></thead>
        <tbody>
          ${KEYS.map(([key, does]) => html`<tr key=${key}>
            <td><kbd>${key}</kbd></td><td>${does}</td>
          </tr>`)}
        </tbody>
      </table>
    </section>
    <section class="box" id="words" aria-labelledby="words-title">
      <h2 id="words-title">Words of the table</h2>
      <${Glossary} />
    </section>
  <//>`;
}

const HOLDEM = [
  ["Bet", "Put the same amount on Ante and Blind. Trips is optional."],
  ["Before the flop", "You see your two cards. Bet 4× or 3× the Ante, or check."],
  ["On the flop", "Three cards are turned. If you haven't bet, bet 2× or check."],
  ["On the river", "The last two are turned. If you haven't bet, bet 1× or fold."],
  ["Showdown", "The best five of seven cards win. The dealer needs a pair to qualify."],
  ["Paid", "Play and Ante pay even money. The Ante pushes if the dealer doesn't qualify. The " +
    "Blind pays from a straight up, and pushes on a lower win."],
];
const THREE_CARD = [
  ["Bet", "Put the same amount on Ante and Blind. Pair Plus is optional."],
  ["Three cards", "Bet 1× or fold. With a pair or better you may bet up to 3×."],
  ["Showdown", "The best three cards win, and a straight beats a flush. The dealer needs queen " +
    "high to qualify."],
  ["Paid", "Play and Ante pay even money. The Ante pushes if the dealer doesn't qualify. The " +
    "Blind pays from a flush up, and pushes on a lower win."],
];

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {HousePage | undefined} props.page
 * @param {string[][]} props.steps
 */
function Game({ id, title, page, steps }) {
  return html`<section class="box" id=${id} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${title}</h2>
    <ol class="how">
      ${steps.map(([name, text]) => html`<li key=${name}><strong>${name}</strong> ${text}</li>`)}
    </ol>
    ${page && html`<${Pays} page=${page} />`}
  </section>`;
}

/** @param {{page: HousePage}} props */
function Pays({ page }) {
  const { printed } = printedPlacard(page, null);
  const odds = useOdds([{ house: page.id, bonus: page.bonus_paytables[0] }]);
  const sheet = odds({ house: page.id, bonus: page.bonus_paytables[0] });
  return html`<div class="help-pays">
      ${printed.map(
        (table) => html`<table key=${table.id}>
          <caption>${table.name} pays</caption>
          <tbody>
            ${table.rows.map(({ hand, pays }) => html`<tr key=${hand}>
              <th scope="row">${titled(hand)}</th><td class="number">${pays}</td>
            </tr>`)}
          </tbody>
        </table>`,
      )}
    </div>
    <p class="quiet">Against perfect play the house keeps ${percent(sheet?.main.edge, 5)} of an
      Ante, and ${percent(sheet?.bonus_bet?.edge, 5)} of ${bonusName(page)} by this table. Other
      tables may pay by other pay tables: each has its own on the felt.</p>`;
}

/** @param {{page: HousePage}} props */
function HouseRules({ page }) {
  return html`<details class="house-rules">
    <summary><span>
      <strong>${page.title}</strong><span class="aside">${houseLine(page)}</span>
    </span></summary>
    <dl>
      ${page.placard.map(({ name, text }) => html`<div key=${name}>
        <dt>${name}</dt><dd>${text}</dd>
      </div>`)}
    </dl>
    ${isPlayerBanked(page) &&
    html`<p class="quiet">The house takes no part: the bank is the player who holds the button, and
      it pays up to the amount posted.</p>`}
  </details>`;
}

/** The strategies that bots play, rule by rule, as the server publishes them. */
function Strategies() {
  const [all, setAll] = useState(/** @type {import("../../types/api").StrategyPage[]} */ ([]));
  useEffect(() => {
    get("strategies").then(setAll, showError);
  }, []);
  const played = all.filter(({ id }) => id === "short" || id === "utcp-short");
  return html`<ul class="points">
    ${played.map(({ id, title, game, text }) => html`<li key=${id}>
      <strong>${game === "uth" ? "Hold'em" : "Three Card"}: ${title}</strong>
      <span class="aside">${ruleNames(text)}</span>
    </li>`)}
  </ul>`;
}

/**
 * @param {string} text a strategy file
 * @returns {string} what each of its rules bets on
 */
function ruleNames(text) {
  const rules = [...text.matchAll(/^name = "(.*)"[\s\S]*?^then = "(.*)"/gm)];
  const words = rules.map(([, name, then]) => `${name}: ${then}×`);
  return [...words, "otherwise check or fold."].join("; ");
}
