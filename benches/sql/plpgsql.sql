CREATE FUNCTION transfer(sender int, receiver int, amount numeric) RETURNS numeric AS $$
DECLARE
    balance numeric(12, 2);
    account record;
BEGIN
    IF amount IS NULL OR amount <= 0 THEN
        RAISE EXCEPTION 'invalid amount: %', amount USING ERRCODE = 'check_violation';
    END IF;
    SELECT a.balance INTO balance FROM accounts a WHERE a.id = sender FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no account %', sender;
    ELSIF balance < amount THEN
        RAISE NOTICE 'account % has only %', sender, balance;
        RETURN 0;
    END IF;
    UPDATE accounts SET balance = accounts.balance - amount WHERE id = sender;
    UPDATE accounts SET balance = accounts.balance + amount WHERE id = receiver;
    INSERT INTO transfers (sender, receiver, amount, at) VALUES (sender, receiver, amount, now());
    FOR account IN SELECT id, owner FROM accounts WHERE id IN (sender, receiver) LOOP
        PERFORM pg_notify('transfers', account.owner || ': ' || amount);
    END LOOP;
    RETURN balance - amount;
EXCEPTION
    WHEN unique_violation OR check_violation THEN
        RAISE WARNING 'transfer failed: %', SQLERRM;
        RETURN NULL;
END
$$ LANGUAGE plpgsql;

CREATE FUNCTION audit() RETURNS void AS $$
DECLARE
    changes CURSOR (first int, last int) FOR
        SELECT id, table_name, old_row, new_row FROM log WHERE id BETWEEN first AND last ORDER BY id;
    entry record;
    total int := 0;
    step CONSTANT int := 100;
    label text;
BEGIN
    <<pages>>
    FOR page IN 1..10 LOOP
        OPEN changes(page * step, (page + 1) * step - 1);
        LOOP
            FETCH changes INTO entry;
            EXIT WHEN NOT FOUND;
            CONTINUE pages WHEN entry.table_name = 'skipped';
            label := CASE WHEN entry.old_row IS NULL THEN 'insert' ELSE 'update' END;
            CASE label
                WHEN 'insert', 'copy' THEN
                    EXECUTE format('INSERT INTO %I SELECT $1', entry.table_name || '_audit') USING entry.new_row;
                WHEN 'update' THEN
                    EXECUTE 'UPDATE audit SET n = n + 1 WHERE name = $1' USING entry.table_name;
                ELSE
                    NULL;
            END CASE;
            total := total + 1;
        END LOOP;
        CLOSE changes;
    END LOOP;
    GET DIAGNOSTICS total = ROW_COUNT;
    RAISE DEBUG 'audited % rows', total;
END
$$ LANGUAGE plpgsql;

CREATE FUNCTION fibonacci(n int) RETURNS SETOF bigint AS $$
DECLARE
    a bigint := 0;
    b bigint := 1;
    c bigint;
    i int := 0;
BEGIN
    WHILE i < n LOOP
        RETURN NEXT a;
        c := a + b;
        a := b;
        b := c;
        i := i + 1;
    END LOOP;
    RETURN QUERY SELECT sum(x) FROM generate_series(1, n) AS s (x) WHERE x % 2 = 0;
END
$$ LANGUAGE plpgsql;
