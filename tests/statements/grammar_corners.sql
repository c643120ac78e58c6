-- Rarely taken productions of the grammar, found by measuring which of its actions ran.

-- operators in DEFAULT and BETWEEN, where only the restricted expressions (b_expr) are allowed
CREATE TABLE t (a int DEFAULT 1 + 2 - 3 * 4 / 5 % 6 ^ 7, b int DEFAULT +x, c int DEFAULT -x, d text DEFAULT 'x'::text, e bool DEFAULT 1 < 2, f bool DEFAULT 1 > 2, g bool DEFAULT 1 = 2, h bool DEFAULT 1 <= 2, i bool DEFAULT 1 >= 2, j bool DEFAULT 1 <> 2, k int DEFAULT @ x, l int DEFAULT 1 | 2);
CREATE TABLE t (a bool DEFAULT 1 IS DISTINCT FROM 2, b bool DEFAULT 1 IS NOT DISTINCT FROM 2, c bool DEFAULT x IS DOCUMENT, d bool DEFAULT x IS NOT DOCUMENT);
SELECT a BETWEEN b + 1 AND c - 1, a NOT BETWEEN -b AND +c, a BETWEEN b::int AND c FROM t;
SELECT NOT like('a', 'b'), NOT ilike('a', 'b');

-- operator names
SELECT a OPERATOR(pg_catalog.-) b, a OPERATOR(*) b, a OPERATOR(/) b, a OPERATOR(%) b, a OPERATOR(^) b, a OPERATOR(<) b, a OPERATOR(>) b, a OPERATOR(<=) b, a OPERATOR(>=) b, a OPERATOR(<>) b, a OPERATOR(sch.!=) b FROM t;
DROP OPERATOR % (int, int), ^ (int, int), >= (int, int), <> (int, int), / (int, int);

-- signs on numbers
SELECT - -1.5, - -(2), - + - 3, -(-(99999999999));
CREATE SEQUENCE s MINVALUE +1.5 MAXVALUE -2.5 START 3.5;

-- names
CREATE TYPE db.sch.c AS (a int);
COMMENT ON TABLE db.sch.t IS 'x';
DROP FUNCTION left, sch.f, "between";
WITH time AS (SELECT 1), ordinality AS (SELECT 2) SELECT * FROM time, ordinality;
WITH ordinality (a) AS (SELECT 1) SELECT * FROM ordinality;

-- types
CREATE FUNCTION f(SETOF int ARRAY[3], SETOF text ARRAY) RETURNS TABLE (a int) LANGUAGE sql AS 'x';
CREATE FUNCTION f(a int, VARIADIC b int[], int DEFAULT 1) RETURNS TABLE (c int, d text) LANGUAGE sql AS 'x';
ALTER OPERATOR === (int, int) SET (restrict = 1, join = 'x', a = +, b = -1.5, c = table);

-- clauses
CREATE SCHEMA IF NOT EXISTS s;
CREATE TABLE t (a int REFERENCES u ON UPDATE CASCADE, b int REFERENCES u ON UPDATE NO ACTION);
CREATE TABLE t (a int CONSTRAINT nn NOT NULL CONSTRAINT d DEFAULT 1 CONSTRAINT g GENERATED ALWAYS AS (b) STORED);
CREATE INDEX ON t (JSON_ARRAYAGG(a));
DO LANGUAGE 'plpgsql' 'x';
SELECT 1 INTO LOCAL TEMPORARY t;
WITH q AS (SELECT 1) SELECT * FROM q ORDER BY 1 FOR UPDATE LIMIT 1;
WITH q AS (SELECT 1) SELECT * FROM q ORDER BY 1 LIMIT 1 FOR UPDATE;
WITH q AS (SELECT 1) SELECT * FROM q ORDER BY 1;
WITH q AS (SELECT 1) TABLE q LIMIT 1;
SELECT a FROM t ORDER BY a FETCH FIRST 1 ROW WITH TIES FOR UPDATE NOWAIT;

-- GLOBAL is accepted with a warning
CREATE GLOBAL TEMP TABLE t (a int);
CREATE GLOBAL TEMPORARY TABLE t (a int);
SELECT 1 INTO GLOBAL TEMP t;
SELECT 1 INTO GLOBAL TEMPORARY TABLE t;
-- an operator as a value, and a word that the next one could be merged with
CREATE COLLATION c (a = +, b = 1);
SELECT "nulls";
-- what follows is data to psql
COPY t FROM STDIN CSV FORCE NOT NULL *; COPY t FROM STDIN CSV FORCE NULL *;
