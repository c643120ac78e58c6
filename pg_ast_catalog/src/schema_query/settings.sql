-- The schema of a database as SQL: one statement in each row, in an order in which they run, with full names. It only
-- reads.
--
-- Objects have a stage. Within the first, each has a phase, by its kind, and a pass, which is raised as far as what
-- it depends on has no lower phase: most are in the order of their kinds, and a function that needs a view comes
-- after it. Nothing of a stage depends on one of a later stage. `part` distinguishes the statements of an object; those
-- that others depend on have the part 0, or 1 for the shell of a type, which its functions depend on.
WITH RECURSIVE setting AS MATERIALIZED (
    -- What the functions of this query return depends on these, which are reset at the end of the transaction. Every
    -- row below comes from a table that is joined with this, so they are set before. It is too late for the search
    -- path: functions of users could have the names of those that are called here.
    SELECT count(set_config(name, value, true)) + CASE WHEN current_setting('search_path') NOT IN ('', '""')
        THEN ('the search_path has to be empty, not ' || current_setting('search_path'))::int ELSE 0 END AS count
    FROM (VALUES ('datestyle', 'ISO, MDY'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'),
        ('extra_float_digits', '1'), ('quote_all_identifiers', 'off'), ('bytea_output', 'hex'),
        ('standard_conforming_strings', 'on')) s (name, value)
),
extension AS MATERIALIZED (
    -- Those that `pg_ast_catalog` knows; the objects of others are described.
    SELECT e.* FROM pg_extension e, setting WHERE e.extname = ANY (regexp_split_to_array(btrim('
        address_standardizer address_standardizer_data_us adminpack amcheck autoinc bloom bool_plperl bool_plperlu
        btree_gin btree_gist citext cube dblink dict_int dict_xsyn earthdistance file_fdw first_last_agg fuzzystrmatch
        hll hstore hstore_plperl hstore_plperlu hstore_plpython3u hypopg icu_ext insert_username intagg intarray ip4r
        isn jsonb_plperl jsonb_plperlu jsonb_plpython3u jsquery lo ltree ltree_plpython3u moddatetime old_snapshot
        pageinspect periods pg_buffercache pg_cron pg_freespacemap pg_ivm pg_logicalinspect pg_partman pg_prewarm
        pg_qualstats pg_repack pg_similarity pg_stat_kcache pg_stat_statements pg_surgery pg_trgm pg_uuidv7
        pg_visibility pg_wait_sampling pg_walinspect pgaudit pgcrypto pgrowlocks pgstattuple pgtap plperl plperlu
        plpgsql plpgsql_check plpython3u pltcl pltclu postgis postgis_sfcgal postgis_tiger_geocoder postgis_topology
        postgres_fdw prefix refint rum seg semver sslinfo tablefunc tcn tdigest tsm_system_rows tsm_system_time
        unaccent unit uuid-ossp vector xml2
        ', E' \n'), E'\\s+'))
),
member AS MATERIALIZED (
    SELECT d.classid, d.objid, d.refobjid AS extension FROM pg_depend d
    JOIN extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid WHERE d.deptype = 'e'
),
schema AS MATERIALIZED (
    SELECT n.*, quote_ident(n.nspname) AS name FROM pg_namespace n, setting
    WHERE n.nspname !~ '^pg_(temp|toast)' AND n.nspname <> 'information_schema'
),
