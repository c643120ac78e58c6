-- Dynamic SQL.

CREATE FUNCTION literal() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT 1'; EXECUTE $q$DELETE FROM t$q$; EXECUTE E'SELECT \'a\''; EXECUTE ('TRUNCATE t'); END $$;
CREATE FUNCTION formatted(t text, c text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('DELETE FROM %I WHERE %I = %L', t, c, 'x'); EXECUTE format('SELECT %2$s FROM %1$I', t, c); EXECUTE format($f$UPDATE %I SET a = $1$f$, t) USING 1; END $$;
CREATE FUNCTION concatenated(t text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT * FROM ' || quote_ident(t); EXECUTE 'DELETE FROM ' || t || ' WHERE a = ' || quote_literal('x'); EXECUTE concat('TRUNCATE ', t); END $$;
CREATE FUNCTION of_variable(q text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE sql text := 'SELECT 1'; r record; BEGIN EXECUTE q; EXECUTE sql; EXECUTE r.sql; EXECUTE $1; END $$;
CREATE FUNCTION of_query() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE (SELECT definition FROM t WHERE a = 1); EXECUTE definition FROM t; END $$;
CREATE FUNCTION into_after(q text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; b int; r record; BEGIN EXECUTE q INTO a; EXECUTE q INTO a, b; EXECUTE q INTO STRICT a; EXECUTE q INTO r; EXECUTE q INTO r.x, a; EXECUTE q INTO STRICT r USING a; END $$;
CREATE FUNCTION using_before(q text) RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; BEGIN EXECUTE q USING 1; EXECUTE q USING 1, a, a + 2; EXECUTE q USING 1 INTO a; EXECUTE q INTO a USING 1; EXECUTE q USING (SELECT 1), ARRAY[1, 2], f(a, a) INTO STRICT a; END $$;
CREATE FUNCTION of_prepared() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'PREPARE p AS SELECT 1'; EXECUTE 'EXECUTE p'; EXECUTE 'DEALLOCATE p'; END $$;
CREATE FUNCTION of_rows(q text) RETURNS SETOF record LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN FOR r IN EXECUTE q || ' LIMIT $1' USING 5 LOOP RETURN NEXT r; END LOOP; RETURN QUERY EXECUTE q USING 1, 2; RETURN QUERY EXECUTE format('%s', q); END $$;
CREATE FUNCTION of_settings(v text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('search_path', v, true); EXECUTE 'SET LOCAL work_mem TO ' || quote_literal(v); EXECUTE format('SET ROLE %I', v); END $$;
CREATE FUNCTION of_case(a int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE CASE WHEN a = 1 THEN 'SELECT 1' ELSE 'SELECT 2' END; EXECUTE coalesce(NULL, 'SELECT 3'); END $$;
CREATE FUNCTION of_body() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE $b$ CREATE FUNCTION inner_function() RETURNS int LANGUAGE plpgsql AS $i$ BEGIN RETURN 1; END $i$ $b$; EXECUTE 'DO ''BEGIN NULL; END'''; END $$;
