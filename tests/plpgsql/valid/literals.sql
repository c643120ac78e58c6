-- How a body can be written, and DO.

DO $$ BEGIN NULL; END $$;
DO $body$ BEGIN RAISE NOTICE '$$ %', 1; END $body$;
DO LANGUAGE plpgsql $$ BEGIN NULL; END $$;
DO $$ BEGIN NULL; END $$ LANGUAGE plpgsql;
DO 'BEGIN RAISE NOTICE ''it''''s %'', 1; END';
DO E'BEGIN\n\tRAISE NOTICE \'a\\\\nb\';\nEND';
DO E'BEGIN PERFORM \x31, \u0032, \U00000033, \064; END';
DO U&'BEGIN PERFORM \0031, \+000032; RAISE NOTICE ''\0061''; END';
DO U&'BEGIN PERFORM !0031; END' UESCAPE '!';
DO 'BEGIN '
   'PERFORM 1; '
   'END';
DO 'BEGIN ' -- comment
   'PERFORM 1; END';
DO E'BEGIN\n'
    '  PERFORM 1;\n'
    'END';
DO $$<<l>> DECLARE a int := 1; b record; BEGIN SELECT l.a INTO b; IF a > 1 THEN RETURN; END IF; END l$$;
DO $ä$ BEGIN /* ä🐘 */ RAISE NOTICE 'ä🐘 %', 'ß'; END $ä$;
DO $$ DECLARE r record; BEGIN FOR r IN SELECT nspname FROM pg_namespace LOOP EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', r.nspname); END LOOP; EXCEPTION WHEN OTHERS THEN RAISE; END $$;
DO $$ BEGIN COMMIT; ROLLBACK AND CHAIN; END $$;
DO $$
#variable_conflict use_column
DECLARE x int; BEGIN x := 1; END $$;
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_type WHERE typname = 'mood') THEN CREATE TYPE mood AS ENUM ('sad', 'ok'); END IF; END $$;
CREATE FUNCTION plain_literal(a int) RETURNS text AS 'DECLARE b text := ''x''; BEGIN RETURN a || b || ''''''''; END' LANGUAGE plpgsql;
CREATE FUNCTION escaped_literal() RETURNS text AS E'BEGIN RETURN \'a\' || E\'\\n\'; END' LANGUAGE plpgsql;
CREATE FUNCTION unicode_literal() RETURNS text LANGUAGE plpgsql AS U&'BEGIN RETURN ''d\0061t\+000061''; END';
CREATE FUNCTION continued_literal() RETURNS text LANGUAGE plpgsql AS 'BEGIN '

'RETURN ''a''; '
    'END';
CREATE FUNCTION tagged() RETURNS text LANGUAGE plpgsql AS $function$ BEGIN RETURN $$a$$ || $x$b$x$ || 'c'; END $function$;
CREATE FUNCTION dollar_parameter(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$;
CREATE FUNCTION same_text_before(x text DEFAULT 'BEGIN RETURN 1; END') RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE FUNCTION strings_inside() RETURNS void LANGUAGE plpgsql AS $$ DECLARE a text := 'a''b'; b text := E'\\'; c text := U&'\0061'; d bytea := '\x00'; e bit(3) := B'101'; f bit(8) := X'1F'; g text := $q$;$q$; h text := 'a'
'b'; BEGIN NULL; END $$;
CREATE FUNCTION comments_everywhere(/* a */ a int /* b */) RETURNS /* c */ int /* d */ LANGUAGE /* e */ plpgsql AS /* f */ $$ /* g */ <<l>> /* h */ DECLARE /* i */ x int; /* j */ BEGIN /* k */ IF /* l */ a > 1 /* m */ THEN /* n */ x /* o */ := /* p */ 1 /* q */; /* r */ ELSIF /* s */ a = 2 THEN -- t
NULL; /* u */ ELSE /* v */ END /* w */ IF /* x */; FOR /* y */ i /* z */ IN /* a */ 1 /* b */ .. /* c */ 2 /* d */ BY /* e */ 1 /* f */ LOOP /* g */ END /* h */ LOOP; /* i */ RAISE /* j */ NOTICE /* k */ '%' /* l */ , /* m */ x /* n */ USING /* o */ HINT /* p */ = /* q */ 'h' /* r */; RETURN /* s */ x /* t */; END /* u */ l /* v */ $$ /* w */;
CREATE FUNCTION line_comments() RETURNS int LANGUAGE plpgsql AS $$
-- 'unbalanced
DECLARE -- "
  x int -- (
  := -- $x$
  1;
BEGIN
  PERFORM 1 -- ;
    , 2; -- END
  RETURN x -- ;
  ;
END
$$;
