-- Declarations, names and scopes.

CREATE FUNCTION constants() RETURNS int LANGUAGE plpgsql AS $$ DECLARE a CONSTANT int := 1; b CONSTANT int NOT NULL := 2; c constant text default 'x'; d CONSTANT int = 3; e CONSTANT int; BEGIN RETURN a + b; END $$;
CREATE FUNCTION defaults() RETURNS int LANGUAGE plpgsql AS $$ DECLARE a int := 1; b int = 2; c int DEFAULT 3; d int NOT NULL := 4; e int NOT NULL DEFAULT 5; f record := ROW(1); g int := (SELECT max(x) FROM t); h text := 'a;b'; BEGIN RETURN a; END $$;
CREATE FUNCTION defaults_use_names(p int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE a int := p; b int := a + $1; c int := b * defaults_use_names.p; BEGIN RETURN c; END $$;
CREATE FUNCTION alias_by_number(int, text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE a ALIAS FOR $1; b ALIAS FOR $2; BEGIN RETURN a + length(b); END $$;
CREATE FUNCTION alias_of_name(p int, q int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE a ALIAS FOR p; b ALIAS FOR alias_of_name.q; c ALIAS FOR a; BEGIN a := 2; c := 3; RETURN b; END $$;
CREATE FUNCTION alias_in_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE prior ALIAS FOR old; updated ALIAS FOR new; BEGIN updated.a := prior.a; RETURN updated; END $$;
CREATE FUNCTION alias_of_declared() RETURNS int LANGUAGE plpgsql AS $$ DECLARE x int; y ALIAS FOR x; BEGIN y := 1; RETURN x; END $$;
CREATE FUNCTION alias_of_unknown(mood) RETURNS mood LANGUAGE plpgsql AS $$ DECLARE m ALIAS FOR $1; BEGIN m := 'ok'; RETURN m; END $$;
CREATE FUNCTION alias_of_composite(t) RETURNS t LANGUAGE plpgsql AS $$ DECLARE r ALIAS FOR $1; BEGIN r.a := 1; RETURN r; END $$;
CREATE FUNCTION many_declares() RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; DECLARE b int; DECLARE c int; BEGIN a := b + c; END $$;
CREATE FUNCTION empty_declare() RETURNS void LANGUAGE plpgsql AS $$ DECLARE BEGIN END $$;
CREATE FUNCTION empty_body() RETURNS void LANGUAGE plpgsql AS $$BEGIN END$$;
CREATE FUNCTION semicolon_after() RETURNS void LANGUAGE plpgsql AS $$ BEGIN END; $$;
CREATE FUNCTION shadows(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE x int := 1; BEGIN DECLARE x text := 'a'; BEGIN x := shadows.x; END; RETURN x; END $$;
CREATE FUNCTION labels() RETURNS int LANGUAGE plpgsql AS $$ <<outer_block>> DECLARE x int := 1; BEGIN <<inner_block>> DECLARE x int := 2; BEGIN outer_block.x := inner_block.x; inner_block.x := labels.found::int; END inner_block; RETURN outer_block.x; END outer_block $$;
CREATE FUNCTION labels_of_everything() RETURNS void LANGUAGE plpgsql AS $$ <<a>> DECLARE x int; BEGIN <<b>> LOOP <<c>> WHILE true LOOP <<d>> FOR i IN 1..2 LOOP EXIT c; END LOOP d; END LOOP c; EXIT b; END LOOP b; <<e>> FOREACH x IN ARRAY ARRAY[1] LOOP EXIT e; END LOOP e; END a; $$;
CREATE FUNCTION label_before_declare() RETURNS void LANGUAGE plpgsql AS $$ <<l>> DECLARE a int; BEGIN l.a := 1; END l; $$;
CREATE FUNCTION quoted_names("Param" int, "a b" text) RETURNS int LANGUAGE plpgsql AS $$ <<"The Block">> DECLARE "Var" int := "Param"; "select" text; BEGIN "Var" := "Var" + 1; "select" := "a b"; RETURN "The Block"."Var"; END "The Block" $$;
CREATE FUNCTION unreserved_names() RETURNS int LANGUAGE plpgsql AS $$ DECLARE alias int; array int; assert int; backward int; close int; collate int; column_name int; constant int; cursor int; debug int; detail int; dump int; error int; fetch int; first int; hint int; info int; insert int; is int; BEGIN alias := constant; error := hint; RETURN info; END $$;
CREATE FUNCTION more_unreserved_names() RETURNS int LANGUAGE plpgsql AS $$ DECLARE last int; log int; message int; move int; next int; no int; notice int; open int; option int; perform int; print_strict_params int; prior int; query int; raise int; relative int; return int; reverse int; row_count int; scroll int; slice int; sqlstate int; stacked int; type int; use_column int; warning int; BEGIN last := log; message := 3; RETURN type; END $$;
CREATE FUNCTION statement_words_as_names() RETURNS int LANGUAGE plpgsql AS $$ DECLARE commit int; rollback int; call int; "do" int; exit int; get int; open int; raise int; return int; update int; BEGIN commit := 1; rollback := 2; call := 3; open := 4; raise := 5; return := 6; get := 7; exit := 8; RETURN return; END $$;
CREATE FUNCTION implicit_variables() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; IF found AND NOT implicit_variables.found THEN RETURN found; END IF; BEGIN PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN RAISE NOTICE '% %', sqlstate, sqlerrm; END; RETURN FOUND; END $$;
CREATE FUNCTION conflict_error() RETURNS int LANGUAGE plpgsql AS $$ #variable_conflict error
DECLARE a int; BEGIN SELECT 1 INTO a; RETURN a; END $$;
CREATE FUNCTION conflict_variable() RETURNS int LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN RETURN 1; END $$;
CREATE FUNCTION conflict_column() RETURNS int LANGUAGE plpgsql AS $$ #variable_conflict use_column
BEGIN RETURN 1; END $$;
CREATE FUNCTION strict_params_on() RETURNS int LANGUAGE plpgsql AS $$ #print_strict_params on
DECLARE x int; BEGIN SELECT 1 INTO STRICT x; RETURN x; END $$;
CREATE FUNCTION options() RETURNS int LANGUAGE plpgsql AS $$ #print_strict_params off
#variable_conflict use_column
#variable_conflict use_variable
BEGIN RETURN 1; END $$;
CREATE FUNCTION nested_scopes() RETURNS int LANGUAGE plpgsql AS $$ DECLARE a int := 1; BEGIN DECLARE b int := a; BEGIN DECLARE c int := b; BEGIN a := c; END; END; BEGIN a := 2; END; RETURN a; END $$;
CREATE FUNCTION loop_variables() RETURNS int LANGUAGE plpgsql AS $$ DECLARE i text; BEGIN FOR i IN 1..3 LOOP FOR i IN 1..i LOOP NULL; END LOOP; END LOOP; RETURN length(i); END $$;
CREATE FUNCTION field_of_field() RETURNS void LANGUAGE plpgsql AS $$ DECLARE r record; c comp; BEGIN r.a.b := 1; r.a[1].b := 2; c.a.b.c := 3; c.a[1:2] := 4; c.a[1][2].d[3] := 5; END $$;
CREATE FUNCTION parameter_fields(p t) RETURNS int LANGUAGE plpgsql AS $$ BEGIN p.a := parameter_fields.p.b; parameter_fields.p.a := 3; RETURN p.a; END $$;
CREATE FUNCTION number_parameters(int, b int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN $1 := $2; b := $3; RETURN $1 + $2 + $3; END $$;
CREATE FUNCTION unicode_names(größe int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE "日本" int := größe; BEGIN RETURN "日本" + größe; END $$;
CREATE FUNCTION case_of_names(ABC int) RETURNS int LANGUAGE plpgsql AS $$ declare Def int; begin DEF := aBc; return dEf; end $$;
CREATE FUNCTION declared_and_commented() RETURNS int LANGUAGE plpgsql AS $$ -- before
/* a /* nested */ comment */ DECLARE -- after
/* 1 */ x /* 2 */ CONSTANT /* 3 */ int /* 4 */ NOT /* 5 */ NULL /* 6 */ := /* 7 */ 1 /* 8 */ ; -- 9
BEGIN /* 10 */ RETURN /* 11 */ x /* 12 */ ; /* 13 */ END /* 14 */ ; -- 15
$$;
DO $$ DECLARE r record; x r%ROWTYPE; y int; z y%ROWTYPE; BEGIN x.a := z.b; END $$;
DO $$ DECLARE c CONSTANT refcursor := 'a'; BEGIN OPEN c FOR SELECT 1; CLOSE c; END $$;
DO $$ DECLARE x int; BEGIN x := ; x = ; x := FROM t; x := DISTINCT a FROM t; INSERT INTO t VALUES (1) INTO x; END $$;
