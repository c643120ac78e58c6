-- Expressions: literals, operators, calls, type names, special syntax.

-- integer and numeric literals
SELECT 0, 1, -1, +1, 2147483647, -2147483648, 2147483648, 9223372036854775808;
SELECT 0x1F, 0XFFFFFFFF, 0o17, 0O777, 0b101, 0B0, 1_000_000, 0x_ff_ff, 1_000.5_5, 0xDEADBEEFDEADBEEF;
SELECT 1.5, .5, 5., 1e10, 1.5e-10, 1E+3, 123456789012345678901234567890.123456789, -0.0, - 3.25, + .1;
SELECT 99999999999999999999999999999999999999999999999999999999999999999999999999999999;

-- strings
SELECT '', 'plain', 'it''s', E'tab\there', E'\x41\101\u00e9\U0001F600', E'\'quoted\'', 'multi'
  'part';
SELECT U&'d\0061t\+000061', U&'d!0061t' UESCAPE '!', U&'', U&'\\', N'national', N'';
SELECT $$dollar$$, $tag$with $$ inside$tag$, $$$$, 'línea ünïcode 日本語 🐘';
SELECT 'line one
line two	tab';

-- bit strings
SELECT b'101', B'', x'1FF', X'';

-- booleans, NULL, parameters
SELECT true, false, NULL, TRUE AND FALSE;
SELECT $1, $2::int, $3.fld, $4[1], ($5).*, $2147483647;

-- identifiers
SELECT "Quoted", "with ""quotes""", U&"\0441\043B\043E\043D", U&"d!0061ta" UESCAPE '!', größe, 名前 FROM "Ünïcode"."日本";
SELECT a$b, _x, tbl.col FROM a_fairly_long_identifier_that_is_longer_than_sixty_three_bytes_in_all_truly AS "ü";

-- indirection and arrays
SELECT a[1], a[1][2], a[1:2], a[:2], a[1:], a[:], (f(x))[3].y, (a.b).c[1:2].*, x.y[1].z FROM t;
SELECT ARRAY[], ARRAY[1, 2], ARRAY[[1, 2], [3, 4]], ARRAY[[], []], ARRAY[[[]]], ARRAY[]::int[], ARRAY(SELECT 1);
SELECT (ARRAY[1, 2])[1], (SELECT a)[1], (SELECT r).f, CASE WHEN a THEN b END FROM t;

-- rows
SELECT ROW(), ROW(1), ROW(1, 'x'), (1, 2), (a, (b, c)) FROM t;
SELECT (1, 2) = (3, 4), ROW(1, 2) < ROW(3, 4), (a, b) OVERLAPS (c, d), ROW(a, b) OVERLAPS ROW(c, d);

-- operators
SELECT a + b - c * d / e % f ^ g, -a, +a, @a, a || b, |/ a, a <-> b FROM t;
SELECT a = b, a <> b, a != b, a < b, a > b, a <= b, a >= b, a @> b, a ->> 'k', a #>> '{x}', a ~* 'r', !! a FROM t;
SELECT a OPERATOR(pg_catalog.+) b, OPERATOR(sch.-) a, a OPERATOR(=) b FROM t;
SELECT -(1), -(-1), -a.b, - - 1, 1 - -1, -'x', -(1.5);
SELECT a AND b OR NOT c AND (d OR e OR f) AND g FROM t;

-- tests
SELECT a IS NULL, a IS NOT NULL, a ISNULL, a NOTNULL, (a, b) IS NULL FROM t;
SELECT a IS TRUE, a IS NOT TRUE, a IS FALSE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN FROM t;
SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM t;
SELECT a BETWEEN 1 AND 2, a NOT BETWEEN 1 AND 2, a BETWEEN SYMMETRIC 2 AND 1, a NOT BETWEEN SYMMETRIC 2 AND 1, a BETWEEN ASYMMETRIC 1 AND 2, a NOT BETWEEN ASYMMETRIC 1 AND 2 FROM t;
SELECT a IN (1, 2), a NOT IN (1, 2), a IN (SELECT 1), a NOT IN (SELECT 1), (a, b) IN ((1, 2), (3, 4)) FROM t;
SELECT a LIKE 'x%', a NOT LIKE 'x%', a LIKE 'x!%' ESCAPE '!', a NOT LIKE 'x' ESCAPE '' FROM t;
SELECT a ILIKE 'x%', a NOT ILIKE 'x%', a ILIKE 'x!%' ESCAPE '!', a NOT ILIKE 'x' ESCAPE '#' FROM t;
SELECT a SIMILAR TO 'x', a NOT SIMILAR TO 'x', a SIMILAR TO 'x' ESCAPE '!', a NOT SIMILAR TO 'x' ESCAPE '!' FROM t;
SELECT a IS NORMALIZED, a IS NOT NORMALIZED, a IS NFC NORMALIZED, a IS NFD NORMALIZED, a IS NFKC NORMALIZED, a IS NOT NFKD NORMALIZED FROM t;
SELECT a IS DOCUMENT, a IS NOT DOCUMENT FROM t;

-- quantified comparisons and sublinks
SELECT a = ANY (SELECT 1), a = SOME (SELECT 1), a <> ALL (SELECT 1), a < ANY (ARRAY[1]), a > ALL ('{1,2}'::int[]) FROM t;
SELECT a LIKE ANY (ARRAY['x']), a NOT LIKE ALL (ARRAY['x']), a ILIKE ANY (SELECT b), a NOT ILIKE ANY (SELECT b), a ILIKE ALL ('{}') FROM t;
SELECT a OPERATOR(pg_catalog.=) ANY (arr), a OPERATOR(~) ALL (SELECT r) FROM t;
SELECT EXISTS (SELECT 1), NOT EXISTS (SELECT 2), (SELECT 3), ((SELECT 4)), ARRAY(SELECT a FROM t ORDER BY a);
SELECT (a, b) = ANY (SELECT 1, 2), (a, b) = (SELECT 1, 2), ROW(a) < ALL (SELECT b) FROM t;
SELECT a FROM t WHERE (SELECT true) IS TRUE;

-- casts and typed literals
SELECT CAST(a AS int), a::text, a::int::text, CAST('x' AS sch.typ), a::numeric(10, 2)[] FROM t;
SELECT int '1', integer '1', smallint '1', bigint '1', real '1', float '1', float(24) '1', float(53) '1', double precision '1', decimal '1', dec(5) '1', numeric(5, 2) '1', boolean 't';
SELECT bit '1', bit(3) '101', bit varying '1', bit varying(5) '1', varchar 'x', varchar(3) 'x', char 'x', char(3) 'x', character 'x', character varying(3) 'x', national character 'x', national char varying(5) 'x', nchar 'x', nchar varying(3) 'x';
SELECT date '2001-01-01', time '00:00', time(3) '00:00', time with time zone '00:00+0', time(2) with time zone '00:00', time without time zone '00:00', timestamp '2001-01-01', timestamp(3) '2001-01-01', timestamp with time zone '2001-01-01', timestamp(6) with time zone '2001-01-01', timestamp without time zone '2001-01-01';
SELECT json '{}', jsonb '[]', sch.typ 'lit', pg_catalog.numeric(3) '1.5', point '(1,2)', func(1, 2) 'lit';
SELECT interval '1', interval(3) '1', interval '1' year, interval '1' month, interval '1' day, interval '1' hour, interval '1' minute, interval '1' second, interval '1' second(2);
SELECT interval '1-2' year to month, interval '1' day to hour, interval '1' day to minute, interval '1' day to second, interval '1' day to second(3), interval '1' hour to minute, interval '1' hour to second, interval '1' hour to second(1), interval '1' minute to second, interval '1' minute to second(0);
SELECT a::int[], a::int[3], a::int[][4], a::int ARRAY, a::int ARRAY[5], a::char(5), a::bit(8), a::varchar, a::interval year to month, a::interval(4), a::interval day to second(3), a::timestamptz(3), a::time(0) with time zone, a::setof_t FROM t;
SELECT a::db.sch.typ, a::"Typ", a::sch.typ(1, 'x'), a::json, a::xml, a::"char", a::character varying, a::float(10) FROM t;
SELECT a::bit, a::bit varying, a::character, a::dec, a::decimal(4, 1), a::interval hour to second, a::interval second(2), a::double precision, a::nchar FROM t;

-- COLLATE, AT TIME ZONE, AT LOCAL
SELECT a COLLATE "C", a COLLATE sch."de_DE", a COLLATE "en" < b COLLATE "fr", (a || b) COLLATE pg_catalog."default" FROM t;
SELECT ts AT TIME ZONE 'UTC', ts AT LOCAL, now() AT TIME ZONE zone AT LOCAL FROM t;

-- CASE
SELECT CASE WHEN a THEN 1 END, CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END, CASE x WHEN 1 THEN 'a' ELSE NULL END, CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'b' END FROM t;

-- conditional functions
SELECT COALESCE(a), COALESCE(a, b, 0), NULLIF(a, b), GREATEST(a, b), LEAST(a), LEAST(a, b, c) FROM t;

-- function calls
SELECT f(), f(1), sch.f(1, 2), db.sch.f(), f(*), f(ALL a), f(DISTINCT a, b), f(a ORDER BY b DESC, c), f(DISTINCT a ORDER BY a) FROM t;
SELECT f(VARIADIC arr), f(1, VARIADIC arr), f(VARIADIC arr ORDER BY x), f(1, 2, VARIADIC arr ORDER BY x), f(a => 1, b := 2), f(1, b => 2, VARIADIC c => arr) FROM t;
SELECT count(*), count(*) FILTER (WHERE a), count(DISTINCT a) FILTER (WHERE b) FROM t;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY a DESC) FILTER (WHERE b), rank(1, 2) WITHIN GROUP (ORDER BY a, b) FROM t;
SELECT f(ALL a ORDER BY b), "select"(1), left('abc', 1), right('abc', 1), "F"() OVER w FROM t WINDOW w AS ();

-- SQL value functions
SELECT current_date, current_time, current_time(3), current_timestamp, current_timestamp(0), localtime, localtime(2), localtimestamp, localtimestamp(6);
SELECT current_role, current_user, user, session_user, system_user, current_catalog, current_schema;

-- functions with a syntax of their own
SELECT collation for ('x' COLLATE "C"), collation for (a) FROM t;
SELECT EXTRACT(year FROM d), EXTRACT(month FROM d), EXTRACT(day FROM d), EXTRACT(hour FROM d), EXTRACT(minute FROM d), EXTRACT(second FROM d), EXTRACT(epoch FROM d), EXTRACT('dow' FROM d) FROM t;
SELECT normalize(a), normalize(a, NFC), normalize(a, NFD), normalize(a, NFKC), normalize(a, NFKD) FROM t;
SELECT overlay(a PLACING b FROM 1), overlay(a PLACING b FROM 1 FOR 2), overlay(a, b, 3), overlay() FROM t;
SELECT position('a' IN b) FROM t;
SELECT substring(a FROM 1), substring(a FROM 1 FOR 2), substring(a FOR 2 FROM 1), substring(a FOR 2), substring(a, 1, 2), substring(a SIMILAR 'x' ESCAPE '#'), substring(), substring(a FROM 'pat' FOR '#') FROM t;
SELECT trim(a), trim(BOTH FROM a), trim(BOTH 'x' FROM a), trim(LEADING 'x' FROM a), trim(LEADING a), trim(TRAILING FROM a), trim('x' FROM a), trim(FROM a), trim(a, b) FROM t;
SELECT treat(a AS sch.typ), treat(a AS int) FROM t;
SELECT GROUPING(a), grouping(a, b) FROM t GROUP BY a, b;
SELECT pg_catalog.substring('abc', 1), "position"('a', 'b'), pg_catalog."overlay"('a', 'b', 1);

-- WHERE CURRENT OF is in dml.sql; odd precedence and nesting
SELECT a IS NULL IS NOT NULL, NOT a = b, a < b IS TRUE, a OR b IN (1), (a).b, ((a)), (((1 + 2))) * 3 FROM t;
SELECT a IN ((SELECT 1)), (SELECT 1 UNION SELECT 2), ((VALUES (1))), (TABLE t);
SELECT /* comment /* nested */ */ 1 -- trailing
  + 2;
SELECT 1 AS int, 2 AS "Int", 3 value, 4 AS "日本";
