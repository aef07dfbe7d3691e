// Recomputes a round's deck in this browser, from the seeds in its record. The hashed bytes are
// exactly those in docs/shuffle.md and docs/record.md.

import { toHex } from "../shared/api.js";

/**
 * @typedef {object} Step one check
 * @property {string} name
 * @property {boolean | null} ok null if it could not be checked
 * @property {string} detail the finding, in a sentence
 *
 * @typedef {{seat: number, commitment: string, seed: string}} SeatSeed
 *
 * @typedef {{table: string, round: number}} Where
 *
 * @typedef {object} Proof a record's shuffle
 * @property {number} version
 * @property {string} table
 * @property {number} round
 * @property {string} commitment
 * @property {string} seed
 * @property {SeatSeed[]} [seat_seeds]
 */

const text = new TextEncoder();

/** A deck in factory order. */
const FRESH = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

/** A record that breaks the record format. */
class Malformed extends Error {}

/** Browsers offer hashing only to pages that could not be changed in transit. */
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

/** @param {number} value written as eight bytes, big-endian, in two's complement */
function number(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/** @param {Uint8Array} bytes prefixed with their length */
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
  const table = field(text.encode(proof.table));
  return joined(field(text.encode(domain)), number(1), table, number(proof.round));
}

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/** @param {Uint8Array} secret */
async function hmacWith(secret) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = /** @type {BufferSource} */ (secret);
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  return async (/** @type {Uint8Array} */ bytes) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", key, /** @type {BufferSource} */ (bytes)));
}

/**
 * @param {Proof} proof
 * @returns {Promise<string>} the commitment that the table must have shown before betting opened
 */
export async function tableCommitment(proof) {
  const seed = field(fromHex(proof.seed));
  return toHex(await sha256(joined(about("croupier commitment", proof), seed)));
}

/**
 * @param {Where} proof
 * @param {number} seat
 * @param {string} seed
 * @returns {Promise<string>} the commitment that the seat must have shown while betting was open
 */
export async function seatCommitment(proof, seat, seed) {
  const shown = joined(number(seat), field(fromHex(seed)));
  return toHex(await sha256(joined(about("croupier seat commitment", proof), shown)));
}

/**
 * @param {Proof} proof
 * @returns {Promise<string[]>} the deck that the seeds produce
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
 * Draws a number from 0 to `last`, each equally likely: larger numbers are thrown away.
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
 * @returns {boolean} whether its round ended before a card was dealt
 */
export const isUndealt = (record) => record?.format === "croupier-undealt/1";

/**
 * @param {any} record
 * @returns {string} such a round's last entry in the journal
 */
function undealtBody({ reason, shuffle }) {
  const seeds = /** @type {SeatSeed[]} */ (shuffle.seat_seeds ?? []);
  const seats = seeds.map(({ seat, commitment, seed }) => ({ seat, commitment, seed }));
  return JSON.stringify({ event: "round-undealt", reason, seed: shuffle.seed, seat_seeds: seats });
}

/**
 * @param {any} record
 * @returns {Promise<string>} the seal that the record must have
 */
export async function sealOf(record) {
  const { journal, journal_hash: _, ...rest } = record;
  const body = isUndealt(record)
    ? undealtBody(record)
    : canonical({ event: "round-over", record: rest });
  const entry = [
    field(fromHex(journal.previous)),
    number(journal.version),
    number(journal.at),
    field(text.encode(body)),
  ];
  return toHex(await sha256(joined(field(text.encode("croupier journal")), ...entry)));
}

/**
 * @param {any} value
 * @returns {string} as RFC 8785 writes it, with sorted names and no spaces
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
 * Checks everything that a record proves about its own deck.
 * @param {any} record
 * @returns {Promise<Step[]>}
 */
export async function checkShuffle(record) {
  if (!record?.shuffle) {
    const detail = "The record has no seeds, so nothing in it proves how its deck was shuffled.";
    return [{ name: "The seeds", ok: null, detail }];
  }
  if (!canHash()) return [hashingBlocked()];
  try {
    const proof = checkedProof(record);
    if (isUndealt(record)) {
      const seeds = proof.seat_seeds ?? [];
      const seats = await Promise.all(seeds.map((seed) => seatStep(proof, seed)));
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
function hashingBlocked() {
  const detail =
    "Browsers only allow hashing on pages loaded over HTTPS or from this computer, and this page " +
    "wasn't. Open Croupier over HTTPS, or download the record and run: croupier verify FILE";
  return { name: "Your browser's check", ok: null, detail };
}

/**
 * @param {any} record
 * @returns {Proof}
 */
function checkedProof(record) {
  const proof = record.shuffle;
  if (proof.version !== 1)
    throw new Malformed("This page knows only version 1 of the shuffle, not this record's.");
  if (typeof proof.table !== "string" || proof.table === "")
    throw new Malformed("The shuffle does not name its table.");
  if (!Number.isSafeInteger(proof.round) || proof.round < 0)
    throw new Malformed("The shuffle does not name its round.");
  mustBeHash(proof.seed, "The table's seed");
  mustBeHash(proof.commitment, "The table's commitment");
  const seats = proof.seat_seeds ?? [];
  if (!Array.isArray(seats)) throw new Malformed("The seats' seeds are not a list.");
  for (const entry of seats) {
    const { seat, commitment, seed } = entry ?? {};
    if (!Number.isInteger(seat) || seat < 1 || seat > 8) {
      throw new Malformed("A seed has no seat number from 1 to 8.");
    }
    mustBeHash(commitment, `The commitment of seat ${seat}`);
    if (typeof seed !== "string" || !/^(?:[0-9a-f]{2}){0,64}$/.test(seed)) {
      throw new Malformed(`The seed of seat ${seat} is not hexadecimal, of at most 64 bytes.`);
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
    throw new Malformed(`${name} is not 64 lowercase hexadecimal digits.`);
  }
}

/**
 * @param {Proof} proof
 * @returns {Promise<Step>}
 */
async function tableStep(proof) {
  const ok = (await tableCommitment(proof)) === proof.commitment;
  const detail = ok
    ? "The table's seed matches its commitment from before betting opened."
    : "The table's seed does not match its commitment.";
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
  return [...steps, seatSeedsStep(seeds, record)];
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
      detail: "This seat did not show its seed, so the deck was shuffled without it.",
    };
  }
  const ok = (await seatCommitment(proof, seat, seed)) === commitment;
  const detail = ok
    ? "This seat's seed matches the commitment it made while betting was open."
    : "This seat's seed does not match its commitment.";
  return { name, ok, detail };
}

/**
 * Checks that only seats in the round added seeds to its deck, once each.
 * @param {SeatSeed[]} seeds
 * @param {any} record
 * @returns {Step}
 */
function seatSeedsStep(seeds, record) {
  const wagered = Array.isArray(record.seats) ? record.seats : [];
  const inRound = [...wagered, record.banker].map((seat) => seat?.seat);
  const stranger = seeds.find(({ seat }) => !inRound.includes(seat));
  const inOrder = seeds.every(({ seat }, place) => place === 0 || seeds[place - 1].seat < seat);
  const name = "The seats' seeds";
  if (stranger)
    return {
      name,
      ok: false,
      detail: `Seat ${stranger.seat} was not in the round, so its seed must not count.`,
    };
  if (!inOrder)
    return { name, ok: false, detail: "The seats' seeds are not in seat order, one per seat." };
  const detail = "Every seed belongs to a seat in the round, and none counts twice.";
  return { name, ok: true, detail };
}

/**
 * @param {Proof} proof
 * @param {any} record
 * @returns {Promise<Step>}
 */
async function deckStep(proof, record) {
  const deck = await deckOf(proof);
  const ok =
    Array.isArray(record.deck) &&
    record.deck.length === 52 &&
    deck.every((card, place) => card === record.deck[place]);
  const detail = ok
    ? "The seeds produce exactly this deck, all 52 cards in this order."
    : "The seeds produce a different deck.";
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
    return { name, ok: null, detail: "The record is not sealed, so other changes would not show." };
  }
  if (!journal || !written) {
    throw new Malformed("The seal is incomplete: it needs journal and journal_hash.");
  }
  mustBeHash(written, "The journal's hash");
  mustBeHash(journal.previous, "The journal's hash before the round");
  if (!Number.isSafeInteger(journal.version) || !Number.isSafeInteger(journal.at)) {
    throw new Malformed("The journal's version and time are not whole numbers.");
  }
  const ok = (await sealOf(record)) === written;
  const detail = ok
    ? "No character of the record has changed since the table wrote it to its journal."
    : "The record does not match its seal: something in it was changed.";
  return { name, ok, detail };
}
