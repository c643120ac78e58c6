-- Tickets: what migrations do beside tables alone.
CREATE TABLE people (id serial PRIMARY KEY, boss int REFERENCES people, mail text);
CREATE SEQUENCE tickets_seq;
CREATE TABLE tickets (id int NOT NULL, owner int REFERENCES people (id), state text DEFAULT 'new', at timestamptz DEFAULT now());
ALTER TABLE ONLY tickets ALTER COLUMN id SET DEFAULT nextval('tickets_seq'::regclass);
ALTER SEQUENCE tickets_seq OWNED BY tickets.id;
ALTER TABLE ONLY tickets ADD CONSTRAINT tickets_pkey PRIMARY KEY (id);
DROP VIEW IF EXISTS no_view;
DROP TABLE IF EXISTS no_table, no_other CASCADE;
DROP TRIGGER IF EXISTS no_trigger ON tickets;
ALTER TABLE IF EXISTS no_table ADD COLUMN a int;
CREATE OR REPLACE VIEW open_tickets AS SELECT id, owner FROM tickets WHERE state = 'new';
CREATE OR REPLACE VIEW open_tickets AS SELECT id, owner FROM tickets WHERE state <> 'done';
CREATE OR REPLACE FUNCTION rank(at timestamptz) RETURNS double precision LANGUAGE sql STABLE AS 'SELECT extract(epoch FROM at)::double precision';
CREATE OR REPLACE FUNCTION open_of(person int) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM open_tickets WHERE owner = person $$;
CREATE OR REPLACE FUNCTION open_of(person int) RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(id) FROM open_tickets WHERE owner = person $$;
CREATE VIEW ranked AS SELECT id, rank(at) AS rank FROM tickets;
CREATE MATERIALIZED VIEW ranked_once AS SELECT * FROM ranked;
CREATE INDEX tickets_rank ON tickets (lower(state));
INSERT INTO people (mail) VALUES ('a'), ('b');
INSERT INTO tickets (owner, state) VALUES (1, 'new'), (2, 'done');
ALTER TABLE tickets DISABLE TRIGGER ALL;
ALTER TABLE tickets ENABLE TRIGGER ALL;
ALTER TABLE tickets DISABLE TRIGGER USER;
CREATE TYPE state AS ENUM ('new', 'done');
CREATE TYPE state_new AS ENUM ('new', 'waits', 'done');
ALTER TABLE tickets ALTER COLUMN state DROP DEFAULT;
ALTER TABLE tickets ALTER COLUMN state TYPE state USING state::state;
ALTER TABLE tickets ALTER COLUMN state TYPE state_new USING state::text::state_new;
DROP TYPE state CASCADE;
ALTER TYPE state_new RENAME TO state;
CREATE FUNCTION of_state(state) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$;
CREATE TABLE log (id bigint, at date NOT NULL) PARTITION BY RANGE (at);
CREATE FUNCTION add_partition(table_name text, day date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', table_name || '_' || to_char(day, 'YYYYMMDD'), table_name, day, day + 1);
END $$;
SELECT add_partition('log', '2026-01-01');
ALTER TABLE log ADD COLUMN note text NOT NULL DEFAULT '';
SELECT count(*) FROM log_20260101;
INSERT INTO log VALUES (1, '2026-01-01');
ALTER TABLE log ALTER COLUMN id SET NOT NULL;
CREATE SCHEMA web;
CREATE TYPE web.page AS (title text, body text);
CREATE TABLE web.pages (id int PRIMARY KEY, page web.page, "pageNumber" int);
CREATE OR REPLACE FUNCTION web.title(id int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found web.pages%ROWTYPE;
    page web.page;
BEGIN
    SELECT * INTO found FROM web.pages p WHERE p.id = title.id;
    RETURN (found.page).title;
END $$;
INSERT INTO web.pages (id, "pageNumber") VALUES (1, 1);
UPDATE web.pages SET "pageNumber" = 2 WHERE id = 1;
ALTER TABLE web.pages ADD COLUMN token text DEFAULT md5(random()::text);
CREATE ROLE service NOLOGIN;
ALTER ROLE service SET service.level = 'high';
CREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog;
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET work_mem = ''8MB''', current_database());
END $$;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_class WHERE relname = 'later') THEN
        CREATE TABLE later (id int);
    END IF;
END $$;
SELECT id FROM later;
LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE;
ALTER TABLE log DETACH PARTITION log_20260101;
TRUNCATE people RESTART IDENTITY CASCADE;
DROP INDEX tickets_rank;
DROP MATERIALIZED VIEW IF EXISTS ranked_once;
DROP VIEW ranked, open_tickets CASCADE;
DROP FUNCTION IF EXISTS no_function(int), of_state(state);
DROP TABLE people CASCADE;
