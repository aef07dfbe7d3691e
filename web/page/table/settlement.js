// The result of the last round: how long it is shown, and each wager with its reason.

import { Wagers } from "../round/wagers.js";
import { html, useState } from "../shared/html.js";
import { money, signed, tone } from "../shared/money.js";
import { sentence } from "../shared/notice.js";
import { Link } from "../shared/router.js";
import { ownHand } from "./phase.js";
import { Review } from "./review.js";

/** @typedef {import("../../types/api").TableState} TableState */
/** @typedef {import("./stream.js").TableNews} TableNews */
/**
 * @typedef {object} Settled a finished round
 * @property {import("../../types/api").RoundRecord} record
 * @property {import("../../types/api").Telling | null} telling
 */

/**
 * Keeps a round's result on the felt until the player moves on, or the next round is dealt.
 * @param {TableState} state
 * @param {TableNews | null} last the news with the last finished round
 */
export function useSettlement(state, last) {
  const own = state.seats.find((it) => it.you);
  const number = last?.record?.shuffle?.round ?? 0;
  const [away, setAway] = useState(0);
  const isDealt = state.round?.stage === "deciding" || state.round?.stage === "revealing";
  const isBanking = Boolean(own) && state.round?.banker?.seat === own?.seat;
  const hasBet = isBanking || (state.round?.stage === "betting" && Boolean(ownHand(state)));
  // A player who has just sat down did not play the round before.
  const played = [...(last?.record?.seats ?? []), last?.record?.banker];
  const isOthers = played.some((it) => it?.seat === own?.seat && it?.player !== own?.player);
  const wasPlaying = !last?.isFirst || played.some((it) => it?.player === own?.player);
  const wasThere = !own || (!isOthers && wasPlaying);
  const isShown = last?.record?.result && wasThere && !isDealt && !hasBet && away !== number;
  return {
    settled: isShown && last.record ? { record: last.record, telling: last.telling ?? null } : null,
    putAway: () => setAway(number),
  };
}

/**
 * @param {object} props
 * @param {string} props.table
 * @param {string | null | undefined} props.invite
 * @param {Settled | null} props.settled
 * @param {import("../../types/api").SeatState | undefined} props.own
 * @param {TableState} props.state
 * @param {import("../../types/api").TablePlacard | null} props.placard
 */
export function Settlement({ table, invite, settled, own, state, placard }) {
  if (!settled) {
    return html`<p key="none" class="quiet">
      After each round, this shows what every wager won or lost, and why.
    </p>`;
  }
  const { record, telling } = settled;
  const round = record.shuffle?.round;
  const mine = telling?.seats.find((it) => it.seat === own?.seat);
  const banked = record.banker && record.banker.seat === own?.seat;
  const net = mine?.net ?? (banked ? record.result?.bank.net ?? null : null);
  const link = `/rounds/${table}/${round}${invite ? `#invite=${invite}` : ""}`;
  const nameOf = (/** @type {number} */ seat) =>
    state.seats.find((it) => it.seat === seat)?.name ?? `Seat ${seat}`;
  return html`
    <div class="spread">
      <p class="net ${tone(net ?? 0)}">${net !== null && signed(net)}</p>
      ${mine && html`<p class="quiet">on ${money(stakedBy(mine))} staked</p>`}
    </div>
    ${mine?.comparison && html`<p key="why" class="advice">${sentence(mine.comparison)}</p>`}
    ${record.void && html`<p>The round is void: ${record.void}. All wagers were returned.</p>`}
    ${mine
      ? html`<${Wagers} seat=${mine} caption="Settlement" />`
      : telling?.seats.map(
          (seat) =>
            html`<${Wagers} key=${seat.seat} seat=${seat} caption=${nameOf(seat.seat)} />`,
        )}
    ${telling && html`<p key=${`bank ${round}`} class="quiet">${telling.bank.say}</p>`}
    <div key="replay" class="row">
      ${mine && html`<${Review} record=${record} seat=${mine.seat} placard=${placard} />`}
      <${Link} class="button" href=${link}>Replay and verify<//>
    </div>`;
}

/** @param {import("../../types/api").ToldSeat} seat */
const stakedBy = ({ wagers }) => wagers.reduce((sum, wager) => sum + wager.staked, 0);
