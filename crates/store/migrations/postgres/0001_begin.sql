-- Tables, their journals, the money that moves, and the people it belongs to.
--
-- Keys begin with the table, the account or the player, and are made by the application: no sequences.
-- Times are milliseconds since 1970, amounts cents, flags 0 or 1. Text is compared byte by byte.

CREATE TABLE players (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL,
    profile TEXT NOT NULL
);

CREATE TABLE tables (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    house TEXT NOT NULL,
    version BIGINT NOT NULL,
    checkpoint BIGINT NOT NULL,
    deadline BIGINT,
    claimed BIGINT NOT NULL,
    closed BIGINT NOT NULL
);

CREATE INDEX tables_by_deadline ON tables (deadline) WHERE deadline IS NOT NULL;

CREATE TABLE journal (
    table_name TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (table_name, version)
);

CREATE TABLE transfers (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    at BIGINT NOT NULL
);

CREATE TABLE balances (
    account TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    balance BIGINT NOT NULL,
    may_owe BIGINT NOT NULL,
    CONSTRAINT balances_owe CHECK (balance >= 0 OR may_owe = 1)
);

CREATE TABLE commands (
    sender TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    answer TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (sender, key)
);

CREATE TABLE rounds (
    table_name TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    house TEXT NOT NULL,
    void BIGINT NOT NULL,
    PRIMARY KEY (table_name, round)
);

CREATE TABLE round_seats (
    table_name TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    player TEXT COLLATE "C" NOT NULL,
    banked BIGINT NOT NULL,
    staked BIGINT NOT NULL,
    net BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (table_name, round, seat)
);

CREATE INDEX round_seats_by_player ON round_seats (player, at, table_name, round, seat);

CREATE TABLE choices (
    player TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    street TEXT COLLATE "C" NOT NULL,
    spot TEXT NOT NULL,
    chosen TEXT NOT NULL,
    best TEXT NOT NULL,
    cost_ppm BIGINT NOT NULL,
    PRIMARY KEY (player, key)
);
