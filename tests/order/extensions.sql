-- Objects of extensions have no statements of their own.
CREATE SCHEMA parts;
CREATE EXTENSION citext WITH SCHEMA parts;
CREATE EXTENSION hstore;
CREATE EXTENSION btree_gist;
COMMENT ON EXTENSION hstore IS 'pairs';
CREATE EXTENSION cube SCHEMA parts;
CREATE TABLE tagged (name parts.citext PRIMARY KEY, tags hstore DEFAULT hstore('a', 'b'), place parts.cube);
CREATE INDEX tagged_by_tags ON tagged USING gin (tags);
CREATE INDEX tagged_by_place ON tagged USING gist (place parts.gist_cube_ops);
CREATE TABLE booked (room int, during tsrange, EXCLUDE USING gist (room WITH =, during WITH &&));
CREATE VIEW with_tags AS SELECT name, tags -> 'a' AS a FROM tagged WHERE tags ? 'b';
CREATE FUNCTION tag(hstore, text) RETURNS text LANGUAGE sql AS 'SELECT $1 -> $2';
