--- 12: "x" is not a known variable
DO $$ BEGIN x := 1; END $$
--- 12: "x.y" is not a known variable
DO $$ BEGIN x.y := 1; END $$
--- 12: "x" is not a known variable
DO $$ BEGIN x[1] := 1; END $$
--- 21: duplicate declaration at or near "x"
DO $$ DECLARE x int; x text; BEGIN NULL; END $$
--- 44: duplicate declaration at or near "x"
DO $$ DECLARE x int; c CURSOR FOR SELECT 1; x CURSOR FOR SELECT 2; BEGIN NULL; END $$
--- 31: duplicate declaration at or near "a"
DO $$ DECLARE c CURSOR (a int, a int) FOR SELECT 1; BEGIN NULL; END $$
--- 33: variable "z" does not exist
DO $$ DECLARE x int; y ALIAS FOR z; BEGIN NULL; END $$
--- 26: variable "$1" does not exist
DO $$ DECLARE y ALIAS FOR $1; BEGIN NULL; END $$
--- 26: variable "a.b" does not exist
DO $$ DECLARE y ALIAS FOR a.b; BEGIN NULL; END $$
--- 20: variable "x" must have a default value, since it's declared NOT NULL
DO $$ DECLARE x int NOT NULL; BEGIN NULL; END $$
--- 41: variable "x" is declared CONSTANT
DO $$ DECLARE x CONSTANT int := 1; BEGIN x := 2; END $$
--- 55: variable "x" is declared CONSTANT
DO $$ DECLARE x CONSTANT int := 1; BEGIN SELECT 1 INTO x; END $$
--- 57: variable "x" is declared CONSTANT
DO $$ DECLARE x CONSTANT int := 1; BEGIN GET DIAGNOSTICS x = ROW_COUNT; END $$
--- 49: variable "x" is declared CONSTANT
DO $$ DECLARE x CONSTANT record := ROW(1); BEGIN x.a := 1; END $$
--- 45: variable "x" is declared CONSTANT
DO $$ DECLARE x CONSTANT int := 1; BEGIN FOR x IN SELECT 1 LOOP NULL; END LOOP; END $$
--- 20: collations are not supported by type integer
DO $$ DECLARE x int COLLATE "C"; BEGIN NULL; END $$
--- 22: collations are not supported by type integer[]
DO $$ DECLARE x int[] COLLATE "C"; BEGIN NULL; END $$
--- 23: collations are not supported by type record
DO $$ DECLARE x record COLLATE "C"; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type void
DO $$ DECLARE x void; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type trigger
DO $$ DECLARE x trigger; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type "any"
DO $$ DECLARE x "any"; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type cstring
DO $$ DECLARE x cstring; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type internal
DO $$ DECLARE x internal; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type anyelement
DO $$ DECLARE x anyelement; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type anyarray
DO $$ DECLARE x anyarray; BEGIN NULL; END $$
--- 16: invalid type name "SETOF int"
DO $$ DECLARE x SETOF int; BEGIN NULL; END $$
--- near line 1: variable "x" has pseudo-type record[]
DO $$ DECLARE x record[]; BEGIN NULL; END $$
--- 19: syntax error at or near "("
DO $$ DECLARE x int(3); BEGIN NULL; END $$
--- 16: NUMERIC precision 2000 must be between 1 and 1000
DO $$ DECLARE x numeric(2000, 1); BEGIN NULL; END $$
--- 16: length for type varchar must be at least 1
DO $$ DECLARE x varchar(0); BEGIN NULL; END $$
--- 21: syntax error at or near "a"
DO $$ DECLARE x char(a); BEGIN NULL; END $$
--- 27: "x.y" is not a known variable
DO $$ DECLARE x int; BEGIN x.y := 1; END $$
--- 12: EXIT cannot be used outside a loop, unless it has a label
DO $$ BEGIN EXIT; END $$
--- 12: CONTINUE cannot be used outside a loop
DO $$ BEGIN CONTINUE; END $$
--- 17: there is no label "l" attached to any block or loop enclosing this statement
DO $$ BEGIN EXIT l; END $$
--- 22: there is no label "l" attached to any block or loop enclosing this statement
DO $$ BEGIN LOOP EXIT l; END LOOP; END $$
--- 26: there is no label "l" attached to any block or loop enclosing this statement
DO $$ BEGIN LOOP CONTINUE l; END LOOP; END $$
--- 32: block label "l" cannot be used in CONTINUE
DO $$ <<l>> BEGIN LOOP CONTINUE l; END LOOP; END l $$
--- 18: EXIT cannot be used outside a loop, unless it has a label
DO $$ <<l>> BEGIN EXIT WHEN true; END l $$
--- 28: end label "m" differs from block's label "l"
DO $$ <<l>> BEGIN NULL; END m $$
--- 22: end label "m" specified for unlabeled block
DO $$ BEGIN NULL; END m $$
--- 38: end label "m" differs from block's label "l"
DO $$ BEGIN <<l>> LOOP NULL; END LOOP m; END $$
--- 32: end label "m" specified for unlabeled block
DO $$ BEGIN LOOP NULL; END LOOP m; END $$
--- 14: block label must be placed before DECLARE, not after
DO $$ DECLARE <<l>> x int; BEGIN NULL; END $$
--- 16: "i" is not a known variable
DO $$ BEGIN FOR i, j IN 1..2 LOOP NULL; END LOOP; END $$
--- 16: loop variable of loop over rows must be a record variable or list of scalar variables
DO $$ BEGIN FOR r IN SELECT 1 LOOP NULL; END LOOP; END $$
--- 16: loop variable of loop over rows must be a record variable or list of scalar variables
DO $$ BEGIN FOR r IN EXECUTE 'SELECT 1' LOOP NULL; END LOOP; END $$
--- 39: cannot specify REVERSE in query FOR loop
DO $$ DECLARE r record; BEGIN FOR r IN REVERSE SELECT 1 LOOP NULL; END LOOP; END $$
--- 42: cursor FOR loop must use a bound cursor variable
DO $$ DECLARE c refcursor; BEGIN FOR r IN c LOOP NULL; END LOOP; END $$
--- 47: "r" is not a known variable
DO $$ DECLARE c CURSOR FOR SELECT 1; BEGIN FOR r, s IN c LOOP NULL; END LOOP; END $$
--- 53: cursor "c" has no arguments
DO $$ DECLARE c CURSOR FOR SELECT 1; BEGIN FOR r IN c(1) LOOP NULL; END LOOP; END $$
--- 62: cursor "c" has arguments
DO $$ DECLARE c CURSOR (a int) FOR SELECT 1; BEGIN FOR r IN c LOOP NULL; END LOOP; END $$
--- 57: cursor "c" has arguments
DO $$ DECLARE c CURSOR (a int) FOR SELECT 1; BEGIN OPEN c; END $$
--- 59: too many arguments for cursor "c"
DO $$ DECLARE c CURSOR (a int) FOR SELECT 1; BEGIN OPEN c(1, 2); END $$
--- 66: not enough arguments for cursor "c"
DO $$ DECLARE c CURSOR (a int, b int) FOR SELECT 1; BEGIN OPEN c(1); END $$
--- 73: value for parameter "a" of cursor "c" specified more than once
DO $$ DECLARE c CURSOR (a int, b int) FOR SELECT 1; BEGIN OPEN c(a := 1, a := 2); END $$
--- 58: cursor "c" has no argument named "x"
DO $$ DECLARE c CURSOR (a int) FOR SELECT 1; BEGIN OPEN c(x := 1); END $$
--- 49: cursor "c" has no arguments
DO $$ DECLARE c CURSOR FOR SELECT 1; BEGIN OPEN c(1); END $$
--- 50: syntax error at or near "FOR"
DO $$ DECLARE c CURSOR FOR SELECT 1; BEGIN OPEN c FOR SELECT 2; END $$
--- 32: variable "x" must be of type cursor or refcursor
DO $$ DECLARE x int; BEGIN OPEN x FOR SELECT 1; END $$
--- 35: cursor variable must be a simple variable
DO $$ DECLARE r record; BEGIN OPEN r FOR SELECT 1; END $$
--- 17: "c" is not a known variable
DO $$ BEGIN OPEN c FOR SELECT 1; END $$
--- 40: variable "x" must be of type cursor or refcursor
DO $$ DECLARE x int; y int; BEGIN FETCH x INTO y; END $$
--- 40: FETCH statement cannot return multiple rows
DO $$ DECLARE c refcursor; x int; BEGIN FETCH ALL FROM c INTO x; END $$
--- 40: FETCH statement cannot return multiple rows
DO $$ DECLARE c refcursor; x int; BEGIN FETCH FORWARD 2 FROM c INTO x; END $$
--- 46: "y" is not a known variable
DO $$ DECLARE c refcursor; BEGIN FETCH c INTO y; END $$
--- 33: variable "x" must be of type cursor or refcursor
DO $$ DECLARE x int; BEGIN CLOSE x; END $$
--- 20: loop variable of FOREACH must be a known variable or list of variables
DO $$ BEGIN FOREACH x IN ARRAY ARRAY[1] LOOP NULL; END LOOP; END $$
--- 45: syntax error at or near "-"
DO $$ DECLARE x int[]; BEGIN FOREACH x SLICE -1 IN ARRAY ARRAY[1] LOOP NULL; END LOOP; END $$
--- 26: "x" is not a known variable
DO $$ BEGIN SELECT 1 INTO x; END $$
--- 47: "y" is not a known variable
DO $$ DECLARE x int; BEGIN SELECT 1, 2 INTO x, y; END $$
--- 55: record variable cannot be part of multiple-item INTO list
DO $$ DECLARE x int; r record; BEGIN SELECT 1, 2 INTO r, x; END $$
--- 57: "r" is not a scalar variable
DO $$ DECLARE x int; r record; BEGIN SELECT 1, 2 INTO x, r; END $$
--- 44: syntax error at or near ";"
DO $$ DECLARE x int; BEGIN SELECT 1 INTO x, ; END $$
--- 43: INTO specified more than once at or near "INTO"
DO $$ DECLARE x int; BEGIN SELECT 1 INTO x INTO x; END $$
--- 36: "x" is not a known variable
DO $$ BEGIN EXECUTE 'SELECT 1' INTO x; END $$
--- near line 1: too few parameters specified for RAISE
DO $$ BEGIN RAISE NOTICE '%'; END $$
--- near line 1: too many parameters specified for RAISE
DO $$ BEGIN RAISE NOTICE '%', 1, 2; END $$
--- near line 1: too many parameters specified for RAISE
DO $$ BEGIN RAISE NOTICE 'a', 1; END $$
--- near line 1: too few parameters specified for RAISE
DO $$ BEGIN RAISE NOTICE '%%%'; END $$
--- near line 1: unrecognized exception condition "no_such_condition"
DO $$ BEGIN RAISE no_such_condition; END $$
--- near line 1: unrecognized exception condition "no_such_condition"
DO $$ BEGIN NULL; EXCEPTION WHEN no_such_condition THEN NULL; END $$
--- 28: "x" is not a known variable
DO $$ BEGIN GET DIAGNOSTICS x = ROW_COUNT; END $$
--- 28: diagnostics item MESSAGE_TEXT is not allowed in GET CURRENT DIAGNOSTICS
DO $$ DECLARE x text; BEGIN GET DIAGNOSTICS x = MESSAGE_TEXT; END $$
--- 28: diagnostics item ROW_COUNT is not allowed in GET STACKED DIAGNOSTICS
DO $$ DECLARE x text; BEGIN GET STACKED DIAGNOSTICS x = ROW_COUNT; END $$
--- 46: "r" is not a scalar variable
DO $$ DECLARE r record; BEGIN GET DIAGNOSTICS r = ROW_COUNT; END $$
--- 24: syntax error at or near "sqlstate"
DO $$ BEGIN found := 1; sqlstate := 2; END $$
--- 19: RETURN cannot have a parameter in function returning void
DO $$ BEGIN RETURN 1; END $$
--- 12: cannot use RETURN NEXT in a non-SETOF function
DO $$ BEGIN RETURN NEXT 1; END $$
--- 12: cannot use RETURN QUERY in a non-SETOF function
DO $$ BEGIN RETURN QUERY SELECT 1; END $$
--- 12: "new.a" is not a known variable
DO $$ BEGIN NEW.a := 1; END $$
--- 67: missing expression at or near ";"
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$
--- 69: RETURN cannot have a parameter in function returning void
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- 65: RETURN cannot have a parameter in function with OUT parameters
CREATE FUNCTION f(OUT a int) LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- 76: RETURN cannot have a parameter in function with OUT parameters
CREATE FUNCTION f(OUT a int, OUT b int) LANGUAGE plpgsql AS $$ BEGIN RETURN a; END $$
--- 74: RETURN cannot have a parameter in function returning set / HINT: Use RETURN NEXT or RETURN QUERY.
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- 61: cannot use RETURN NEXT in a non-SETOF function
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT 1; END $$
--- 61: cannot use RETURN QUERY in a non-SETOF function
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT 1; END $$
--- 78: missing expression at or near ";"
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT; END $$
--- 88: RETURN NEXT cannot have a parameter in function with OUT parameters
CREATE FUNCTION f(OUT a int) RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT 1; END $$
--- 83: RETURN NEXT cannot have a parameter in function with OUT parameters
CREATE FUNCTION f() RETURNS TABLE (a int) LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT a; END $$
--- 57: RETURN cannot have a parameter in a procedure
CREATE PROCEDURE f() LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- 68: RETURN cannot have a parameter in function with OUT parameters
CREATE PROCEDURE f(INOUT a int) LANGUAGE plpgsql AS $$ BEGIN RETURN a; END $$
--- 71: missing expression at or near ";"
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$
--- 65: cannot use RETURN NEXT in a non-SETOF function
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT NEW; END $$
--- 78: RETURN cannot have a parameter in function returning void
CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$
--- near line 1: trigger functions cannot have declared arguments / HINT: The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.
CREATE FUNCTION f(a int) RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$
--- near line 1: event trigger functions cannot have declared arguments
CREATE FUNCTION f(a int) RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN NULL; END $$
--- nowhere: PL/pgSQL functions cannot return type cstring
CREATE FUNCTION f() RETURNS cstring LANGUAGE plpgsql AS $$ BEGIN RETURN 'a'; END $$
--- nowhere: PL/pgSQL functions cannot accept type cstring
CREATE FUNCTION f(a cstring) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- 80: variable "$2" does not exist
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE b ALIAS FOR $2; BEGIN RETURN 1; END $$
--- 66: "$2" is not a known variable
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN $2 := 1; RETURN 1; END $$
--- 66: "a.b" is not a known variable
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN a.b := 1; RETURN 1; END $$
--- 65: "tg_foo" is not a known variable
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN tg_foo := 1; RETURN NEW; END $$
--- 78: syntax error at or near "c"
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS E'BEGIN\n  RETURN \'a\' b c; END'
--- 74: syntax error at or near "2"
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS U&'BEGIN \0052ETURN 1 2 3; END'
--- 74: syntax error at or near "2"
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS U&'BEGIN !0052ETURN 1 2 3; END' UESCAPE '!'
--- 28: syntax error at or near "FROM"
DO 'BEGIN '
'PERFORM 1 FROM FROM; END'
--- 39: syntax error at or near "c"
DO $ä$ BEGIN /* ä🐘 */ PERFORM a b c; END $ä$
--- nowhere: PL/pgSQL functions cannot accept type "any"
CREATE FUNCTION f(VARIADIC "any") RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- near line 1: variable "y" has pseudo-type anyelement
CREATE FUNCTION f(x anyelement) RETURNS int LANGUAGE plpgsql AS $$ DECLARE y anyelement; BEGIN RETURN 1; END $$
--- 29: syntax error at end of input
DO $$ BEGIN IF CASE WHEN true THEN true END THEN NULL; END IF; END $$
--- 38: integer FOR loop must have only one target variable
DO $$ DECLARE i int; j int; BEGIN FOR i, j IN 1..2 LOOP NULL; END LOOP; END $$
--- 16: type modifier is not allowed for type "text"
DO $$ DECLARE x text(3); BEGIN NULL; END $$
--- 25: syntax error at or near "int"
DO $$ DECLARE x t.a%TYPE int; BEGIN NULL; END $$
