-- How often an account has changed, so that a transfer can be made only if it has not since.
ALTER TABLE balances ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
