-- Functions, procedures and aggregates, languages and transforms.
function AS MATERIALIZED (
    SELECT p.*, s.name || '.' || quote_ident(p.proname) AS base, format('%s.%I(%s)', s.name, p.proname,
        CASE WHEN p.prokind = 'a' AND p.pronargs = 0 THEN '*'
            ELSE pg_get_function_identity_arguments(p.oid) END) AS name,
        CASE p.prokind WHEN 'a' THEN 'AGGREGATE' WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS kind
    FROM pg_proc p JOIN schema s ON s.oid = p.pronamespace WHERE p.oid >= 16384
    AND NOT EXISTS (SELECT FROM member m WHERE m.classid = 'pg_proc'::regclass AND m.objid = p.oid)
    -- The constructors of range types.
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        AND d.deptype = 'i')
),
described_functions (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT 1, 'pg_proc'::regclass, f.oid, 0, CASE f.prokind WHEN 'a' THEN 55 ELSE 50 END, f.kind, f.name, f.proowner,
        'f'::"char",
        f.proacl,
        CASE WHEN f.prokind <> 'a' THEN rtrim(pg_get_functiondef(f.oid), E'\n')
        ELSE concat('CREATE AGGREGATE ', f.base, '(', CASE WHEN f.pronargs = 0 THEN '*'
            ELSE pg_get_function_arguments(f.oid) END, ') (SFUNC = ',
            a.aggtransfn::regproc, ', STYPE = ', format_type(a.aggtranstype, NULL),
                ', SSPACE = ' || nullif(a.aggtransspace,
                0),
            ', FINALFUNC = ' || nullif(a.aggfinalfn, 0)::regproc, CASE WHEN a.aggfinalextra
                THEN ', FINALFUNC_EXTRA' END,
            ', FINALFUNC_MODIFY = ' || modify.name[strpos('rsw', nullif(a.aggfinalmodify, modify.initial))],
            ', COMBINEFUNC = ' || nullif(a.aggcombinefn, 0)::regproc, ', SERIALFUNC = ' || nullif(a.aggserialfn,
                0)::regproc,
            ', DESERIALFUNC = ' || nullif(a.aggdeserialfn, 0)::regproc, ', INITCOND = ' || quote_literal(a.agginitval),
            ', MSFUNC = ' || nullif(a.aggmtransfn, 0)::regproc, ', MINVFUNC = ' || nullif(a.aggminvtransfn, 0)::regproc,
            ', MSTYPE = ' || format_type(nullif(a.aggmtranstype, 0), NULL), ', MSSPACE = ' || nullif(a.aggmtransspace,
                0),
            ', MFINALFUNC = ' || nullif(a.aggmfinalfn, 0)::regproc, CASE WHEN a.aggmfinalextra
                THEN ', MFINALFUNC_EXTRA' END,
            CASE WHEN a.aggmfinalfn <> 0 THEN ', MFINALFUNC_MODIFY = ' || modify.name[strpos('rsw',
                nullif(a.aggmfinalmodify,
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
    SELECT 1, 'pg_language'::regclass, l.oid, 0, 25, 'LANGUAGE', quote_ident(l.lanname), l.lanowner, 'l', l.lanacl,
        concat('CREATE ',
        CASE WHEN l.lanpltrusted THEN 'TRUSTED ' END, format('LANGUAGE %I HANDLER ', l.lanname),
            l.lanplcallfoid::regproc,
        ' INLINE ' || nullif(l.laninline, 0)::regproc, ' VALIDATOR ' || nullif(l.lanvalidator, 0)::regproc)
    FROM pg_language l, setting WHERE l.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_transform'::regclass, t.oid, 0, 68, 'TRANSFORM', n.name, NULL, NULL, NULL, concat('CREATE TRANSFORM ',
        n.name, ' (', concat_ws(', ',
        'FROM SQL WITH FUNCTION ' || nullif(t.trffromsql, 0)::regprocedure,
            'TO SQL WITH FUNCTION ' || nullif(t.trftosql,
            0)::regprocedure), ')')
    FROM pg_transform t JOIN pg_language l ON l.oid = t.trflang CROSS JOIN setting
    CROSS JOIN LATERAL (SELECT format('FOR %s LANGUAGE %I', format_type(t.trftype, NULL), l.lanname)) n (name)
        WHERE t.oid >= 16384
),
