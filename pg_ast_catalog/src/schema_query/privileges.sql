-- All that has a name of its own, and who has which privileges on it.
described (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS MATERIALIZED (
    SELECT * FROM described_relations
    UNION ALL SELECT * FROM described_table_parts
    UNION ALL SELECT * FROM described_types
    UNION ALL SELECT * FROM described_functions
    UNION ALL SELECT * FROM described_operators
    UNION ALL SELECT * FROM described_text_search
    UNION ALL SELECT * FROM described_servers
),
own AS MATERIALIZED (
    SELECT * FROM described o WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = o.class AND m.objid = o.id)
),
held AS MATERIALIZED (
    -- Privileges of columns are a kind of their own, whose owners have none.
    SELECT id, CASE WHEN class = 'pg_class'::regclass THEN CASE kind WHEN 'SEQUENCE' THEN kind ELSE 'TABLE' END
        WHEN class = 'pg_type'::regclass THEN 'TYPE'
            WHEN class = 'pg_proc'::regclass THEN CASE kind WHEN 'PROCEDURE' THEN kind ELSE 'FUNCTION' END
                WHEN class = 'pg_foreign_server'::regclass THEN 'FOREIGN SERVER'
            ELSE kind END AS kind, CASE kind WHEN 'AGGREGATE' THEN id::regprocedure::text ELSE name END AS name,
        '' AS columns, acl,
                CASE
                WHEN (class, name) = ('pg_namespace'::regclass, 'public')
            THEN acldefault('n', who.owner) || makeaclitem(0, who.owner, 'USAGE', false)
            ELSE acldefault(acl_kind, who.owner) END AS initial FROM own
    CROSS JOIN LATERAL (SELECT coalesce(nullif(owner, 0), 'pg_database_owner'::regrole)) who (owner)
        WHERE acl IS NOT NULL
    UNION ALL
    SELECT attrelid, 'TABLE', relation, format('(%s)', name), attacl, acldefault('c', 10) FROM col
        WHERE attacl IS NOT NULL
    UNION ALL
    -- What objects get that will be created: in place of what the server gives, or in a schema beside that.
    SELECT d.oid, CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS'
        WHEN 'T' THEN 'TYPES'
        WHEN 'n' THEN 'SCHEMAS' ELSE 'LARGE OBJECTS' END, concat('FOR ROLE ', quote_ident(r.rolname),
            ' IN SCHEMA ' || s.name), '', d.defaclacl,
        CASE WHEN d.defaclnamespace = 0 THEN acldefault(CASE d.defaclobjtype WHEN 'S' THEN 's'
            ELSE d.defaclobjtype END, d.defaclrole)
        ELSE acldefault('c', 10) END
    FROM pg_default_acl d JOIN pg_roles r ON r.oid = d.defaclrole CROSS JOIN setting LEFT
        JOIN schema s ON s.oid = d.defaclnamespace
),
privilege AS (
    SELECT id, kind LIKE '%S' AS is_default, name, g.grantee, concat(CASE WHEN kind LIKE '%S'
        THEN 'ALTER DEFAULT PRIVILEGES ' || name || ' ' END,
        CASE WHEN is_given THEN 'GRANT ' ELSE 'REVOKE ' END, CASE WHEN count(*) = max(whole.count) THEN 'ALL'
            ELSE string_agg(type || columns, ', ' ORDER BY type) END, format(' ON %s ', kind), CASE
                WHEN kind NOT LIKE '%S' THEN name || ' ' END,
        CASE WHEN is_given THEN 'TO ' ELSE 'FROM ' END, g.grantee, CASE WHEN is_grantable
            THEN ' WITH GRANT OPTION' END) AS sql
    FROM held CROSS JOIN LATERAL (SELECT count(*) FROM aclexplode(initial) a WHERE a.grantee <> 0) whole CROSS
        JOIN LATERAL (
        -- Several roles can have given the same.
        SELECT is_given, grantee, type, bool_or(is_grantable) FROM (
            (SELECT false, grantee, privilege_type, false FROM aclexplode(initial)
                EXCEPT SELECT false, grantee, privilege_type, false FROM aclexplode(acl))
            UNION (SELECT true, grantee, privilege_type, is_grantable FROM aclexplode(acl)
                EXCEPT SELECT true, grantee, privilege_type, is_grantable FROM aclexplode(initial))
        ) each (is_given, grantee, type, is_grantable) GROUP BY is_given, grantee, type
    ) x (is_given, grantee, type, is_grantable)
    CROSS JOIN LATERAL (SELECT coalesce((SELECT quote_ident(rolname) FROM pg_roles r WHERE r.oid = x.grantee),
        'PUBLIC')) g (grantee)
    GROUP BY id, kind, name, columns, is_given, g.grantee, is_grantable
),
