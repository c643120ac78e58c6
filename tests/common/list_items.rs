//! What is in the lists of trees, as the table of `codegen/` has it.

use std::collections::{BTreeMap, BTreeSet};

#[path = "../../codegen/items.rs"]
mod items;

pub(crate) use items::TABLE;
use items::{EXPRESSION, FROM_ITEM, FROM_ITEMS};

/// The types of the items, by message and field.
pub type Items = BTreeMap<String, BTreeSet<String>>;

/// Expressions, as C has them.
const EXPRESSIONS: &str = "A_ArrayExpr A_Const A_Expr A_Indirection BoolExpr BooleanTest CaseExpr CoalesceExpr \
    CollateClause ColumnRef CurrentOfExpr FuncCall GroupingFunc JsonArrayAgg JsonArrayConstructor \
    JsonArrayQueryConstructor JsonFuncExpr JsonIsPredicate JsonObjectAgg JsonObjectConstructor JsonParseExpr \
    JsonScalarExpr JsonSerializeExpr MergeSupportFunc MinMaxExpr NullTest ParamRef RowExpr SQLValueFunction \
    SetToDefault SubLink TypeCast XmlExpr XmlSerialize";

/// What the table calls a type if it shortens the list: `List/A_Const` is `List/expression`.
fn short(ty: &str) -> Option<String> {
    let name = ty.rsplit('/').next().unwrap_or(ty);
    let word = if EXPRESSIONS.split(' ').any(|expression| expression == name) {
        EXPRESSION
    } else {
        FROM_ITEMS.contains(&name).then_some(FROM_ITEM)?
    };
    Some(format!("{}{word}", ty.strip_suffix(name)?))
}

/// The table as a map.
pub fn table() -> Items {
    let lines = TABLE.lines().filter_map(|line| line.split_once(": "));
    lines
        .map(|(field, types)| (field.to_owned(), types.split(' ').map(str::to_owned).collect()))
        .collect()
}

/// Whether an entry of the table allows a type.
pub fn allows(types: &BTreeSet<String>, ty: &str) -> bool {
    types.contains(ty) || short(ty).is_some_and(|word| types.contains(&word))
}

/// Types as the table has them. Any expression may stand where a column or an operator does, and any item of `FROM` where
/// a join does, found or not.
pub fn shortened(types: &BTreeSet<String>) -> BTreeSet<String> {
    let signs = ["A_Expr", "ColumnRef", "JoinExpr"];
    let is_sign = |ty: &&String| ty.rsplit('/').next().is_some_and(|name| signs.contains(&name));
    let words: BTreeSet<_> = types.iter().filter(is_sign).filter_map(|ty| short(ty)).collect();
    let shorten = |ty: &String| short(ty).filter(|word| words.contains(word)).unwrap_or(ty.clone());
    types.iter().map(shorten).collect()
}

/// The lines of the table.
pub fn lines(items: &Items) -> String {
    let line = |(field, types): (&String, &BTreeSet<String>)| {
        let (lists, plain): (Vec<&str>, Vec<&str>) =
            types.iter().map(String::as_str).partition(|ty| ty.starts_with("List/"));
        format!("{field}: {}\n", [plain, lists].concat().join(" "))
    };
    items.iter().map(line).collect()
}
