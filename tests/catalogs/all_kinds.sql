-- Objects of every kind, with unusual options.
CREATE SCHEMA a;
CREATE SCHEMA b;
-- a table with a generated column whose function reads the table
CREATE TABLE a.gen (a int);
CREATE FUNCTION a.gf(int)
RETURNS int
IMMUTABLE
LANGUAGE sql
BEGIN ATOMIC
  SELECT count(*)::int FROM a.gen;
END;
ALTER TABLE a.gen ADD COLUMN b int GENERATED ALWAYS AS (a.gf(a)) STORED;
-- index with it
CREATE TABLE a.ix (
  a int,
  b a.gen
);
CREATE INDEX ON a.ix ((a.gf(a)));
CREATE INDEX ix_inc ON a.ix (a) INCLUDE (b) WITH (fillfactor = 50) WHERE a > 0;
CREATE UNIQUE INDEX ix_nn ON a.ix (a) NULLS NOT DISTINCT;
ALTER TABLE a.ix ADD CONSTRAINT uq UNIQUE USING INDEX ix_nn DEFERRABLE;
CREATE UNIQUE INDEX CONCURRENTLY ix_c ON a.ix (a);
-- partitions
CREATE TABLE a.p (
  a int NOT NULL,
  b text,
  c int DEFAULT 3,
  PRIMARY KEY (a, b)
)
PARTITION BY LIST (b);
CREATE TABLE a.p1 PARTITION OF a.p FOR VALUES IN ('x', NULL, 'q''q') PARTITION BY RANGE (a);
CREATE TABLE a.p2 (
  c int DEFAULT 4,
  x int,
  b text,
  a int NOT NULL
);
ALTER TABLE a.p2 DROP COLUMN x;
ALTER TABLE a.p2 ALTER b SET NOT NULL;
ALTER TABLE a.p ATTACH PARTITION a.p2 FOR VALUES IN ('y');
CREATE TABLE a.p11 PARTITION OF a.p1 (
  c DEFAULT 9,
  CHECK (c > 3)
)
FOR VALUES FROM (MINVALUE) TO (10);
CREATE TABLE a.pd PARTITION OF a.p DEFAULT;
CREATE TABLE a.fk (
  a int,
  b text,
  FOREIGN KEY (a, b) REFERENCES a.p MATCH FULL ON UPDATE CASCADE ON DELETE SET NULL DEFERRABLE
    INITIALLY DEFERRED
);
CREATE TABLE a.fkp (
  a int,
  b text,
  FOREIGN KEY (a, b) REFERENCES a.p ON DELETE SET NULL (b)
)
PARTITION BY HASH (a);
CREATE TABLE a.fkp1 PARTITION OF a.fkp FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE a.fkp2 PARTITION OF a.fkp FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER TABLE a.fkp1 ADD FOREIGN KEY (a, b) REFERENCES a.p11 NOT VALID;
CREATE TABLE a.nocol ();
CREATE TABLE a.nocolchild () INHERITS (a.nocol);
CREATE UNLOGGED TABLE a.unl (
  a serial,
  b bigserial
);
CREATE TABLE a.inh1 (
  a int DEFAULT 1,
  b int CHECK (b > 1),
  c int
);
CREATE TABLE a.inh2 (
  b int CHECK (b > 1),
  a int DEFAULT 1,
  d int
);
CREATE TABLE a.inh3 (
  e int,
  a int DEFAULT 5
)
INHERITS (a.inh1, a.inh2);
ALTER TABLE a.inh1 DROP COLUMN c;
ALTER TABLE a.inh3 ALTER COLUMN d DROP NOT NULL;
ALTER TABLE a.inh2 ALTER d SET NOT NULL;
CREATE TABLE a.inh4 () INHERITS (a.inh3);
ALTER TABLE a.inh4 NO INHERIT a.inh3;
-- domains
CREATE DOMAIN a.d1 AS text COLLATE "C" DEFAULT 'a''b' CHECK (VALUE <> '');
CREATE DOMAIN a.d2 AS a.d1 NOT NULL CHECK (length(VALUE) < 10);
ALTER DOMAIN a.d2 ADD CONSTRAINT nv CHECK (VALUE <> 'q') NOT VALID;
CREATE DOMAIN a.d3 AS a.d2[];
CREATE DOMAIN a.d4 AS numeric(10, 2);
CREATE DOMAIN a.d5 AS a.d4;
CREATE TABLE a.dt (
  a a.d2,
  b a.d3,
  c a.d5[],
  "d e" varchar(3)[][],
  f interval day to second(2),
  g timestamp(3) with time zone,
  h bit(3),
  i bit varying,
  j "char",
  k char,
  l name
);
CREATE TYPE a.ct AS (a int, b text, c a.d2);
ALTER TYPE a.ct DROP ATTRIBUTE b;
ALTER TYPE a.ct ADD ATTRIBUTE z text COLLATE "C";
CREATE TYPE a.empty AS ();
CREATE TYPE a.enum0 AS ENUM ();
CREATE TYPE a.shell;
CREATE TABLE a.typed OF a.ct (a WITH OPTIONS PRIMARY KEY DEFAULT 3);
CREATE TYPE a.rgd AS RANGE (SUBTYPE = a.d4);
CREATE TYPE a.rg AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float8mi, MULTIRANGE_TYPE_NAME = b.mrg);
CREATE TYPE a.rgt AS RANGE (SUBTYPE = text, COLLATION = "C");
-- routines
CREATE FUNCTION a.all1(
  IN a int DEFAULT 1,
  OUT b int,
  INOUT c text DEFAULT 'x;''y',
  VARIADIC d anyarray DEFAULT '{}'::int[]
)
RETURNS SETOF record
LANGUAGE plpgsql
STABLE
STRICT
LEAKPROOF
SECURITY DEFINER
PARALLEL SAFE
COST 3
ROWS 7
SET search_path = a, "b c", pg_temp
SET work_mem TO '3MB'
AS $f$
BEGIN
  PERFORM $$x$$;
END
$f$;
CREATE FUNCTION a.tab()
RETURNS TABLE (a int, "b c" a.ct)
LANGUAGE sql
BEGIN ATOMIC
  SELECT 1, NULL::a.ct;
END;
CREATE PROCEDURE a.pr(OUT a int, INOUT b text)
LANGUAGE sql
BEGIN ATOMIC
  INSERT INTO a.ix VALUES (1) RETURNING a, 'x'::text AS x;
END;
CREATE FUNCTION a.many()
RETURNS void
LANGUAGE sql
BEGIN ATOMIC
  UPDATE a.ix SET a = 2;
  DELETE FROM a.ix;
  WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT n FROM r;
  SELECT 1;
END;
CREATE FUNCTION a.sf(int, int)
RETURNS int
LANGUAGE sql
IMMUTABLE
AS 'SELECT $1+$2';
CREATE FUNCTION a.sfv(int, int, VARIADIC int[])
RETURNS int
LANGUAGE sql
IMMUTABLE
AS 'SELECT 1';
CREATE AGGREGATE a.agg1(int) (
  SFUNC = a.sf,
  STYPE = int,
  INITCOND = '0',
  MSFUNC = a.sf,
  MINVFUNC = a.sf,
  MSTYPE = int,
  MINITCOND = '0',
  COMBINEFUNC = a.sf,
  PARALLEL = SAFE,
  SORTOP = <
);
CREATE AGGREGATE a.pct(float8 ORDER BY anyelement) (
  SFUNC = ordered_set_transition,
  STYPE = internal,
  FINALFUNC = percentile_disc_final,
  FINALFUNC_EXTRA
);
CREATE AGGREGATE a.hyp(VARIADIC "any" ORDER BY VARIADIC "any") (
  SFUNC = ordered_set_transition_multi,
  STYPE = internal,
  FINALFUNC = rank_final,
  FINALFUNC_EXTRA,
  HYPOTHETICAL
);
CREATE AGGREGATE a.many(int, VARIADIC int[]) (SFUNC = a.sfv, STYPE = int);
CREATE AGGREGATE a.star(*) (SFUNC = int8inc, STYPE = int8, INITCOND = '0');
COMMENT ON AGGREGATE a.pct(float8 ORDER BY anyelement) IS 'x';
GRANT EXECUTE ON FUNCTION a.star() TO PUBLIC;
REVOKE EXECUTE ON FUNCTION a.pct FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION a.hyp, a.star FROM PUBLIC;
CREATE FUNCTION a.cteq(a.ct, a.ct)
RETURNS bool
LANGUAGE sql
IMMUTABLE
BEGIN ATOMIC
  SELECT ($1).a = ($2).a;
END;
CREATE FUNCTION a.ctcmp(a.ct, a.ct)
RETURNS int
LANGUAGE sql
IMMUTABLE RETURN btint4cmp(($1).a, ($2).a);
CREATE FUNCTION a.ct2int(a.ct)
RETURNS int
LANGUAGE sql
IMMUTABLE
AS 'SELECT 1';
CREATE OPERATOR a.=== (
  LEFTARG = a.ct,
  RIGHTARG = a.ct,
  FUNCTION = a.cteq,
  COMMUTATOR = OPERATOR(a.===),
  NEGATOR = OPERATOR(a.!==),
  RESTRICT = eqsel,
  JOIN = eqjoinsel,
  HASHES,
  MERGES
);
CREATE OPERATOR a.!== (
  LEFTARG = a.ct,
  RIGHTARG = a.ct,
  FUNCTION = a.cteq,
  NEGATOR = OPERATOR(a.===)
);
CREATE OPERATOR a.!! (RIGHTARG = a.ct, FUNCTION = a.ct2int);
COMMENT ON OPERATOR a.!! (NONE, a.ct) IS 'a prefix';
CREATE OPERATOR FAMILY a.fam USING btree;
CREATE OPERATOR CLASS a.oc
  FOR TYPE a.ct USING btree FAMILY a.fam AS OPERATOR 3 a.===, FUNCTION 1 a.ctcmp(a.ct, a.ct);
CREATE TABLE a.oneix (c a.ct);
CREATE INDEX ON a.oneix (c a.oc);
CREATE CAST (a.ct AS text) WITH INOUT AS ASSIGNMENT;
CREATE CAST (a.ct AS int) WITH FUNCTION a.ct2int(a.ct) AS IMPLICIT;
COMMENT ON CAST (a.ct AS int) IS 'implicit';
CREATE TABLE a.castt (
  x a.ct,
  y int DEFAULT '(1,x,)'::a.ct::int,
  CHECK ((x::int) > 0)
);
-- views
CREATE VIEW a.vcols (p, "q r")
WITH (security_barrier, check_option = local) AS
SELECT a, b FROM a.ix;
CREATE RECURSIVE VIEW a.rv (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM rv WHERE n < 5;
CREATE VIEW a.v0 AS SELECT;
CREATE VIEW a.vstar AS SELECT x.*, x AS whole FROM a.ix x;
ALTER VIEW a.vcols ALTER p SET DEFAULT 3;
ALTER TABLE a.vcols RENAME p TO pp;
ALTER TABLE a.ix RENAME a TO aa;
ALTER VIEW a.vcols OWNER TO tester;
CREATE VIEW a.vv WITH (security_invoker = TRUE) AS TABLE a.vcols;
CREATE VIEW a.vunk AS SELECT 'x' AS a, NULL AS b, '1'::unknown::text AS c;
CREATE VIEW a.vjoin AS SELECT j.a, inh1.b FROM a.inh1 JOIN a.inh2 USING (a) AS j;
CREATE VIEW a.vdup AS
SELECT t.b AS b1, u.b
FROM
  a.inh1 t,
  a.inh2 u,
  LATERAL (SELECT 1) s,
  generate_series(1, 2) WITH ORDINALITY o(x, y),
  ROWS FROM (generate_series(1, 3), unnest(ARRAY[1])) r,
  XMLTABLE('/a' PASSING '<a/>' COLUMNS z int);
CREATE RULE ins AS
  ON INSERT TO a.vjoin
  DO INSTEAD (INSERT INTO a.inh1 VALUES (new.a); SELECT 2 AS two; NOTIFY x);
CREATE RULE upd AS
  ON UPDATE TO a.inh1
  WHERE new.a > 3
  DO ALSO UPDATE a.inh2 SET a = new.a WHERE a = old.a;
CREATE FUNCTION a.tr()
RETURNS trigger
LANGUAGE plpgsql
AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION a.ev()
RETURNS event_trigger
LANGUAGE plpgsql
AS 'BEGIN END';
CREATE TRIGGER iot INSTEAD OF INSERT ON a.vcols FOR EACH ROW EXECUTE FUNCTION a.tr('a''b', '\x');
CREATE TRIGGER tp AFTER INSERT ON a.p FOR EACH ROW EXECUTE FUNCTION a.tr();
ALTER TABLE a.p2 DISABLE TRIGGER tp;
ALTER TABLE a.p1 ENABLE ALWAYS TRIGGER tp;
CREATE TRIGGER st
  AFTER UPDATE
  ON a.inh1
  REFERENCING OLD TABLE AS "o o" NEW TABLE AS n
  FOR EACH STATEMENT
  EXECUTE FUNCTION a.tr();
CREATE CONSTRAINT TRIGGER ctr AFTER INSERT
  ON a.inh1
  FROM a.inh2
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (new.* IS NOT NULL)
  EXECUTE FUNCTION a.tr();
CREATE TRIGGER tru BEFORE TRUNCATE ON a.inh1 EXECUTE FUNCTION a.tr();
ALTER TABLE a.inh1 DISABLE TRIGGER ALL;
CREATE EVENT TRIGGER et
  ON ddl_command_end
  WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE')
  EXECUTE FUNCTION a.ev();
ALTER EVENT TRIGGER et DISABLE;
COMMENT ON EVENT TRIGGER et IS 'ev';
CREATE FOREIGN DATA WRAPPER w OPTIONS (x 'a''b', "Y z" '\');
CREATE SERVER "S s" TYPE 't' VERSION 'v' FOREIGN DATA WRAPPER w OPTIONS (host 'h');
CREATE FOREIGN TABLE a.ft (
  a int OPTIONS (q 'r') NOT NULL,
  b text COLLATE "C" DEFAULT 'x' CHECK (b <> '')
)
SERVER "S s"
OPTIONS (t 'u');
CREATE USER MAPPING FOR PUBLIC SERVER "S s" OPTIONS (password 'p');
CREATE TABLE a.ml (
  a int,
  b int
)
PARTITION BY LIST ((a + 1));
CREATE FOREIGN TABLE a.mlf PARTITION OF a.ml FOR VALUES IN (3) SERVER "S s";
GRANT SELECT ON a.mlf TO PUBLIC;
COMMENT ON FOREIGN TABLE a.mlf IS 'x';
CREATE PUBLICATION pub FOR TABLE a.ix, ONLY a.p, TABLES IN SCHEMA b;
CREATE PUBLICATION pub2 FOR TABLE a.inh1 (a) WHERE (a > 1), a.p WITH (publish_via_partition_root);
CREATE PUBLICATION pub3 FOR ALL TABLES WITH (publish = '');
CREATE PUBLICATION pub4 FOR TABLES IN SCHEMA a, b;
CREATE PUBLICATION pub5;
CREATE TEXT SEARCH DICTIONARY a.dict (TEMPLATE = simple, STOPWORDS = english, ACCEPT = FALSE);
CREATE TEXT SEARCH CONFIGURATION a.cfg (COPY = english);
ALTER TEXT SEARCH CONFIGURATION a.cfg ALTER MAPPING FOR word, asciiword WITH a.dict, english_stem;
CREATE TEXT SEARCH CONFIGURATION a.cfg0 (PARSER = DEFAULT);
CREATE TABLE a.tsv (
  x text,
  y tsvector GENERATED ALWAYS AS (to_tsvector('a.cfg', x)) STORED
);
CREATE STATISTICS a.st1(ndistinct) ON aa, b FROM a.ix;
CREATE STATISTICS a.st2 ON (aa + 1), (aa * 2) FROM a.ix;
ALTER STATISTICS a.st1 SET STATISTICS 50;
COMMENT ON STATISTICS a.st1 IS 'x';
CREATE COLLATION a.col (provider = icu, locale = 'de-u-ks-level2', deterministic = FALSE);
CREATE TABLE a.coll (
  x text COLLATE a.col,
  y text COLLATE "C" DEFAULT ('a' COLLATE a.col),
  PRIMARY KEY (x)
);
CREATE INDEX ON a.coll (y COLLATE "C" text_pattern_ops);
CREATE TABLE a.ex (
  r int4range,
  k int4range,
  EXCLUDE USING gist (r WITH &&, k WITH -|-) WHERE (r IS NOT NULL) DEFERRABLE
);
CREATE SEQUENCE a.sq AS smallint INCREMENT -2 MINVALUE -100 MAXVALUE 5 START 3 CACHE 4 CYCLE;
CREATE SEQUENCE a.sq2 OWNED BY a.inh1.a;
ALTER TABLE a.inh1 ALTER a SET DEFAULT nextval('a.sq2');
CREATE TABLE a.def (x int DEFAULT nextval('a.sq'::regclass) + nextval('a.sq2'));
CREATE TABLE a.ident (
  x int GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME a.other START 5 INCREMENT 3 CYCLE),
  y smallint GENERATED BY DEFAULT AS IDENTITY
)
WITH (fillfactor = 70, autovacuum_enabled = FALSE, toast.autovacuum_enabled = off);
ALTER TABLE a.ident ALTER x SET STATISTICS 33, ALTER x SET (n_distinct = 5);
ALTER TABLE a.coll
  CLUSTER ON coll_pkey,
  REPLICA IDENTITY USING INDEX coll_pkey,
  ALTER y SET STORAGE EXTERNAL,
  ALTER x SET COMPRESSION pglz,
  ALTER x SET STATISTICS 0;
ALTER TABLE a.inh1 REPLICA IDENTITY FULL;
CREATE TABLE a.chk (
  a int CHECK (a > 0) NO INHERIT,
  b int,
  CONSTRAINT "nv" CHECK (a < b)
);
ALTER TABLE a.chk ADD CONSTRAINT nv2 CHECK (b > 1) NOT VALID;
CREATE TABLE a.chk2 () INHERITS (a.chk);
CREATE TABLE a.chk3 (LIKE a.chk INCLUDING ALL);
CREATE LANGUAGE plx HANDLER plpgsql_call_handler;
CREATE ACCESS METHOD am TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE a.amt (x int) USING am;
CREATE MATERIALIZED VIEW a.amm USING am AS SELECT 1 AS x;
CREATE CONVERSION a.conv FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE POLICY po ON a.inh1
  AS RESTRICTIVE
  FOR UPDATE
  TO PUBLIC, CURRENT_USER
  USING (a IN (SELECT a FROM a.inh2))
  WITH CHECK (TRUE);
ALTER TABLE a.inh1 ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE EXTENSION hstore SCHEMA b;
CREATE TABLE a.hs (x b.hstore DEFAULT '');
CREATE INDEX ON a.hs USING gin (x);
CREATE VIEW a.hv AS SELECT x OPERATOR(b.->) 'a' AS y FROM a.hs;
CREATE EXTENSION citext SCHEMA a;
CREATE TABLE a.ci (
  x a.citext PRIMARY KEY,
  CHECK (x OPERATOR(a.=) 'B')
);
CREATE EXTENSION postgres_fdw;
CREATE EXTENSION pg_trgm;
CREATE EXTENSION unaccent SCHEMA b;
CREATE EXTENSION file_fdw;
CREATE EXTENSION pgcrypto VERSION '1.3';
CREATE VIEW a.castv AS
SELECT
  (1::int8, '{1}'::a.citext[])::text AS x,
  CASE WHEN TRUE THEN B'1' END AS y,
  INTERVAL '1 day' AS z,
  e'\\' AS q,
  U&'\00e4' AS u,
  DATE '2020-01-01',
  1e10::float4 AS fl,
  '{"a":1}'::jsonb -> 'a' AS j,
  (ARRAY[1, 2])[1:2] AS arr,
  (SELECT (NULL::a.ct).z) AS zz,
  CURRENT_DATE AS cd,
  LOCALTIME(3) AS lt,
  XMLELEMENT(NAME "a b", XMLATTRIBUTES(1 AS c)) AS xml,
  GROUPING (a) AS gr,
  count(*) FILTER (WHERE a > 1) OVER w AS ov
FROM a.inh1
GROUP BY ROLLUP (inh1.a)
WINDOW w AS (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES);
