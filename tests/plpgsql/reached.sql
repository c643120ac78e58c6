-- Functions that reach each statement, variable, constant and field of the tree of PL/pgSQL. tests/version/plpgsql_tree.rs
-- parses them.

CREATE FUNCTION app.every_statement(a int, b text DEFAULT 'x', INOUT c numeric(10, 2) = 0, VARIADIC d int[] = NULL)
RETURNS numeric LANGUAGE plpgsql AS $body$
#variable_conflict use_variable
#print_strict_params on
<<outermost>>
DECLARE
    i CONSTANT int NOT NULL := 1;
    s text COLLATE "C" = 'x';
    same s%TYPE;
    r record;
    k CONSTANT record NOT NULL := row(1);
    t app.orders%ROWTYPE;
    u app.status DEFAULT 'new';
    other ALIAS FOR b;
    again ALIAS FOR $1;
    plain CURSOR FOR SELECT 1;
    bound SCROLL CURSOR (p int, q text) IS SELECT p, q;
    unbound refcursor;
    arr int[] := ARRAY[1, 2];
    stack text;
    n int;
BEGIN
    NULL;
    n := a + 1;
    r.total := 3;
    r.tax := 4;
    arr[1] := 2;
    IF a > 1 THEN
        n := 1;
    ELSIF a > 2 THEN
        n := 2;
    ELSE
        n := 3;
    END IF;
    CASE a WHEN 1, 2 THEN n := 1; WHEN 3 THEN n := 2; ELSE n := 3; END CASE;
    CASE WHEN a > 1 THEN n := 1; END CASE;
    <<looped>>
    LOOP
        EXIT looped WHEN a > 1;
        CONTINUE;
    END LOOP looped;
    <<while_loop>>
    WHILE a < 10 LOOP
        CONTINUE while_loop WHEN a = 5;
        EXIT;
    END LOOP;
    <<integers>>
    FOR k IN REVERSE 10 .. 1 BY 2 LOOP
        n := k;
    END LOOP;
    FOR k IN 1 .. 10 LOOP NULL; END LOOP;
    <<rows>>
    FOR r IN SELECT * FROM orders WHERE id = a LOOP
        NULL;
    END LOOP;
    FOR n, s IN SELECT 1, 'x' LOOP NULL; END LOOP;
    <<cursor_loop>>
    FOR row IN bound(1, q := 'x') LOOP
        NULL;
    END LOOP;
    <<dynamic_rows>>
    FOR r IN EXECUTE 'SELECT $1, $2' USING a, b LOOP
        NULL;
    END LOOP;
    <<items>>
    FOREACH n SLICE 1 IN ARRAY arr LOOP
        NULL;
    END LOOP;
    FOREACH n IN ARRAY arr LOOP NULL; END LOOP;
    RAISE NOTICE 'a % and %', a, b;
    RAISE SQLSTATE '22012' USING MESSAGE = 'm', DETAIL = 'd', HINT = 'h', ERRCODE = 'division_by_zero',
        COLUMN = 'c', CONSTRAINT = 'k', DATATYPE = 't', TABLE = 't', SCHEMA = 's';
    RAISE division_by_zero;
    RAISE;
    RAISE DEBUG 'm'; RAISE LOG 'm'; RAISE INFO 'm'; RAISE WARNING 'm'; RAISE EXCEPTION 'm';
    ASSERT a > 1;
    ASSERT a > 1, 'message';
    INSERT INTO orders VALUES (a);
    SELECT 1, 'x' INTO STRICT n, s FROM orders;
    UPDATE orders SET id = 1 RETURNING id INTO n;
    SELECT * INTO r FROM orders;
    EXECUTE 'DELETE FROM orders';
    EXECUTE format('SELECT %I FROM t', b) INTO STRICT n USING a;
    GET DIAGNOSTICS n = ROW_COUNT, stack = PG_CONTEXT;
    OPEN plain;
    OPEN bound(q := 'x', p := 1);
    OPEN unbound FOR SELECT 1;
    OPEN unbound NO SCROLL FOR SELECT 2;
    OPEN unbound SCROLL FOR EXECUTE 'SELECT $1' USING a;
    FETCH plain INTO n;
    FETCH RELATIVE a FROM bound INTO n, s;
    FETCH BACKWARD FROM bound INTO n;
    FETCH ABSOLUTE -2 FROM bound INTO n;
    MOVE FORWARD ALL FROM bound;
    MOVE PRIOR FROM bound;
    MOVE FORWARD 3 FROM bound;
    CLOSE plain;
    PERFORM f(a);
    CALL p(a, n);
    CALL p(a);
    DO 'BEGIN NULL; END';
    <<inner_block>>
    DECLARE
        n int := outermost.n;
    BEGIN
        n := n / 0;
    EXCEPTION
        WHEN division_by_zero OR SQLSTATE '22013' THEN
            GET STACKED DIAGNOSTICS
                stack = PG_EXCEPTION_CONTEXT, s = PG_EXCEPTION_DETAIL, s = PG_EXCEPTION_HINT, s = RETURNED_SQLSTATE,
                s = COLUMN_NAME, s = CONSTRAINT_NAME, s = PG_DATATYPE_NAME, s = MESSAGE_TEXT, s = TABLE_NAME,
                s = SCHEMA_NAME;
            RAISE NOTICE '% %', SQLSTATE, SQLERRM;
        WHEN OTHERS THEN
            NULL;
    END inner_block;
    c := 1;
    RETURN;
END;
$body$;

CREATE FUNCTION returns_value(a int) RETURNS int LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF a > 1 THEN RETURN a; END IF;
    RETURN a + 1;
END $$;

CREATE FUNCTION returns_rows(a int) RETURNS SETOF int LANGUAGE plpgsql AS $$
#variable_conflict error
DECLARE b int;
BEGIN
    RETURN NEXT a + 1;
    RETURN NEXT b;
    RETURN QUERY SELECT 1;
    RETURN QUERY EXECUTE 'SELECT $1' USING a;
    RETURN;
END $$;

CREATE FUNCTION returns_table() RETURNS TABLE (x int, y text) LANGUAGE plpgsql AS $$
BEGIN
    x := 1;
    RETURN NEXT;
END $$;

CREATE FUNCTION outputs(OUT x int, OUT y text) LANGUAGE plpgsql AS $$
BEGIN
    x := 1;
    y := 'y';
END $$;

CREATE PROCEDURE transactions(INOUT a int) LANGUAGE plpgsql AS $$
BEGIN
    COMMIT;
    COMMIT AND CHAIN;
    ROLLBACK;
    ROLLBACK AND CHAIN;
END $$;

CREATE FUNCTION of_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.updated := now();
        RETURN NEW;
    END IF;
    RETURN OLD;
END $$;

CREATE FUNCTION of_event_trigger() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE '% %', TG_EVENT, TG_TAG;
END $$;

CREATE FUNCTION polymorphic(a anyelement) RETURNS anyelement LANGUAGE plpgsql AS $$ BEGIN RETURN a; END $$;

DO $$ BEGIN COMMIT; END $$;
