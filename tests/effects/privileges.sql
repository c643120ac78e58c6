-- What the statements of `cases.sql` do not have: names with schemas, and privileges on many kinds of objects.
SELECT a FROM t
SELECT s.a FROM schema.s, t
SELECT a FROM t FOR UPDATE
INSERT INTO schema.s VALUES (1)
INSERT INTO schema.s (a) VALUES (1) RETURNING a
INSERT INTO referenced VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2
INSERT INTO referenced VALUES (1) ON CONFLICT (id) DO NOTHING
UPDATE plain SET a = 1
UPDATE plain SET a = a + 1
UPDATE plain SET a = 1 WHERE id = 1
DELETE FROM plain
DELETE FROM plain WHERE id = 1
MERGE INTO referencing USING referenced ON referencing.id = referenced.id WHEN MATCHED THEN DELETE
TRUNCATE referencing
LOCK TABLE plain IN ACCESS SHARE MODE
LOCK TABLE plain IN ROW EXCLUSIVE MODE
LOCK TABLE plain
COPY plain TO STDOUT
SELECT nextval('seq')
SELECT setval('seq', 1)
SELECT pg_stat_reset()
SELECT t.* FROM t
SELECT t FROM t
SELECT a FROM t JOIN plain USING (id, a)
SELECT plain.a FROM t, plain WHERE t.b = ''
SELECT a FROM view
SELECT a FROM p
SELECT a FROM ONLY parent
WITH d AS (DELETE FROM plain RETURNING a) SELECT * FROM d
WITH t AS (SELECT 1 AS a) SELECT a FROM t
UPDATE plain SET a = t.a FROM t WHERE t.id = plain.id
UPDATE plain SET a = 1 RETURNING a
UPDATE plain SET (id, a) = (SELECT id, a FROM t LIMIT 1)
UPDATE plain SET a = (SELECT max(a) FROM t)
UPDATE plain SET a = (SELECT max(t.a) FROM t WHERE t.id = plain.id)
UPDATE plain AS p SET a = (SELECT max(t.a) FROM t WHERE t.id = p.id)
UPDATE plain SET a = 1 + 1, id = DEFAULT
UPDATE plain SET a = 1 WHERE EXISTS (SELECT FROM t)
UPDATE plain SET a = (SELECT a)
UPDATE plain SET a = 1 RETURNING 1
UPDATE plain SET a = 1 RETURNING *
DELETE FROM plain RETURNING plain
DELETE FROM plain USING t WHERE t.id = plain.id
INSERT INTO referencing SELECT id, id FROM referenced
INSERT INTO schema.s (a) SELECT a FROM t ON CONFLICT DO NOTHING
MERGE INTO schema.s USING t ON s.a = t.id WHEN NOT MATCHED THEN INSERT (b) VALUES (t.a)
MERGE INTO referencing USING t ON referencing.id = t.id WHEN MATCHED THEN UPDATE SET id = t.a
MERGE INTO referencing USING t ON referencing.id = t.id WHEN MATCHED THEN DO NOTHING
COPY plain (a) TO STDOUT
COPY (SELECT a FROM plain) TO STDOUT
COPY schema.s (a) FROM STDIN
EXPLAIN SELECT a FROM t
EXPLAIN ANALYZE DELETE FROM plain
DECLARE reads CURSOR FOR SELECT a FROM t
CREATE TABLE schema.n (a int)
CREATE TABLE schema.n AS SELECT a FROM t
SELECT a INTO schema.n FROM t
SELECT a INTO TEMP n FROM t
CREATE TEMP TABLE n (a int PRIMARY KEY)
CREATE FUNCTION schema.n() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE TYPE schema.n AS ENUM ('a')
CREATE TYPE schema.n AS (a int)
CREATE TYPE schema.n AS RANGE (SUBTYPE = float8)
CREATE TYPE schema.n
CREATE FUNCTION schema.n() RETURNS int LANGUAGE internal AS 'int4pl'
CREATE DOMAIN schema.n AS int
CREATE COLLATION schema.n FROM "C"
CREATE AGGREGATE schema.n (int) (SFUNC = int4pl, STYPE = int)
CREATE OPERATOR schema.%%% (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl)
CREATE TEXT SEARCH CONFIGURATION schema.n (COPY = simple)
CREATE CONVERSION schema.n FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8
CREATE TABLE schema.n (a int REFERENCES referenced)
CREATE TABLE schema.n (a int REFERENCES referenced (id))
CREATE TABLE schema.n (a int, FOREIGN KEY (a) REFERENCES referenced (id))
CREATE TABLE schema.n (a int PRIMARY KEY)
CREATE TABLE schema.n (a int, UNIQUE (a))
CREATE TABLE schema.n (a int GENERATED ALWAYS AS IDENTITY)
CREATE TABLE schema.n (a serial)
CREATE TABLE schema.n (a int NOT NULL DEFAULT 1 CHECK (a > 0))
CREATE VIEW schema.n AS SELECT 1 AS a
CREATE SEQUENCE schema.n
SELECT last_value FROM seq
SELECT (SELECT max(a) FROM plain) FROM t WHERE a IN (SELECT id FROM referenced)
SELECT a FROM t WHERE EXISTS (SELECT FROM plain WHERE plain.id = t.id)
SELECT count(id) FROM t GROUP BY a HAVING max(b) > '' ORDER BY min(c)
LOCK TABLE plain IN SHARE MODE
LOCK TABLE ONLY plain, schema.s IN ROW SHARE MODE
DO 'BEGIN PERFORM a FROM t; DELETE FROM plain WHERE id = 1; END'
