-- Papers, of which only a shell knows what they mean; and what was staked on the Ante and the bonus.

CREATE TABLE papers (
    drawer TEXT NOT NULL,
    key TEXT NOT NULL,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER,
    text TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (drawer, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX papers_by_owner ON papers (drawer, owner, key);

CREATE INDEX papers_by_until ON papers (until) WHERE until IS NOT NULL;

-- Rounds are over one after the other, so that this grows at its end.
CREATE INDEX rounds_by_time ON rounds (at);

ALTER TABLE round_seats ADD COLUMN ante INTEGER NOT NULL DEFAULT 0;
ALTER TABLE round_seats ADD COLUMN bonus INTEGER NOT NULL DEFAULT 0;

-- What was staked in rounds that are over is in their records.
UPDATE round_seats SET (ante, bonus) = (
    SELECT coalesce(max(json_extract(seat.value, '$.wagers.ante.staked')), 0),
        coalesce(max(json_extract(seat.value, '$.wagers.bonus.staked')), 0)
    FROM rounds
    JOIN journal ON journal.table_name = rounds.table_name AND journal.version = rounds.version
    JOIN json_each(
        CASE WHEN json_valid(journal.body) THEN journal.body END,
        '$.record.result.seats'
    ) AS seat
    WHERE rounds.table_name = round_seats.table_name AND rounds.round = round_seats.round
        AND json_extract(seat.value, '$.seat') = round_seats.seat
)
WHERE banked = 0;
