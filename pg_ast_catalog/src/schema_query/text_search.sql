-- Text search, and conversions.
described_text_search (stage, class, id, part, phase, kind, name, owner, acl_kind, acl, sql) AS (
    SELECT 1, 'pg_ts_parser'::regclass, p.oid, 0, 70, 'TEXT SEARCH PARSER', n.name, NULL::oid,
        NULL::"char", NULL::aclitem[],
        concat('CREATE TEXT SEARCH PARSER ', n.name, ' (START = ',
        p.prsstart, ', GETTOKEN = ', p.prstoken, ', END = ', p.prsend, ', LEXTYPES = ', p.prslextype, ', HEADLINE = '
            || nullif(p.prsheadline, 0)::regproc, ')')
    FROM pg_ts_parser p JOIN schema s ON s.oid = p.prsnamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(prsname)) n (name) WHERE p.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_template'::regclass, t.oid, 0, 70, 'TEXT SEARCH TEMPLATE', n.name, NULL, NULL, NULL,
        concat('CREATE TEXT SEARCH TEMPLATE ', n.name, ' (',
        'INIT = ' || nullif(t.tmplinit, 0)::regproc || ', ', 'LEXIZE = ', t.tmpllexize, ')')
    FROM pg_ts_template t JOIN schema s ON s.oid = t.tmplnamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(tmplname)) n (name) WHERE t.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_dict'::regclass, d.oid, 0, 71, 'TEXT SEARCH DICTIONARY', n.name, d.dictowner, NULL, NULL,
        concat('CREATE TEXT SEARCH DICTIONARY ', n.name,
        ' (TEMPLATE = ', ts.name || '.' || quote_ident(t.tmplname), ', ' || d.dictinitoption, ')')
    FROM pg_ts_dict d JOIN schema s ON s.oid = d.dictnamespace JOIN pg_ts_template t ON t.oid = d.dicttemplate
        JOIN schema ts ON ts.oid = t.tmplnamespace
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(dictname)) n (name) WHERE d.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_ts_config'::regclass, c.oid, 0, 72, 'TEXT SEARCH CONFIGURATION', n.name, c.cfgowner, NULL, NULL,
        concat('CREATE TEXT SEARCH CONFIGURATION ',
        n.name, ' (PARSER = ', ps.name || '.' || quote_ident(p.prsname), ')',
            (SELECT string_agg(format(E';\nALTER TEXT SEARCH CONFIGURATION %s ADD MAPPING FOR %I WITH %s',
            n.name, alias, dicts), '' ORDER BY alias COLLATE "C") FROM ts_token_type(c.cfgparser) t
            CROSS JOIN LATERAL (SELECT string_agg(mapdict::regdictionary::text, ', ' ORDER BY mapseqno)
                FROM pg_ts_config_map m
                WHERE m.mapcfg = c.oid AND m.maptokentype = t.tokid) m (dicts) WHERE dicts IS NOT NULL))
    FROM pg_ts_config c JOIN schema s ON s.oid = c.cfgnamespace JOIN pg_ts_parser p ON p.oid = c.cfgparser
        JOIN schema ps ON ps.oid = p.prsnamespace
    CROSS JOIN LATERAL (SELECT s.name || '.' || quote_ident(cfgname)) n (name) WHERE c.oid >= 16384
    UNION ALL
    SELECT 1, 'pg_conversion'::regclass, c.oid, 0, 69, 'CONVERSION', n.name, c.conowner, NULL, NULL,
        format('CREATE %sCONVERSION %s FOR %L TO %L FROM %s',
        CASE WHEN c.condefault THEN 'DEFAULT ' END, n.name, pg_encoding_to_char(c.conforencoding),
            pg_encoding_to_char(c.contoencoding), c.conproc)
    FROM pg_conversion c JOIN schema s ON s.oid = c.connamespace CROSS JOIN LATERAL (SELECT s.name || '.'
        || quote_ident(conname)) n (name)
    WHERE c.oid >= 16384
),
