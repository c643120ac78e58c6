//! The layout of bodies of functions, in their quotes.

use pg_ast::Version;
use pg_ast_fmt::{Bodies, Commas, KeywordCase, Options, compare, format};

/// The body is laid out, nothing is kept, and formatting again changes nothing.
#[track_caller]
fn becomes_with(options: &Options, script: &str, expected: &str) {
    let formatted = format(Version::newest(), script, options);
    assert_eq!(formatted.text, expected, "{script}");
    assert_eq!(formatted.refused, None, "{script}");
    assert!(formatted.kept.is_empty() && formatted.kept_bodies.is_empty(), "{script}");
    assert_eq!(compare(Version::newest(), script, expected), Ok(()));
    assert_eq!(format(Version::newest(), expected, options).text, expected, "a second time");
}

#[track_caller]
fn becomes(script: &str, expected: &str) {
    becomes_with(&Options::default(), script, expected);
}

/// The body in a `DO`.
#[track_caller]
fn body(body: &str, expected: &str) {
    becomes(&format!("do $$ {body} $$;"), &format!("DO $${expected}$$;\n"));
}

#[test]
fn a_function_with_everything() {
    becomes(
        "create or replace function app.total(p_id bigint, out total numeric) returns setof numeric language plpgsql as $body$
declare
    v_row app.orders%rowtype; -- the row
  v_list int[] := array[1,2,3];
  c cursor (a int) for select * from app.items where id=a;
  -- own line
  n numeric(10,2) not null default 0;
begin
  -- start
  select sum(price),count(*) into strict total, n from app.items where order_id=p_id;
  if total is null then raise exception 'no items for %', p_id using errcode='P0001', hint='add some'; end if; -- trailing


  for v_row in select * from app.orders where id > p_id and created_at > now() - interval '7 days' and status in ('open','closed') order by id loop
    perform app.log(v_row.id) ;
    v_list[1]:=v_list[1]+1;
    <<inner>> for i in reverse 10..1 by 2 loop continue inner when i=3; exit; end loop inner;
  end loop;
  execute format('select %I', 'a') into n using p_id, n;
  case n when 1 then return; else null; end case;
  insert into app.items(a,b) values(1,2) returning a into n;
  get diagnostics n = row_count;
  open c(a := 1); fetch next from c into n; close c;
  return query select a from t;
exception when unique_violation or sqlstate '22012' then
  raise notice 'x'; raise;
  when others then null;
end; -- done
$body$;
",
        "CREATE OR REPLACE FUNCTION app.total(p_id bigint, OUT total numeric)
RETURNS SETOF numeric
LANGUAGE plpgsql
AS $body$
DECLARE
  v_row app.orders%ROWTYPE; -- the row
  v_list int[] := ARRAY[1, 2, 3];
  c CURSOR (a int) FOR SELECT * FROM app.items WHERE id = a;
  -- own line
  n numeric(10, 2) NOT NULL DEFAULT 0;
BEGIN
  -- start
  SELECT sum(price), count(*) INTO STRICT total, n FROM app.items WHERE order_id = p_id;
  IF total IS NULL THEN
    RAISE EXCEPTION 'no items for %', p_id USING ERRCODE = 'P0001', HINT = 'add some';
  END IF; -- trailing

  FOR v_row IN
    SELECT *
    FROM app.orders
    WHERE id > p_id AND created_at > now() - interval '7 days' AND status IN ('open', 'closed')
    ORDER BY id
  LOOP
    PERFORM app.log(v_row.id);
    v_list[1] := v_list[1] + 1;
    <<inner>>
    FOR i IN REVERSE 10..1 BY 2 LOOP
      CONTINUE inner WHEN i = 3;
      EXIT;
    END LOOP inner;
  END LOOP;
  EXECUTE format('select %I', 'a') INTO n USING p_id, n;
  CASE n
    WHEN 1 THEN
      RETURN;
    ELSE
      NULL;
  END CASE;
  INSERT INTO app.items (a, b) VALUES (1, 2) RETURNING a INTO n;
  GET DIAGNOSTICS n = ROW_COUNT;
  OPEN c(a := 1);
  FETCH NEXT FROM c INTO n;
  CLOSE c;
  RETURN QUERY SELECT a FROM t;
EXCEPTION
  WHEN unique_violation OR SQLSTATE '22012' THEN
    RAISE NOTICE 'x';
    RAISE;
  WHEN others THEN
    NULL;
END; -- done
$body$;
",
    );
}

#[test]
fn long_statements_are_broken() {
    body(
        "declare target_name text; other_target_name text; begin
        select customers.name, customers.address into target_name, other_target_name from customers where customers.id = 1;
        target_name := some_function(first_argument => 'a value', second_argument => 'another value', third => 3);
        if target_name is null and other_target_name is null and exists(select 1 from customers where name = 'x') then null;
        elsif target_name = 'a' then null; else null; end if;
        while target_name is distinct from other_target_name and length(target_name) + length(other_target_name) < 10 loop null; end loop;
        execute 'select name, address from customers where id = $1 and name like $2' into target_name, other_target_name using 1, 'x';
        raise warning 'a customer with the name % and the address % was not found in the table', target_name, other_target_name using hint = 'look again', errcode = 'no_data_found';
        foreach target_name slice 1 in array regexp_split_to_array('a long text with many words in it', ' ' || other_target_name || '') loop null; end loop;
        target_name := max(name || ' ' || address) from customers where name is not null and address is not null;
        insert into customers (name, address) values (target_name, other_target_name) returning name, address into target_name, other_target_name;
        end",
        "
DECLARE
  target_name text;
  other_target_name text;
BEGIN
  SELECT customers.name, customers.address
  INTO target_name, other_target_name
  FROM customers
  WHERE customers.id = 1;
  target_name := some_function(
    first_argument => 'a value',
    second_argument => 'another value',
    third => 3
  );
  IF target_name IS NULL
    AND other_target_name IS NULL
    AND EXISTS (SELECT 1 FROM customers WHERE name = 'x')
  THEN
    NULL;
  ELSIF target_name = 'a' THEN
    NULL;
  ELSE
    NULL;
  END IF;
  WHILE target_name IS DISTINCT FROM other_target_name
    AND length(target_name) + length(other_target_name) < 10
  LOOP
    NULL;
  END LOOP;
  EXECUTE 'select name, address from customers where id = $1 and name like $2'
    INTO target_name, other_target_name
    USING 1, 'x';
  RAISE WARNING 'a customer with the name % and the address % was not found in the table',
    target_name, other_target_name
    USING HINT = 'look again', ERRCODE = 'no_data_found';
  FOREACH target_name SLICE 1 IN ARRAY regexp_split_to_array(
    'a long text with many words in it',
    ' ' || other_target_name || ''
  )
  LOOP
    NULL;
  END LOOP;
  target_name := max(name || ' ' || address)
    FROM customers
    WHERE name IS NOT NULL AND address IS NOT NULL;
  INSERT INTO customers (name, address)
  VALUES (target_name, other_target_name)
  RETURNING name, address
  INTO target_name, other_target_name;
END
",
    );
}

#[test]
fn which_bodies() {
    // The language may stand behind, in quotes, and in any case; a DO is in PL/pgSQL.
    for language in ["plpgsql", "PLpgSQL", "'plpgsql'", "\"plpgsql\""] {
        becomes(
            &format!("create procedure p() as $$ begin null; end $$ language {language};"),
            &format!(
                "CREATE PROCEDURE p()\nAS $$\nBEGIN\n  NULL;\nEND\n$$\nLANGUAGE {language};\n"
            ),
        );
    }
    becomes(
        "do language plpgsql $a$begin null;end;$a$;",
        "DO LANGUAGE plpgsql $a$\nBEGIN\n  NULL;\nEND;\n$a$;\n",
    );
    // Other quotes, languages, and wrong bodies stay.
    for script in [
        "DO 'begin null; end';\n",
        "DO LANGUAGE plpython3u $$ begin null;  end $$;\n",
        "DO $$ begin nothing;  end $$;\n",
        "DO $$ begin null;  -- fmt: skip\n end $$;\n",
        "DO $$$$;\n",
        "CREATE FUNCTION f()\nRETURNS int\nLANGUAGE sql\nAS $$ selec  1 $$;\n",
        "CREATE FUNCTION f()\nRETURNS int\nLANGUAGE c\nAS $$ select  1 $$, $$ select  2 $$;\n",
        "COMMENT ON TABLE t IS $$ begin null;  end $$;\n",
    ] {
        becomes(script, script);
    }
    let keep = Options::default().bodies(Bodies::Keep);
    becomes_with(&keep, "do $$ begin null; end $$;", "DO $$ begin null; end $$;\n");
}

#[test]
fn bodies_in_sql() {
    let function = |body: &str| {
        format!("CREATE FUNCTION f(a int)\nRETURNS int\nLANGUAGE sql\nAS $${body}$$;\n")
    };
    let body = |old: &str, new: &str| becomes(&function(old), &function(new));
    body(" select  a+$1 ", " SELECT a + $1 ");
    body("select a;", " SELECT a; ");
    body("\n\n\tselect a\n", "\n  SELECT a\n");
    body("select a; select b", "\n  SELECT a;\n  SELECT b\n");
    body(
        "\n-- first\nselect a; -- a\n\n\ninsert into t values(1) ;;\n/* last */\n",
        "\n  -- first\n  SELECT a; -- a\n\n  INSERT INTO t VALUES (1);;\n  /* last */\n",
    );
    body(
        " select customers.name, customers.address from customers where customers.id = a and customers.id = 100 ",
        "
  SELECT customers.name, customers.address
  FROM customers
  WHERE customers.id = a AND customers.id = 100
",
    );
}

#[test]
fn comments_and_empty_lines_stay() {
    body(
        "-- first
declare a int; begin -- begins

  null; /* a */ null; -- b
  -- above\n  if /* c */ a then -- d
    null;
    -- before else
  else
    null; -- e\n
  -- last
  end if;
  a := 1 -- one
    + 2;
  -- end
end -- f
",
        " -- first
DECLARE
  a int;
BEGIN -- begins

  NULL;
  /* a */ NULL; -- b
  -- above
  IF /* c */ a THEN -- d
    NULL;
    -- before else
  ELSE
    NULL; -- e

    -- last
  END IF;
  a := 1 -- one
    + 2;
  -- end
END -- f
",
    );
}

#[test]
fn options_and_labels() {
    body(
        "#variable_conflict use_column\n#print_strict_params on\n<<outer>> declare a int; begin <<l>> begin exit l when a = 1; end l; end outer",
        "
#variable_conflict use_column
#print_strict_params on
<<outer>>
DECLARE
  a int;
BEGIN
  <<l>>
  BEGIN
    EXIT l WHEN a = 1;
  END l;
END outer
",
    );
    let options = Options::default().keyword_case(KeywordCase::Lower).indent(4).width(40);
    becomes_with(
        &options.commas(Commas::Leading),
        "DO $$ BEGIN PERFORM first_function(), second_function() FROM t; END $$;",
        "do $$
begin
    perform
        first_function()
        , second_function()
    from t;
end
$$;
",
    );
}

/// Names stay as they are, also those that PL/pgSQL has as words.
#[test]
fn names_stay() {
    body(
        "declare Notice int; Type int; Query int; \"End\" int; begin Notice := Type; Query = 1; select Query into Notice; raise notice '%', Notice; \"End\" := 1; end",
        "
DECLARE
  Notice int;
  Type int;
  Query int;
  \"End\" int;
BEGIN
  Notice := Type;
  Query = 1;
  SELECT Query INTO Notice;
  RAISE NOTICE '%', Notice;
  \"End\" := 1;
END
",
    );
}

/// The names of columns are no words of PL/pgSQL, and neither are those of cursors.
#[test]
fn names_beside_words() {
    body(
        "<<b>> declare a t.type%type; cursor refcursor; begin fetch relative -1 from b . cursor into a; end",
        "
<<b>>
DECLARE
  a t.type%TYPE;
  cursor refcursor;
BEGIN
  FETCH RELATIVE -1 FROM b.cursor INTO a;
END
",
    );
}

/// The expressions of a list are laid out as those in SQL.
#[test]
fn lists_of_expressions() {
    let options = Options::default().width(30).commas(Commas::Leading);
    becomes_with(
        &options,
        "do $$ declare x int; begin execute q using first_argument, second_argument into strict x; assert a, 'a'; end $$;",
        "DO $$
DECLARE
  x int;
BEGIN
  EXECUTE q
    USING first_argument
      , second_argument
    INTO STRICT x;
  ASSERT a, 'a';
END
$$;
",
    );
}

/// What the formatter does not understand stays as it is, with its comments and line ends.
#[test]
fn statements_that_are_not_understood_stay() {
    body(
        "declare a int; begin a := 1; a := ; null; a := /* b */ 1 ; end",
        "
DECLARE
  a int;
BEGIN
  a := 1;
  a :=;
  NULL;
  a := /* b */ 1;
END
",
    );
}

#[test]
fn line_breaks_are_those_of_the_script() {
    becomes(
        "do $$\r\nbegin\r\n\r\nnull;\r\nend\r\n$$;\r\n",
        "DO $$\r\nBEGIN\r\n\r\n  NULL;\r\nEND\r\n$$;\r\n",
    );
}

/// A changed body is no difference only if it is the same body.
#[test]
fn bodies_are_compared() {
    let same = |old: &str, new: &str| {
        let [old, new] = [old, new].map(|body| format!("DO {body};"));
        compare(Version::newest(), &old, &new).is_ok()
    };
    assert!(same("$$begin null; end$$", "$$\nBEGIN\n  NULL;\nEND\n$$"));
    assert!(same("$$begin /* a */ null; end$$", "$$BEGIN /* a */ NULL; END$$"));
    // Other quotes.
    assert!(!same("$$begin null; end$$", "$a$begin null; end$a$"));
    assert!(!same("$$begin null; end$$", "'begin null;  end'"));
    // Tokens, constants, names, comments.
    assert!(!same("$$begin null; end$$", "$$begin null; null; end$$"));
    assert!(!same("$$begin null; end$$", "$$begin null; end;$$"));
    assert!(!same("$$begin raise 'a'; end$$", "$$begin raise 'A'; end$$"));
    assert!(!same("$$begin perform A; end$$", "$$begin perform a; end$$"));
    assert!(!same("$$begin perform 'a\nb'; end$$", "$$begin perform 'a b'; end$$"));
    assert!(!same("$$begin /* a */ null; end$$", "$$begin null /* a */; end$$"));
    assert!(!same("$$begin null; -- a\nend$$", "$$begin null;\n-- a\nend$$"));
    assert!(!same("$$begin null; end -- a\n$$", "$$begin null; end$$"));
    // Wrong ones have to be the same text.
    assert!(!same("$$begin nul; end$$", "$$begin nul;  end$$"));
    assert!(same("$$begin nul; end$$", "$$begin nul; end$$"));
    // Other constants are not bodies.
    let comment = |text: &str| format!("COMMENT ON TABLE t IS $${text}$$;");
    let [old, new] = ["begin null; end", "BEGIN NULL; END"].map(comment);
    assert!(compare(Version::newest(), &old, &new).is_err());
}

/// Statements with statements in them are laid out as they are outside of bodies.
#[test]
fn statements_in_statements() {
    body(
        "begin create function f() returns int begin atomic select 1; select case when a then 1 end; end; perform 1; end",
        "
BEGIN
  CREATE FUNCTION f()
  RETURNS int
  BEGIN ATOMIC
    SELECT 1;
    SELECT CASE WHEN a THEN 1 END;
  END;
  PERFORM 1;
END
",
    );
    becomes(
        "create function f() returns int language sql window as $$ create rule r as on insert to t do (select 1; select 2); select 3 $$;",
        "CREATE FUNCTION f()
RETURNS int
LANGUAGE sql
WINDOW
AS $$
  CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);
  SELECT 3
$$;
",
    );
    // Also in a statement with a variable of psql.
    let script = "create function :name() returns int language sql as $$ select   1 $$;";
    let formatted = format(Version::newest(), script, &Options::default());
    let expected = "CREATE FUNCTION :name()\nRETURNS int\nLANGUAGE sql\nAS $$ SELECT 1 $$;\n";
    assert_eq!(formatted.text, expected);
}

/// What is too deep for a tree is laid out as all else.
#[test]
fn blocks_that_are_too_deep_for_a_tree() {
    let options = Options::default().indent(0);
    for depth in [10, 49, 50, 51, 74, 75, 76, 100] {
        let repeat = |text: &str| text.repeat(depth);
        let start = repeat("if a then perform 1; elsif c then null; else begin ");
        let script = format!("do $$ begin {start}null;{} end $$;", repeat(" end; end if;"));
        let start = repeat("IF a THEN\nPERFORM 1;\nELSIF c THEN\nNULL;\nELSE\nBEGIN\n");
        let end = repeat("END;\nEND IF;\n");
        becomes_with(&options, &script, &format!("DO $$\nBEGIN\n{start}NULL;\n{end}END\n$$;\n"));
    }
}

/// However deep blocks are, on a small stack; and in time that grows with the length alone.
#[test]
fn deep_bodies() {
    let run = || {
        let depth = 400;
        let script = format!(
            "DO $$ {} NULL; {} $$;",
            "BEGIN IF a THEN ".repeat(depth),
            "END IF; END; ".repeat(depth)
        );
        let formatted = format(Version::newest(), &script, &Options::default());
        assert_eq!(formatted.refused, None);
        assert!(formatted.text.matches('\n').count() > depth * 4, "it is laid out");
        let deep = format!("DO $$ {} $$;", "BEGIN ".repeat(100_000));
        let kept = format(Version::newest(), &deep, &Options::default());
        assert_eq!(kept.text.trim_end(), deep);
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

/// Our functions are laid out at any width; then they are the same functions, and formatting again changes nothing.
#[test]
fn our_functions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/plpgsql/valid");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let script = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let stmts = pg_ast::parse_script(&script);
        for sql in stmts.iter().map(|stmt| &script[stmt.range.clone()]) {
            if !sql.contains("$$") {
                continue;
            }
            for width in [100, 40] {
                for keyword_case in [KeywordCase::Lower, KeywordCase::Keep] {
                    let options = Options::default().width(width).keyword_case(keyword_case);
                    let formatted = format(Version::newest(), sql, &options);
                    assert!(formatted.kept.is_empty() && formatted.kept_bodies.is_empty(), "{sql}");
                    assert_eq!(formatted.refused, None, "{sql}");
                    assert_eq!(compare(Version::newest(), sql, &formatted.text), Ok(()), "{sql}");
                    let again = format(Version::newest(), &formatted.text, &options);
                    assert_eq!(again.text, formatted.text, "{width}: {sql}");
                    let is_plpgsql = sql.contains("LANGUAGE plpgsql") || sql.starts_with("DO");
                    if is_plpgsql {
                        assert!(formatted.text.contains("\n$"), "not laid out: {sql}");
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 900, "{count}");
}
