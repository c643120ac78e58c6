-- What belongs to a table: constraints, rules, triggers and policies.
passed_on AS MATERIALIZED (
    -- The indexes of exclusion constraints, and of keys WITHOUT OVERLAPS, cannot be attached; their table passes the
    -- constraint on.
    SELECT k.oid, k.conindid FROM pg_constraint k
    WHERE k.contype = 'x' OR k.contype IN ('p', 'u') AND to_jsonb(k) ->> 'conperiod' = 'true'
),
described_table_parts (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT CASE WHEN k.contype = 'f' THEN 2 ELSE 1 END, 'pg_constraint'::regclass, k.oid, 0, CASE k.contype WHEN 'c'
        THEN 80
        WHEN 'f'
            -- Those of partitions have names that PostgreSQL chooses, none that is there.
            THEN 20 + (t.relkind = 'p' OR EXISTS (SELECT FROM pg_class p WHERE p.oid = k.confrelid
                AND p.relkind = 'p'))::int
                ELSE 82 END,
        'CONSTRAINT', format('%I ON %s', k.conname, t.name), NULL::oid, NULL::"char", NULL::aclitem[],
            format('ALTER TABLE %s%s ADD CONSTRAINT %I %s',
            CASE WHEN (k.contype = 'f' OR x.oid IS NOT NULL) AND t.relkind = 'p'
                OR k.contype = 'c' AND NOT k.connoinherit THEN '' ELSE 'ONLY ' END,
            t.name, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN class t ON t.oid = k.conrelid LEFT JOIN passed_on x ON x.oid = k.oid
    WHERE k.contype IN ('p', 'u', 'f', 'x') AND (k.contype <> 'f' AND x.oid IS NULL OR k.conparentid = 0)
        OR k.contype = 'c' AND k.conislocal AND (NOT k.convalidated AND coalesce(to_jsonb(k) ->> 'conenforced',
            '') <> 'false'
            OR EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass AND a.objid = k.oid))
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
),
