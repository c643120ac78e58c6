-- Relations with their columns: sequences, tables, views, indexes and statistics.
class AS MATERIALIZED (
    SELECT c.*, s.name || '.' || quote_ident(c.relname) AS name, CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm'
        THEN 'MATERIALIZED VIEW'
        WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'S' THEN 'SEQUENCE' WHEN 'c' THEN 'TYPE' WHEN 'i' THEN 'INDEX' WHEN 'I'
            THEN 'INDEX'
        ELSE 'TABLE' END AS kind
    FROM pg_class c JOIN schema s ON s.oid = c.relnamespace
    WHERE c.oid >= 16384 AND s.nspname <> 'pg_catalog'
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid)
),
identity AS MATERIALIZED (
    -- The sequences of identity columns.
    SELECT d.objid AS oid, d.refobjid AS attrelid, d.refobjsubid AS attnum FROM pg_depend d
        JOIN class c ON c.oid = d.objid
        AND c.relkind = 'S'
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
),
sequence AS MATERIALIZED (
    SELECT c.*, ' AS ' || nullif(s.seqtypid::regtype::text, 'bigint') AS type,
        concat(' INCREMENT BY ' || nullif(s.seqincrement, 1),
        ' MINVALUE ' || nullif(s.seqmin, CASE WHEN s.seqincrement > 0 THEN 1 ELSE low END),
        ' MAXVALUE ' || nullif(s.seqmax, CASE WHEN s.seqincrement > 0 THEN -(low + 1) ELSE -1 END),
        ' START WITH ' || nullif(s.seqstart, CASE WHEN s.seqincrement > 0 THEN s.seqmin ELSE s.seqmax END),
        ' CACHE ' || nullif(s.seqcache, 1), CASE WHEN s.seqcycle THEN ' CYCLE' END) AS options
    FROM class c JOIN pg_sequence s ON s.seqrelid = c.oid CROSS JOIN LATERAL (SELECT CASE s.seqtypid
        WHEN 'int2'::regtype
        THEN -32768::bigint WHEN 'int4'::regtype THEN -2147483648 ELSE -9223372036854775808 END) l (low)
),
apart AS MATERIALIZED (
    -- Defaults and checks that need a function, an operator or another table: what they need may itself need their
    -- table.
    SELECT DISTINCT d.classid, d.objid FROM pg_depend d CROSS JOIN setting
    LEFT JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
    LEFT JOIN pg_attrdef a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid
    LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
    WHERE d.classid IN ('pg_attrdef'::regclass, 'pg_constraint'::regclass) AND d.refobjid >= 16384
    AND (d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) OR c.relkind <> 'S' AND c.oid NOT IN (a.adrelid,
        k.conrelid))
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = d.refclassid AND m.objid = d.refobjid)
),
col AS MATERIALIZED (
    SELECT a.attrelid, a.attnum, a.attname, quote_ident(a.attname) AS name, a.attislocal, a.attinhcount, a.attnotnull,
        a.attgenerated,
        a.attidentity, a.attoptions, a.attacl, c.relkind, c.name AS relation,
            t.typstorage <> a.attstorage AS has_storage,
            a.attstorage,
        (to_jsonb(a) ->> 'attstattarget')::int AS target, f.type AS bare_type, f.collated,
        concat(f.type, f.collated) AS type,
        CASE a.attcompression WHEN 'p' THEN ' COMPRESSION pglz' WHEN 'l' THEN ' COMPRESSION lz4' END AS compression,
        (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name, option_value), ', ') || ')'
            FROM pg_options_to_table(a.attfdwoptions)) AS fdw_options,
        d.oid AS default_id, pg_get_expr(d.adbin, d.adrelid) AS value, a.attgenerated = '' AND EXISTS (SELECT
            FROM apart p
            WHERE p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid) AS is_apart
    FROM class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type t ON t.oid = a.atttypid
    CROSS JOIN LATERAL (SELECT format_type(a.atttypid, a.atttypmod), ' COLLATE ' || CASE
        WHEN a.attcollation <> t.typcollation THEN nullif(a.attcollation, 0)::regcollation END) f (type, collated)
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')
),
storage AS MATERIALIZED (
    -- In the order in which they were given: nothing else keeps it where the server sorts or hashes.
    SELECT c.oid, ' WITH (' || string_agg(format('%s%I=%L', prefix, split_part(o, '=', 1), substr(o, strpos(o,
        '=') + 1)), ', ' ORDER BY prefix, place) || ')' AS sql
    FROM class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
    CROSS JOIN LATERAL (SELECT '', own.* FROM unnest(c.reloptions) WITH ORDINALITY own
        UNION ALL SELECT 'toast.', of_toast.* FROM unnest(t.reloptions) WITH ORDINALITY of_toast) x (prefix, o, place)
    GROUP BY c.oid
),
described_relations (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT 1, 'pg_class'::regclass, s.oid, 0, 74, 'SEQUENCE', s.name, s.relowner, 's'::"char", s.relacl,
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
            (SELECT concat(format(' SERVER %I', srvname), (SELECT ' OPTIONS (' || string_agg(format('%I %L',
                option_name,
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
    SELECT 2, 'pg_class'::regclass, i.indexrelid, 0, 10, 'INDEX', c.name, NULL, NULL, NULL,
        pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN class c ON c.oid = i.indexrelid JOIN class t ON t.oid = i.indrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 2, 'pg_statistic_ext'::regclass, x.oid, 0, 70, 'STATISTICS', s.name || '.' || quote_ident(x.stxname),
        x.stxowner,
        NULL, NULL,
        pg_get_statisticsobjdef(x.oid) FROM pg_statistic_ext x JOIN schema s ON s.oid = x.stxnamespace
),
