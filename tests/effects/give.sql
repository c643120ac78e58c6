-- A role that has nothing, and functions that give it what is told to be enough.
CREATE ROLE needy;
GRANT USAGE ON SCHEMA public TO needy;
REVOKE TEMPORARY ON DATABASE postgres FROM public;
REVOKE USAGE ON LANGUAGE sql, plpgsql FROM public;
CREATE SCHEMA give;
CREATE FUNCTION give.execute(sql text, named regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(sql, named);
END $$;
CREATE FUNCTION give.relation(named regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    owned regclass;
BEGIN
    SELECT coalesce((SELECT indrelid FROM pg_index WHERE indexrelid = named),
        (SELECT refobjid FROM pg_depend JOIN pg_class c ON c.oid = objid
            WHERE classid = 'pg_class'::regclass AND objid = named AND relkind = 'S' AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')), named) INTO owned;
    IF (SELECT relkind FROM pg_class WHERE oid = owned) = 'c' THEN
        EXECUTE format('ALTER TYPE %s OWNER TO needy', owned);
    ELSIF owned < 16384 THEN
        UPDATE pg_class SET relowner = 'needy'::regrole WHERE oid = owned;
    ELSE
        EXECUTE format('ALTER TABLE %s OWNER TO needy', owned);
        -- A materialized view reads with the privileges of its owner.
        PERFORM give.execute('GRANT SELECT ON %s TO needy', r) FROM give.related('Read', owned) r;
    END IF;
END $$;
CREATE FUNCTION give.related(which text, named regclass, in_schema regnamespace DEFAULT NULL) RETURNS SETOF regclass LANGUAGE sql AS $$
    WITH RECURSIVE heirs AS (SELECT inhrelid AS heir FROM pg_inherits WHERE inhparent = named
        UNION SELECT inhrelid FROM pg_inherits, heirs WHERE inhparent = heir),
    referencing AS (SELECT conrelid AS one FROM pg_constraint WHERE confrelid = named
        UNION SELECT conrelid FROM pg_constraint, referencing WHERE confrelid = one)
    SELECT heir::regclass FROM heirs WHERE which = 'Descendants'
    UNION SELECT oid::regclass FROM pg_class WHERE which = 'Descendants'
        AND reloftype IN (SELECT oid FROM pg_type WHERE typrelid = named)
    UNION SELECT one::regclass FROM referencing WHERE which = 'Referencing'
    UNION SELECT named WHERE which = 'OwnedSequences'
    UNION SELECT confrelid::regclass FROM pg_constraint WHERE which = 'Referenced' AND conrelid = named AND confrelid <> 0
    UNION SELECT indrelid::regclass FROM pg_index WHERE which = 'TableOf' AND indexrelid = named
    UNION SELECT refobjid::regclass FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE which = 'Read' AND ev_class = named AND refclassid = 'pg_class'::regclass AND refobjid <> named
    UNION SELECT oid::regclass FROM pg_class WHERE which = 'All'
        AND (in_schema IS NULL OR relnamespace = in_schema)
        AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)
        -- Before 16, VACUUM looks at what it does not clean.
        AND (relkind IN ('r', 'p', 'm') OR in_schema IS NOT NULL AND relkind IN ('v', 'f')
            OR in_schema IS NULL AND relkind IN ('c', 'S', 'v', 'f') AND current_setting('server_version_num') < '160000')
$$;
CREATE FUNCTION give.routine(privilege text, named text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    parts text[] := parse_ident(named);
    found record;
BEGIN
    FOR found IN SELECT oid::regprocedure AS name FROM pg_proc WHERE proname = parts[array_upper(parts, 1)]
        AND (parts[2] IS NULL OR pronamespace = to_regnamespace(quote_ident(parts[1])))
    LOOP
        IF privilege = 'OWNER' THEN
            EXECUTE format('ALTER ROUTINE %s OWNER TO needy', found.name);
        ELSE
            EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO needy', found.name);
        END IF;
    END LOOP;
END $$;
CREATE FUNCTION give.row(catalog regclass, named text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    names text[] := parse_ident(named);
    prefix text;
    has_schema boolean;
BEGIN
    SELECT left(attname, -5) INTO prefix FROM pg_attribute WHERE attrelid = catalog AND attname LIKE '%owner';
    SELECT count(*) > 0 INTO has_schema FROM pg_attribute WHERE attrelid = catalog AND attname = prefix || 'namespace';
    EXECUTE format('UPDATE %s SET %I = ''needy''::regrole WHERE %I = $1', catalog, prefix || 'owner', prefix || 'name')
        || CASE WHEN has_schema AND names[2] IS NOT NULL
            THEN format(' AND %I = to_regnamespace(quote_ident(%L))', prefix || 'namespace', names[1]) ELSE '' END
        USING names[array_upper(names, 1)];
END $$;
-- Where a new object without a schema is made.
CREATE FUNCTION give.on_schemas(privilege text, role text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT unnest(current_schemas(false)) LOOP
        EXECUTE format('GRANT %s ON SCHEMA %I TO %s', privilege, name, role);
    END LOOP;
END $$;
