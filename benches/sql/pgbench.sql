BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + 4242 WHERE aid = 71717;
SELECT abalance FROM pgbench_accounts WHERE aid = 71717;
UPDATE pgbench_tellers SET tbalance = tbalance + 4242 WHERE tid = 7;
UPDATE pgbench_branches SET bbalance = bbalance + 4242 WHERE bid = 1;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (7, 1, 71717, 4242, CURRENT_TIMESTAMP);
END;
