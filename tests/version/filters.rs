//! Conditions on columns.

use pg_ast::{FilterOperator, FilterValue, Literal};

use super::pg;
use super::pg::view;
use crate::common::corpus;

#[track_caller]
fn has(condition: &str, expected: &[(&str, FilterOperator<'_>, FilterValue<'_, ()>)]) {
    let sql = format!("SELECT 1 FROM t WHERE {condition}");
    let tree = pg::parse(&sql).expect("parses");
    let filters = tree.stmts().next().expect("a statement").filters();
    assert_eq!(filters.len(), expected.len(), "{filters:?}");
    for (filter, (column, operator, value)) in filters.iter().zip(expected) {
        assert_eq!(filter.column.to_string(), *column);
        assert_eq!(filter.operator, *operator);
        assert_eq!(plain(&filter.value), *value);
    }
}

/// The value without its expressions.
fn plain<'a, N>(value: &FilterValue<'a, N>) -> FilterValue<'a, ()> {
    match value {
        FilterValue::Literal(literal) => FilterValue::Literal(literal.clone()),
        FilterValue::Param(number) => FilterValue::Param(*number),
        FilterValue::List(values) => FilterValue::List(values.iter().map(plain).collect()),
        _ => FilterValue::Expression(()),
    }
}

fn number<'a>(number: i64) -> FilterValue<'a, ()> {
    FilterValue::Literal(Literal::Integer(number))
}

#[test]
fn conditions_have_an_operator_and_a_value() {
    use FilterOperator as Op;
    has("a = 1", &[("a", Op::Operator("="), number(1))]);
    has("s.t.a <> $2::int", &[("s.t.a", Op::Operator("<>"), FilterValue::Param(2))]);
    has("1 <= a", &[("a", Op::Operator(">="), number(1))]);
    has("1 @> a", &[]);
    has("a @> b", &[("a", Op::Operator("@>"), FilterValue::Expression(()))]);
    has("a = ANY ($1)", &[("a", Op::Any("="), FilterValue::Param(1))]);
    has(
        "a < ALL (ARRAY[1, 2])",
        &[("a", Op::All("<"), FilterValue::List(vec![number(1), number(2)]))],
    );
    has(
        "a IN (1, b)",
        &[("a", Op::In, FilterValue::List(vec![number(1), FilterValue::Expression(())]))],
    );
    has("a NOT IN (1)", &[("a", Op::NotIn, FilterValue::List(vec![number(1)]))]);
    has("a IS DISTINCT FROM 1", &[("a", Op::IsDistinctFrom, number(1))]);
    has("a IS NOT DISTINCT FROM 1", &[("a", Op::IsNotDistinctFrom, number(1))]);
    has("a LIKE 'x'", &[("a", Op::Like, FilterValue::Literal(Literal::String("x")))]);
    has("a NOT ILIKE 'x'", &[("a", Op::NotILike, FilterValue::Literal(Literal::String("x")))]);
    has("a NOT SIMILAR TO 'x'", &[("a", Op::NotSimilarTo, FilterValue::Expression(()))]);
    has("a BETWEEN 1 AND 2", &[("a", Op::Between, FilterValue::List(vec![number(1), number(2)]))]);
    has(
        "a NOT BETWEEN SYMMETRIC 1 AND 2",
        &[("a", Op::NotBetweenSymmetric, FilterValue::List(vec![number(1), number(2)]))],
    );
    has("a IS NULL", &[("a", Op::IsNull, FilterValue::Literal(Literal::Null))]);
    has("a IS NOT NULL", &[("a", Op::IsNotNull, FilterValue::Literal(Literal::Null))]);
    has(
        "a = 1 AND (b > 2 AND (c OR d = 3)) AND NOT e = 4 AND f",
        &[("a", Op::Operator("="), number(1)), ("b", Op::Operator(">"), number(2))],
    );
}

#[test]
fn views_and_owned_trees_have_the_same_conditions() {
    let mut count = 0;
    for sql in
        corpus::own_statements().into_iter().chain(corpus::statements().into_iter().step_by(10))
    {
        let (Ok(tree), Ok(view)) = (pg::parse(&sql), view::parse(&sql)) else { continue };
        for (owned, viewed) in tree.nodes().zip(view.nodes()) {
            let (owned, viewed) = (owned.filters(), viewed.filters());
            assert_eq!(owned.len(), viewed.len(), "{sql}");
            for (owned, viewed) in owned.iter().zip(&viewed) {
                assert_eq!(
                    (&owned.column, owned.operator),
                    (&viewed.column, viewed.operator),
                    "{sql}"
                );
                assert_eq!(plain(&owned.value), plain(&viewed.value), "{sql}");
            }
            count += owned.len();
        }
    }
    assert!(count > 300, "{count}");
}
