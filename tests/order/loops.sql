-- Views and functions that need each other, or the key of a table, in the order in which a dump has them.
SET check_function_bodies = false;
CREATE SCHEMA one;
CREATE SCHEMA two;
SET search_path = one, two;
CREATE FUNCTION count_all() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM all_items';
CREATE TABLE items (id int, name text, parent int);
CREATE TABLE two.more (id int, counted bigint DEFAULT one.count_all());
CREATE VIEW all_items AS SELECT NULL::int AS id, NULL::text AS name, NULL::bigint AS total;
CREATE FUNCTION names_of(all_items) RETURNS text LANGUAGE sql STABLE AS 'SELECT $1.name';
ALTER TABLE ONLY items ADD CONSTRAINT items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY items ADD CONSTRAINT items_parent_fkey FOREIGN KEY (parent) REFERENCES items (id);
CREATE OR REPLACE VIEW all_items AS
    SELECT i.id, i.name, count(m.id) AS total FROM items i JOIN more m ON m.id = i.id GROUP BY i.id;
CREATE VIEW named AS SELECT names_of(a) AS names FROM all_items a;
CREATE FUNCTION even(int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 = 0 OR odd($1 - 1)';
CREATE FUNCTION odd(int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 <> 0 AND even($1 - 1)';
CREATE TABLE checked (a int CHECK (even(a)));
ALTER TABLE two.more ADD PRIMARY KEY (id);
