-- The order of the statements, by what depends on what, and their text.
known AS MATERIALIZED (
    -- What is described with something else: an array with its element, the rule of a view with the view.
    SELECT m.classid AS class, m.objid AS id, 'pg_extension'::regclass::oid AS of_class, m.extension AS of_id
        FROM member m
    UNION ALL SELECT 'pg_class'::regclass, oid, 'pg_type'::regclass, reltype FROM class WHERE relkind = 'c'
    UNION ALL SELECT 'pg_class'::regclass, oid, 'pg_class'::regclass, attrelid FROM identity
    UNION ALL SELECT 'pg_class'::regclass, conindid, 'pg_constraint'::regclass, oid FROM pg_constraint
        WHERE contype IN ('p', 'u', 'x')
    UNION ALL SELECT 'pg_type'::regclass, reltype, 'pg_class'::regclass, oid FROM class WHERE relkind <> 'c'
        AND reltype <> 0
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
    UNION ALL SELECT 'pg_rewrite'::regclass, oid, 'pg_class'::regclass, ev_class FROM pg_rewrite
        WHERE rulename = '_RETURN'
    UNION ALL SELECT class, id, CASE WHEN opclass IS NULL THEN 'pg_opfamily'::regclass ELSE 'pg_opclass'::regclass END,
        coalesce(opclass, opfamily)
    FROM family_item WHERE opclass IS NOT NULL OR opfamily IS NOT NULL
),
place AS MATERIALIZED (
    -- The statement that an object is in: its own, or that of what it belongs to.
    SELECT n.class, n.id, n.class AS of_class, n.id AS of_id FROM node n WHERE stage = 1 AND part = 0
    UNION
    SELECT k.class, k.id, coalesce(next.of_class, k.of_class), coalesce(next.of_id, k.of_id) FROM known k
    LEFT JOIN known next ON (next.class, next.id) = (k.of_class, k.of_id)
    WHERE NOT EXISTS (SELECT FROM node n WHERE n.stage = 1 AND n.part = 0 AND (n.class, n.id) = (k.class, k.id))
),
edge AS MATERIALIZED (
    SELECT DISTINCT a.class, a.id, a.part, b.class AS to_class, b.id AS to_id, b.part AS to_part,
        (a.phase <= b.phase)::int AS cost FROM (
        SELECT p.of_class AS class, p.of_id AS id, CASE WHEN d.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
            AND p.of_class = 'pg_opfamily'::regclass
                THEN 2 ELSE 0 END AS part, q.of_class AS to_class, q.of_id AS to_id, CASE WHEN t.has_shell
                    AND EXISTS (SELECT
                    FROM pg_depend r
                WHERE (r.classid, r.objid, r.refclassid, r.refobjid) = (d.refclassid, d.refobjid, d.classid, d.objid))
                    THEN 1
                    ELSE 0 END AS to_part
        FROM pg_depend d JOIN place p ON p.class = d.classid AND p.id = d.objid JOIN place q ON q.class = d.refclassid
            AND q.id = d.refobjid
        LEFT JOIN type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
        -- A function that calls itself depends on itself.
        WHERE d.deptype IN ('n', 'a', 'i', 'P', 'S') AND ((p.of_class, p.of_id) <> (q.of_class, q.of_id)
            OR (d.classid, d.refclassid, d.refobjid) = ('pg_proc'::regclass, 'pg_proc'::regclass, d.objid))
        -- A sequence is owned by a column that may need it; and what was a child may still depend on its parent.
        AND NOT (d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
            AND EXISTS (SELECT FROM class c WHERE c.oid = d.objid AND c.relkind IN ('S', 'r', 'p', 'f')))
        UNION ALL
        SELECT 'pg_class'::regclass, p.oid, 0, 'pg_class'::regclass, p.parent, 0 FROM parent p JOIN child c USING (oid)
            WHERE c.is_plain
        UNION ALL
        SELECT class, id, part, class, id, first FROM node
            CROSS JOIN LATERAL (SELECT CASE WHEN class = 'pg_type'::regclass THEN 1 ELSE 0 END) part_of_others (first)
        WHERE stage = 1 AND part <> first
        UNION ALL
        SELECT 'pg_class'::regclass, oid, 2, 'pg_class'::regclass, parent, 0 FROM parent
        UNION ALL
        -- What is added to a table comes after its children, which would get it as well.
        SELECT 'pg_constraint'::regclass, k.oid, 0, 'pg_class'::regclass, p.oid, part.number FROM parent p
            JOIN pg_constraint k ON k.conrelid = p.parent
        CROSS JOIN (VALUES (0), (2)) part (number)
        UNION ALL
        SELECT 'pg_class'::regclass, oid, 3, 'pg_type'::regclass, reloftype, 0 FROM class WHERE reloftype <> 0
    ) d JOIN node a USING (class, id, part) JOIN node b ON b.class = d.to_class AND b.id = d.to_id
        AND b.part = d.to_part
    WHERE a.stage = 1 AND b.stage = 1
),
pass (class, id, part, pass) AS (
    SELECT class, id, part, 0 FROM node WHERE stage = 1
    UNION
    SELECT e.class, e.id, e.part, least(p.pass + e.cost, 100) FROM pass p JOIN edge e ON e.to_class = p.class
        AND e.to_id = p.id AND e.to_part = p.part
),
late AS MATERIALIZED (
    -- What depends on itself comes as far as the limit, with what depends on it.
    SELECT class, id, part, n.phase FROM (SELECT DISTINCT class, id, part FROM pass WHERE pass >= 100) p
        JOIN node n USING (class, id, part) WHERE n.stage = 1
),
stub AS MATERIALIZED (
    -- Of these, views and functions are there with their columns and arguments before they are defined. The part is -1.
    SELECT l.class, l.id, 48 AS phase, c.name, format('CREATE VIEW %s AS SELECT %s', c.name, (SELECT string_agg(
        format('NULL::%s AS %s', a.type, a.name), ', ' ORDER BY a.attnum) FROM col a WHERE a.attrelid = c.oid)) AS sql
    FROM late l JOIN class c ON l.class = 'pg_class'::regclass AND c.oid = l.id AND c.relkind = 'v' WHERE l.part = 0
    UNION ALL
    SELECT l.class, l.id, 49, f.name, left(d.sql, -length(pg_get_function_sqlbody(f.oid))) || 'AS '''''
    FROM late l JOIN function f ON l.class = 'pg_proc'::regclass AND f.oid = l.id
        CROSS JOIN LATERAL (SELECT rtrim(pg_get_functiondef(f.oid), E'\n')) d (sql)
    WHERE l.part = 0 AND f.prosqlbody IS NOT NULL
),
late_edge AS MATERIALIZED (
    SELECT a.class, a.id, a.part, e.to_class, e.to_id, CASE WHEN s.id IS NULL THEN e.to_part ELSE -1 END AS to_part,
        (a.phase <= coalesce(s.phase, b.phase))::int AS cost
    FROM edge e JOIN late a ON (a.class, a.id, a.part) = (e.class, e.id, e.part)
        JOIN late b ON (b.class, b.id, b.part) = (e.to_class, e.to_id, e.to_part)
        LEFT JOIN stub s ON (s.class, s.id) = (e.to_class, e.to_id) AND e.to_part = 0
    UNION ALL
    SELECT class, id, 0, class, id, -1, 0 FROM stub
    UNION ALL
    -- A stub needs the types of its columns and arguments.
    SELECT s.class, s.id, -1, q.of_class, q.of_id, CASE WHEN o.id IS NULL THEN 0 ELSE -1 END,
        (s.phase <= coalesce(o.phase, b.phase))::int
    FROM stub s JOIN (
        SELECT 'pg_class'::regclass::oid, attrelid, atttypid FROM pg_attribute WHERE attnum > 0
        UNION ALL SELECT 'pg_proc'::regclass, oid, unnest(coalesce(proallargtypes, proargtypes) || prorettype)
            FROM function
    ) t (class, id, type) USING (class, id)
    JOIN place q ON q.class = 'pg_type'::regclass AND q.id = t.type
    JOIN late b ON (b.class, b.id, b.part) = (q.of_class, q.of_id, 0)
    LEFT JOIN stub o ON (o.class, o.id) = (q.of_class, q.of_id)
    WHERE (s.class, s.id) <> (q.of_class, q.of_id)
),
late_pass (class, id, part, pass) AS (
    SELECT class, id, part, 100 FROM late
    UNION
    SELECT class, id, -1, 100 FROM stub
    UNION
    SELECT e.class, e.id, e.part, least(p.pass + e.cost, 600) FROM late_pass p JOIN late_edge e ON e.to_class = p.class
        AND e.to_id = p.id AND e.to_part = p.part
),
last_pass AS MATERIALIZED (
    SELECT class, id, part, max(pass) AS pass FROM (SELECT * FROM pass UNION ALL SELECT * FROM late_pass) p
    GROUP BY class, id, part
),
line AS (
    SELECT 0 AS stage, 0 AS pass, 0 AS phase, '' AS sort, '-- The schema of a database: PostgreSQL '
        || current_setting('server_version_num')::int / 10000 || E'\nSET check_function_bodies = off;' AS line
            FROM setting
    UNION ALL
    SELECT 0, 0, 1, '', 'DROP SCHEMA public;' FROM setting WHERE NOT EXISTS (SELECT FROM schema
        WHERE nspname = 'public')
    UNION ALL
    SELECT n.stage, coalesce(p.pass, 0), n.phase, n.name, CASE WHEN p.pass >= 100 THEN regexp_replace(n.sql,
        '^CREATE VIEW',
        'CREATE OR REPLACE VIEW') ELSE n.sql END || ';'
    FROM node n LEFT JOIN last_pass p ON n.stage = 1 AND (p.class, p.id, p.part) = (n.class, n.id, n.part)
    UNION ALL
    SELECT 1, p.pass, s.phase, s.name, s.sql || ';' FROM stub s JOIN last_pass p USING (class, id) WHERE p.part = -1
    UNION ALL
    SELECT 5, 0, 0, '', concat('SET search_path = ', coalesce(nullif(reset_val, ''), ''''''), ';')
    FROM pg_settings, setting WHERE name = 'search_path' AND reset_val <> '"$user", public'
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
