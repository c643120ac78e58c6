-- What stands in the parentheses of CREATE TABLE, and what a child has from its parents.
parent AS MATERIALIZED (
    SELECT i.inhrelid AS oid, i.inhparent AS parent, i.inhseqno AS number, c.name, c.relkind,
        child.relispartition AS is_partition
    FROM pg_inherits i JOIN class c ON c.oid = i.inhparent JOIN class child ON child.oid = i.inhrelid
        WHERE c.relkind IN ('r', 'p', 'f')
),
inherited AS MATERIALIZED (
    -- The columns that parents have, in the order in which a child gets them.
    SELECT DISTINCT ON (p.oid, a.attname) p.oid, a.attname, a.type, a.attnotnull, a.attgenerated, a.attidentity,
        p.number,
        a.attnum,
        CASE WHEN NOT a.is_apart THEN a.value END AS value
    FROM parent p JOIN col a ON a.attrelid = p.parent ORDER BY p.oid, a.attname, p.number, a.attnum
),
shape AS MATERIALIZED (
    -- Whether a child is as its parents make it. If not, it is a table of its own before it is attached.
    SELECT oid, CASE WHEN is_partition THEN own IS NOT DISTINCT FROM whole AND has_own_identity IS NOT TRUE
        ELSE coalesce(own_names[:cardinality(names)], '{}') = coalesce(names, '{}')
            AND NOT (current_setting('server_version_num')::int < 160000 AND is_generated_again) END AS is_plain
    FROM (SELECT DISTINCT oid, is_partition FROM parent) p
    LEFT JOIN (SELECT a.attrelid AS oid, array_agg(concat_ws(' ', a.attname, a.type, a.attnotnull,
            CASE WHEN NOT a.is_apart THEN a.value END, a.attgenerated) ORDER BY a.attnum) AS own,
        array_agg(a.attname ORDER BY a.attnum) AS own_names, bool_or(a.attidentity <> ''
            AND a.attidentity <> i.attidentity) AS has_own_identity,
        bool_or(a.attislocal AND a.attinhcount > 0 AND a.attgenerated <> '') AS is_generated_again
        FROM col a LEFT JOIN inherited i ON i.oid = a.attrelid
            AND i.attname = a.attname GROUP BY a.attrelid) o USING (oid)
    LEFT JOIN (SELECT i.oid, array_agg(concat_ws(' ', attname, type, attnotnull, value, attgenerated)
        ORDER BY attnum) AS whole,
        array_agg(attname ORDER BY number, attnum) AS names FROM inherited i GROUP BY i.oid) n USING (oid)
),
child AS MATERIALIZED (
    SELECT p.oid, bool_or(p.is_partition) AS is_partition, bool_and(s.is_plain) AS is_plain,
        string_agg(p.name, ', ' ORDER BY p.number) AS parents FROM parent p JOIN shape s USING (oid) GROUP BY p.oid
),
not_null AS MATERIALIZED (
    -- From PostgreSQL 18 on, they are constraints with names; those of PostgreSQL's own choice are left out.
    SELECT a.attrelid, a.attnum, CASE WHEN k.conname <> left(c.relname || '_' || a.attname || '_not_null', 63)
            OR count(k.oid) FILTER (WHERE k.conislocal OR NOT h.is_plain) OVER (PARTITION BY k.connamespace,
                k.conname) > 1
            THEN format('CONSTRAINT %I ', k.conname) END AS prefix, coalesce(k.conislocal, true) AS is_local, CASE
                WHEN k.connoinherit THEN ' NO INHERIT' END AS suffix,
        coalesce(k.convalidated, true) AS is_valid, k.oid IS NOT NULL AS has_name
    FROM col a JOIN class c ON c.oid = a.attrelid LEFT JOIN child h ON h.oid = a.attrelid
    LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = k.conkey[1]
        WHERE a.attnotnull
),
part AS (
    -- What stands in the parentheses of CREATE TABLE.
    SELECT a.attrelid AS oid, 0 AS kind, a.attnum::int AS number, '' AS sort,
        concat(a.name, ' ', a.bare_type, a.compression, a.fdw_options, a.collated,
        CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || a.value || ') STORED'
            WHEN a.attgenerated = 'v' THEN ' GENERATED ALWAYS AS (' || a.value || ') VIRTUAL'
            WHEN a.attidentity <> '' AND NOT (coalesce(c.is_partition, false)
                AND current_setting('server_version_num')::int >= 170000)
            THEN concat(' GENERATED ', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
                ' AS IDENTITY (SEQUENCE NAME ',
                s.name, CASE s.relpersistence WHEN t.relpersistence THEN '' WHEN 'u' THEN ' UNLOGGED'
                    ELSE ' LOGGED' END,
                    s.options, ')')
            WHEN NOT a.is_apart THEN ' DEFAULT ' || a.value END,
        CASE WHEN (n.is_local OR NOT c.is_plain) AND n.is_valid THEN concat(' ', n.prefix, 'NOT NULL',
            n.suffix) END) AS sql
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
    WHERE k.contype = 'c' AND (k.conislocal OR NOT c.is_plain) AND (k.convalidated
        OR to_jsonb(k) ->> 'conenforced' = 'false')
    AND NOT EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid)
),
parts AS MATERIALIZED (
    SELECT oid, E'(\n    ' || string_agg(sql, E',\n    ' ORDER BY kind, number, sort COLLATE "C") || E'\n)' AS sql
        FROM part GROUP BY oid
),
