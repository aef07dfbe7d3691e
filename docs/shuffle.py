#!/usr/bin/env python3
"""Checks decks against their commitments, and the hashes that seal rounds.

FILE has round records, one per line, or is shuffle-vectors.json. shuffle.md explains every step of the
shuffle, and record.md how journal_hash is computed.
"""

import hashlib, hmac, json, sys

# A round that ended before a card was dealt: it has seeds and a reason, but no deck.
UNDEALT = "croupier-undealt/1"

FRESH = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]

def number(value):
    return (value % (1 << 64)).to_bytes(8, "big")

def field(data):
    return len(data).to_bytes(4, "big") + data

def message(domain, proof):
    table = proof["table"].encode("utf-8")
    return field(domain) + number(proof["version"]) + field(table) + number(proof["round"])

def shuffled(key):
    blocks = (hmac.digest(key, number(counter), "sha256") for counter in range(1 << 64))
    stream = (byte for block in blocks for byte in block)
    deck = list(FRESH)
    for last in range(51, 0, -1):
        mask = (1 << last.bit_length()) - 1
        other = next(byte & mask for byte in stream if byte & mask <= last)
        deck[last], deck[other] = deck[other], deck[last]
    return deck

def shuffle_faults(proof, deck):
    if proof["version"] != 1:
        yield "this program supports only version 1 of the shuffle"
    seed = bytes.fromhex(proof["seed"])
    committed = hashlib.sha256(message(b"croupier commitment", proof) + field(seed)).hexdigest()
    if committed != proof["commitment"]:
        yield "the table's seed is not the one that it committed to"
    mixed = message(b"croupier shuffle", proof)
    for seat in sorted(proof.get("seat_seeds") or [], key=lambda seat: seat["seat"]):
        shown = number(seat["seat"]) + field(bytes.fromhex(seat["seed"]))
        committed = hashlib.sha256(message(b"croupier seat commitment", proof) + shown).hexdigest()
        if seat["seed"] and committed != seat["commitment"]:
            yield f"the seed of seat {seat['seat']} is not the one that it committed to"
        if len(seat["seed"]) > 128:
            yield f"the seed of seat {seat['seat']} is longer than 64 bytes"
        mixed += shown
    if deck is not None and shuffled(hmac.digest(seed, mixed, "sha256")) != deck:
        yield "the deck does not follow from the seeds"

def seat_faults(played):
    """Checks that only seats in the round have seeds, and only one each."""
    seats = [seat["seat"] for seat in played["shuffle"].get("seat_seeds") or []]
    if any(later <= earlier for earlier, later in zip(seats, seats[1:])):
        yield "the seats with seeds are not in the order of their numbers, each once"
    in_round = [seat["seat"] for seat in played["seats"] + [played.get("banker") or {"seat": 0}]]
    for seat in seats:
        if seat not in in_round:
            yield f"seat {seat} is not in the round, so its seed can't be part of the shuffle"

def undealt_body(played):
    """Returns the last journal entry of a round that was not dealt, with its fields in this order."""
    seats = [{name: seat[name] for name in ("seat", "commitment", "seed")}
             for seat in played["shuffle"]["seat_seeds"]]
    body = {"event": "round-undealt", "reason": played["reason"],
            "seed": played["shuffle"]["seed"], "seat_seeds": seats}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))

def journal_faults(played):
    record = dict(played)
    journal, written = record.pop("journal"), record.pop("journal_hash")
    if played.get("format") == UNDEALT:
        body = undealt_body(played)
    else:
        body = {"event": "round-over", "record": record}
        # RFC 8785, for texts and whole numbers.
        body = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    sealed = field(b"croupier journal") + field(bytes.fromhex(journal["previous"]))
    sealed += number(journal["version"]) + number(journal["at"]) + field(body.encode("utf-8"))
    if hashlib.sha256(sealed).hexdigest() != written:
        yield "journal_hash is not that of the record: something was changed"

def faults(played):
    if not isinstance(played, dict) or not played.get("shuffle"):
        yield "it has no shuffle"
        return
    undealt = played.get("format") == UNDEALT
    yield from shuffle_faults(played["shuffle"], None if undealt else played["deck"])
    if "format" in played and not undealt:
        yield from seat_faults(played)
    if "journal" in played or "journal_hash" in played:
        yield from journal_faults(played)

def once(pairs):
    """Returns an object, if it has no duplicate names."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} is a duplicate name")
    return dict(pairs)

def found(text):
    try:
        return list(faults(json.loads(text, object_pairs_hook=once)))
    except KeyError as missing:
        return [f"{missing} is missing"]
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        return [f"it is malformed: {error}"]

def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 shuffle.py FILE")
    right = wrong = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if text.startswith("["):
        rounds = [json.dumps(example) for example in json.loads(text)]
    else:
        rounds = [line for line in text.split("\n") if line.strip()]
    for place, played in enumerate(rounds, 1):
        said = found(played)
        for fault in said:
            print(f"round {place} of the file: {fault}".encode("unicode_escape").decode("ascii"))
        wrong += bool(said)
        right += not said
    print(f"{right} decks verified, {wrong} failed")
    sys.exit(wrong > 0)

main()
