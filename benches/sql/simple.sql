SELECT 1;
SELECT * FROM users WHERE id = $1;
SELECT name, email FROM users WHERE active AND created_at > '2026-01-01' ORDER BY name LIMIT 10;
INSERT INTO users (name, email) VALUES ($1, $2) RETURNING id;
UPDATE users SET name = $1 WHERE id = $2;
DELETE FROM users WHERE id = $1;
BEGIN;
COMMIT;
