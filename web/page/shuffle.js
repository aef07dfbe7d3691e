// Works a round's deck out again, in this browser, from the seeds that its record shows. What is
// hashed here, to the byte, is what docs/shuffle.md and docs/record.md have.

import { toHex } from "./api.js";

/**
 * @typedef {object} Step one thing that was looked at
 * @property {string} name
 * @property {boolean | null} ok nothing, if it could not be looked at
 * @property {string} detail what that means, in a sentence
 *
 * @typedef {{seat: number, commitment: string, seed: string}} SeatSeed
 *
 * @typedef {{table: string, round: number}} Where
 *
 * @typedef {object} Proof the shuffle of a record
 * @property {number} version
 * @property {string} table
 * @property {number} round
 * @property {string} commitment
 * @property {string} seed
 * @property {SeatSeed[]} [seat_seeds]
 */

const text = new TextEncoder();

/** A pack as it comes out of its box. */
const FRESH = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

/** A record that is not as records are. */
class Malformed extends Error {}

/** Browsers hand these tools only to pages that nobody can have changed on the way. */
export function canHash() {
  return Boolean(globalThis.crypto?.subtle);
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

/** @param {number} value written in eight bytes, the highest first; below zero it counts from 2⁶⁴ */
function number(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/** @param {Uint8Array} bytes preceded by how many they are */
function field(bytes) {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}

/**
 * @param {string} domain
 * @param {Where} proof
 */
function about(domain, proof) {
  return joined(field(text.encode(domain)), number(1), field(text.encode(proof.table)), number(proof.round));
}

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/** @param {Uint8Array} secret */
async function hmacWith(secret) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (secret), algorithm, false, ["sign"]);
  return async (/** @type {Uint8Array} */ bytes) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", key, /** @type {BufferSource} */ (bytes)));
}

/**
 * @param {Proof} proof
 * @returns {Promise<string>} what the table must have shown before betting opened
 */
export async function tableCommitment(proof) {
  return toHex(await sha256(joined(about("croupier commitment", proof), field(fromHex(proof.seed)))));
}

/**
 * @param {Where} proof
 * @param {number} seat
 * @param {string} seed
 * @returns {Promise<string>} what the seat must have shown while betting was open
 */
export async function seatCommitment(proof, seat, seed) {
  const shown = joined(number(seat), field(fromHex(seed)));
  return toHex(await sha256(joined(about("croupier seat commitment", proof), shown)));
}

/**
 * @param {Proof} proof
 * @returns {Promise<string[]>} the deck that the seeds give
 */
export async function deckOf(proof) {
  const seats = [...(proof.seat_seeds ?? [])].sort((one, other) => one.seat - other.seat);
  const entries = seats.map(({ seat, seed }) => joined(number(seat), field(fromHex(seed))));
  const sign = await hmacWith(fromHex(proof.seed));
  const key = await sign(joined(about("croupier shuffle", proof), ...entries));
  const next = await byteStream(key);
  const deck = [...FRESH];
  for (let last = 51; last > 0; last--) {
    const place = await drawn(next, last);
    [deck[last], deck[place]] = [deck[place], deck[last]];
  }
  return deck;
}

/**
 * @param {Uint8Array} key
 * @returns {Promise<() => Promise<number>>} gives the next byte each time
 */
async function byteStream(key) {
  const sign = await hmacWith(key);
  /** @type {Uint8Array} */
  let block = new Uint8Array();
  let [blocks, used] = [0, 0];
  return async () => {
    if (used === block.length) [block, blocks, used] = [await sign(number(blocks)), blocks + 1, 0];
    return block[used++];
  };
}

/**
 * A number from 0 to `last`, each as likely as any other: what is too large is thrown away.
 * @param {() => Promise<number>} next
 * @param {number} last
 */
async function drawn(next, last) {
  const bits = 2 ** (32 - Math.clz32(last)) - 1;
  for (;;) {
    const value = (await next()) & bits;
    if (value <= last) return value;
  }
}

/**
 * @param {any} record
 * @returns {boolean} whether it is of a round that ended before a card was dealt
 */
export const isUndealt = (record) => record?.format === "croupier-undealt/1";

/**
 * @param {any} record
 * @returns {string} the last entry of such a round, as the journal has it
 */
function undealtBody({ reason, shuffle }) {
  const seats = (shuffle.seat_seeds ?? []).map((/** @type {SeatSeed} */ { seat, commitment, seed }) => ({
    seat,
    commitment,
    seed,
  }));
  return JSON.stringify({ event: "round-undealt", reason, seed: shuffle.seed, seat_seeds: seats });
}

/**
 * @param {any} record
 * @returns {Promise<string>} what must seal it
 */
export async function sealOf(record) {
  const { journal, journal_hash: _, ...rest } = record;
  const body = text.encode(isUndealt(record) ? undealtBody(record) : canonical({ event: "round-over", record: rest }));
  const entry = [field(fromHex(journal.previous)), number(journal.version), number(journal.at), field(body)];
  return toHex(await sha256(joined(field(text.encode("croupier journal")), ...entry)));
}

/**
 * @param {any} value
 * @returns {string} as RFC 8785 writes it, names in order and no space in between
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** @param {string} digits */
function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * Looks at all that a record proves of its own deck.
 * @param {any} record
 * @returns {Promise<Step[]>}
 */
export async function checkShuffle(record) {
  if (!record?.shuffle) {
    const detail = "The record shows no seeds, so nothing in it proves how its deck came about.";
    return [{ name: "The seeds", ok: null, detail }];
  }
  if (!canHash()) return [withoutTools()];
  try {
    const proof = checkedProof(record);
    if (isUndealt(record)) {
      const seats = await Promise.all((proof.seat_seeds ?? []).map((seed) => seatStep(proof, seed)));
      return [await tableStep(proof), ...seats, await sealStep(record)];
    }
    return [
      await tableStep(proof),
      ...(await seatSteps(proof, record)),
      await deckStep(proof, record),
      await sealStep(record),
    ];
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault;
    return [{ name: "The seeds", ok: false, detail: fault.message }];
  }
}

/** @returns {Step} */
function withoutTools() {
  const detail =
    "This browser does such sums only for pages that came over HTTPS or from its own computer, and this one did not. " +
    "Open Croupier over HTTPS, or download the record and run: croupier verify FILE";
  return { name: "The browser's own sums", ok: null, detail };
}

/**
 * @param {any} record
 * @returns {Proof}
 */
function checkedProof(record) {
  const proof = record.shuffle;
  if (proof.version !== 1)
    throw new Malformed("This page knows version 1 of the shuffle only, and the record has another.");
  if (typeof proof.table !== "string" || proof.table === "")
    throw new Malformed("The shuffle does not say which table it was.");
  if (!Number.isSafeInteger(proof.round) || proof.round < 0)
    throw new Malformed("The shuffle does not say which round it was.");
  mustBeHash(proof.seed, "The table's seed");
  mustBeHash(proof.commitment, "The table's commitment");
  const seats = proof.seat_seeds ?? [];
  if (!Array.isArray(seats)) throw new Malformed("The seeds of the seats are not a list.");
  for (const entry of seats) {
    const { seat, commitment, seed } = entry ?? {};
    if (!Number.isInteger(seat) || seat < 1 || seat > 8) throw new Malformed("A seed is of no seat from 1 to 8.");
    mustBeHash(commitment, `The commitment of seat ${seat}`);
    if (typeof seed !== "string" || !/^(?:[0-9a-f]{2}){0,64}$/.test(seed)) {
      throw new Malformed(`The seed of seat ${seat} is not up to 64 bytes in hexadecimal digits.`);
    }
  }
  return { ...proof, seat_seeds: seats };
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function mustBeHash(value, name) {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) {
    throw new Malformed(`${name} is not 64 hexadecimal digits in lower case.`);
  }
}

/**
 * @param {Proof} proof
 * @returns {Promise<Step>}
 */
async function tableStep(proof) {
  const ok = (await tableCommitment(proof)) === proof.commitment;
  const detail = ok
    ? "The table's seed is the one that it committed to before betting opened."
    : "The table's seed is not the one that it committed to.";
  return { name: "The table's commitment", ok, detail };
}

/**
 * @param {Proof} proof
 * @param {any} record
 * @returns {Promise<Step[]>}
 */
async function seatSteps(proof, record) {
  const seeds = proof.seat_seeds ?? [];
  if (seeds.length === 0) return [];
  const steps = await Promise.all(seeds.map((seed) => seatStep(proof, seed)));
  return [...steps, whoseStep(seeds, record)];
}

/**
 * @param {Proof} proof
 * @param {SeatSeed} shown
 * @returns {Promise<Step>}
 */
async function seatStep(proof, { seat, commitment, seed }) {
  const name = `Seat ${seat}'s commitment`;
  if (seed === "") {
    return {
      name,
      ok: null,
      detail: "This seat did not show the seed that it committed to; the deck was made without it.",
    };
  }
  const ok = (await seatCommitment(proof, seat, seed)) === commitment;
  const detail = ok
    ? "The seed that this seat brought is the one that it committed to while betting was open."
    : "The seed of this seat is not the one that it committed to.";
  return { name, ok, detail };
}

/**
 * Only who is in a round has a say in its deck, and once.
 * @param {SeatSeed[]} seeds
 * @param {any} record
 * @returns {Step}
 */
function whoseStep(seeds, record) {
  const wagered = Array.isArray(record.seats) ? record.seats : [];
  const inRound = [...wagered, record.banker].map((seat) => seat?.seat);
  const stranger = seeds.find(({ seat }) => !inRound.includes(seat));
  const inOrder = seeds.every(({ seat }, place) => place === 0 || seeds[place - 1].seat < seat);
  const name = "Whose seeds they are";
  if (stranger)
    return {
      name,
      ok: false,
      detail: `Seat ${stranger.seat} was not in the round, and should have no say in its deck.`,
    };
  if (!inOrder)
    return { name, ok: false, detail: "The seats' seeds are not in the order of their numbers, each once." };
  return { name, ok: true, detail: "Every seed is of a seat that was in the round, and none is counted twice." };
}

/**
 * @param {Proof} proof
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function deckStep(proof, record) {
  const deck = await deckOf(proof);
  const ok =
    Array.isArray(record.deck) && record.deck.length === 52 && deck.every((card, place) => card === record.deck[place]);
  const detail = ok
    ? "The seeds give this deck, all 52 cards in this order, and no other."
    : "The deck is not the one that the seeds give.";
  return { name: "The deck", ok, detail };
}

/**
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function sealStep(record) {
  const name = "The seal";
  const { journal, journal_hash: written } = record;
  if (!journal && !written) {
    return { name, ok: null, detail: "The record is not sealed, so a change to the rest of it would not show." };
  }
  if (!journal || !written) throw new Malformed("The seal is only half there: it takes journal and journal_hash.");
  mustBeHash(written, "The journal's hash");
  mustBeHash(journal.previous, "The journal's hash before the round");
  if (!Number.isSafeInteger(journal.version) || !Number.isSafeInteger(journal.at)) {
    throw new Malformed("The journal's version and time are not whole numbers.");
  }
  const ok = (await sealOf(record)) === written;
  const detail = ok
    ? "Not one letter of the record was changed since the table wrote it into its journal."
    : "The record is not what was sealed: something in it was changed.";
  return { name, ok, detail };
}
