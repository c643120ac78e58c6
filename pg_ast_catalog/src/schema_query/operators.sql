-- Operators, their classes and families, and casts.
family_item AS MATERIALIZED (
    -- What operator classes and families consist of: of a class if it needs it, of its family otherwise.
    SELECT i.*, d.refobjid AS opclass, CASE WHEN d.refobjid IS NULL AND f.oid >= 16384 THEN f.oid END AS opfamily FROM (
        SELECT 'pg_amop'::regclass::oid AS class, a.oid AS id, a.amopfamily AS family, concat('OPERATOR ',
            a.amopstrategy,
            ' ', a.amopopr::regoperator,
            (SELECT format(' FOR ORDER BY %s.%I', s.name, opfname) FROM pg_opfamily f
                JOIN schema s ON s.oid = opfnamespace
                WHERE f.oid = a.amopsortfamily)) AS sql
        FROM pg_amop a, setting WHERE a.oid >= 16384
        UNION ALL
        SELECT 'pg_amproc'::regclass, a.oid, a.amprocfamily, format('FUNCTION %s (%s, %s) %s', a.amprocnum,
            format_type(a.amproclefttype, NULL),
            format_type(a.amprocrighttype, NULL), a.amproc::regprocedure) FROM pg_amproc a, setting
                WHERE a.oid >= 16384) i
    JOIN pg_opfamily f ON f.oid = i.family
    LEFT JOIN pg_depend d ON d.classid = i.class AND d.objid = i.id AND d.refclassid = 'pg_opclass'::regclass
        AND d.deptype = 'i'
    WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_opfamily'::regclass AND m.objid = f.oid)
),
described_operators (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT 1, 'pg_operator'::regclass, o.oid, 0, 60, 'OPERATOR', o.oid::regoperator::text, o.oprowner,
        NULL::"char", NULL::aclitem[],
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
    SELECT 1, 'pg_opclass'::regclass, o.oid, 0, 64, 'OPERATOR CLASS', format('%s.%I USING %I', s.name, o.opcname,
        am.amname),
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
        WHEN 'b' THEN ' WITHOUT FUNCTION' WHEN 'i' THEN ' WITH INOUT'
            ELSE ' WITH FUNCTION ' || c.castfunc::regprocedure END,
        CASE c.castcontext WHEN 'i' THEN ' AS IMPLICIT' WHEN 'a' THEN ' AS ASSIGNMENT' END)
    FROM pg_cast c, setting, LATERAL (SELECT format('(%s AS %s)', format_type(castsource, NULL), format_type(casttarget,
        NULL))) k (name)
    WHERE c.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_cast'::regclass
        AND d.objid = c.oid
        AND d.deptype = 'i')
),
