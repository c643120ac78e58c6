-- Lists the functions that users call, without those behind operators, casts, types and aggregates:
-- psql -X -f functions.sql; the first line of functions.txt is ours.
\pset format unaligned
\pset tuples_only on
WITH f AS (
 SELECT p.oid, p.proname, pg_get_function_arguments(p.oid) AS args, pg_get_function_result(p.oid) AS res, p.pronargs
 FROM pg_proc p
 WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f','a','w')
 AND NOT EXISTS (SELECT 1 FROM unnest(p.proargtypes) t WHERE t IN ('internal'::regtype,'cstring'::regtype))
 AND p.prorettype NOT IN ('internal'::regtype,'cstring'::regtype,'trigger'::regtype,'event_trigger'::regtype,'language_handler'::regtype,'fdw_handler'::regtype,'index_am_handler'::regtype,'table_am_handler'::regtype,'tsm_handler'::regtype)
 AND p.oid NOT IN (SELECT oprcode FROM pg_operator UNION SELECT oprrest FROM pg_operator UNION SELECT oprjoin FROM pg_operator)
 AND p.oid NOT IN (SELECT amproc FROM pg_amproc)
 AND p.oid NOT IN (SELECT typinput FROM pg_type UNION SELECT typoutput FROM pg_type UNION SELECT typreceive FROM pg_type UNION SELECT typsend FROM pg_type UNION SELECT typanalyze FROM pg_type UNION SELECT typmodin FROM pg_type UNION SELECT typmodout FROM pg_type UNION SELECT typsubscript FROM pg_type)
 AND p.oid NOT IN (SELECT castfunc FROM pg_cast)
 AND p.oid NOT IN (SELECT aggtransfn FROM pg_aggregate UNION SELECT aggfinalfn FROM pg_aggregate UNION SELECT aggcombinefn FROM pg_aggregate UNION SELECT aggserialfn FROM pg_aggregate UNION SELECT aggdeserialfn FROM pg_aggregate UNION SELECT aggmtransfn FROM pg_aggregate UNION SELECT aggminvtransfn FROM pg_aggregate UNION SELECT aggmfinalfn FROM pg_aggregate)
 AND p.oid NOT IN (SELECT conproc FROM pg_conversion)
 AND p.proname !~ '^(RI_|binary_upgrade|pg_stat_get_|_|hash_|pg_get_replica|ts_typanalyze|satisfies_hash|brin_|ginarrayextract|unique_key_rec)'
)
SELECT proname || E'\t' || args || E'\t' || res FROM f ORDER BY proname COLLATE "C", pronargs, args COLLATE "C";
