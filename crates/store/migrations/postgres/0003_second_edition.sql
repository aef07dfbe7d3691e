-- Nothing changes in the database itself. Journals of the second edition of the rules say which edition
-- they are of, and a program from before it would take that for damage: so it refuses to start.

SELECT 1;
