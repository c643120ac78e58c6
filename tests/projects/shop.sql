-- A shop as migrations make it, one after the other.
CREATE SCHEMA app;
CREATE SCHEMA private;
CREATE EXTENSION IF NOT EXISTS plpgsql;
CREATE ROLE seller NOLOGIN;
CREATE ROLE buyer NOLOGIN;
CREATE TYPE app.state AS ENUM ('new', 'paid');
CREATE DOMAIN app.email AS text CHECK (VALUE LIKE '%@%');
CREATE TYPE app.address AS (street text, city text);
CREATE TABLE public.users (id bigserial PRIMARY KEY, mail app.email NOT NULL, name text DEFAULT '', created_at timestamptz DEFAULT now());
CREATE UNIQUE INDEX users_mail ON public.users (lower(mail));
CREATE TABLE IF NOT EXISTS public.users (id int);
CREATE TABLE app.products (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title text NOT NULL,
    price numeric(10, 2) CHECK (price >= 0),
    gross numeric GENERATED ALWAYS AS (price * 1.19) STORED
);
CREATE TABLE app.orders (
    id bigserial PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES public.users (id) ON DELETE CASCADE,
    state app.state DEFAULT 'new',
    address app.address,
    placed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE app.lines (
    order_id bigint REFERENCES app.orders ON DELETE CASCADE,
    product_id int REFERENCES app.products,
    amount int NOT NULL DEFAULT 1,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE app.events (id bigint, at timestamptz NOT NULL, data jsonb) PARTITION BY RANGE (at);
CREATE TABLE app.events_2025 PARTITION OF app.events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE app.events_rest PARTITION OF app.events DEFAULT;
CREATE INDEX events_at ON app.events (at);
CREATE INDEX CONCURRENTLY orders_user ON app.orders (user_id);
INSERT INTO public.users (mail, name) VALUES ('a@example.com', 'A'), ('b@example.com', 'B');
INSERT INTO app.products (title, price) VALUES ('Pen', 1.5), ('Ink', 7);
INSERT INTO app.orders (user_id, state) VALUES (1, 'new'), (2, 'paid');
INSERT INTO app.lines SELECT o.id, p.id, 2 FROM app.orders o, app.products p WHERE p.title = 'Pen';
INSERT INTO app.events VALUES (1, '2025-05-01', '{}'), (2, '2027-01-01', NULL);
UPDATE app.orders SET state = 'paid' WHERE id = 1 AND state = 'new';
UPDATE app.lines AS l SET amount = 3 FROM app.products AS p WHERE p.id = l.product_id AND p.title = 'Pen';
SELECT u.name, count(*) FROM public.users u JOIN app.orders o ON o.user_id = u.id WHERE o.state = 'paid' GROUP BY u.name;
DELETE FROM app.lines WHERE order_id = 2;
CREATE VIEW app.paid AS SELECT o.id, u.mail FROM app.orders o JOIN public.users u ON u.id = o.user_id WHERE o.state = 'paid';
CREATE MATERIALIZED VIEW app.totals AS SELECT order_id, sum(amount) AS amount FROM app.lines GROUP BY order_id;
CREATE UNIQUE INDEX totals_order ON app.totals (order_id);
REFRESH MATERIALIZED VIEW app.totals;
CREATE FUNCTION app.total(of bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT sum(l.amount * p.price) FROM app.lines l JOIN app.products p ON p.id = l.product_id WHERE l.order_id = total.of
$$;
CREATE FUNCTION private.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.placed_at := now();
    RETURN NEW;
END $$;
CREATE TRIGGER touch BEFORE UPDATE ON app.orders FOR EACH ROW EXECUTE FUNCTION private.touch();
CREATE FUNCTION private.log_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO app.events (id, at, data) VALUES (NEW.order_id, now(), to_jsonb(NEW));
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER log AFTER INSERT ON app.lines DEFERRABLE FOR EACH ROW EXECUTE FUNCTION private.log_line();
INSERT INTO app.lines VALUES (2, 2, 1);
UPDATE app.orders SET state = 'new' WHERE id = 2;
SELECT id, app.total(id) FROM app.orders WHERE id IN (1, 2);
ALTER TABLE app.orders ADD COLUMN note text;
ALTER TABLE app.orders ADD COLUMN token text DEFAULT md5(random()::text);
ALTER TABLE app.orders ADD CONSTRAINT note_short CHECK (length(note) < 200) NOT VALID;
ALTER TABLE app.orders VALIDATE CONSTRAINT note_short;
ALTER TABLE app.orders ALTER COLUMN note SET DEFAULT 'none', ALTER COLUMN note TYPE varchar(300);
ALTER TABLE app.orders DROP COLUMN note;
ALTER TABLE public.users RENAME COLUMN name TO full_name;
ALTER TABLE public.users ALTER COLUMN full_name SET NOT NULL;
ALTER TABLE app.products ADD UNIQUE (title);
ALTER TYPE app.state ADD VALUE 'sent';
ALTER TYPE app.state RENAME VALUE 'new' TO 'open';
ALTER TABLE app.lines ALTER COLUMN amount TYPE bigint;
ALTER TABLE app.products RENAME TO goods;
ALTER SEQUENCE app.orders_id_seq RESTART WITH 100;
SELECT setval('app.orders_id_seq', 200);
SELECT pg_catalog.set_config('search_path', '', false);
SELECT count(*) FROM app.goods;
SET search_path = app, public;
CREATE TABLE carts (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, user_id bigint REFERENCES users);
ALTER TABLE ONLY carts ADD COLUMN state state DEFAULT 'open' NOT NULL;
CREATE INDEX ON carts (user_id) WHERE state = 'open';
COMMENT ON TABLE carts IS 'not yet orders';
COMMENT ON COLUMN carts.state IS 'as that of orders';
GRANT SELECT, INSERT ON carts, orders TO buyer;
GRANT USAGE ON SCHEMA app TO buyer, seller;
GRANT ALL ON ALL TABLES IN SCHEMA app TO seller;
GRANT EXECUTE ON FUNCTION total(bigint) TO buyer;
REVOKE INSERT ON orders FROM buyer;
ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT ON TABLES TO seller;
ALTER TABLE carts OWNER TO seller;
ALTER TABLE carts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON carts USING (user_id = 1);
ALTER POLICY own ON carts USING (user_id = 2);
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'auditor') THEN
        CREATE ROLE auditor NOLOGIN;
    END IF;
END $$;
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT full_name FROM users LOOP
        INSERT INTO events (id, at, data) VALUES (3, now(), to_jsonb(name));
    END LOOP;
END $$;
WITH gone AS (DELETE FROM lines WHERE amount = 2 RETURNING order_id) UPDATE orders SET token = 'x' WHERE id IN (SELECT order_id FROM gone);
CREATE TABLE archive AS SELECT * FROM orders WHERE state = 'paid';
SELECT id INTO paid_ids FROM orders WHERE state = 'paid';
CREATE TEMPORARY TABLE mails AS SELECT mail FROM users;
ALTER TABLE archive ADD PRIMARY KEY (id), ADD FOREIGN KEY (user_id) REFERENCES users NOT VALID;
CREATE RULE quiet AS ON DELETE TO archive DO INSTEAD NOTHING;
DELETE FROM archive WHERE id = 1;
CREATE OR REPLACE VIEW paid AS SELECT o.id, u.mail FROM orders o JOIN users u ON u.id = o.user_id WHERE o.state <> 'open';
CREATE STATISTICS lines_stats ON order_id, product_id FROM lines;
ALTER TABLE events DETACH PARTITION events_rest;
ALTER TABLE events ATTACH PARTITION events_rest DEFAULT;
TRUNCATE carts;
TRUNCATE users RESTART IDENTITY CASCADE;
DROP TRIGGER touch ON orders;
DROP FUNCTION private.touch();
DROP INDEX orders_user;
DROP VIEW IF EXISTS paid, never_was;
DROP MATERIALIZED VIEW totals;
DROP TABLE paid_ids;
ALTER TABLE lines DROP CONSTRAINT lines_product_id_fkey;
DROP TABLE goods CASCADE;
DROP TYPE address CASCADE;
DROP DOMAIN email CASCADE;
DROP POLICY own ON carts;
REASSIGN OWNED BY seller TO buyer;
DROP OWNED BY seller;
DROP SCHEMA private CASCADE;
