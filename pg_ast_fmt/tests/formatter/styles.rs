//! Rivers, and columns that are aligned.

use pg_ast::Version;
use pg_ast_fmt::{Columns, KeywordCase, Options, Style, format};

fn river() -> Options {
    Options::default().width(80).style(Style::River)
}

/// Nothing is kept, and formatting again changes nothing.
#[track_caller]
fn becomes(options: &Options, script: &str, expected: &str) {
    let formatted = format(Version::newest(), script, options);
    assert_eq!(formatted.text, expected);
    assert_eq!((formatted.kept, formatted.refused, formatted.kept_bodies), (vec![], None, vec![]));
    assert_eq!(format(Version::newest(), expected, options).text, expected, "a second time");
}

#[test]
fn clauses_stand_beside_a_river() {
    becomes(
        &river(),
        "select r.last_name, (select max(c.won_at) from champions c where c.last_name=r.last_name and c.confirmed and c.won_at > '2008-01-01') as last_won -- the last one
from riders r inner join bikes b on r.bike_id=b.id and b.engine_tally>2 and b.manufactured_at between '2001-01-01' and '2020-01-01'
-- without the lost ones
where r.last_name in (select name from teams) or r.id = 1 group by r.last_name, b.id having count(*)>1
order by 1 limit 5 for update;",
        "\
SELECT r.last_name,
       (SELECT max(c.won_at)
          FROM champions c
         WHERE c.last_name = r.last_name
           AND c.confirmed
           AND c.won_at > '2008-01-01') AS last_won -- the last one
  FROM riders r
       INNER JOIN bikes b
         ON r.bike_id = b.id
        AND b.engine_tally > 2
        AND b.manufactured_at BETWEEN '2001-01-01' AND '2020-01-01'
       -- without the lost ones
 WHERE r.last_name IN (SELECT name FROM teams) OR r.id = 1
 GROUP BY r.last_name, b.id
HAVING count(*) > 1
 ORDER BY 1
 LIMIT 5
   FOR UPDATE;
",
    );
    becomes(
        &river(),
        "with t(a) as (select 1 from a_table_with_a_long_name where b union all select 2 from another_table_with_a_long_name) select * from t, u;
insert into t(a,b) values (1,'a long value for the second column'),(2,'another value, which is as long') on conflict do nothing returning a;
update t set a=case when b then 'one value, which is long' else 'another value, long as well' end, c=2 from u where t.id=u.id;
delete from t using u where t.id=u.id and t.a = 'something that is not short' and u.b = 'something else';
merge into t using u on t.id=u.id when matched then delete;",
        "\
WITH t(a) AS (
  SELECT 1 FROM a_table_with_a_long_name WHERE b
   UNION ALL
  SELECT 2 FROM another_table_with_a_long_name
)
SELECT * FROM t, u;
INSERT INTO t (a, b)
VALUES (1, 'a long value for the second column'),
       (2, 'another value, which is as long')
    ON CONFLICT DO NOTHING
RETURNING a;
UPDATE t
   SET a = CASE
         WHEN b THEN 'one value, which is long'
         ELSE 'another value, long as well'
       END,
       c = 2
  FROM u
 WHERE t.id = u.id;
DELETE FROM t
 USING u
 WHERE t.id = u.id
   AND t.a = 'something that is not short'
   AND u.b = 'something else';
MERGE INTO t
 USING u
    ON t.id = u.id
  WHEN MATCHED THEN DELETE;
",
    );
}

/// Only queries have a river: conditions and definitions are blocks.
#[test]
fn all_else_is_in_blocks() {
    let script = "create function f() returns trigger language plpgsql as $$ declare x int; y int; begin
if new.first_value is distinct from old.first_value or new.second_value is distinct from old.second_value then
select a_long_name, another_name into strict x, y from a_table where id = new.id and not deleted; end if;
return new; end $$;
create policy p on t using (tenant = 'a tenant with a long name' and owner = 'an owner with a long name');";
    becomes(
        &river().keyword_case(KeywordCase::Lower),
        script,
        "\
create function f()
returns trigger
language plpgsql
as $$
declare
  x int;
  y int;
begin
  if new.first_value is distinct from old.first_value
    or new.second_value is distinct from old.second_value
  then
    select a_long_name, another_name
      into strict x, y
      from a_table
     where id = new.id and not deleted;
  end if;
  return new;
end
$$;
create policy p on t
  using (
    tenant = 'a tenant with a long name'
    and owner = 'an owner with a long name'
  );
",
    );
}

#[test]
fn columns_of_a_table_are_aligned() {
    let options = Options::default().width(80).columns(Columns::Aligned);
    becomes(
        &options,
        "create table t(id

int primary key, total /* in cents */ bigint not null, \"Größe\" numeric(12,2) not null default 0 check (total >= 0 and total < 1000000),
a_name_that_is_too_long_to_move_the_others text not null, -- a comment
created_at timestamptz, foreign key (id) references u);
do $$ begin create temp table x(a int, bcd text not null, like y); end $$;
create table one(a_column int);",
        "\
CREATE TABLE t (
  id         int            PRIMARY KEY,
  total /* in cents */ bigint         NOT NULL,
  \"Größe\"    numeric(12, 2) NOT NULL DEFAULT 0
    CHECK (total >= 0 AND total < 1000000),
  a_name_that_is_too_long_to_move_the_others text           NOT NULL, -- a comment
  created_at timestamptz,
  FOREIGN KEY (id) REFERENCES u
);
DO $$
BEGIN
  CREATE TEMP TABLE x (
    a   int,
    bcd text NOT NULL,
    LIKE y
  );
END
$$;
CREATE TABLE one (a_column int);
",
    );
}

/// No line is longer than the width, unless a token is.
#[test]
fn lines_are_not_longer_than_the_width() {
    let long = "x".repeat(30);
    let script = format!(
        "select coalesce((select '{long}' from t where a = '{long}' and b in ('{long}', c)), d) from u join v on u.id = v.id;
insert into t select f('{long}', '{long}') from (select a, b from (values (1, '{long}'), (2, '{long}')) v(a, b)) w;
create table t (id int not null, {long} timestamp with time zone default '{long}');
comment on table t is '{long}';"
    );
    for width in 34..120 {
        for style in [Style::Block, Style::River] {
            for indent in [2, 8] {
                let options = Options::default().width(width).style(style).indent(indent);
                let options = options.columns(Columns::Aligned);
                let formatted = format(Version::newest(), &script, &options);
                let widest = formatted.text.lines().map(str::len).max().unwrap();
                assert!(widest <= width, "{widest} of {width} columns:\n{}", formatted.text);
                let again = format(Version::newest(), &formatted.text, &options);
                assert_eq!(again.text, formatted.text);
            }
        }
    }
}
