-- Trigger functions, and event triggers.

CREATE FUNCTION variables() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '% % % % % % % % % %', tg_name, tg_when, tg_level, tg_op, tg_relid, tg_relname, tg_table_name, tg_table_schema, tg_nargs, tg_argv[0]; RETURN NEW; END $$;
CREATE FUNCTION new_and_old() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' THEN RETURN OLD; ELSIF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN NEW.a := OLD.a; NEW.b = 'x'; NEW := OLD; END IF; RETURN NEW; END $$;
CREATE FUNCTION returns_null() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (OLD.*); INSERT INTO log SELECT NEW.*; RETURN NULL; END $$;
CREATE FUNCTION returns_row() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE r record; q t%ROWTYPE; BEGIN r := NEW; r.a := 1; IF r.b THEN RETURN r; END IF; SELECT * INTO q FROM t; RETURN q; END $$;
CREATE FUNCTION returns_expression() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN ROW(1, 2); END $$;
CREATE FUNCTION arguments() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE x text := TG_ARGV[0]; y int := tg_argv[1]::int; BEGIN FOR i IN 0..TG_NARGS - 1 LOOP RAISE NOTICE '%', TG_ARGV[i]; END LOOP; RETURN NEW; END $$;
CREATE FUNCTION dynamic() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('INSERT INTO %I.%I SELECT ($1).*', TG_TABLE_SCHEMA, TG_TABLE_NAME || '_log') USING NEW; RETURN NEW; END $$;
CREATE FUNCTION statement_level() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log SELECT * FROM new_table; RETURN NULL; END $$;
CREATE FUNCTION into_new() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT a, b INTO NEW.a, NEW.b FROM t WHERE c = NEW.c; SELECT max(a) INTO NEW.d FROM t; RETURN NEW; END $$;
CREATE FUNCTION returns_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a := 1; END $$;
CREATE FUNCTION qualified() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN qualified.new.a := qualified.old.a; RAISE NOTICE '%', qualified.tg_op; RETURN qualified.new; END $$;
CREATE FUNCTION fields() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.a[1] := 1; NEW.b.c := 2; NEW."Column" := OLD."Column"; RETURN NEW; END $$;
CREATE FUNCTION events() RETURNS event_trigger LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN RAISE NOTICE '% %', tg_event, tg_tag; FOR r IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP RAISE NOTICE '%', r.object_identity; END LOOP; END $$;
CREATE FUNCTION event_returns() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_TAG = 'DROP TABLE' THEN RAISE EXCEPTION 'no %', TG_EVENT; END IF; RETURN; END $$;
CREATE FUNCTION handler_in_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN BEGIN INSERT INTO t VALUES (NEW.a); EXCEPTION WHEN unique_violation THEN UPDATE t SET a = NEW.a WHERE b = OLD.b; END; RETURN NEW; END $$;
CREATE FUNCTION case_in_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN CASE TG_OP WHEN 'INSERT', 'UPDATE' THEN RETURN NEW; ELSE RETURN OLD; END CASE; END $$;
