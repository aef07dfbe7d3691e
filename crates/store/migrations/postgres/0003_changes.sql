-- How often an account has changed, so that a transfer can be made only if it has not since.
ALTER TABLE balances ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
