-- Types, domains with their constraints, and collations.
type AS MATERIALIZED (
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
),
described_types (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT 1, 'pg_type'::regclass, oid, 1, 30, 'TYPE', name, NULL::oid, NULL::"char", NULL::aclitem[],
        'CREATE TYPE ' || name
    FROM type WHERE has_shell OR NOT typisdefined
    UNION ALL
    SELECT 1, 'pg_type'::regclass, t.oid, 0, 40, CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, t.name,
        t.typowner,
        'T', t.typacl,
        CASE t.typtype WHEN 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', t.name,
            (SELECT string_agg(quote_literal(enumlabel), ', '
            ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
        WHEN 'c' THEN format('CREATE TYPE %s AS (%s)', t.name, (SELECT string_agg(a.name || ' ' || a.type, ', '
            ORDER BY a.attnum)
            FROM col a WHERE a.attrelid = t.typrelid))
        WHEN 'd' THEN concat(format('CREATE DOMAIN %s AS %s', t.name, format_type(t.typbasetype, t.typtypmod)),
            ' COLLATE ' ||
                CASE WHEN t.typcollation <> base.typcollation THEN nullif(t.typcollation, 0)::regcollation END,
                    ' DEFAULT '
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
            ', SUBTYPE_DIFF = ' || nullif(r.rngsubdiff, 0)::regproc,
                ', MULTIRANGE_TYPE_NAME = ' || (SELECT s.name || '.'
                || quote_ident(typname)
                FROM pg_type m JOIN schema s ON s.oid = m.typnamespace WHERE m.oid = r.rngmultitypid), ')')
        ELSE concat('CREATE TYPE ', t.name, ' (INPUT = ', t.typinput::regproc, ', OUTPUT = ', t.typoutput::regproc,
            ', RECEIVE = ' || nullif(t.typreceive, 0)::regproc, ', SEND = ' || nullif(t.typsend, 0)::regproc,
            ', TYPMOD_IN = ' || nullif(t.typmodin, 0)::regproc, ', TYPMOD_OUT = ' || nullif(t.typmodout, 0)::regproc,
            ', ANALYZE = ' || nullif(t.typanalyze, 0)::regproc, ', SUBSCRIPT = ' || nullif(t.typsubscript, 0)::regproc,
            ', INTERNALLENGTH = ' || nullif(t.typlen, -1), CASE WHEN t.typbyval THEN ', PASSEDBYVALUE' END,
                ', ALIGNMENT = ',
            CASE t.typalign WHEN 'c' THEN 'char' WHEN 's' THEN 'int2' WHEN 'i' THEN 'int4' ELSE 'double' END,
                ', STORAGE = ',
            CASE t.typstorage WHEN 'p' THEN 'plain' WHEN 'e' THEN 'external' WHEN 'x' THEN 'extended' ELSE 'main' END,
            ', CATEGORY = ' || quote_literal(nullif(t.typcategory, 'U')::text), CASE WHEN t.typispreferred
                THEN ', PREFERRED = true' END,
            ', DEFAULT = ' || quote_literal(t.typdefault), ', ELEMENT = ' || format_type(nullif(t.typelem, 0), NULL),
            ', DELIMITER = ' || quote_literal(nullif(t.typdelim, ',')::text), CASE WHEN t.typcollation <> 0
                THEN ', COLLATABLE = true' END, ')') END
    FROM type t LEFT JOIN pg_type base ON base.oid = t.typbasetype LEFT JOIN pg_range r ON r.rngtypid = t.oid
        WHERE t.typisdefined
    UNION ALL
    SELECT 1, 'pg_constraint'::regclass, k.oid, 0, 42, 'CONSTRAINT', format('%I ON DOMAIN %s', k.conname, t.name), NULL,
        NULL, NULL,
        format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', t.name, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN type t ON t.oid = k.contypid WHERE k.contype = 'c'
    AND (NOT k.convalidated OR EXISTS (SELECT FROM apart a WHERE a.classid = 'pg_constraint'::regclass
        AND a.objid = k.oid))
    UNION ALL
    SELECT 1, 'pg_collation'::regclass, c.oid, 0, 45, 'COLLATION', n.name, c.collowner, NULL, NULL,
        concat('CREATE COLLATION ', n.name,
        ' (provider = ', CASE c.collprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' ELSE 'builtin' END,
            CASE c.collprovider
            WHEN 'c' THEN format(', lc_collate = %L, lc_ctype = %L', c.collcollate, c.collctype)
            ELSE format(', locale = %L', coalesce(j ->> 'colllocale', j ->> 'colliculocale')) END,
        ', rules = ' || quote_literal(j ->> 'collicurules'), CASE WHEN NOT c.collisdeterministic
            THEN ', deterministic = false' END, ')')
    FROM pg_collation c JOIN schema s ON s.oid = c.collnamespace CROSS JOIN to_jsonb(c) j
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(collname)) n (name) WHERE c.oid >= 16384
),
