#!/usr/bin/env python3
"""Plays at a Croupier server, and checks everything it can.

    python3 croupier_client.py http://127.0.0.1:7878 [ROUNDS]

It plays ROUNDS rounds (100) of each game, each with its own seed, verifies each round with the server's `/api/verify`
and by itself, and watches some of them live. Written from docs/api.md, docs/openapi.json and docs/shuffle.md, with
only the standard library of Python 3.11.
"""

import hashlib, hmac, http.client, json, random, secrets, sys, threading, time, uuid
from urllib.parse import urlsplit


class Problem(Exception):
    """A problem response: a refused or failed request, with its code."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.code, self.retry_after = problem["code"], problem.get("retry_after")


class Client:
    """A player's connection to a server: one request after another."""

    def __init__(self, url):
        self.host, self.token = urlsplit(url).netloc, None
        self.connection = http.client.HTTPConnection(self.host, timeout=60)

    def headers(self, more=()):
        known = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Content-Type": "application/json", **known, **dict(more)}

    def ask(self, method, path, body=None, **more):
        """Sends a request, retries it later if the server says so, and returns the response."""
        text = None if body is None else json.dumps(body)
        while True:
            self.connection.request(method, path, text, self.headers(more.items()))
            answer = self.connection.getresponse()
            found = json.loads(answer.read() or "null")
            if answer.status < 400:
                return found
            problem = Problem(found)
            if answer.status not in (429, 503) or problem.retry_after is None:
                raise problem
            time.sleep(problem.retry_after)

    def begin(self):
        self.token = self.ask("POST", "/api/guests", {"bearer": True})["token"]
        return self


class Watch(threading.Thread):
    """Watches a table in the background, and keeps the records of finished rounds."""

    def __init__(self, client, path):
        super().__init__(daemon=True)
        self.records, self.told = {}, threading.Condition()
        self.connection = http.client.HTTPConnection(client.host)
        self.connection.request("GET", path + "/events", headers=client.headers())
        self.start()

    def run(self):
        for line in self.connection.getresponse():
            if line.startswith(b"data:") and (record := json.loads(line[5:]).get("record")):
                with self.told:
                    self.records[record["shuffle"]["round"]] = record
                    self.told.notify()

    def record(self, number):
        with self.told:
            assert self.told.wait_for(lambda: number in self.records, 10), "the stream is silent"
            return self.records[number]


class Table:
    """A table without clocks, with us in its first seat."""

    seat = 1

    def __init__(self, client, house, bots=0):
        self.client = client
        # Where players bank, the bots take the bank, for practice.
        practice = {"practice_bank": True} if bots else {}
        self.name = client.ask("POST", "/api/tables", {"house": house, "pace": "none", **practice})["table"]
        self.path = f"/api/tables/{self.name}"
        self.limits = client.ask("GET", f"{self.path}/terms")["house"]["limits"]
        self.order("join")
        for _ in range(bots):
            client.ask("POST", f"{self.path}/bots")

    def order(self, command, **fields):
        """Sends a command for our seat; its key makes sure that it is carried out once."""
        place = {} if command == "deal" else {"seat": self.seat}
        body, key = {"command": command, **place, **fields}, {"Idempotency-Key": str(uuid.uuid4())}
        self.state = self.client.ask("POST", f"{self.path}/commands", body, **key)["state"]

    def awaits(self):
        return next(seat.get("awaits") for seat in self.state["seats"] if seat["you"])

    def wait(self, done):
        """Waits for the bots."""
        for _ in range(500):
            if done():
                return
            time.sleep(0.02)
            self.state = self.client.ask("GET", self.path)
        raise TimeoutError(f"no progress at {self.name}: {self.state}")

    def play(self, chips):
        """Plays a round with an affordable ante, checks it, and returns its record."""
        if self.state["player_banked"]:
            self.wait(lambda: self.awaits() in ("bank", "wager"))
            if self.awaits() == "bank":
                self.order("decline-bank")
            self.wait(lambda: self.awaits() == "wager")
        number, shown = self.state["round_number"], self.state["round"]["commitment"]
        seed = secrets.token_bytes(32)
        self.order("commit-seed", commitment=seat_commitment(self.name, number, self.seat, seed))
        unit, least, most = (self.limits[name] for name in ("unit", "ante_min", "ante_max"))
        self.order("wager", ante=max(least, min(most, chips // 8 // unit * unit)))
        self.order("deal")
        self.order("reveal-seed", seed=seed.hex())
        while self.state["round_number"] == number and self.awaits() == "decision":
            hand = next(hand for hand in self.state["round"]["hands"] if hand["seat"] == self.seat)
            self.order("decide", decision=random.choice(hand["decisions"]))
        self.wait(lambda: self.state["round"] is None or self.state["round_number"] > number)
        record = self.client.ask("GET", f"{self.path}/rounds/{number}")
        check(record, self.name, number, shown, self.seat, seed)
        verdict = self.client.ask("POST", "/api/verify", record)
        assert verdict["verified"] and not verdict["unrevealed"], verdict
        return record


# The shuffle, as docs/shuffle.md specifies it.

def number8(value):
    return value.to_bytes(8, "big")

def field(data):
    return len(data).to_bytes(4, "big") + data

def about(what, table, number):
    return field(what) + number8(1) + field(table.encode()) + number8(number)

def seat_commitment(table, number, seat, seed):
    message = about(b"croupier seat commitment", table, number) + number8(seat) + field(seed)
    return hashlib.sha256(message).hexdigest()

def shuffled(key):
    """Shuffles a fresh pack with the stream of a key."""
    blocks = (hmac.digest(key, number8(count), "sha256") for count in range(1 << 32))
    stream = (byte for block in blocks for byte in block)
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    for last in range(51, 0, -1):
        mask = (1 << last.bit_length()) - 1
        place = next(byte & mask for byte in stream if byte & mask <= last)
        deck[last], deck[place] = deck[place], deck[last]
    return deck

def check(record, table, number, shown, seat, seed):
    """Checks that the deck follows from the commitment shown before betting and from our own seed."""
    proof = record["shuffle"]
    assert (proof["table"], proof["round"], proof["commitment"]) == (table, number, shown)
    secret = bytes.fromhex(proof["seed"])
    message = about(b"croupier commitment", table, number) + field(secret)
    assert hashlib.sha256(message).hexdigest() == shown, "the table's seed does not match its commitment"
    seeds = {entry["seat"]: bytes.fromhex(entry["seed"]) for entry in proof["seat_seeds"]}
    assert seeds.get(seat) == seed, "our seed is missing"
    mixed = about(b"croupier shuffle", table, number)
    for place, theirs in sorted(seeds.items()):
        mixed += number8(place) + field(theirs)
    assert shuffled(hmac.digest(secret, mixed, "sha256")) == record["deck"], "the deck does not follow from the seeds"


def main(url, rounds=100, watched=10):
    client, begun, played = Client(url).begin(), time.monotonic(), []
    chips = client.ask("GET", "/api/me")["chips"]
    for house, bots, times in [
        ("uth-standard", 0, rounds), ("utcp-standard", 0, rounds), ("uth-california", 2, rounds // 10),
    ]:
        table = Table(client, house, bots)
        watch = Watch(client, table.path)
        for turn in range(times):
            if chips < 10_000:
                chips = client.ask("POST", "/api/me/chips")["chips"]
            record = table.play(chips)
            chips += next(mine["net"] for mine in record["result"]["seats"] if mine["seat"] == table.seat)
            if turn < watched:
                assert watch.record(record["shuffle"]["round"]) == record, "the stream sent another record"
            played.append(record)
        table.order("leave")
    assert client.ask("GET", "/api/me")["chips"] == chips, "the chips do not match the rounds"
    seconds = time.monotonic() - begun
    print(f"{len(played)} rounds played and verified twice, in {seconds:.1f} s; ${chips / 100:,.2f} left.")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
