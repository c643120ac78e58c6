--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; NULL; RETURN 2; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 1 THEN RETURN 1; END IF; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 1 THEN RETURN 1; ELSE RETURN 2; END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 1 THEN RETURN 1; ELSE END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 2 THEN RETURN 1; ELSIF a > 1 THEN RETURN 2; END IF; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 2 THEN RETURN 1; ELSIF a > 1 THEN RETURN 2; ELSE RAISE EXCEPTION 'x'; END IF; NULL; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true THEN RETURN 1; END IF; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 1 THEN RETURN 1; ELSIF (TRUE) THEN RETURN 2; ELSE NULL; END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true WHERE a > 1 THEN RETURN 1; END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true LIMIT 0 THEN RETURN 1; END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true OFFSET 1 THEN RETURN 1; END IF; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true HAVING false THEN RETURN 1; END IF; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CASE a WHEN 1 THEN RETURN 1; WHEN 2, 3 THEN RETURN 2; END CASE; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CASE a WHEN 1 THEN RETURN 1; ELSE END CASE; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CASE WHEN a > 1 THEN RETURN 1; WHEN a > 0 THEN NULL; END CASE; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CASE WHEN a > 1 THEN RETURN 1; WHEN true THEN RETURN 2; WHEN a > 0 THEN NULL; ELSE NULL; END CASE; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CASE a > 1 WHEN true THEN RETURN 1; ELSE NULL; END CASE; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP a := a + 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP EXIT; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP EXIT WHEN a > 10; a := a + 1; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP IF a > 10 THEN RETURN a; END IF; a := a + 1; CONTINUE; EXIT; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP a := a + 1; CONTINUE WHEN a < 10; EXIT; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP LOOP EXIT; END LOOP; RETURN 1; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<x>> LOOP LOOP EXIT x; END LOOP; END LOOP; RETURN 1; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<x>> LOOP LOOP EXIT x; END LOOP; RETURN 1; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<x>> LOOP <<x>> LOOP EXIT x; END LOOP; RETURN 1; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<x>> LOOP a := a + 1; IF a > 9 THEN RETURN a; END IF; LOOP CONTINUE x; EXIT x; END LOOP; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN WHILE a > 9 LOOP RETURN 1; END LOOP; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN WHILE true LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN WHILE TRUE LOOP EXIT WHEN a > 1; RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN FOR i IN 2..1 LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN FOR r IN SELECT 1 WHERE a > 9 LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN FOR r IN EXECUTE 'SELECT 1 WHERE $1 > 9' USING a LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE c CURSOR FOR SELECT 1 WHERE a > 9; BEGIN FOR r IN c LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE x int[] := '{}'; BEGIN FOREACH a IN ARRAY x LOOP RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ <<x>> BEGIN EXIT x; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ <<x>> BEGIN IF a > 1 THEN EXIT x; END IF; RETURN 1; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<x>> BEGIN EXIT x WHEN a > 1; RETURN 1; END; RETURN 2; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP <<x>> BEGIN EXIT x; END; RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP <<x>> BEGIN EXIT; END; RETURN 1; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF a > 1 THEN EXIT f; END IF; RETURN 1; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN <<f>> BEGIN IF a > 1 THEN EXIT f; END IF; END; RETURN 1; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'x'; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE division_by_zero; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE USING MESSAGE = 'x'; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'x'; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE LOG division_by_zero; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN ASSERT a < 100; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1 / a; EXCEPTION WHEN division_by_zero THEN NULL; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1 / a; EXCEPTION WHEN division_by_zero THEN RETURN 0; WHEN OTHERS THEN RAISE; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'y'; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ <<x>> BEGIN RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN EXIT x; END $$
--- end not reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP BEGIN PERFORM 1 / a; RETURN 1; EXCEPTION WHEN division_by_zero THEN a := 1; END; END LOOP; END $$
--- end reached
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP BEGIN PERFORM 1 / a; RETURN 1; EXCEPTION WHEN division_by_zero THEN EXIT; END; END LOOP; END $$
