-- Objects of all kinds, in an order that runs. Names without a schema are in public.
CREATE ROLE order_owner;
CREATE ROLE order_reader NOLOGIN;
CREATE ROLE order_group;
GRANT order_group TO order_reader;
COMMENT ON ROLE order_reader IS 'reads';
ALTER ROLE order_reader SET work_mem = '1MB';

CREATE SCHEMA app;
CREATE SCHEMA AUTHORIZATION order_owner
    CREATE TABLE own_table (id int PRIMARY KEY)
    CREATE VIEW own_view AS SELECT id FROM own_table;
COMMENT ON SCHEMA app IS 'of the application';
GRANT USAGE ON SCHEMA app TO order_reader;
ALTER SCHEMA app OWNER TO order_owner;

-- Types.
CREATE TYPE mood AS ENUM ('sad', 'happy');
ALTER TYPE mood ADD VALUE 'calm' BEFORE 'happy';
COMMENT ON TYPE mood IS 'a mood';
GRANT USAGE ON TYPE mood TO order_reader;
ALTER TYPE mood OWNER TO order_owner;
CREATE FUNCTION is_short(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT length($1) < 10';
CREATE DOMAIN short AS text CONSTRAINT short_check CHECK (is_short(VALUE));
COMMENT ON CONSTRAINT short_check ON DOMAIN short IS 'is short';
COMMENT ON DOMAIN short IS 'a short text';
ALTER DOMAIN short ADD CONSTRAINT not_blank CHECK (VALUE <> '') NOT VALID;
ALTER DOMAIN short VALIDATE CONSTRAINT not_blank;
ALTER DOMAIN short RENAME CONSTRAINT not_blank TO has_text;
COMMENT ON CONSTRAINT has_text ON DOMAIN short IS 'has a text';
ALTER DOMAIN short OWNER TO order_owner;
CREATE DOMAIN shorter AS short CHECK (length(VALUE) < 5);
CREATE TYPE address AS (street text, town short);
ALTER TYPE address ADD ATTRIBUTE zip text;
COMMENT ON COLUMN address.zip IS 'a code';
CREATE TYPE addresses AS (list address[], main address);
CREATE FUNCTION distance(short, short) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT 1.0::float8';
CREATE FUNCTION float_difference(float8, float8) RETURNS float8 LANGUAGE internal IMMUTABLE STRICT AS 'float8mi';
CREATE TYPE span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = float_difference, MULTIRANGE_TYPE_NAME = spans);
CREATE TABLE measured (at span, all_of spans DEFAULT spans(span(1, 2)));
CREATE COLLATION app.german (PROVIDER = icu, LOCALE = 'de-DE');
CREATE COLLATION lower_first FROM "C";
COMMENT ON COLLATION app.german IS 'of German';
ALTER COLLATION lower_first OWNER TO order_owner;

-- A type with functions, operators, a class of operators, and casts.
CREATE TYPE cents;
CREATE FUNCTION cents_in(cstring) RETURNS cents LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION cents_out(cents) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE cents (INPUT = cents_in, OUTPUT = cents_out, LIKE = int4);
CREATE FUNCTION cents_less(cents, cents) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4lt';
CREATE FUNCTION cents_less_or_equal(cents, cents) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4le';
CREATE FUNCTION cents_equal(cents, cents) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE FUNCTION cents_greater_or_equal(cents, cents) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4ge';
CREATE FUNCTION cents_greater(cents, cents) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4gt';
CREATE FUNCTION cents_compare(cents, cents) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btint4cmp';
CREATE OPERATOR < (LEFTARG = cents, RIGHTARG = cents, FUNCTION = cents_less, COMMUTATOR = >, NEGATOR = >=);
CREATE OPERATOR <= (LEFTARG = cents, RIGHTARG = cents, FUNCTION = cents_less_or_equal, COMMUTATOR = >=, NEGATOR = >);
CREATE OPERATOR = (LEFTARG = cents, RIGHTARG = cents, FUNCTION = cents_equal, COMMUTATOR = =, MERGES);
CREATE OPERATOR >= (LEFTARG = cents, RIGHTARG = cents, FUNCTION = cents_greater_or_equal, COMMUTATOR = <=, NEGATOR = <);
CREATE OPERATOR > (LEFTARG = cents, RIGHTARG = cents, FUNCTION = cents_greater, COMMUTATOR = <, NEGATOR = <=);
COMMENT ON OPERATOR = (cents, cents) IS 'equal';
ALTER OPERATOR = (cents, cents) OWNER TO order_owner;
CREATE OPERATOR FAMILY cents_family USING btree;
CREATE OPERATOR CLASS cents_class DEFAULT FOR TYPE cents USING btree FAMILY cents_family AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 cents_compare(cents, cents);
CREATE FUNCTION cents_compare_int(cents, int) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btint4cmp';
ALTER OPERATOR FAMILY cents_family USING btree ADD FUNCTION 1 (cents, int) cents_compare_int(cents, int);
COMMENT ON OPERATOR FAMILY cents_family USING btree IS 'of cents';
COMMENT ON OPERATOR CLASS cents_class USING btree IS 'for cents';
ALTER OPERATOR CLASS cents_class USING btree OWNER TO order_owner;
CREATE FUNCTION to_cents(int) RETURNS cents LANGUAGE internal IMMUTABLE STRICT AS 'int4up';
CREATE CAST (int AS cents) WITH FUNCTION to_cents(int) AS ASSIGNMENT;
CREATE CAST (cents AS int) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (int AS cents) IS 'counts';
CREATE FUNCTION not_below(cents) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1::int >= 0';
CREATE OPERATOR @!! (RIGHTARG = cents, FUNCTION = not_below);
COMMENT ON OPERATOR @!! (NONE, cents) IS 'not below 0';
CREATE TABLE prices (amount cents PRIMARY KEY, CHECK (amount > 1::cents), CHECK (@!! amount));
CREATE INDEX prices_by_amount ON prices (amount cents_class);

-- Functions: overloaded, in SQL and PL/pgSQL, aggregates.
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
CREATE FUNCTION twice(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 || $1';
CREATE FUNCTION twice(text, int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT twice($1)';
COMMENT ON FUNCTION twice(int) IS 'of numbers';
COMMENT ON FUNCTION twice(text) IS 'of texts';
ALTER FUNCTION twice(text) OWNER TO order_owner;
GRANT EXECUTE ON FUNCTION twice(text, int) TO order_reader;
ALTER FUNCTION twice(text, int) RENAME TO thrice;
COMMENT ON FUNCTION thrice(text, int) IS 'renamed';
ALTER FUNCTION thrice(text, int) SET SCHEMA app;
GRANT EXECUTE ON FUNCTION app.thrice(text, int) TO order_reader;
CREATE FUNCTION add_mood(state int, mood) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE FUNCTION end_mood(int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT twice($1)::text';
CREATE AGGREGATE moods(mood) (SFUNC = add_mood, STYPE = int, INITCOND = '0', FINALFUNC = end_mood);
COMMENT ON AGGREGATE moods(mood) IS 'counts';
ALTER AGGREGATE moods(mood) OWNER TO order_owner;
CREATE PROCEDURE do_nothing(INOUT a int DEFAULT twice(2)) LANGUAGE plpgsql AS 'BEGIN END';
COMMENT ON PROCEDURE do_nothing(int) IS 'nothing';
CREATE FUNCTION call_plorder() RETURNS language_handler LANGUAGE c AS '$libdir/plpgsql', 'plpgsql_call_handler';
CREATE LANGUAGE plorder HANDLER call_plorder;
CREATE FUNCTION in_other_language() RETURNS void LANGUAGE plorder AS 'BEGIN END';
COMMENT ON LANGUAGE plorder IS 'another name';
CREATE FUNCTION from_sql_mood(internal) RETURNS internal LANGUAGE internal IMMUTABLE AS 'textsend';
CREATE TRANSFORM FOR mood LANGUAGE plorder (FROM SQL WITH FUNCTION from_sql_mood(internal));
COMMENT ON TRANSFORM FOR mood LANGUAGE plorder IS 'none';

-- Tables.
CREATE SEQUENCE people_id;
CREATE TABLE people (id int DEFAULT nextval('people_id'), name text COLLATE app.german, feels mood DEFAULT 'calm');
ALTER SEQUENCE people_id OWNED BY people.id;
ALTER TABLE people ADD CONSTRAINT people_key PRIMARY KEY (id);
COMMENT ON CONSTRAINT people_key ON people IS 'the key';
COMMENT ON INDEX people_key IS 'its index';
COMMENT ON SEQUENCE people_id IS 'numbers';
ALTER TABLE people ADD COLUMN lives address, ADD COLUMN nick shorter;
ALTER TABLE people ADD CONSTRAINT nick_key UNIQUE (nick);
ALTER TABLE people OWNER TO order_owner;
ALTER SEQUENCE people_id OWNER TO order_owner;
COMMENT ON COLUMN people.nick IS 'a nickname';
COMMENT ON TABLE people IS 'people';
GRANT SELECT (id, nick) ON people TO order_reader;
GRANT USAGE ON SEQUENCE people_id TO order_reader;
CREATE TABLE friends (
    a int REFERENCES people, b int REFERENCES people (id), nick text REFERENCES people (nick),
    number serial, same int GENERATED ALWAYS AS IDENTITY);
COMMENT ON SEQUENCE friends_number_seq IS 'of a column';
ALTER TABLE friends ALTER COLUMN a SET NOT NULL;
ALTER TABLE friends ADD PRIMARY KEY (a, b);
ALTER TABLE friends RENAME CONSTRAINT friends_pkey TO friends_key;
ALTER TABLE friends CLUSTER ON friends_key;
CREATE UNIQUE INDEX friends_by_number ON friends (number);
ALTER TABLE friends ALTER COLUMN number SET NOT NULL;
ALTER TABLE friends REPLICA IDENTITY USING INDEX friends_by_number;
CREATE TABLE letters (number int, FOREIGN KEY (number) REFERENCES friends (number) NOT VALID, body text);
ALTER TABLE letters VALIDATE CONSTRAINT letters_number_fkey;
CREATE UNIQUE INDEX letters_by_body ON letters (body);
ALTER TABLE letters ADD CONSTRAINT letters_body_key UNIQUE USING INDEX letters_by_body;
ALTER TABLE letters RENAME COLUMN body TO contents;
CREATE VIEW long_letters AS SELECT contents FROM letters WHERE length(contents) > 10;
ALTER TABLE letters RENAME TO mail;
CREATE VIEW all_mail AS SELECT m.number, m.contents FROM mail m;
ALTER TABLE mail ADD COLUMN sent date;
CREATE INDEX mail_by_date ON mail (sent DESC);
ALTER INDEX mail_by_date RENAME TO mail_dates;
COMMENT ON INDEX mail_dates IS 'renamed';
ALTER VIEW all_mail SET SCHEMA app;
COMMENT ON VIEW app.all_mail IS 'moved';
CREATE VIEW dated AS SELECT sent, count(*) AS number FROM mail GROUP BY sent;
CREATE VIEW people_of_letters AS SELECT p.id, p.name, count(*) FROM people p JOIN friends f ON f.a = p.id GROUP BY p.id;
CREATE VIEW nicks AS SELECT nick, moods(feels) AS moods FROM people GROUP BY nick;
CREATE MATERIALIZED VIEW cached AS SELECT nick FROM nicks WITH NO DATA;
CREATE INDEX cached_by_nick ON cached (nick);
COMMENT ON MATERIALIZED VIEW cached IS 'kept';
CREATE TABLE typed OF address (street WITH OPTIONS NOT NULL);
CREATE TABLE heirs (more int) INHERITS (people);
CREATE TABLE like_people (LIKE people INCLUDING DEFAULTS, extra int);
CREATE TABLE late (more int, id int NOT NULL, name text COLLATE app.german, feels mood, lives address, nick shorter);
ALTER TABLE late INHERIT people;
ALTER TABLE people ALTER COLUMN name SET DEFAULT twice('n'::text);
ALTER TABLE people ADD CONSTRAINT people_check CHECK (is_short(name)) NOT VALID;
CREATE STATISTICS people_stats ON id, nick FROM people;
COMMENT ON STATISTICS people_stats IS 'extended';
ALTER STATISTICS people_stats OWNER TO order_owner;

-- Partitions, and their indexes.
CREATE TABLE logs (at date NOT NULL, kind text NOT NULL, people_id int) PARTITION BY RANGE (at);
CREATE TABLE logs_1 (at date NOT NULL, kind text NOT NULL, people_id int) PARTITION BY LIST (kind);
CREATE TABLE logs_1_a (at date NOT NULL, kind text NOT NULL, people_id int);
ALTER TABLE ONLY logs ATTACH PARTITION logs_1 FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
ALTER TABLE ONLY logs_1 ATTACH PARTITION logs_1_a FOR VALUES IN ('a');
CREATE TABLE logs_rest PARTITION OF logs DEFAULT;
ALTER TABLE ONLY logs ADD CONSTRAINT logs_pkey PRIMARY KEY (at, kind);
ALTER TABLE ONLY logs_1 ADD CONSTRAINT logs_1_pkey PRIMARY KEY (at, kind);
ALTER TABLE ONLY logs_1_a ADD CONSTRAINT logs_1_a_pkey PRIMARY KEY (at, kind);
ALTER INDEX logs_pkey ATTACH PARTITION logs_1_pkey;
ALTER INDEX logs_1_pkey ATTACH PARTITION logs_1_a_pkey;
CREATE INDEX logs_by_kind ON ONLY logs (kind);
CREATE INDEX logs_1_by_kind ON ONLY logs_1 (kind);
CREATE INDEX logs_1_a_by_kind ON logs_1_a (kind);
ALTER INDEX logs_by_kind ATTACH PARTITION logs_1_by_kind;
ALTER INDEX logs_1_by_kind ATTACH PARTITION logs_1_a_by_kind;
ALTER TABLE logs ADD CONSTRAINT logs_people FOREIGN KEY (people_id) REFERENCES people (id);

-- Functions about tables, triggers, rules, policies.
CREATE FUNCTION friends_of(p people) RETURNS SETOF friends LANGUAGE sql STABLE AS
    'SELECT f.* FROM friends f WHERE f.a = p.id';
CREATE FUNCTION name_of(people.id%TYPE) RETURNS people.name%TYPE LANGUAGE sql STABLE AS
    'SELECT name FROM people WHERE id = $1';
CREATE FUNCTION first_person() RETURNS people LANGUAGE plpgsql AS
    'DECLARE found people%ROWTYPE; feels people.feels%TYPE; home address; BEGIN RETURN found; END';
CREATE FUNCTION in_standard_sql(int) RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM cached; END;
CREATE VIEW friendly AS SELECT friends_of(p) AS friend FROM people p;
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM 1 FROM not_there; RETURN new; END';
CREATE TRIGGER noted BEFORE INSERT OR UPDATE OF nick ON people FOR EACH ROW WHEN (new.nick <> '') EXECUTE FUNCTION note();
COMMENT ON TRIGGER noted ON people IS 'notes';
ALTER TABLE people DISABLE TRIGGER noted;
CREATE TRIGGER noted_later AFTER INSERT ON friends FOR EACH ROW EXECUTE FUNCTION note();
ALTER TRIGGER noted_later ON friends RENAME TO noted_after;
COMMENT ON TRIGGER noted_after ON friends IS 'renamed';
CREATE CONSTRAINT TRIGGER checked AFTER INSERT ON friends FROM people DEFERRABLE FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER in_view INSTEAD OF INSERT ON app.all_mail FOR EACH ROW EXECUTE FUNCTION note();
CREATE RULE no_delete AS ON DELETE TO people DO INSTEAD INSERT INTO friends (a, b) VALUES (old.id, old.id);
COMMENT ON RULE no_delete ON people IS 'keeps';
ALTER TABLE people DISABLE RULE no_delete;
CREATE POLICY own_only ON people FOR SELECT TO order_reader USING (nick = name_of(id));
COMMENT ON POLICY own_only ON people IS 'own';
ALTER POLICY own_only ON people RENAME TO only_own;
ALTER POLICY only_own ON people TO order_group;
ALTER TABLE people ENABLE ROW LEVEL SECURITY;
ALTER VIEW dated ALTER COLUMN number SET DEFAULT 1;
CREATE OR REPLACE VIEW dated AS SELECT sent, count(*) AS number, min(contents) AS first FROM mail GROUP BY sent;
CREATE VIEW first_dated AS SELECT first FROM dated;
CREATE FUNCTION watched() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM count(*) FROM friends; END';
CREATE EVENT TRIGGER watch ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION watched();
COMMENT ON EVENT TRIGGER watch IS 'watches';
ALTER EVENT TRIGGER watch DISABLE;

-- Text search.
CREATE TEXT SEARCH PARSER words (START = prsd_start, GETTOKEN = prsd_nexttoken, END = prsd_end, LEXTYPES = prsd_lextype);
CREATE TEXT SEARCH TEMPLATE plain (INIT = dsimple_init, LEXIZE = dsimple_lexize);
CREATE TEXT SEARCH DICTIONARY short_words (TEMPLATE = plain, accept = false);
ALTER TEXT SEARCH DICTIONARY short_words (accept = true);
CREATE TEXT SEARCH CONFIGURATION short_words (PARSER = words);
ALTER TEXT SEARCH CONFIGURATION short_words ADD MAPPING FOR asciiword, word WITH short_words;
COMMENT ON TEXT SEARCH CONFIGURATION short_words IS 'of short words';
COMMENT ON TEXT SEARCH DICTIONARY short_words IS 'short words';
COMMENT ON TEXT SEARCH PARSER words IS 'words';
COMMENT ON TEXT SEARCH TEMPLATE plain IS 'plain';
ALTER TEXT SEARCH DICTIONARY short_words OWNER TO order_owner;
CREATE INDEX mail_words ON mail USING gin (to_tsvector('public.short_words'::regconfig, contents));

-- Foreign data, publications, and the rest.
CREATE FOREIGN DATA WRAPPER other;
COMMENT ON FOREIGN DATA WRAPPER other IS 'none';
CREATE SERVER elsewhere FOREIGN DATA WRAPPER other;
COMMENT ON SERVER elsewhere IS 'none';
GRANT USAGE ON FOREIGN SERVER elsewhere TO order_reader;
CREATE USER MAPPING FOR order_reader SERVER elsewhere;
CREATE FOREIGN TABLE far (id int NOT NULL, feels mood) SERVER elsewhere;
COMMENT ON FOREIGN TABLE far IS 'far';
CREATE PUBLICATION news;
ALTER PUBLICATION news ADD TABLE mail (number, contents);
CREATE PUBLICATION app_news;
ALTER PUBLICATION app_news ADD TABLES IN SCHEMA app;
COMMENT ON PUBLICATION news IS 'news';
CREATE ACCESS METHOD other_heap TYPE TABLE HANDLER heap_tableam_handler;
COMMENT ON ACCESS METHOD other_heap IS 'the same';
CREATE CONVERSION from_latin FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
COMMENT ON CONVERSION from_latin IS 'again';
ALTER DEFAULT PRIVILEGES FOR ROLE order_owner IN SCHEMA app GRANT SELECT ON TABLES TO order_reader;
