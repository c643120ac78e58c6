--- 20: syntax error at or near "int"
DO $$ DECLARE x int int int; BEGIN NULL; END $$
--- 20: syntax error at or near "int"
DO $$ DECLARE x int int; BEGIN NULL; END $$
--- 15: missing data type declaration at or near ";"
DO $$ DECLARE x; BEGIN NULL; END $$
--- 20: syntax error at or near "BEGIN"
DO $$ DECLARE x int BEGIN NULL; END $$
--- 23: missing expression at or near ";"
DO $$ DECLARE x int := ; BEGIN NULL; END $$
--- 26: syntax error at end of input
DO $$ DECLARE x int := 1 +; BEGIN NULL; END $$
--- 17: missing data type declaration at or near ";"
DO $$ DECLARE int; BEGIN NULL; END $$
--- 14: syntax error at or near "if"
DO $$ DECLARE if int; BEGIN NULL; END $$
--- 24: missing data type declaration at or near ";"
DO $$ DECLARE x CONSTANT; BEGIN NULL; END $$
--- 23: syntax error at or near ";"
DO $$ DECLARE x int NOT; BEGIN NULL; END $$
--- 20: syntax error at end of input
DO $$ DECLARE x int[; BEGIN NULL; END $$
--- 25: syntax error at end of input
DO $$ DECLARE x numeric(1; BEGIN NULL; END $$
--- 27: syntax error at or near ";"
DO $$ DECLARE x int COLLATE; BEGIN NULL; END $$
--- 25: syntax error at or near ";"
DO $$ DECLARE x ALIAS FOR; BEGIN NULL; END $$
--- 22: syntax error at or near "$1"
DO $$ DECLARE x ALIAS $1; BEGIN NULL; END $$
--- 23: syntax error at or near "SELECT"
DO $$ DECLARE c CURSOR SELECT 1; BEGIN NULL; END $$
--- 26: missing SQL statement at or near ";"
DO $$ DECLARE c CURSOR FOR; BEGIN NULL; END $$
--- 24: syntax error at or near ")"
DO $$ DECLARE c CURSOR () FOR SELECT 1; BEGIN NULL; END $$
--- 25: missing data type declaration at or near ")"
DO $$ DECLARE c CURSOR (a) FOR SELECT 1; BEGIN NULL; END $$
--- 39: syntax error at or near "FROM"
DO $$ DECLARE c CURSOR FOR SELECT FROM FROM; BEGIN NULL; END $$
--- 12: syntax error at end of input
DO $$ BEGIN $$
--- 18: syntax error at end of input
DO $$ BEGIN NULL; $$
--- 17: syntax error at or near "END"
DO $$ BEGIN NULL END $$
--- 23: syntax error at or near "END"
DO $$ BEGIN NULL; END; END $$
--- 22: syntax error at or near "IF"
DO $$ BEGIN NULL; END IF $$
--- 16: end label "x" specified for unlabeled block
DO $$ BEGIN END x y $$
--- 6: syntax error at end of input
DO $$ $$
--- 4: syntax error at end of input
DO ''
--- 6: syntax error at or near "SELECT"
DO $$ SELECT 1 $$
--- 6: syntax error at or near "NULL"
DO $$ NULL; $$
--- 15: missing expression at or near "THEN"
DO $$ BEGIN IF THEN NULL; END IF; END $$
--- 24: missing "THEN" at end of SQL expression
DO $$ BEGIN IF true NULL; END IF; END $$
--- 34: syntax error at or near ";"
DO $$ BEGIN IF true THEN NULL; END; END $$
--- 42: syntax error at or near "ELSIF"
DO $$ BEGIN IF true THEN NULL; ELSE NULL; ELSIF false THEN NULL; END IF; END $$
--- 68: syntax error at end of input
DO $$ BEGIN IF true THEN NULL; ELSE IF false THEN NULL; END IF; END $$
--- 18: syntax error at end of input
DO $$ BEGIN IF 1 = THEN NULL; END IF; END $$
--- 25: missing "WHEN" at end of SQL expression
DO $$ BEGIN CASE END CASE; END $$
--- 28: missing "WHEN" at end of SQL expression
DO $$ BEGIN CASE 1 ELSE NULL; END CASE; END $$
--- 31: missing "THEN" at end of SQL expression
DO $$ BEGIN CASE WHEN true NULL; END CASE; END $$
--- 40: syntax error at or near ";"
DO $$ BEGIN CASE 1 WHEN 1 THEN NULL; END; END $$
--- 24: missing expression at or near "THEN"
DO $$ BEGIN CASE 1 WHEN THEN NULL; END CASE; END $$
--- 26: syntax error at or near ";"
DO $$ BEGIN LOOP NULL; END; END $$
--- 32: syntax error at or near "END"
DO $$ BEGIN LOOP NULL; END LOOP END $$
--- 18: missing expression at or near "LOOP"
DO $$ BEGIN WHILE LOOP NULL; END LOOP; END $$
--- 27: missing "LOOP" at end of SQL expression
DO $$ BEGIN WHILE true NULL; END LOOP; END $$
--- 16: syntax error at or near "IN"
DO $$ BEGIN FOR IN 1..2 LOOP NULL; END LOOP; END $$
--- 18: syntax error at or near "1"
DO $$ BEGIN FOR i 1..2 LOOP NULL; END LOOP; END $$
--- 25: missing expression at or near "LOOP"
DO $$ BEGIN FOR i IN 1.. LOOP NULL; END LOOP; END $$
--- 21: missing expression at or near ".."
DO $$ BEGIN FOR i IN ..2 LOOP NULL; END LOOP; END $$
--- 29: missing expression at or near "LOOP"
DO $$ BEGIN FOR i IN 1..2 BY LOOP NULL; END LOOP; END $$
--- 21: missing expression at or near "LOOP"
DO $$ BEGIN FOR i IN LOOP NULL; END LOOP; END $$
--- 21: syntax error at or near "1"
DO $$ BEGIN FOR i IN 1, 2 LOOP NULL; END LOOP; END $$
--- 45: syntax error at or near "["
DO $$ DECLARE x int; BEGIN FOREACH x IN ARRAY[1] LOOP NULL; END LOOP; END $$
--- 37: syntax error at or near "ARRAY"
DO $$ DECLARE x int; BEGIN FOREACH x ARRAY ARRAY[1] LOOP NULL; END LOOP; END $$
--- 43: syntax error at or near "y"
DO $$ DECLARE x int; BEGIN FOREACH x SLICE y IN ARRAY ARRAY[1] LOOP NULL; END LOOP; END $$
--- 27: syntax error at or near "FROM"
DO $$ BEGIN PERFORM 1 FROM FROM; END $$
--- 25: mismatched parentheses at or near ";"
DO $$ BEGIN PERFORM (1 + ; END $$
--- 21: mismatched parentheses at or near ")"
DO $$ BEGIN PERFORM 1); END $$
--- 23: mismatched parentheses at or near ";"
DO $$ BEGIN PERFORM a[1; END $$
--- 20: unterminated quoted string at or near "'a; END "
DO $$ BEGIN PERFORM 'a; END $$
--- 20: unterminated quoted identifier at or near ""a; END "
DO $$ BEGIN PERFORM "a; END $$
--- 20: unterminated /* comment at or near "/* a; END "
DO $$ BEGIN PERFORM /* a; END $$
--- 12: syntax error at or near "SELEC"
DO $$ BEGIN SELEC 1; END $$
--- 21: syntax error at or near "2"
DO $$ BEGIN SELECT 1 2; END $$
--- 19: syntax error at or near "t"
DO $$ BEGIN INSERT t VALUES (1); END $$
--- 12: syntax error at or near "x"
DO $$ BEGIN x y z; END $$
--- 24: syntax error at or near ";"
DO $$ BEGIN RAISE NOTICE; END $$
--- 25: syntax error at or near "1"
DO $$ BEGIN RAISE NOTICE 1; END $$
--- 29: syntax error at or near "1"
DO $$ BEGIN RAISE NOTICE '%' 1; END $$
--- 29: missing expression at or near ";"
DO $$ BEGIN RAISE NOTICE '%',; END $$
--- 33: unrecognized RAISE statement option at or near ";"
DO $$ BEGIN RAISE EXCEPTION USING; END $$
--- 38: unrecognized RAISE statement option at or near "x"
DO $$ BEGIN RAISE EXCEPTION 'a' USING x = 1; END $$
--- 43: syntax error, expected "=" at or near "'b'"
DO $$ BEGIN RAISE EXCEPTION 'a' USING HINT 'b'; END $$
--- 26: syntax error at or near ";"
DO $$ BEGIN RAISE SQLSTATE; END $$
--- 27: invalid SQLSTATE code at or near "'1'"
DO $$ BEGIN RAISE SQLSTATE '1'; END $$
--- 27: invalid SQLSTATE code at or near "'2201a'"
DO $$ BEGIN RAISE SQLSTATE '2201a'; END $$
--- 18: missing expression at or near ";"
DO $$ BEGIN ASSERT; END $$
--- 24: missing expression at or near ";"
DO $$ BEGIN ASSERT true,; END $$
--- 19: missing expression at or near ";"
DO $$ BEGIN EXECUTE; END $$
--- 29: missing expression at or near ";"
DO $$ BEGIN EXECUTE 'a' USING; END $$
--- 28: syntax error at or near ";"
DO $$ BEGIN EXECUTE 'a' INTO; END $$
--- 46: syntax error at or near "INTO"
DO $$ DECLARE x int; BEGIN EXECUTE 'a' INTO x INTO x; END $$
--- 38: syntax error at or near "2"
DO $$ BEGIN EXECUTE 'a' USING 1 USING 2; END $$
--- 17: syntax error at or near "1"
DO $$ BEGIN NULL 1; END $$
--- 28: syntax error at or near "END"
DO $$ BEGIN NULL; EXCEPTION END $$
--- 33: syntax error at or near "THEN"
DO $$ BEGIN NULL; EXCEPTION WHEN THEN NULL; END $$
--- 40: syntax error at or near "NULL"
DO $$ BEGIN NULL; EXCEPTION WHEN OTHERS NULL; END $$
--- 42: syntax error at or near "1"
DO $$ BEGIN NULL; EXCEPTION WHEN SQLSTATE 1 THEN NULL; END $$
--- 42: invalid SQLSTATE code at or near "'1234'"
DO $$ BEGIN NULL; EXCEPTION WHEN SQLSTATE '1234' THEN NULL; END $$
--- 51: syntax error at or near "EXCEPTION"
DO $$ BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; EXCEPTION WHEN OTHERS THEN NULL; END $$
--- 22: syntax error at or near ";"
DO $$ BEGIN COMMIT AND; END $$
--- 19: syntax error at or near "WORK"
DO $$ BEGIN COMMIT WORK; END $$
--- 21: syntax error at or near "TO"
DO $$ BEGIN ROLLBACK TO SAVEPOINT x; END $$
--- 16: syntax error at end of input
DO $$ BEGIN CALL; END $$
--- 15: syntax error at or near "END"
DO $$ BEGIN << END $$
--- 15: syntax error at or near ">"
DO $$ BEGIN <<l> NULL; END $$
--- 8: syntax error at or near "1"
DO $$ <<1>> BEGIN NULL; END $$
--- 14: syntax error at or near "x"
DO $$ #option x
BEGIN NULL; END $$
--- 25: syntax error at or near "x"
DO $$ #variable_conflict x
BEGIN NULL; END $$
--- near line 1: unrecognized print_strict_params option maybe
DO $$ #print_strict_params maybe
BEGIN NULL; END $$
--- 8: syntax error at or near "BEGIN"
DO $$ #
BEGIN NULL; END $$
--- 34: syntax error at or near "1"
DO $$ DECLARE x int; BEGIN x := 1 1; END $$
--- 37: syntax error at end of input
DO $$ DECLARE x int; BEGIN x = 1 FROM; END $$
--- 36: mismatched parentheses at or near ";"
DO $$ DECLARE x int[]; BEGIN x[ := 1; END $$
--- 31: syntax error at or near "]"
DO $$ DECLARE x int[]; BEGIN x[] := 1; END $$
--- 27: syntax error at or near "x"
DO $$ DECLARE x int; BEGIN x 1; END $$
--- 42: syntax error at or near ";"
DO $$ DECLARE x int; BEGIN GET DIAGNOSTICS; END $$
--- 44: syntax error at or near ";"
DO $$ DECLARE x int; BEGIN GET DIAGNOSTICS x; END $$
--- 47: unrecognized GET DIAGNOSTICS item at or near ";"
DO $$ DECLARE x int; BEGIN GET DIAGNOSTICS x = ; END $$
--- 47: unrecognized GET DIAGNOSTICS item at or near "nothing"
DO $$ DECLARE x int; BEGIN GET DIAGNOSTICS x = nothing; END $$
--- 37: syntax error at or near ";"
DO $$ DECLARE c refcursor; BEGIN OPEN; END $$
--- 39: syntax error, expected "FOR" at or near ";"
DO $$ DECLARE c refcursor; BEGIN OPEN c; END $$
--- 43: missing SQL statement at or near ";"
DO $$ DECLARE c refcursor; BEGIN OPEN c FOR; END $$
--- 51: missing expression at or near ";"
DO $$ DECLARE c refcursor; BEGIN OPEN c FOR EXECUTE; END $$
--- 46: syntax error, expected "FOR" at or near ";"
DO $$ DECLARE c refcursor; BEGIN OPEN c SCROLL; END $$
--- 38: syntax error at or near ";"
DO $$ DECLARE c refcursor; BEGIN CLOSE; END $$
--- 40: syntax error at or near ";"
DO $$ DECLARE c refcursor; BEGIN FETCH c; END $$
--- 51: expected FROM or IN at or near "c"
DO $$ DECLARE c refcursor; x int; BEGIN FETCH NEXT c INTO x; END $$
--- 55: missing expression at or near "FROM"
DO $$ DECLARE c refcursor; x int; BEGIN FETCH ABSOLUTE FROM c INTO x; END $$
--- 37: missing "FROM or IN" at end of SQL expression
DO $$ DECLARE c refcursor; BEGIN MOVE; END $$
--- 40: syntax error at or near "c"
DO $$ DECLARE c refcursor; BEGIN MOVE c c; END $$
--- 21: missing expression at or near ";"
DO $$ BEGIN EXIT WHEN; END $$
--- 27: missing expression at or near ";"
DO $$ BEGIN LOOP EXIT WHEN ; END LOOP; END $$
--- 26: syntax error at or near "1"
DO $$ BEGIN LOOP CONTINUE 1; END LOOP; END $$
--- 70: syntax error at end of input
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1 $$
--- 72: syntax error at end of input
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN FROM; END $$
--- 81: syntax error at or near "2"
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT 1 2; END $$
--- 79: missing SQL statement at or near ";"
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY; END $$
--- 87: missing expression at or near ";"
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE; END $$
--- 92: syntax error at or near "WHERE"
CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT FROM WHERE; END $$
--- 64: unexpected end of function definition at end of input
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EN $$
