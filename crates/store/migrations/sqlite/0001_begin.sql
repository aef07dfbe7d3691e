-- Tables, their journals, the money that moves, and the people it belongs to.
--
-- Keys begin with the table, the account or the player, and are made by the application: no sequences.
-- Times are milliseconds since 1970, amounts cents, flags 0 or 1.

CREATE TABLE players (
    name TEXT NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL,
    profile TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tables (
    name TEXT NOT NULL PRIMARY KEY,
    house TEXT NOT NULL,
    version INTEGER NOT NULL,
    checkpoint INTEGER NOT NULL,
    deadline INTEGER,
    claimed INTEGER NOT NULL,
    closed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tables_by_deadline ON tables (deadline) WHERE deadline IS NOT NULL;

CREATE TABLE journal (
    table_name TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (table_name, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
    key TEXT NOT NULL PRIMARY KEY,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE balances (
    account TEXT NOT NULL PRIMARY KEY,
    balance INTEGER NOT NULL,
    may_owe INTEGER NOT NULL,
    CONSTRAINT balances_owe CHECK (balance >= 0 OR may_owe = 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
    sender TEXT NOT NULL,
    key TEXT NOT NULL,
    body BLOB NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (sender, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE rounds (
    table_name TEXT NOT NULL,
    round INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    house TEXT NOT NULL,
    void INTEGER NOT NULL,
    PRIMARY KEY (table_name, round)
) STRICT, WITHOUT ROWID;

CREATE TABLE round_seats (
    table_name TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    banked INTEGER NOT NULL,
    staked INTEGER NOT NULL,
    net INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_name, round, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX round_seats_by_player ON round_seats (player, at, table_name, round, seat);

CREATE TABLE choices (
    player TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    game TEXT NOT NULL,
    street TEXT NOT NULL,
    spot TEXT NOT NULL,
    chosen TEXT NOT NULL,
    best TEXT NOT NULL,
    cost_ppm INTEGER NOT NULL,
    PRIMARY KEY (player, key)
) STRICT, WITHOUT ROWID;
