-- A role that has nothing, objects in a schema that it may not use, and functions that give it what is told to be enough.
CREATE ROLE needy;
CREATE ROLE granted;
GRANT USAGE ON SCHEMA public TO needy;
CREATE TABLE schema.s (a int, b int);
CREATE TABLE schema.keys (id int PRIMARY KEY);
CREATE SEQUENCE schema.q;
CREATE VIEW schema.v AS SELECT 1 AS a;
CREATE FUNCTION schema.f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION schema.act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE PROCEDURE schema.does() LANGUAGE plpgsql AS 'BEGIN END';
CREATE TYPE schema.e AS ENUM ('a');
CREATE TYPE schema.c AS (a int);
CREATE DOMAIN schema.d AS int;
CREATE COLLATION schema.l FROM "C";
CREATE OPERATOR schema.%% (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl);
CREATE TEXT SEARCH CONFIGURATION schema.t (COPY = simple);
CREATE TEXT SEARCH DICTIONARY schema.t (TEMPLATE = simple);
CREATE CONVERSION schema.n FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE STATISTICS schema.st ON id, a FROM t;
CREATE INDEX s_a ON schema.s (a);
CREATE AGGREGATE schema.g (int) (SFUNC = int4pl, STYPE = int);
CREATE OPERATOR FAMILY schema.o USING btree;
CREATE OPERATOR CLASS schema.o FOR TYPE int USING btree FAMILY schema.o AS STORAGE int;
CREATE FUNCTION own_of(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION to_checked(enumeration) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION own_add(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + $2';
CREATE FUNCTION own_count(int, enumeration) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION own_compare(enumeration, enumeration) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE FUNCTION own_difference(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT $1 - $2';
CREATE FUNCTION to_bigint(enumeration) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION event_function() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER event ON sql_drop WHEN TAG IN ('DROP SCHEMA') EXECUTE FUNCTION event_function();
CREATE DATABASE other_database;
CREATE INDEX p_a ON p (a);
CREATE TABLE schema.s_parent (a int);
CREATE INDEX t_expression ON t ((a + 1));
CREATE OPERATOR CLASS schema.int_order FOR TYPE int USING btree FAMILY schema.o AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(int, int);
CREATE FUNCTION to_composite(enumeration) RETURNS composite LANGUAGE sql IMMUTABLE AS 'SELECT ROW(1, 1)::composite';
CREATE TABLE cascaded (id int REFERENCES referenced);
CREATE PUBLICATION published FOR TABLE schema.keys;
CREATE PUBLICATION empty_publication;
CREATE CAST (enumeration AS int) WITH FUNCTION to_checked(enumeration);
CREATE TABLE partition_index (a int) PARTITION BY RANGE (a);
CREATE INDEX partition_index_a ON ONLY partition_index (a);
CREATE TABLE partition_index1 (a int);
CREATE INDEX partition_index1_a ON partition_index1 (a);
ALTER TABLE partition_index ATTACH PARTITION partition_index1 FOR VALUES FROM (0) TO (1);
CREATE TABLE numbered (id serial);
CREATE SEQUENCE free;
CREATE SCHEMA empty;
CREATE TABLE with_trigger_of_key (id int REFERENCES referenced);
CREATE ROLE boss SUPERUSER;
-- What PUBLIC has of functions that SQL cannot call is told, as they are not known.
REVOKE EXECUTE ON FUNCTION suppress_redundant_updates_trigger, eqsel, eqjoinsel, iso8859_1_to_utf8, prsd_lextype FROM public;
REVOKE TEMPORARY ON DATABASE postgres FROM public;
REVOKE USAGE ON LANGUAGE sql, plpgsql FROM public;
REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA public, schema FROM public;
REVOKE USAGE ON TYPE checked, unchecked, enumeration, composite, schema.e, schema.c, schema.d FROM public;
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
        UNION SELECT inhrelid FROM pg_inherits, heirs WHERE inhparent = heir)
    SELECT heir::regclass FROM heirs WHERE which = 'Descendants'
    UNION SELECT oid::regclass FROM pg_class WHERE which = 'Descendants'
        AND reloftype IN (SELECT oid FROM pg_type WHERE typrelid = named)
    UNION SELECT conrelid::regclass FROM pg_constraint WHERE which = 'Referencing' AND confrelid = named
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
