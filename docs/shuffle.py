#!/usr/bin/env python3
"""Checks decks against what was committed to: python3 shuffle.py FILE

FILE has round records, one a line, or is shuffle-vectors.json. shuffle.md explains every step.
"""

import hashlib, hmac, json, sys

FRESH = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]

def number(value):
    return value.to_bytes(8, "big")

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

def faults(proof, deck):
    if proof["version"] != 1:
        yield "this program knows version 1 of the shuffle only"
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
        mixed += shown
    if shuffled(hmac.digest(seed, mixed, "sha256")) != deck:
        yield "the deck is not the one that the seeds give"

right = wrong = 0
text = open(sys.argv[1], encoding="utf-8").read()
rounds = json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines())
for place, played in enumerate(rounds, 1):
    found = list(faults(played["shuffle"], played["deck"]))
    for fault in found:
        print(f"round {place} of the file: {fault}")
    wrong += bool(found)
    right += not found
print(f"{right} decks are as they should be, {wrong} are not")
sys.exit(wrong > 0)
