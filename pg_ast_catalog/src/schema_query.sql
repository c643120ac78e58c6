-- The schema of a database as SQL: one statement in each row, in an order in which they run, with full names. It only reads.
--
-- Objects have a stage. Within the first, each has a phase, by its kind, and a pass, which is raised as far as something that it depends
-- on has no lower phase: most are in the order of their kinds, and a function that needs a view comes after it. Nothing of a stage depends
-- on one of a later stage. `part` distinguishes the statements of an object; those that others depend on have the part 0, or 1 for the
-- shell of a type, which its functions depend on.
WITH RECURSIVE setting AS MATERIALIZED (
    -- What the functions of this query return depends on these, which are reset at the end of the transaction. Every row below
    -- comes from a table that is joined with this, so they are set before. It is too late for the search path: functions of users
    -- could have the names of those that are called here.
    SELECT count(set_config(name, value, true)) + CASE WHEN current_setting('search_path') NOT IN ('', '""')
        THEN ('the search_path has to be empty, not ' || current_setting('search_path'))::int ELSE 0 END AS count
    FROM (VALUES ('datestyle', 'ISO, MDY'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('extra_float_digits', '1'),
        ('quote_all_identifiers', 'off'), ('bytea_output', 'hex'), ('standard_conforming_strings', 'on')) s (name, value)
), extension AS MATERIALIZED (
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
), member AS MATERIALIZED (
    SELECT d.classid, d.objid, d.refobjid AS extension FROM pg_depend d
    JOIN extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid WHERE d.deptype = 'e'
), schema AS MATERIALIZED (
    SELECT n.*, quote_ident(n.nspname) AS name FROM pg_namespace n, setting
    WHERE n.nspname !~ '^pg_(temp|toast)' AND n.nspname <> 'information_schema'
), class AS MATERIALIZED (
    SELECT c.*, s.name || '.' || quote_ident(c.relname) AS name, CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm'
        THEN 'MATERIALIZED VIEW'
        WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'S' THEN 'SEQUENCE' WHEN 'c' THEN 'TYPE' WHEN 'i' THEN 'INDEX' WHEN 'I'
            THEN 'INDEX'
        ELSE 'TABLE' END AS kind
    FROM pg_class c JOIN schema s ON s.oid = c.relnamespace
    WHERE c.oid >= 16384 AND s.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid)
), identity AS MATERIALIZED (
    -- The sequences of identity columns.
    SELECT d.objid AS oid, d.refobjid AS attrelid, d.refobjsubid AS attnum FROM pg_depend d JOIN class c ON c.oid = d.objid
        AND c.relkind = 'S'
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
), sequence AS MATERIALIZED (
    SELECT c.*, ' AS ' || nullif(s.seqtypid::regtype::text, 'bigint') AS type,
        concat(' INCREMENT BY ' || nullif(s.seqincrement, 1),
        ' MINVALUE ' || nullif(s.seqmin, CASE WHEN s.seqincrement > 0 THEN 1 ELSE low END),
        ' MAXVALUE ' || nullif(s.seqmax, CASE WHEN s.seqincrement > 0 THEN -(low + 1) ELSE -1 END),
        ' START WITH ' || nullif(s.seqstart, CASE WHEN s.seqincrement > 0 THEN s.seqmin ELSE s.seqmax END),
        ' CACHE ' || nullif(s.seqcache, 1), CASE WHEN s.seqcycle THEN ' CYCLE' END) AS options
    FROM class c JOIN pg_sequence s ON s.seqrelid = c.oid CROSS JOIN LATERAL (SELECT CASE s.seqtypid WHEN 'int2'::regtype
        THEN -32768::bigint WHEN 'int4'::regtype THEN -2147483648 ELSE -9223372036854775808 END) l (low)
), apart AS MATERIALIZED (
    -- Defaults and checks that need a function, an operator or another table: what they need may itself need their table.
    SELECT DISTINCT d.classid, d.objid FROM pg_depend d CROSS JOIN setting
    LEFT JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
    LEFT JOIN pg_attrdef a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid
    LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
    WHERE d.classid IN ('pg_attrdef'::regclass, 'pg_constraint'::regclass) AND d.refobjid >= 16384
    AND (d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) OR c.relkind <> 'S' AND c.oid NOT IN (a.adrelid,
        k.conrelid))
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = d.refclassid AND m.objid = d.refobjid)
), col AS MATERIALIZED (
    SELECT a.attrelid, a.attnum, a.attname, quote_ident(a.attname) AS name, a.attislocal, a.attinhcount, a.attnotnull,
        a.attgenerated,
        a.attidentity, a.attoptions, a.attacl, c.relkind, c.name AS relation, t.typstorage <> a.attstorage AS has_storage,
            a.attstorage,
        (to_jsonb(a) ->> 'attstattarget')::int AS target, concat(format_type(a.atttypid, a.atttypmod),
            ' COLLATE ' || CASE WHEN a.attcollation <> t.typcollation THEN nullif(a.attcollation,
                0)::regcollation END) AS type,
        CASE a.attcompression WHEN 'p' THEN ' COMPRESSION pglz' WHEN 'l' THEN ' COMPRESSION lz4' END AS compression,
        (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name, option_value), ', ') || ')'
            FROM pg_options_to_table(a.attfdwoptions)) AS fdw_options,
        d.oid AS default_id, pg_get_expr(d.adbin, d.adrelid) AS value, a.attgenerated = '' AND EXISTS (SELECT FROM apart p
            WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid) AS is_apart
    FROM class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')
), parent AS MATERIALIZED (
    SELECT i.inhrelid AS oid, i.inhparent AS parent, i.inhseqno AS number, c.name, c.relkind,
        child.relispartition AS is_partition
    FROM pg_inherits i JOIN class c ON c.oid = i.inhparent JOIN class child ON child.oid = i.inhrelid
        WHERE c.relkind IN ('r', 'p', 'f')
), inherited AS MATERIALIZED (
    -- The columns that parents have, in the order in which a child gets them.
    SELECT DISTINCT ON (p.oid, a.attname) p.oid, a.attname, a.type, a.attnotnull, a.attgenerated, a.attidentity, p.number,
        a.attnum,
        CASE WHEN NOT a.is_apart THEN a.value END AS value
    FROM parent p JOIN col a ON a.attrelid = p.parent ORDER BY p.oid, a.attname, p.number, a.attnum
), shape AS MATERIALIZED (
    -- Whether a child is as its parents make it. If not, it is a table of its own before it is attached.
    SELECT oid, CASE WHEN is_partition THEN own IS NOT DISTINCT FROM whole AND has_own_identity IS NOT TRUE
        ELSE coalesce(own_names[:cardinality(names)], '{}') = coalesce(names, '{}')
            AND NOT (current_setting('server_version_num')::int < 160000 AND is_generated_again) END AS is_plain
    FROM (SELECT DISTINCT oid, is_partition FROM parent) p
    LEFT JOIN (SELECT a.attrelid AS oid, array_agg(concat_ws(' ', a.attname, a.type, a.attnotnull,
            CASE WHEN NOT a.is_apart THEN a.value END, a.attgenerated) ORDER BY a.attnum) AS own,
        array_agg(a.attname ORDER BY a.attnum) AS own_names, bool_or(a.attidentity <> '' AND a.attidentity <> i.attidentity) AS has_own_identity,
        bool_or(a.attislocal AND a.attinhcount > 0 AND a.attgenerated <> '') AS is_generated_again
        FROM col a LEFT JOIN inherited i ON i.oid = a.attrelid AND i.attname = a.attname GROUP BY a.attrelid) o USING (oid)
    LEFT JOIN (SELECT i.oid, array_agg(concat_ws(' ', attname, type, attnotnull, value, attgenerated) ORDER BY attnum) AS whole,
        array_agg(attname ORDER BY number, attnum) AS names FROM inherited i GROUP BY i.oid) n USING (oid)
), child AS MATERIALIZED (
    SELECT p.oid, bool_or(p.is_partition) AS is_partition, bool_and(s.is_plain) AS is_plain,
        string_agg(p.name, ', ' ORDER BY p.number) AS parents FROM parent p JOIN shape s USING (oid) GROUP BY p.oid
), not_null AS MATERIALIZED (
    -- From PostgreSQL 18 on, they are constraints with names; those of PostgreSQL's own choice are left out.
    SELECT a.attrelid, a.attnum, CASE WHEN k.conname <> left(c.relname || '_' || a.attname || '_not_null', 63)
            OR count(k.oid) FILTER (WHERE k.conislocal OR NOT h.is_plain) OVER (PARTITION BY k.connamespace, k.conname) > 1
            THEN format('CONSTRAINT %I ', k.conname) END AS prefix, coalesce(k.conislocal, true) AS is_local, CASE
                WHEN k.connoinherit THEN ' NO INHERIT' END AS suffix,
        coalesce(k.convalidated, true) AS is_valid, k.oid IS NOT NULL AS has_name
    FROM col a JOIN class c ON c.oid = a.attrelid LEFT JOIN child h ON h.oid = a.attrelid
    LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = k.conkey[1] WHERE a.attnotnull
), part AS (
    -- What stands in the parentheses of CREATE TABLE.
    SELECT a.attrelid AS oid, 0 AS kind, a.attnum::int AS number, '' AS sort, concat(a.name, ' ', a.type, a.fdw_options,
        a.compression,
        CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || a.value || ') STORED'
            WHEN a.attgenerated = 'v' THEN ' GENERATED ALWAYS AS (' || a.value || ') VIRTUAL'
            WHEN a.attidentity <> '' AND NOT (coalesce(c.is_partition, false)
                AND current_setting('server_version_num')::int >= 170000)
            THEN concat(' GENERATED ', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
                ' AS IDENTITY (SEQUENCE NAME ',
                s.name, CASE s.relpersistence WHEN t.relpersistence THEN '' WHEN 'u' THEN ' UNLOGGED' ELSE ' LOGGED' END,
                    s.options, ')')
            WHEN NOT a.is_apart THEN ' DEFAULT ' || a.value END,
        CASE WHEN (n.is_local OR NOT c.is_plain) AND n.is_valid THEN concat(' ', n.prefix, 'NOT NULL', n.suffix) END) AS sql
    FROM col a JOIN class t ON t.oid = a.attrelid LEFT JOIN not_null n USING (attrelid, attnum)
        LEFT JOIN child c ON c.oid = a.attrelid
    LEFT JOIN identity i USING (attrelid, attnum) LEFT JOIN sequence s ON s.oid = i.oid
    LEFT JOIN inherited h ON h.oid = a.attrelid AND h.attname = a.attname
    WHERE a.relkind IN ('r', 'p', 'f') AND (c.is_plain IS NOT TRUE OR NOT c.is_partition AND (a.attislocal
        OR a.attnotnull AND NOT n.has_name AND NOT h.attnotnull OR a.attgenerated <> '' AND a.value <> h.value))
    UNION ALL
    SELECT n.attrelid, 1, n.attnum, '', concat(n.prefix, 'NOT NULL ', a.name, n.suffix) FROM not_null n
        JOIN col a USING (attrelid, attnum)
    JOIN child c ON c.oid = n.attrelid WHERE n.has_name AND n.is_local AND n.is_valid AND c.is_plain
        AND (c.is_partition OR NOT a.attislocal)
    UNION ALL
    SELECT k.conrelid, 2, 0, k.conname, format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN class t ON t.oid = k.conrelid LEFT JOIN child c ON c.oid = k.conrelid
    WHERE k.contype = 'c' AND (k.conislocal OR NOT c.is_plain) AND (k.convalidated OR to_jsonb(k) ->> 'conenforced' = 'false')
    AND NOT EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid)
), parts AS MATERIALIZED (
    SELECT oid, E'(\n    ' || string_agg(sql, E',\n    ' ORDER BY kind, number, sort COLLATE "C") || E'\n)' AS sql
        FROM part GROUP BY oid
), storage AS MATERIALIZED (
    SELECT c.oid, ' WITH (' || string_agg(format('%s%I=%L', prefix, split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)),
        ', ') || ')' AS sql
    FROM class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
    CROSS JOIN LATERAL (SELECT '', unnest(c.reloptions) UNION ALL SELECT 'toast.', unnest(t.reloptions)) x (prefix,
        o) GROUP BY c.oid
), type AS MATERIALIZED (
    SELECT t.*, s.name || '.' || quote_ident(t.typname) AS name, EXISTS (SELECT FROM pg_depend d
        WHERE d.classid = 'pg_type'::regclass
        AND d.objid = t.oid AND d.refclassid = 'pg_proc'::regclass AND t.typtype = 'r' AND d.refobjid = r.rngcanonical)
        OR t.typtype = 'b' AND t.typisdefined AS has_shell
    FROM pg_type t JOIN schema s ON s.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
        LEFT JOIN pg_range r ON r.rngtypid = t.oid
    WHERE t.oid >= 16384 AND coalesce(c.relkind, 'c') = 'c' AND NOT (t.typelem <> 0
        AND t.typsubscript = 'array_subscript_handler'::regproc
        AND EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)) AND t.typtype <> 'm'
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_type'::regclass AND m.objid = t.oid)
), function AS MATERIALIZED (
    SELECT p.*, s.name || '.' || quote_ident(p.proname) AS base, format('%s.%I(%s)', s.name, p.proname,
        CASE WHEN p.prokind = 'a' AND p.pronargs = 0 THEN '*' ELSE pg_get_function_identity_arguments(p.oid) END) AS name,
        CASE p.prokind WHEN 'a' THEN 'AGGREGATE' WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS kind
    FROM pg_proc p JOIN schema s ON s.oid = p.pronamespace WHERE p.oid >= 16384
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_proc'::regclass AND m.objid = p.oid)
    -- The constructors of range types.
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'i')
), family_item AS MATERIALIZED (
    -- What operator classes and families consist of: of a class if it needs it, of its family otherwise.
    SELECT i.*, d.refobjid AS opclass, CASE WHEN d.refobjid IS NULL AND f.oid >= 16384 THEN f.oid END AS opfamily FROM (
        SELECT 'pg_amop'::regclass::oid AS class, a.oid AS id, a.amopfamily AS family, concat('OPERATOR ', a.amopstrategy,
            ' ', a.amopopr::regoperator,
            (SELECT format(' FOR ORDER BY %s.%I', s.name, opfname) FROM pg_opfamily f JOIN schema s ON s.oid = opfnamespace
                WHERE f.oid = a.amopsortfamily)) AS sql
        FROM pg_amop a, setting WHERE a.oid >= 16384
        UNION ALL
        SELECT 'pg_amproc'::regclass, a.oid, a.amprocfamily, format('FUNCTION %s (%s, %s) %s', a.amprocnum,
            format_type(a.amproclefttype, NULL),
            format_type(a.amprocrighttype, NULL), a.amproc::regprocedure) FROM pg_amproc a, setting WHERE a.oid >= 16384) i
    JOIN pg_opfamily f ON f.oid = i.family
    LEFT JOIN pg_depend d ON d.classid = i.class AND d.objid = i.id AND d.refclassid = 'pg_opclass'::regclass
        AND d.deptype = 'i'
    WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_opfamily'::regclass AND m.objid = f.oid)
), described (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS MATERIALIZED (
    -- Every object that has a name of its own, with what creates it.
    SELECT 1, 'pg_namespace'::regclass::oid, oid, 0, 10, 'SCHEMA', name, CASE WHEN nspname = 'public'
        AND nspowner = 'pg_database_owner'::regrole
            THEN 0 ELSE nspowner END, 'n'::"char", CASE WHEN nspname = 'public' AND nspacl IS NULL THEN acldefault('n',
                nspowner) ELSE nspacl END,
        CASE WHEN nspname <> 'public' THEN 'CREATE SCHEMA ' || name END
    FROM schema s WHERE (oid >= 16384 OR nspname = 'public')
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_namespace'::regclass AND m.objid = s.oid)
    UNION ALL
    SELECT 1, 'pg_extension'::regclass, e.oid, 0, 20, 'EXTENSION', quote_ident(e.extname), NULL, NULL, NULL, CASE
        WHEN e.oid >= 16384
        THEN concat(format('CREATE EXTENSION %I', e.extname), ' WITH SCHEMA ' || CASE WHEN EXISTS (SELECT FROM member m
            WHERE m.classid = 'pg_namespace'::regclass AND m.objid = e.extnamespace) THEN NULL ELSE s.name END) END
    FROM extension e JOIN schema s ON s.oid = e.extnamespace
    UNION ALL
    SELECT 1, 'pg_type'::regclass, oid, 1, 30, 'TYPE', name, NULL, NULL, NULL, 'CREATE TYPE ' || name
    FROM type WHERE has_shell OR NOT typisdefined
    UNION ALL
    SELECT 1, 'pg_type'::regclass, t.oid, 0, 40, CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, t.name, t.typowner,
        'T', t.typacl,
        CASE t.typtype WHEN 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', t.name,
            (SELECT string_agg(quote_literal(enumlabel), ', '
            ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
        WHEN 'c' THEN format('CREATE TYPE %s AS (%s)', t.name, (SELECT string_agg(a.name || ' ' || a.type, ', '
            ORDER BY a.attnum)
            FROM col a WHERE a.attrelid = t.typrelid))
        WHEN 'd' THEN concat(format('CREATE DOMAIN %s AS %s', t.name, format_type(t.typbasetype, t.typtypmod)), ' COLLATE ' ||
                CASE WHEN t.typcollation <> base.typcollation THEN nullif(t.typcollation, 0)::regcollation END, ' DEFAULT '
                    || t.typdefault,
            CASE WHEN t.typnotnull THEN ' NOT NULL' END, (SELECT string_agg(format(' CONSTRAINT %I %s', conname,
                pg_get_constraintdef(k.oid)),
                '' ORDER BY conname COLLATE "C") FROM pg_constraint k WHERE contypid = t.oid AND contype = 'c'
                    AND convalidated
                AND NOT EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid)))
        WHEN 'r' THEN concat('CREATE TYPE ', t.name, ' AS RANGE (SUBTYPE = ', format_type(r.rngsubtype, NULL),
            ', SUBTYPE_OPCLASS = ',
            (SELECT s.name || '.' || quote_ident(opcname) FROM pg_opclass o JOIN schema s ON s.oid = opcnamespace
                WHERE o.oid = r.rngsubopc),
            ', COLLATION = ' || nullif(r.rngcollation, 0)::regcollation, ', CANONICAL = ' || nullif(r.rngcanonical,
                0)::regproc,
            ', SUBTYPE_DIFF = ' || nullif(r.rngsubdiff, 0)::regproc, ', MULTIRANGE_TYPE_NAME = ' || (SELECT s.name || '.'
                || quote_ident(typname)
                FROM pg_type m JOIN schema s ON s.oid = m.typnamespace WHERE m.oid = r.rngmultitypid), ')')
        ELSE concat('CREATE TYPE ', t.name, ' (INPUT = ', t.typinput::regproc, ', OUTPUT = ', t.typoutput::regproc,
            ', RECEIVE = ' || nullif(t.typreceive, 0)::regproc, ', SEND = ' || nullif(t.typsend, 0)::regproc,
            ', TYPMOD_IN = ' || nullif(t.typmodin, 0)::regproc, ', TYPMOD_OUT = ' || nullif(t.typmodout, 0)::regproc,
            ', ANALYZE = ' || nullif(t.typanalyze, 0)::regproc, ', SUBSCRIPT = ' || nullif(t.typsubscript, 0)::regproc,
            ', INTERNALLENGTH = ' || nullif(t.typlen, -1), CASE WHEN t.typbyval THEN ', PASSEDBYVALUE' END, ', ALIGNMENT = ',
            CASE t.typalign WHEN 'c' THEN 'char' WHEN 's' THEN 'int2' WHEN 'i' THEN 'int4' ELSE 'double' END, ', STORAGE = ',
            CASE t.typstorage WHEN 'p' THEN 'plain' WHEN 'e' THEN 'external' WHEN 'x' THEN 'extended' ELSE 'main' END,
            ', CATEGORY = ' || quote_literal(nullif(t.typcategory, 'U')::text), CASE WHEN t.typispreferred
                THEN ', PREFERRED = true' END,
            ', DEFAULT = ' || quote_literal(t.typdefault), ', ELEMENT = ' || format_type(nullif(t.typelem, 0), NULL),
            ', DELIMITER = ' || quote_literal(nullif(t.typdelim, ',')::text), CASE WHEN t.typcollation <> 0
                THEN ', COLLATABLE = true' END, ')') END
    FROM type t LEFT JOIN pg_type base ON base.oid = t.typbasetype LEFT JOIN pg_range r ON r.rngtypid = t.oid
        WHERE t.typisdefined
    UNION ALL
    SELECT 1, 'pg_proc'::regclass, f.oid, 0, CASE f.prokind WHEN 'a' THEN 55 ELSE 50 END, f.kind, f.name, f.proowner, 'f',
        f.proacl,
        CASE WHEN f.prokind <> 'a' THEN rtrim(pg_get_functiondef(f.oid), E'\n')
        ELSE concat('CREATE AGGREGATE ', f.base, '(', CASE WHEN f.pronargs = 0 THEN '*'
            ELSE pg_get_function_arguments(f.oid) END, ') (SFUNC = ',
            a.aggtransfn::regproc, ', STYPE = ', format_type(a.aggtranstype, NULL), ', SSPACE = ' || nullif(a.aggtransspace,
                0),
            ', FINALFUNC = ' || nullif(a.aggfinalfn, 0)::regproc, CASE WHEN a.aggfinalextra THEN ', FINALFUNC_EXTRA' END,
            ', FINALFUNC_MODIFY = ' || modify.name[strpos('rsw', nullif(a.aggfinalmodify, modify.initial))],
            ', COMBINEFUNC = ' || nullif(a.aggcombinefn, 0)::regproc, ', SERIALFUNC = ' || nullif(a.aggserialfn, 0)::regproc,
            ', DESERIALFUNC = ' || nullif(a.aggdeserialfn, 0)::regproc, ', INITCOND = ' || quote_literal(a.agginitval),
            ', MSFUNC = ' || nullif(a.aggmtransfn, 0)::regproc, ', MINVFUNC = ' || nullif(a.aggminvtransfn, 0)::regproc,
            ', MSTYPE = ' || format_type(nullif(a.aggmtranstype, 0), NULL), ', MSSPACE = ' || nullif(a.aggmtransspace, 0),
            ', MFINALFUNC = ' || nullif(a.aggmfinalfn, 0)::regproc, CASE WHEN a.aggmfinalextra THEN ', MFINALFUNC_EXTRA' END,
            CASE WHEN a.aggmfinalfn <> 0 THEN ', MFINALFUNC_MODIFY = ' || modify.name[strpos('rsw', nullif(a.aggmfinalmodify,
                modify.initial))] END,
            ', MINITCOND = ' || quote_literal(a.aggminitval), ', SORTOP = ' || operator.name,
            ', PARALLEL = ' || CASE f.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' END,
            CASE a.aggkind WHEN 'h' THEN ', HYPOTHETICAL' END, ')') END
    FROM function f LEFT JOIN pg_aggregate a ON a.aggfnoid = f.oid
    CROSS JOIN LATERAL (SELECT '{READ_ONLY,SHAREABLE,READ_WRITE}'::text[], CASE a.aggkind WHEN 'n' THEN 'r'
        ELSE 'w' END::"char") modify (name, initial)
    LEFT JOIN LATERAL (SELECT format('OPERATOR(%s.%s)', s.name, oprname) FROM pg_operator o
        JOIN schema s ON s.oid = oprnamespace
        WHERE o.oid = a.aggsortop) operator (name) ON true
    UNION ALL
    SELECT 1, 'pg_operator'::regclass, o.oid, 0, 60, 'OPERATOR', o.oid::regoperator::text, o.oprowner, NULL, NULL,
        concat(format('CREATE OPERATOR %s.%s (FUNCTION = %s', s.name, o.oprname, o.oprcode::regproc),
            ', LEFTARG = ' || format_type(nullif(o.oprleft, 0), NULL), ', RIGHTARG = ', format_type(o.oprright, NULL),
            (SELECT format(', COMMUTATOR = OPERATOR(%s.%s)', s.name, oprname) FROM pg_operator c
                JOIN schema s ON s.oid = oprnamespace
                WHERE c.oid = o.oprcom),
            (SELECT format(', NEGATOR = OPERATOR(%s.%s)', s.name, oprname) FROM pg_operator c
                JOIN schema s ON s.oid = oprnamespace
                WHERE c.oid = o.oprnegate), ', RESTRICT = ' || nullif(o.oprrest, 0)::regproc, ', JOIN = '
                    || nullif(o.oprjoin, 0)::regproc,
            CASE WHEN o.oprcanhash THEN ', HASHES' END, CASE WHEN o.oprcanmerge THEN ', MERGES' END, ')')
    FROM pg_operator o JOIN schema s ON s.oid = o.oprnamespace WHERE o.oid >= 16384 AND o.oprcode <> 0
    UNION ALL
    SELECT 1, 'pg_opfamily'::regclass, o.oid, 0, 62, 'OPERATOR FAMILY', f.name, o.opfowner, NULL, NULL,
        'CREATE OPERATOR FAMILY ' || f.name
    FROM pg_opfamily o JOIN schema s ON s.oid = o.opfnamespace JOIN pg_am am ON am.oid = o.opfmethod
    CROSS JOIN LATERAL (SELECT format('%s.%I USING %I', s.name, opfname, am.amname)) f (name) WHERE o.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_opclass'::regclass, o.oid, 0, 64, 'OPERATOR CLASS', format('%s.%I USING %I', s.name, o.opcname, am.amname),
        o.opcowner, NULL, NULL,
        concat(format('CREATE OPERATOR CLASS %s.%I ', s.name, o.opcname), CASE WHEN o.opcdefault THEN 'DEFAULT ' END,
            'FOR TYPE ',
            format_type(o.opcintype, NULL), ' USING ', quote_ident(am.amname), format(' FAMILY %s.%I AS ', fs.name,
                f.opfname),
            concat_ws(', ', 'STORAGE ' || format_type(coalesce(nullif(o.opckeytype, 0), o.opcintype), NULL),
            (SELECT string_agg(i.sql, ', ' ORDER BY i.sql COLLATE "C") FROM family_item i WHERE i.opclass = o.oid)))
    FROM pg_opclass o JOIN schema s ON s.oid = o.opcnamespace JOIN pg_am am ON am.oid = o.opcmethod
    JOIN pg_opfamily f ON f.oid = o.opcfamily JOIN schema fs ON fs.oid = f.opfnamespace WHERE o.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_opfamily'::regclass, o.oid, 2, 65, '', o.opfname, NULL, NULL, NULL,
        format('ALTER OPERATOR FAMILY %s.%I USING %I ADD %s',
        s.name, o.opfname, am.amname, (SELECT string_agg(i.sql, ', ' ORDER BY i.sql COLLATE "C") FROM family_item i
            WHERE i.opfamily = o.oid))
    FROM pg_opfamily o JOIN schema s ON s.oid = o.opfnamespace JOIN pg_am am ON am.oid = o.opfmethod
    WHERE EXISTS (SELECT FROM family_item i WHERE i.opfamily = o.oid)
    UNION ALL
    SELECT 1, 'pg_cast'::regclass, c.oid, 0, 66, 'CAST', k.name, NULL, NULL, NULL, concat('CREATE CAST ', k.name,
        CASE c.castmethod
        WHEN 'b' THEN ' WITHOUT FUNCTION' WHEN 'i' THEN ' WITH INOUT' ELSE ' WITH FUNCTION ' || c.castfunc::regprocedure END,
        CASE c.castcontext WHEN 'i' THEN ' AS IMPLICIT' WHEN 'a' THEN ' AS ASSIGNMENT' END)
    FROM pg_cast c, setting, LATERAL (SELECT format('(%s AS %s)', format_type(castsource, NULL), format_type(casttarget,
        NULL))) k (name)
    WHERE c.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_cast'::regclass AND d.objid = c.oid
        AND d.deptype = 'i')
    UNION ALL
    SELECT 1, 'pg_collation'::regclass, c.oid, 0, 45, 'COLLATION', n.name, c.collowner, NULL, NULL,
        concat('CREATE COLLATION ', n.name,
        ' (provider = ', CASE c.collprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' ELSE 'builtin' END, CASE c.collprovider
            WHEN 'c' THEN format(', lc_collate = %L, lc_ctype = %L', c.collcollate, c.collctype)
            ELSE format(', locale = %L', coalesce(j ->> 'colllocale', j ->> 'colliculocale')) END,
        ', rules = ' || quote_literal(j ->> 'collicurules'), CASE WHEN NOT c.collisdeterministic
            THEN ', deterministic = false' END, ')')
    FROM pg_collation c JOIN schema s ON s.oid = c.collnamespace CROSS JOIN to_jsonb(c) j
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(collname)) n (name) WHERE c.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_conversion'::regclass, c.oid, 0, 69, 'CONVERSION', n.name, c.conowner, NULL, NULL,
        format('CREATE %sCONVERSION %s FOR %L TO %L FROM %s',
        CASE WHEN c.condefault THEN 'DEFAULT ' END, n.name, pg_encoding_to_char(c.conforencoding),
            pg_encoding_to_char(c.contoencoding), c.conproc)
    FROM pg_conversion c JOIN schema s ON s.oid = c.connamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(conname)) n (name)
    WHERE c.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_language'::regclass, l.oid, 0, 25, 'LANGUAGE', quote_ident(l.lanname), l.lanowner, 'l', l.lanacl,
        concat('CREATE ',
        CASE WHEN l.lanpltrusted THEN 'TRUSTED ' END, format('LANGUAGE %I HANDLER ', l.lanname), l.lanplcallfoid::regproc,
        ' INLINE ' || nullif(l.laninline, 0)::regproc, ' VALIDATOR ' || nullif(l.lanvalidator, 0)::regproc)
    FROM pg_language l, setting WHERE l.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_am'::regclass, a.oid, 0, 58, 'ACCESS METHOD', quote_ident(a.amname), NULL, NULL, NULL,
        format('CREATE ACCESS METHOD %I TYPE %s HANDLER %s',
        a.amname, CASE a.amtype WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, a.amhandler) FROM pg_am a, setting
            WHERE a.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_transform'::regclass, t.oid, 0, 68, 'TRANSFORM', n.name, NULL, NULL, NULL, concat('CREATE TRANSFORM ',
        n.name, ' (', concat_ws(', ',
        'FROM SQL WITH FUNCTION ' || nullif(t.trffromsql, 0)::regprocedure, 'TO SQL WITH FUNCTION ' || nullif(t.trftosql,
            0)::regprocedure), ')')
    FROM pg_transform t JOIN pg_language l ON l.oid = t.trflang CROSS JOIN setting
    CROSS JOIN LATERAL (SELECT format('FOR %s LANGUAGE %I', format_type(t.trftype, NULL), l.lanname)) n (name)
        WHERE t.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_parser'::regclass, p.oid, 0, 70, 'TEXT SEARCH PARSER', n.name, NULL, NULL, NULL,
        concat('CREATE TEXT SEARCH PARSER ', n.name, ' (START = ',
        p.prsstart, ', GETTOKEN = ', p.prstoken, ', END = ', p.prsend, ', LEXTYPES = ', p.prslextype, ', HEADLINE = '
            || nullif(p.prsheadline, 0)::regproc, ')')
    FROM pg_ts_parser p JOIN schema s ON s.oid = p.prsnamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(prsname)) n (name) WHERE p.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_template'::regclass, t.oid, 0, 70, 'TEXT SEARCH TEMPLATE', n.name, NULL, NULL, NULL,
        concat('CREATE TEXT SEARCH TEMPLATE ', n.name, ' (',
        'INIT = ' || nullif(t.tmplinit, 0)::regproc || ', ', 'LEXIZE = ', t.tmpllexize, ')')
    FROM pg_ts_template t JOIN schema s ON s.oid = t.tmplnamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(tmplname)) n (name) WHERE t.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_dict'::regclass, d.oid, 0, 71, 'TEXT SEARCH DICTIONARY', n.name, d.dictowner, NULL, NULL,
        concat('CREATE TEXT SEARCH DICTIONARY ', n.name,
        ' (TEMPLATE = ', ts.name || '.' || quote_ident(t.tmplname), ', ' || d.dictinitoption, ')')
    FROM pg_ts_dict d JOIN schema s ON s.oid = d.dictnamespace JOIN pg_ts_template t ON t.oid = d.dicttemplate
        JOIN schema ts ON ts.oid = t.tmplnamespace
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(dictname)) n (name) WHERE d.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_config'::regclass, c.oid, 0, 72, 'TEXT SEARCH CONFIGURATION', n.name, c.cfgowner, NULL, NULL,
        concat('CREATE TEXT SEARCH CONFIGURATION ',
        n.name, ' (PARSER = ', ps.name || '.' || quote_ident(p.prsname), ')',
            (SELECT string_agg(format(E';\nALTER TEXT SEARCH CONFIGURATION %s ADD MAPPING FOR %I WITH %s',
            n.name, alias, dicts), '' ORDER BY alias COLLATE "C") FROM ts_token_type(c.cfgparser) t
            CROSS JOIN LATERAL (SELECT string_agg(mapdict::regdictionary::text, ', ' ORDER BY mapseqno)
                FROM pg_ts_config_map m
                WHERE m.mapcfg = c.oid AND m.maptokentype = t.tokid) m (dicts) WHERE dicts IS NOT NULL))
    FROM pg_ts_config c JOIN schema s ON s.oid = c.cfgnamespace JOIN pg_ts_parser p ON p.oid = c.cfgparser
        JOIN schema ps ON ps.oid = p.prsnamespace
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(cfgname)) n (name) WHERE c.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_foreign_data_wrapper'::regclass, w.oid, 0, 57, 'FOREIGN DATA WRAPPER', quote_ident(w.fdwname), w.fdwowner,
        'F', w.fdwacl,
        concat(format('CREATE FOREIGN DATA WRAPPER %I', w.fdwname), ' HANDLER ' || nullif(w.fdwhandler, 0)::regproc,
            ' VALIDATOR ' || nullif(w.fdwvalidator, 0)::regproc,
                (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name, option_value), ', ') || ')'
            FROM pg_options_to_table(w.fdwoptions))) FROM pg_foreign_data_wrapper w, setting WHERE w.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_foreign_server'::regclass, f.oid, 0, 59, 'SERVER', quote_ident(f.srvname), f.srvowner, 'S', f.srvacl,
        concat(format('CREATE SERVER %I', f.srvname), ' TYPE ' || quote_literal(f.srvtype), ' VERSION '
            || quote_literal(f.srvversion),
            format(' FOREIGN DATA WRAPPER %I', w.fdwname), (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name,
                option_value), ', ') || ')'
            FROM pg_options_to_table(f.srvoptions)))
    FROM pg_foreign_server f JOIN pg_foreign_data_wrapper w ON w.oid = f.srvfdw CROSS JOIN setting
    UNION ALL
    SELECT 1, 'pg_class'::regclass, s.oid, 0, 74, 'SEQUENCE', s.name, s.relowner, 's', s.relacl,
        concat('CREATE ', CASE s.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'SEQUENCE ', s.name, s.type, s.options)
    FROM sequence s WHERE s.oid NOT IN (SELECT oid FROM identity)
    UNION ALL
    SELECT 1, 'pg_class'::regclass, t.oid, 0, 75, t.kind, t.name, t.relowner, 'r', t.relacl,
        concat('CREATE ', CASE t.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, t.kind, ' ', t.name, CASE WHEN c.is_plain
            AND c.is_partition
                THEN ' PARTITION OF ' || c.parents END, coalesce(' ' || p.sql, CASE
                    WHEN NOT (c.is_plain AND c.is_partition) IS TRUE THEN ' ()' END),
            CASE WHEN c.is_plain THEN CASE WHEN c.is_partition THEN E'\n' || pg_get_expr(t.relpartbound, t.oid)
                ELSE ' INHERITS (' || c.parents || ')' END END,
            ' PARTITION BY ' || pg_get_partkeydef(t.oid), ' USING ' || quote_ident(nullif(am.amname,
                coalesce((SELECT a.amname FROM parent p
                JOIN pg_class r ON r.oid = p.parent JOIN pg_am a ON a.oid = r.relam WHERE p.oid = t.oid AND c.is_plain
                    AND c.is_partition), 'heap'))), o.sql,
            (SELECT concat(format(' SERVER %I', srvname), (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name,
                option_value), ', ') || ')'
                FROM pg_options_to_table(ft.ftoptions))) FROM pg_foreign_table ft
                    JOIN pg_foreign_server f ON f.oid = ft.ftserver WHERE ft.ftrelid = t.oid))
    FROM class t LEFT JOIN child c USING (oid) LEFT JOIN parts p USING (oid) LEFT JOIN storage o USING (oid)
        LEFT JOIN pg_am am ON am.oid = t.relam
    WHERE t.relkind IN ('r', 'p', 'f')
    UNION ALL
    SELECT 1, 'pg_class'::regclass, t.oid, 0, 90, t.kind, t.name, t.relowner, 'r', t.relacl,
        concat('CREATE ', t.kind, ' ', t.name, ' USING ' || quote_ident(nullif(am.amname, 'heap')), o.sql, E' AS\n',
            rtrim(pg_get_viewdef(t.oid), ';'), CASE t.relkind WHEN 'm' THEN E'\n  WITH NO DATA' END)
    FROM class t LEFT JOIN storage o USING (oid) LEFT JOIN pg_am am ON am.oid = t.relam WHERE t.relkind IN ('v', 'm')

    UNION ALL
    SELECT 4, 'pg_event_trigger'::regclass, e.oid, 0, 10, 'EVENT TRIGGER', quote_ident(e.evtname), e.evtowner, NULL, NULL,
        concat(format('CREATE EVENT TRIGGER %I ON %s', e.evtname, e.evtevent), ' WHEN TAG IN ('
            || (SELECT string_agg(quote_literal(tag), ', ')
            FROM unnest(e.evttags) tag) || ')', ' EXECUTE FUNCTION ', e.evtfoid::regproc, '()',
                format(E';\nALTER EVENT TRIGGER %I ', e.evtname) ||
            CASE e.evtenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' END)
    FROM pg_event_trigger e, setting
    UNION ALL
    SELECT 2, 'pg_publication'::regclass, p.oid, 0, 80, 'PUBLICATION', quote_ident(p.pubname), p.pubowner, NULL, NULL,
        concat('CREATE PUBLICATION ',
        quote_ident(p.pubname), CASE WHEN p.puballtables THEN ' FOR ALL TABLES' END, ' FOR '
            || (SELECT string_agg(member, ', ' ORDER BY member COLLATE "C") FROM (
            SELECT concat('TABLE ONLY ', c.name, ' (' || (SELECT string_agg(a.name, ', ' ORDER BY a.attnum) FROM col a
                WHERE a.attrelid = c.oid AND a.attnum = ANY (r.prattrs)) || ')', ' WHERE (' || pg_get_expr(r.prqual, c.oid)
                    || ')')
            FROM pg_publication_rel r JOIN class c ON c.oid = r.prrelid WHERE r.prpubid = p.oid
            UNION ALL SELECT 'TABLES IN SCHEMA ' || s.name FROM pg_publication_namespace n JOIN schema s ON s.oid = n.pnnspid
                WHERE n.pnpubid = p.oid) m (member)),
        format(' WITH (publish = %L', concat_ws(', ', CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate
            THEN 'update' END,
            CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END)),
        CASE WHEN p.pubviaroot THEN ', publish_via_partition_root = true' END,
        CASE to_jsonb(p) ->> 'pubgencols' WHEN 's' THEN ', publish_generated_columns = stored' END, ')')
    FROM pg_publication p, setting
    UNION ALL
    SELECT 2, 'pg_statistic_ext'::regclass, x.oid, 0, 70, 'STATISTICS', s.name || '.' || quote_ident(x.stxname), x.stxowner,
        NULL, NULL,
        pg_get_statisticsobjdef(x.oid) FROM pg_statistic_ext x JOIN schema s ON s.oid = x.stxnamespace
    UNION ALL
    SELECT 2, 'pg_class'::regclass, i.indexrelid, 0, 10, 'INDEX', c.name, NULL, NULL, NULL, pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN class c ON c.oid = i.indexrelid JOIN class t ON t.oid = i.indrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    UNION ALL
    -- What belongs to a table.
    SELECT CASE WHEN k.contype = 'f' THEN 2 ELSE 1 END, 'pg_constraint'::regclass, k.oid, 0, CASE k.contype WHEN 'c' THEN 80
        WHEN 'f'
            -- Those of partitions have names that PostgreSQL chooses, none that is there.
            THEN 20 + (t.relkind = 'p' OR EXISTS (SELECT FROM pg_class p WHERE p.oid = k.confrelid AND p.relkind = 'p'))::int
                ELSE 82 END,
        'CONSTRAINT', format('%I ON %s', k.conname, t.name), NULL, NULL, NULL, format('ALTER TABLE %s%s ADD CONSTRAINT %I %s',
            CASE WHEN k.contype IN ('f', 'x') AND t.relkind = 'p' OR k.contype = 'c' AND NOT k.connoinherit THEN ''
                ELSE 'ONLY ' END,
            t.name, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN class t ON t.oid = k.conrelid WHERE k.contype IN ('p', 'u') OR k.contype IN ('f', 'x')
        AND k.conparentid = 0
        OR k.contype = 'c' AND k.conislocal AND (NOT k.convalidated AND coalesce(to_jsonb(k) ->> 'conenforced', '') <> 'false'
            OR EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid))
    UNION ALL
    SELECT 1, 'pg_constraint'::regclass, k.oid, 0, 42, 'CONSTRAINT', format('%I ON DOMAIN %s', k.conname, t.name), NULL,
        NULL, NULL,
        format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', t.name, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN type t ON t.oid = k.contypid WHERE k.contype = 'c'
    AND (NOT k.convalidated OR EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid))
    UNION ALL
    SELECT 2, 'pg_rewrite'::regclass, r.oid, 0, 40, 'RULE', format('%I ON %s', r.rulename, c.name), NULL, NULL, NULL,
        rtrim(pg_get_ruledef(r.oid), ';')
    FROM pg_rewrite r JOIN class c ON c.oid = r.ev_class WHERE r.rulename <> '_RETURN'
    UNION ALL
    SELECT 2, 'pg_trigger'::regclass, t.oid, 0, 50, 'TRIGGER', format('%I ON %s', t.tgname, c.name), NULL, NULL, NULL,
        pg_get_triggerdef(t.oid)
    FROM pg_trigger t JOIN class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND t.tgparentid = 0
    UNION ALL
    SELECT 2, 'pg_policy'::regclass, p.oid, 0, 60, 'POLICY', format('%I ON %s', p.polname, c.name), NULL, NULL, NULL,
        concat(format('CREATE POLICY %I ON %s',
        p.polname, c.name), CASE WHEN NOT p.polpermissive THEN ' AS RESTRICTIVE' END, ' FOR ' || CASE p.polcmd WHEN 'r'
            THEN 'SELECT' WHEN 'a' THEN 'INSERT'
            WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' END, ' TO ' || (SELECT string_agg(quote_ident(rolname), ', '
                ORDER BY rolname)
            FROM pg_roles r WHERE r.oid = ANY (p.polroles)), ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
        ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
    FROM pg_policy p JOIN class c ON c.oid = p.polrelid
), own AS MATERIALIZED (
    SELECT * FROM described o WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = o.class AND m.objid = o.id)
), held AS MATERIALIZED (
    -- Privileges of columns are a kind of their own, whose owners have none.
    SELECT id, CASE WHEN class = 'pg_class'::regclass THEN CASE kind WHEN 'SEQUENCE' THEN kind ELSE 'TABLE' END
        WHEN class = 'pg_type'::regclass THEN 'TYPE'
            WHEN class = 'pg_proc'::regclass THEN CASE kind WHEN 'PROCEDURE' THEN kind ELSE 'FUNCTION' END
                WHEN class = 'pg_foreign_server'::regclass THEN 'FOREIGN SERVER'
            ELSE kind END AS kind, replace(replace(name, '(*)', '()'), ' ORDER BY ', ', ') AS name, '' AS columns, acl, CASE
                WHEN (class, name) = ('pg_namespace'::regclass, 'public')
            THEN acldefault('n', who.owner) || makeaclitem(0, who.owner, 'USAGE', false)
            ELSE acldefault(acl_kind, who.owner) END AS initial FROM own
    CROSS JOIN LATERAL (SELECT coalesce(nullif(owner, 0), 'pg_database_owner'::regrole)) who (owner) WHERE acl IS NOT NULL
    UNION ALL
    SELECT attrelid, 'TABLE', relation, format('(%s)', name), attacl, acldefault('c', 10) FROM col WHERE attacl IS NOT NULL
    UNION ALL
    -- What objects get that will be created: in place of what the server gives, or in a schema beside that.
    SELECT d.oid, CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES'
        WHEN 'n' THEN 'SCHEMAS' ELSE 'LARGE OBJECTS' END, concat('FOR ROLE ', quote_ident(r.rolname), ' IN SCHEMA ' || s.name), '', d.defaclacl,
        CASE WHEN d.defaclnamespace = 0 THEN acldefault(CASE d.defaclobjtype WHEN 'S' THEN 's' ELSE d.defaclobjtype END, d.defaclrole)
        ELSE acldefault('c', 10) END
    FROM pg_default_acl d JOIN pg_roles r ON r.oid = d.defaclrole CROSS JOIN setting LEFT JOIN schema s ON s.oid = d.defaclnamespace
), privilege AS (
    SELECT id, kind LIKE '%S' AS is_default, name, g.grantee, concat(CASE WHEN kind LIKE '%S' THEN 'ALTER DEFAULT PRIVILEGES ' || name || ' ' END,
        CASE WHEN is_given THEN 'GRANT ' ELSE 'REVOKE ' END, CASE WHEN count(*) = max(whole.count) THEN 'ALL'
            ELSE string_agg(type || columns, ', ' ORDER BY type) END, format(' ON %s ', kind), CASE WHEN kind NOT LIKE '%S' THEN name || ' ' END,
        CASE WHEN is_given THEN 'TO ' ELSE 'FROM ' END, g.grantee, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS sql
    FROM held CROSS JOIN LATERAL (SELECT count(*) FROM aclexplode(initial) a WHERE a.grantee <> 0) whole CROSS JOIN LATERAL (
        (SELECT false, grantee, privilege_type, false FROM aclexplode(initial) EXCEPT SELECT false, grantee, privilege_type,
            false FROM aclexplode(acl))
        UNION (SELECT true, grantee, privilege_type, is_grantable FROM aclexplode(acl) EXCEPT SELECT true, grantee,
            privilege_type, is_grantable
            FROM aclexplode(initial))) x (is_given, grantee, type, is_grantable)
    CROSS JOIN LATERAL (SELECT coalesce((SELECT quote_ident(rolname) FROM pg_roles r WHERE r.oid = x.grantee), 'PUBLIC')) g (grantee)
    GROUP BY id, kind, name, columns, is_given, g.grantee, is_grantable
), node AS MATERIALIZED (
    SELECT stage, class, id, part, phase, name, sql FROM own WHERE sql IS NOT NULL
    UNION ALL
    SELECT 1, 'pg_attrdef'::regclass, a.default_id, 0, 80, a.relation || ' ' || a.name,
        format('ALTER %s %s ALTER COLUMN %s SET DEFAULT %s',
        CASE a.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE ONLY' END, a.relation, a.name, a.value)
    FROM col a LEFT JOIN child c ON c.oid = a.attrelid LEFT JOIN inherited i ON i.oid = a.attrelid AND i.attname = a.attname
    WHERE a.value IS NOT NULL AND a.attgenerated = '' AND (a.is_apart OR a.relkind = 'v'
        OR c.is_plain AND NOT c.is_partition AND NOT a.attislocal AND a.value IS DISTINCT FROM i.value)
    UNION ALL
    SELECT 1, 'pg_class'::regclass, a.attrelid, 10 + a.attnum, 80, a.relation || ' ' || a.name,
        format('ALTER TABLE ONLY %s ALTER COLUMN %s DROP DEFAULT', a.relation, a.name)
    FROM col a JOIN child c ON c.oid = a.attrelid JOIN inherited i ON i.oid = a.attrelid AND i.attname = a.attname
    WHERE a.value IS NULL AND i.value IS NOT NULL AND i.attgenerated = '' AND c.is_plain AND NOT c.is_partition
    UNION ALL
    SELECT 1, 'pg_class'::regclass, p.oid, 2, 78, t.name || ' ' || p.name, format(CASE WHEN p.is_partition
        THEN 'ALTER TABLE ONLY %2$s ATTACH PARTITION %1$s %3$s'
        ELSE 'ALTER TABLE ONLY %1$s INHERIT %2$s' END, t.name, p.name, pg_get_expr(t.relpartbound, t.oid))
    FROM parent p JOIN class t USING (oid) JOIN child c USING (oid) WHERE NOT c.is_plain
    UNION ALL
    SELECT 1, 'pg_class'::regclass, c.oid, 3, 79, c.name, format('ALTER TABLE ONLY %s OF %s', c.name,
        format_type(c.reloftype, NULL)) FROM class c WHERE c.reloftype <> 0
    UNION ALL
    SELECT 1, 'pg_class'::regclass, n.attrelid, 4, 80, a.relation || ' ' || a.name,
        format('ALTER TABLE ONLY %s ADD %sNOT NULL %s%s NOT VALID', a.relation, n.prefix, a.name, n.suffix)
    FROM not_null n JOIN col a USING (attrelid, attnum) WHERE NOT n.is_valid AND n.is_local
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 5, 12, p.name || ' ' || c.name, format('ALTER INDEX %s ATTACH PARTITION %s',
        p.name, c.name)
    FROM pg_inherits i JOIN class c ON c.oid = i.inhrelid JOIN class p ON p.oid = i.inhparent WHERE c.relkind IN ('i', 'I')
    -- Those of exclusion constraints cannot be attached; their table passes the constraint on.
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype = 'x')
    UNION ALL
    SELECT 2, 'pg_class'::regclass, s.oid, 6, 30, s.name, format('ALTER SEQUENCE %s OWNED BY %s.%s', s.name, a.relation,
        a.name)
    FROM sequence s JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
    JOIN col a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 7, 31, c.name, concat('ALTER TABLE ONLY ', c.name, CASE c.relreplident WHEN 'n'
        THEN ' REPLICA IDENTITY NOTHING'
        WHEN 'f' THEN ' REPLICA IDENTITY FULL' ELSE format(' REPLICA IDENTITY USING INDEX %I', (SELECT relname
            FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
            WHERE i.indrelid = c.oid AND i.indisreplident)) END) FROM class c WHERE c.relkind IN ('r', 'p')
                AND c.relreplident <> 'd'
        AND (c.relreplident <> 'i' OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisreplident))
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 8, 32, c.name, format('ALTER TABLE %s CLUSTER ON %I', c.name, x.relname)
    FROM class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisclustered JOIN pg_class x ON x.oid = i.indexrelid
    UNION ALL
    SELECT 2, 'pg_class'::regclass, a.attrelid, 9, 33, a.relation || ' ' || a.name || x.sql,
        format('ALTER %s %s ALTER COLUMN %s %s',
        CASE a.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE ONLY' ELSE 'TABLE ONLY' END,
            a.relation, a.name, x.sql)
    FROM col a CROSS JOIN LATERAL (VALUES (CASE WHEN a.has_storage THEN 'SET STORAGE ' || CASE a.attstorage WHEN 'p'
        THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL'
            WHEN 'x' THEN 'EXTENDED' ELSE 'MAIN' END END), ('SET STATISTICS ' || nullif(a.target, -1)),
        ('SET (' || (SELECT string_agg(format('%I=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ')
            FROM unnest(a.attoptions) o WHERE o ~ '^n_distinct') || ')')) x (sql)
    WHERE a.relkind IN ('r', 'p', 'f', 'm') AND x.sql IS NOT NULL
    UNION ALL
    SELECT 2, 'pg_rewrite'::regclass, r.oid, 1, 41, c.name || ' ' || r.rulename, format('ALTER TABLE %s %s RULE %I', c.name,
        CASE r.ev_enabled WHEN 'D' THEN 'DISABLE'
        WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, r.rulename) FROM pg_rewrite r
            JOIN class c ON c.oid = r.ev_class
    WHERE r.ev_enabled <> 'O'
    UNION ALL
    SELECT 2, 'pg_trigger'::regclass, t.oid, 1, 51, c.name || ' ' || t.tgname, format('ALTER TABLE ONLY %s %s TRIGGER %I',
        c.name, CASE t.tgenabled WHEN 'D' THEN 'DISABLE'
        WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, t.tgname) FROM pg_trigger t JOIN class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'O'
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 10, 59, c.name || x.sql, format('ALTER TABLE %s %s ROW LEVEL SECURITY', c.name,
        x.sql) FROM class c
    CROSS JOIN LATERAL (VALUES (CASE WHEN c.relrowsecurity THEN 'ENABLE' END), (CASE WHEN c.relforcerowsecurity
        THEN 'FORCE' END)) x (sql) WHERE x.sql IS NOT NULL
    UNION ALL
    -- The owner of the database owns what is not said here.
    SELECT 3, class, id, 0, 10 + (kind = 'SEQUENCE')::int, name, format('ALTER %s %s OWNER TO %s', kind, name,
        (SELECT quote_ident(rolname) FROM pg_roles r WHERE r.oid = owner))
    FROM own o WHERE owner <> 0 AND owner <> (SELECT datdba FROM pg_database WHERE datname = current_database()) AND part = 0
        AND class <> 'pg_event_trigger'::regclass
    UNION ALL
    SELECT 3, 'pg_class'::regclass, id, 1, CASE WHEN is_default THEN 40 ELSE 20 END, name || ' ' || grantee || sql, sql FROM privilege
    UNION ALL
    SELECT 3, class, id, 2, 30, kind || name, format('COMMENT ON %s %s IS %L', kind, name, d.description)
    FROM own o JOIN pg_description d ON d.classoid = o.class AND d.objoid = o.id AND d.objsubid = 0 WHERE part = 0
        AND class NOT IN ('pg_event_trigger'::regclass, 'pg_extension'::regclass)
        AND (class, name) <> ('pg_namespace'::regclass, 'public')
    UNION ALL
    SELECT 3, 'pg_class'::regclass, a.attrelid, 3, 31, a.relation || ' ' || a.name, format('COMMENT ON COLUMN %s.%s IS %L',
        a.relation, a.name, d.description)
    FROM col a JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum
), known AS MATERIALIZED (
    -- What is described with something else: an array with its element, the rule of a view with the view.
    SELECT m.classid AS class, m.objid AS id, 'pg_extension'::regclass::oid AS of_class, m.extension AS of_id FROM member m
    UNION ALL SELECT 'pg_class'::regclass, oid, 'pg_type'::regclass, reltype FROM class WHERE relkind = 'c'
    UNION ALL SELECT 'pg_class'::regclass, oid, 'pg_class'::regclass, attrelid FROM identity
    UNION ALL SELECT 'pg_class'::regclass, conindid, 'pg_constraint'::regclass, oid FROM pg_constraint
        WHERE contype IN ('p', 'u', 'x')
    UNION ALL SELECT 'pg_type'::regclass, reltype, 'pg_class'::regclass, oid FROM class WHERE relkind <> 'c' AND reltype <> 0
    UNION ALL SELECT 'pg_type'::regclass, t.typarray, CASE WHEN c.oid IS NULL THEN 'pg_type'::regclass
        ELSE 'pg_class'::regclass END, coalesce(c.oid, r.rngtypid, t.oid)
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid AND c.relkind <> 'c'
        LEFT JOIN pg_range r ON r.rngmultitypid = t.oid WHERE t.typarray >= 16384
    UNION ALL SELECT 'pg_type'::regclass, rngmultitypid, 'pg_type'::regclass, rngtypid FROM pg_range
        WHERE rngmultitypid >= 16384
    UNION ALL SELECT 'pg_proc'::regclass, objid, 'pg_type'::regclass, refobjid FROM pg_depend
    WHERE classid = 'pg_proc'::regclass AND deptype = 'i' AND refclassid = 'pg_type'::regclass
    UNION ALL SELECT 'pg_attrdef'::regclass, d.oid, 'pg_class'::regclass, d.adrelid FROM pg_attrdef d
    UNION ALL SELECT 'pg_constraint'::regclass, oid, CASE WHEN conrelid <> 0 THEN 'pg_class'::regclass
        ELSE 'pg_type'::regclass END, coalesce(nullif(conrelid, 0), contypid)
    FROM pg_constraint WHERE contype IN ('c', 'n')
    UNION ALL SELECT 'pg_rewrite'::regclass, oid, 'pg_class'::regclass, ev_class FROM pg_rewrite WHERE rulename = '_RETURN'
    UNION ALL SELECT class, id, CASE WHEN opclass IS NULL THEN 'pg_opfamily'::regclass ELSE 'pg_opclass'::regclass END,
        coalesce(opclass, opfamily)
    FROM family_item WHERE opclass IS NOT NULL OR opfamily IS NOT NULL
), place AS MATERIALIZED (
    -- The statement that an object is in: its own, or that of what it belongs to.
    SELECT n.class, n.id, n.class AS of_class, n.id AS of_id FROM node n WHERE stage = 1 AND part = 0
    UNION
    SELECT k.class, k.id, coalesce(next.of_class, k.of_class), coalesce(next.of_id, k.of_id) FROM known k
    LEFT JOIN known next ON (next.class, next.id) = (k.of_class, k.of_id)
    WHERE NOT EXISTS (SELECT FROM node n WHERE n.stage = 1 AND n.part = 0 AND (n.class, n.id) = (k.class, k.id))
), edge AS MATERIALIZED (
    SELECT DISTINCT a.class, a.id, a.part, b.class AS to_class, b.id AS to_id, b.part AS to_part,
        (a.phase <= b.phase)::int AS cost FROM (
        SELECT p.of_class AS class, p.of_id AS id, CASE WHEN d.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
            AND p.of_class = 'pg_opfamily'::regclass
                THEN 2 ELSE 0 END AS part, q.of_class AS to_class, q.of_id AS to_id, CASE WHEN t.has_shell AND EXISTS (SELECT
                    FROM pg_depend r
                WHERE (r.classid, r.objid, r.refclassid, r.refobjid) = (d.refclassid, d.refobjid, d.classid, d.objid)) THEN 1
                    ELSE 0 END AS to_part
        FROM pg_depend d JOIN place p ON p.class = d.classid AND p.id = d.objid JOIN place q ON q.class = d.refclassid
            AND q.id = d.refobjid
        LEFT JOIN type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
        WHERE d.deptype IN ('n', 'a', 'i', 'P', 'S') AND (p.of_class, p.of_id) <> (q.of_class, q.of_id)
        -- A sequence is owned by a column that may need it; and what was a child may still depend on its parent.
        AND NOT (d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
            AND EXISTS (SELECT FROM class c WHERE c.oid = d.objid AND c.relkind IN ('S', 'r', 'p', 'f')))
        UNION ALL
        SELECT 'pg_class'::regclass, p.oid, 0, 'pg_class'::regclass, p.parent, 0 FROM parent p JOIN child c USING (oid)
            WHERE c.is_plain
        UNION ALL
        SELECT class, id, part, class, id, CASE WHEN class = 'pg_type'::regclass THEN 1 ELSE 0 END FROM node WHERE stage = 1
        UNION ALL
        SELECT 'pg_class'::regclass, oid, 2, 'pg_class'::regclass, parent, 0 FROM parent
        UNION ALL
        -- What is added to a table comes after its children, which would get it as well.
        SELECT 'pg_constraint'::regclass, k.oid, 0, 'pg_class'::regclass, p.oid, part.number FROM parent p
            JOIN pg_constraint k ON k.conrelid = p.parent
        CROSS JOIN (VALUES (0), (2)) part (number)
        UNION ALL
        SELECT 'pg_class'::regclass, oid, 3, 'pg_type'::regclass, reloftype, 0 FROM class WHERE reloftype <> 0
    ) d JOIN node a USING (class, id, part) JOIN node b ON b.class = d.to_class AND b.id = d.to_id AND b.part = d.to_part
    WHERE a.stage = 1 AND b.stage = 1 AND (a.class, a.id, a.part) <> (b.class, b.id, b.part)
), pass (class, id, part, pass) AS (
    SELECT class, id, part, 0 FROM node WHERE stage = 1
    UNION
    SELECT e.class, e.id, e.part, p.pass + e.cost FROM pass p JOIN edge e ON e.to_class = p.class AND e.to_id = p.id
        AND e.to_part = p.part WHERE p.pass < 100
), last_pass AS MATERIALIZED (
    -- Those that depend on themselves, or on such, come as far as the limit.
    SELECT class, id, part, max(pass) AS pass FROM pass GROUP BY class, id, part
), line AS (
    SELECT 0 AS stage, 0 AS pass, 0 AS phase, '' AS sort, '-- The schema of a database: PostgreSQL '
        || current_setting('server_version_num')::int / 10000 || E'\nSET check_function_bodies = off;' AS line FROM setting
    UNION ALL
    SELECT 0, 0, 1, '', 'DROP SCHEMA public;' FROM setting WHERE NOT EXISTS (SELECT FROM schema WHERE nspname = 'public')
    UNION ALL
    SELECT n.stage, coalesce(p.pass, 0), n.phase, n.name, CASE WHEN p.pass >= 100 THEN regexp_replace(n.sql, '^CREATE VIEW',
        'CREATE OR REPLACE VIEW') ELSE n.sql END || ';'
    FROM node n LEFT JOIN last_pass p ON n.stage = 1 AND (p.class, p.id, p.part) = (n.class, n.id, n.part)
    UNION ALL
    -- Views that need each other are there before they are defined.
    SELECT 1, 99, 90, c.name, format('CREATE VIEW %s AS SELECT %s;', c.name,
        (SELECT string_agg(format('NULL::%s AS %s', a.type, a.name), ', ' ORDER BY a.attnum)
        FROM col a WHERE a.attrelid = c.oid)) FROM last_pass p JOIN class c ON c.oid = p.id AND c.relkind = 'v'
    WHERE p.class = 'pg_class'::regclass AND p.part = 0 AND p.pass >= 100
    UNION ALL
    SELECT 5, 0, 0, '', concat('SET search_path = ', reset_val, ';') FROM pg_settings, setting WHERE name = 'search_path'
        AND reset_val <> '"$user", public'
    UNION ALL
    SELECT 6, 0, 0, what, concat('-- Not described: ', n.count, ' ', what) FROM (
        SELECT 'subscriptions', count(*) FROM pg_subscription JOIN pg_database d ON d.oid = subdbid
            WHERE d.datname = current_database()
        UNION ALL SELECT 'user mappings', count(*) FROM pg_user_mappings
        UNION ALL SELECT 'large objects', count(*) FROM pg_largeobject_metadata
        UNION ALL SELECT 'security labels', count(*) FROM pg_seclabel
        UNION ALL SELECT 'operators without functions', count(*) FROM pg_operator WHERE oprcode = 0
        UNION ALL SELECT 'relations in tablespaces of their own', count(*) FROM class WHERE reltablespace <> 0
        UNION ALL SELECT 'extensions whose objects are described', count(*) FROM pg_extension e WHERE NOT EXISTS (SELECT
            FROM extension x WHERE x.oid = e.oid)
    ) n (what, count), setting WHERE n.count > 0
)
SELECT line FROM line ORDER BY stage, pass, phase, sort COLLATE "C", line COLLATE "C";
