-- Papers, of which only a shell knows what they mean; and what was staked on the Ante and the bonus.

CREATE TABLE papers (
    drawer TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    until BIGINT,
    text TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (drawer, key)
);

CREATE INDEX papers_by_owner ON papers (drawer, owner, key);

CREATE INDEX papers_by_until ON papers (until) WHERE until IS NOT NULL;

-- Rounds are over one after the other, so that this grows at its end.
CREATE INDEX rounds_by_time ON rounds (at);

ALTER TABLE round_seats ADD COLUMN ante BIGINT NOT NULL DEFAULT 0;
ALTER TABLE round_seats ADD COLUMN bonus BIGINT NOT NULL DEFAULT 0;

-- What was staked in rounds that are over is in their records.
UPDATE round_seats SET ante = told.ante, bonus = told.bonus
FROM (
    SELECT rounds.table_name, rounds.round, (seat ->> 'seat')::bigint AS seat,
        coalesce((seat #>> '{wagers,ante,staked}')::bigint, 0) AS ante,
        coalesce((seat #>> '{wagers,bonus,staked}')::bigint, 0) AS bonus
    FROM rounds
    JOIN journal ON journal.table_name = rounds.table_name AND journal.version = rounds.version
    CROSS JOIN LATERAL json_array_elements(
        CASE WHEN journal.body LIKE '{"event":"round-over","record":{%}}'
            THEN journal.body::json #> '{record,result,seats}' END
    ) AS seat
) AS told
WHERE round_seats.table_name = told.table_name AND round_seats.round = told.round
    AND round_seats.seat = told.seat AND round_seats.banked = 0;
