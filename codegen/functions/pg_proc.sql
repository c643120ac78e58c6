-- The functions of a PostgreSQL server, as `pg_ast_effects/src/functions/pg_proc.txt` has them for each version: the test
-- `server` compares that file with servers of all versions, and writes it with BLESS_FUNCTIONS=1.
-- Each has a name, its volatility (i, s, v), its parallel safety (s, r, u), whether it is strict (t, f), and x if not
-- everybody may execute it. Of overloaded names it has the strictest: volatile before stable, unsafe before restricted, not
-- strict before strict, restricted before public. Functions that SQL cannot call are left out.
SELECT proname, (ARRAY['i', 's', 'v'])[max(strpos('isv', provolatile))]
    || (ARRAY['s', 'r', 'u'])[max(strpos('sru', proparallel))]
    || CASE WHEN bool_and(proisstrict) THEN 't' ELSE 'f' END
    || CASE WHEN bool_or(proacl IS NOT NULL) THEN 'x' ELSE '' END
FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace
    AND prorettype <> ALL (ARRAY['trigger', 'event_trigger', 'internal', 'index_am_handler', 'table_am_handler',
        'tsm_handler', 'fdw_handler', 'language_handler']::regtype[])
    AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
GROUP BY proname
ORDER BY proname COLLATE "C"
