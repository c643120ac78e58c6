-- What belongs to no table: schemas, extensions, access methods, foreign servers, event triggers and publications.
described_servers (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
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
    SELECT 1, 'pg_am'::regclass, a.oid, 0, 58, 'ACCESS METHOD', quote_ident(a.amname), NULL, NULL, NULL,
        format('CREATE ACCESS METHOD %I TYPE %s HANDLER %s',
        a.amname, CASE a.amtype WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, a.amhandler) FROM pg_am a, setting
            WHERE a.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_foreign_data_wrapper'::regclass, w.oid, 0, 57, 'FOREIGN DATA WRAPPER', quote_ident(w.fdwname),
        w.fdwowner,
        'F', w.fdwacl,
        concat(format('CREATE FOREIGN DATA WRAPPER %I', w.fdwname), ' HANDLER ' || nullif(w.fdwhandler, 0)::regproc,
            ' VALIDATOR ' || nullif(w.fdwvalidator, 0)::regproc,
                (SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name, option_value), ', ') || ')'
            FROM pg_options_to_table(w.fdwoptions))) FROM pg_foreign_data_wrapper w, setting WHERE w.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_foreign_server'::regclass, f.oid, 0, 59, 'SERVER', quote_ident(f.srvname), f.srvowner, 'S', f.srvacl,
        concat(format('CREATE SERVER %I', f.srvname), ' TYPE ' || quote_literal(f.srvtype), ' VERSION '
            || quote_literal(f.srvversion),
            format(' FOREIGN DATA WRAPPER %I', w.fdwname), (SELECT ' OPTIONS (' || string_agg(format('%I %L',
                option_name,
                option_value), ', ') || ')'
            FROM pg_options_to_table(f.srvoptions)))
    FROM pg_foreign_server f JOIN pg_foreign_data_wrapper w ON w.oid = f.srvfdw CROSS JOIN setting
    UNION ALL
    SELECT 4, 'pg_event_trigger'::regclass, e.oid, 0, 10, 'EVENT TRIGGER', quote_ident(e.evtname), e.evtowner, NULL,
        NULL,
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
                WHERE a.attrelid = c.oid AND a.attnum = ANY (r.prattrs)) || ')', ' WHERE (' || pg_get_expr(r.prqual,
                    c.oid)
                    || ')')
            FROM pg_publication_rel r JOIN class c ON c.oid = r.prrelid WHERE r.prpubid = p.oid
            UNION ALL SELECT 'TABLES IN SCHEMA ' || s.name FROM pg_publication_namespace n
                JOIN schema s ON s.oid = n.pnnspid
                WHERE n.pnpubid = p.oid) m (member)),
        format(' WITH (publish = %L', concat_ws(', ', CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate
            THEN 'update' END,
            CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END)),
        CASE WHEN p.pubviaroot THEN ', publish_via_partition_root = true' END,
        CASE to_jsonb(p) ->> 'pubgencols' WHEN 's' THEN ', publish_generated_columns = stored' END, ')')
    FROM pg_publication p, setting
),
