-- All statements: what creates an object, and what changes it afterwards.
node AS MATERIALIZED (
    SELECT stage, class, id, part, phase, name, sql FROM own WHERE sql IS NOT NULL
    UNION ALL
    SELECT 1, 'pg_attrdef'::regclass, a.default_id, 0, 80, a.relation || ' ' || a.name,
        format('ALTER %s %s ALTER COLUMN %s SET DEFAULT %s',
        CASE a.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE ONLY' END, a.relation, a.name, a.value)
    FROM col a LEFT JOIN child c ON c.oid = a.attrelid LEFT JOIN inherited i ON i.oid = a.attrelid
        AND i.attname = a.attname
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
    FROM pg_inherits i JOIN class c ON c.oid = i.inhrelid JOIN class p ON p.oid = i.inhparent WHERE c.relkind IN ('i',
        'I')
    AND NOT EXISTS (SELECT FROM passed_on x WHERE x.conindid = c.oid)
    UNION ALL
    SELECT 2, 'pg_class'::regclass, s.oid, 6, 30, s.name, format('ALTER SEQUENCE %s OWNED BY %s.%s', s.name, a.relation,
        a.name)
    FROM sequence s JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
    JOIN col a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 7, 31, c.name, concat('ALTER TABLE ONLY ', c.name, CASE c.relreplident
        WHEN 'n'
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
    SELECT 2, 'pg_rewrite'::regclass, r.oid, 1, 41, c.name || ' ' || r.rulename, format('ALTER TABLE %s %s RULE %I',
        c.name,
        CASE r.ev_enabled WHEN 'D' THEN 'DISABLE'
        WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, r.rulename) FROM pg_rewrite r
            JOIN class c ON c.oid = r.ev_class
    WHERE r.ev_enabled <> 'O'
    UNION ALL
    SELECT 2, 'pg_trigger'::regclass, t.oid, 1, 51, c.name || ' ' || t.tgname,
        format('ALTER TABLE ONLY %s %s TRIGGER %I',
        c.name, CASE t.tgenabled WHEN 'D' THEN 'DISABLE'
        WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, t.tgname) FROM pg_trigger t
            JOIN class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'O'
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 10, 59, c.name || x.sql, format('ALTER TABLE %s %s ROW LEVEL SECURITY',
        c.name,
        x.sql) FROM class c
    CROSS JOIN LATERAL (VALUES (CASE WHEN c.relrowsecurity THEN 'ENABLE' END), (CASE WHEN c.relforcerowsecurity
        THEN 'FORCE' END)) x (sql) WHERE x.sql IS NOT NULL
    UNION ALL
    -- The owner of the database owns what is not said here.
    SELECT 3, class, id, 0, 10 + (kind = 'SEQUENCE')::int, name, format('ALTER %s %s OWNER TO %s', kind, name,
        (SELECT quote_ident(rolname) FROM pg_roles r WHERE r.oid = owner))
    FROM own o WHERE owner <> 0 AND owner <> (SELECT datdba FROM pg_database WHERE datname = current_database())
        AND part = 0
        AND class <> 'pg_event_trigger'::regclass
    UNION ALL
    SELECT 3, 'pg_class'::regclass, id, 1, CASE WHEN is_default THEN 40 ELSE 20 END, name || ' ' || grantee || sql, sql
        FROM privilege
    UNION ALL
    SELECT 3, class, id, 2, 30, kind || name, format('COMMENT ON %s %s IS %L', kind, name, d.description)
    FROM own o JOIN pg_description d ON d.classoid = o.class AND d.objoid = o.id AND d.objsubid = 0 WHERE part = 0
        AND class NOT IN ('pg_event_trigger'::regclass, 'pg_extension'::regclass)
        AND (class, name) <> ('pg_namespace'::regclass, 'public')
    UNION ALL
    SELECT 3, 'pg_class'::regclass, a.attrelid, 3, 31, a.relation || ' ' || a.name,
        format('COMMENT ON COLUMN %s.%s IS %L',
        a.relation, a.name, d.description)
    FROM col a JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid
        AND d.objsubid = a.attnum
),
