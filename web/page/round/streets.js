// The parts of a round, as the scrubber of a replay shows them.

/** @typedef {import("../../types/api").Telling["steps"][number]} TellingStep */
/** @typedef {{name: string, from: number, count: number}} Street */

/**
 * @param {TellingStep[]} steps
 * @returns {Street[]} in order, without those that the round did not reach
 */
export function streets(steps) {
  const first = (/** @type {string} */ kind, /** @type {number} */ after = 0) =>
    steps.findIndex((step, place) => place >= after && step.kind === kind);
  const dealt = first("dealt");
  const flop = first("turned");
  const river = flop < 0 ? -1 : first("turned", flop + 1);
  const shown = first("dealer-shown");
  const paid = shown < 0 ? -1 : first("settled", shown);
  const begins = /** @type {[string, number][]} */ ([
    ["Bets", 0],
    [flop < 0 ? "Cards" : "Before the flop", dealt],
    ["Flop", flop],
    ["River", river],
    ["Showdown", shown],
    ["Paid", paid],
  ]);
  const reached = begins.filter(([, from]) => from >= 0).sort(([, one], [, two]) => one - two);
  return reached
    .map(([name, from], place) => {
      const end = reached[place + 1]?.[1] ?? steps.length;
      return { name, from, count: end - from };
    })
    .filter(({ count }) => count > 0);
}
