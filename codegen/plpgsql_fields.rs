//! What the C structs of PL/pgSQL do not say: what is in a list, which number is that of a variable, which pointer may be
//! null, and which fields are for the executor alone.
//!
//! A field with a C type that needs none of this is not listed. Any other field has to be, or the code is not generated.

/// How a C field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A list of pointers to this struct.
    List(&'static str),
    /// A list of nodes, which have tags.
    Nodes,
    /// An array, whose length is in this field.
    Array(&'static str),
    /// The chain of structs that a pointer leads to.
    Chain,
    /// The number of a variable.
    Dno,
    /// The same; -1 where there is none.
    OptionalDno,
    /// A pointer that may be null.
    Optional,
    /// Left out, for this reason.
    Skip(&'static str),
}

use Rule::{Array, Chain, Dno, List, Nodes, Optional, OptionalDno, Skip};

const RUNTIME: &str = "the executor's";
const CATALOG: &str = "of the catalog, which is not read";
const TAG: &str = "the tag, which the variant of the enum is";
const WRITTEN: &str = "rewritten by the grammar; another field is as it was written";
const OF_ROW: &str = "always zero in a row, as plpgsql.h says";
pub(crate) const LENGTH: &str = "the length of an array";

/// The rules of fields, by struct; `*` is for each struct that has the field.
const FIELDS: &[(&str, &str, Rule)] = &[
    ("*", "cmd_type", Skip(TAG)),
    ("*", "dtype", Skip(TAG)),
    ("*", "dno", Dno),
    ("*", "varno", Dno),
    ("*", "curvar", Dno),
    ("*", "label", Optional),
    ("*", "default_val", Optional),
    ("*", "retvarno", OptionalDno),
    ("*", "body", List("stmt")),
    ("*", "stmts", List("stmt")),
    ("*", "params", List("expr")),
    ("*", "args", List("cursor_arg")),
    ("*", "argquery", Skip(WRITTEN)),
    ("case_when", "expr", Skip(WRITTEN)),
    ("condition", "next", Skip("the chain is a list")),
    ("cursor_arg", "name", Optional),
    ("diag_item", "target", Dno),
    ("exception", "conditions", Chain),
    ("exception", "action", List("stmt")),
    ("exception_block", "sqlstate_varno", Dno),
    ("exception_block", "sqlerrm_varno", Dno),
    ("exception_block", "exc_list", List("exception")),
    ("expr", "func", Skip("the function that it is part of")),
    ("expr", "ns", Skip("the compiler's")),
    ("expr", "target_param", Skip("the assignment that it is part of says it")),
    ("expr", "target_is_local", Skip("for the executor's optimisation")),
    ("expr", "plan", Skip(RUNTIME)),
    ("expr", "paramnos", Skip(RUNTIME)),
    ("expr", "expr_simple_expr", Skip(RUNTIME)),
    ("expr", "expr_simple_type", Skip(RUNTIME)),
    ("expr", "expr_simple_typmod", Skip(RUNTIME)),
    ("expr", "expr_simple_mutable", Skip(RUNTIME)),
    ("expr", "expr_rwopt", Skip(RUNTIME)),
    ("expr", "expr_rw_param", Skip(RUNTIME)),
    ("expr", "expr_simple_plansource", Skip(RUNTIME)),
    ("expr", "expr_simple_plan", Skip(RUNTIME)),
    ("expr", "expr_simple_plan_lxid", Skip(RUNTIME)),
    ("expr", "expr_simple_state", Skip(RUNTIME)),
    ("expr", "expr_simple_in_use", Skip(RUNTIME)),
    ("expr", "expr_simple_lxid", Skip(RUNTIME)),
    ("function", "cfunc", Skip(RUNTIME)),
    ("function", "fn_signature", Skip("`name` and `params` have its parts")),
    ("function", "fn_oid", Skip(CATALOG)),
    ("function", "fn_xmin", Skip(CATALOG)),
    ("function", "fn_tid", Skip(CATALOG)),
    ("function", "fn_input_collation", Skip(CATALOG)),
    ("function", "fn_hashkey", Skip(RUNTIME)),
    ("function", "fn_cxt", Skip(RUNTIME)),
    ("function", "fn_rettype", Skip(CATALOG)),
    ("function", "fn_rettyplen", Skip(CATALOG)),
    ("function", "fn_retbyval", Skip(CATALOG)),
    ("function", "fn_retistuple", Skip(CATALOG)),
    ("function", "fn_retisdomain", Skip(CATALOG)),
    ("function", "fn_readonly", Skip("an option of the statement, which has it")),
    ("function", "fn_prokind", Skip("`is_procedure` says it")),
    ("function", "fn_nargs", Skip("`params` has so many")),
    ("function", "fn_argvarnos", Skip("`params` has them")),
    ("function", "out_param_varno", OptionalDno),
    ("function", "found_varno", OptionalDno),
    ("function", "new_varno", OptionalDno),
    ("function", "old_varno", OptionalDno),
    ("function", "extra_warnings", Skip("a setting of the server")),
    ("function", "extra_errors", Skip("a setting of the server")),
    ("function", "ndatums", Skip(LENGTH)),
    ("function", "datums", Array("ndatums")),
    ("function", "copiable_size", Skip(RUNTIME)),
    ("function", "requires_procedure_resowner", Skip(RUNTIME)),
    ("function", "fn_hash_link", Skip(RUNTIME)),
    ("function", "use_count", Skip(RUNTIME)),
    ("function", "cur_estate", Skip(RUNTIME)),
    ("function", "name", Optional),
    ("function", "params", List("param")),
    ("function", "returns", Optional),
    ("param", "name", Optional),
    ("param", "dno", OptionalDno),
    ("rec", "datatype", Optional),
    ("rec", "rectypeid", Skip(CATALOG)),
    ("rec", "firstfield", OptionalDno),
    ("rec", "erh", Skip(RUNTIME)),
    ("recfield", "recparentno", Dno),
    ("recfield", "nextfield", OptionalDno),
    ("recfield", "rectupledescid", Skip(RUNTIME)),
    ("recfield", "finfo", Skip(RUNTIME)),
    ("row", "isconst", Skip(OF_ROW)),
    ("row", "notnull", Skip(OF_ROW)),
    ("row", "default_val", Skip(OF_ROW)),
    ("row", "rowtupdesc", Skip(CATALOG)),
    ("row", "nfields", Skip(LENGTH)),
    ("row", "fieldnames", Array("nfields")),
    ("row", "varnos", Array("nfields")),
    ("stmt_assert", "message", Optional),
    ("stmt_block", "n_initvars", Skip(LENGTH)),
    ("stmt_block", "initvarnos", Array("n_initvars")),
    ("stmt_block", "exceptions", Optional),
    ("stmt_block", "decls", List("decl")),
    ("stmt_call", "target", Skip(RUNTIME)),
    ("stmt_case", "t_expr", Optional),
    ("stmt_case", "t_varno", OptionalDno),
    ("stmt_case", "case_when_list", List("case_when")),
    ("stmt_case", "else_stmts", List("stmt")),
    ("stmt_dynexecute", "target", Optional),
    ("stmt_execsql", "mod_stmt", Skip("the tree of the statement says it")),
    ("stmt_execsql", "mod_stmt_set", Skip(RUNTIME)),
    ("stmt_execsql", "target", Optional),
    ("stmt_exit", "cond", Optional),
    ("stmt_fetch", "target", Optional),
    ("stmt_fetch", "expr", Optional),
    ("stmt_fori", "step", Optional),
    ("stmt_getdiag", "diag_items", List("diag_item")),
    ("stmt_if", "then_body", List("stmt")),
    ("stmt_if", "elsif_list", List("if_elsif")),
    ("stmt_if", "else_body", List("stmt")),
    ("stmt_open", "query", Optional),
    ("stmt_open", "dynquery", Optional),
    ("stmt_raise", "condname", Optional),
    ("stmt_raise", "message", Optional),
    ("stmt_raise", "options", List("raise_option")),
    ("stmt_return", "expr", Optional),
    ("stmt_return_next", "expr", Optional),
    ("stmt_return_query", "query", Optional),
    ("stmt_return_query", "dynquery", Optional),
    ("type", "typoid", Skip(CATALOG)),
    ("type", "typlen", Skip(CATALOG)),
    ("type", "typbyval", Skip(CATALOG)),
    ("type", "typtype", Skip(CATALOG)),
    ("type", "collation", Skip(CATALOG)),
    ("type", "collation_name", Nodes),
    ("type", "atttypmod", Skip(CATALOG)),
    ("type", "origtypname", Skip("`tree` has it")),
    ("type", "tcache", Skip(CATALOG)),
    ("type", "tupdesc_id", Skip(CATALOG)),
    ("var", "cursor_explicit_expr", Optional),
    ("var", "cursor_explicit_argrow", OptionalDno),
    ("var", "value", Skip(RUNTIME)),
    ("var", "isnull", Skip(RUNTIME)),
    ("var", "freeval", Skip(RUNTIME)),
];

/// Returns the rule of a field, if it has one. One of the struct itself comes before those of all structs.
pub(crate) fn rule(of: &str, field: &str) -> Option<Rule> {
    let rule = |of: &str| {
        FIELDS.iter().find(|(name, it, _)| *name == of && *it == field).map(|(.., rule)| *rule)
    };
    rule(of).or_else(|| rule("*"))
}

/// Returns the rules that are about none of these structs and fields.
pub(crate) fn unused<'a>(
    mut has: impl FnMut(&str, &str) -> bool + 'a,
) -> impl Iterator<Item = String> + 'a {
    let unused = FIELDS.iter().filter(move |(of, field, _)| !has(of, field));
    unused.map(|(of, field, _)| format!("{of}.{field}"))
}

/// Texts on structs (with an empty name of the field) and fields that plpgsql.h says nothing about; `*` is for each struct.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "*",
        "location",
        "The byte offset of its first character in the text; -1 if it was not written there.",
    ),
    ("*", "end", "The byte offset after its last character; -1 if it was not written there."),
    (
        "*",
        "stmtid",
        "The number of the statement in the function, from 1, in the order of their ends.",
    ),
    ("*", "lineno", "The number of the line in the body, from 1."),
    ("*", "dno", "Its number: the index in [`Function::datums`]."),
    ("*", "refname", "The name of the variable."),
    ("*", "isconst", "Whether it is `CONSTANT`."),
    ("*", "notnull", "Whether it is `NOT NULL`."),
    ("*", "default_val", "The value that it begins with, if one was written."),
    ("*", "datatype", "The type."),
    ("*", "label", "The label, if there is one."),
    ("*", "cond", "The condition."),
    ("*", "stmts", "The statements."),
    ("*", "curvar", "The variable of the cursor."),
    ("*", "retvarno", "The variable that it returns, if it is a variable and not an expression."),
    ("*", "chain", "Whether `AND CHAIN` was written."),
    ("*", "args", "The arguments of the cursor, as they were written."),
    ("*", "expr", "The expression."),
    ("*", "query", "The query."),
    ("*", "params", "The expressions after `USING`."),
    (
        "case_when",
        "written",
        "The expression as it was written: the values, in a `CASE` with an operand.",
    ),
    ("cursor_arg", "", "An argument of a cursor, in `OPEN` or `FOR`."),
    ("cursor_arg", "name", "The name of the parameter, if it was written."),
    ("decl", "", "A declaration of a block."),
    ("decl", "kind", "What is declared."),
    ("decl", "name", "The name that is declared."),
    ("decl", "dno", "The variable; that which it is another name of, for `ALIAS FOR`."),
    ("decl_type", "", "What a declaration declares."),
    ("diag_item", "target", "The variable to assign it to."),
    ("exception", "conditions", "The conditions, of which one has to hold."),
    ("exception", "action", "The statements."),
    ("exception_block", "sqlstate_varno", "The variable `SQLSTATE` of the handlers."),
    ("exception_block", "sqlerrm_varno", "The variable `SQLERRM` of the handlers."),
    ("exception_block", "exc_list", "The `WHEN` clauses, in order."),
    (
        "expr",
        "tree",
        "The tree of the query, whose locations are byte offsets in the text, as those of the expression are.",
    ),
    ("expr", "parse_mode", "What it is to PostgreSQL's parser."),
    (
        "function",
        "",
        "A function, a procedure or a `DO`, compiled: its variables, and the tree of its body.",
    ),
    ("function", "name", "The name, without its schema; `inline_code_block` for `DO`."),
    ("function", "params", "The parameters, in order."),
    ("function", "returns", "The type after `RETURNS`, if there is one."),
    (
        "function",
        "location",
        "The byte offset of the body: of its first character after the quote.",
    ),
    ("function", "end", "The byte offset after the last character of the body, before the quote."),
    ("function", "is_procedure", "Whether it is a procedure."),
    ("function", "is_do", "Whether it is a `DO`."),
    ("function", "fn_is_trigger", "Whether it is for triggers, or for event triggers."),
    ("function", "fn_retset", "Whether it returns a set."),
    (
        "function",
        "out_param_varno",
        "The variable for the result: that of the only `OUT` parameter, or the row of several.",
    ),
    ("function", "found_varno", "The variable `FOUND`."),
    ("function", "new_varno", "The variable `NEW`, in a function for triggers."),
    ("function", "old_varno", "The variable `OLD`, in a function for triggers."),
    ("function", "resolve_option", "What a name means that is that of a variable and of a column."),
    ("function", "print_strict_params", "Whether messages of `INTO STRICT` list parameters."),
    ("function", "datums", "The variables, by their numbers."),
    ("function", "action", "The outermost block."),
    ("param", "", "A parameter of a function."),
    ("param", "name", "The name, if it has one."),
    (
        "param",
        "mode",
        "Whether it is `IN`, `OUT`, `INOUT`, `VARIADIC`, or a column of `RETURNS TABLE`.",
    ),
    ("param", "dno", "The variable; none in a function for triggers."),
    ("raise_option", "opt_type", "Which option it is."),
    ("rec", "firstfield", "The first of the fields that the body names."),
    ("row", "varnos", "The variables, in order."),
    ("row", "fieldnames", "Their names."),
    ("stmt_assert", "message", "The message, if there is one."),
    ("stmt_assign", "varno", "The variable that is assigned to."),
    ("stmt_block", "decls", "The declarations, in order."),
    ("stmt_block", "exceptions", "The handlers after `EXCEPTION`, if there are any."),
    ("stmt_call", "expr", "The statement."),
    ("stmt_call", "is_call", "Whether it is `CALL`, and not `DO`."),
    ("stmt_case", "case_when_list", "The arms, in order."),
    ("stmt_dynexecute", "params", "The expressions after `USING`."),
    ("stmt_execsql", "sqlstmt", "The statement, without its `INTO`."),
    ("stmt_fori", "var", "The loop variable."),
    ("stmt_fori", "lower", "The first value."),
    ("stmt_fori", "upper", "The last value."),
    ("stmt_fori", "reverse", "Not 0 for `REVERSE`."),
    ("stmt_null", "", "`NULL`, which does nothing. PostgreSQL's tree leaves it out."),
    ("stmt_open", "cursor_options", "The options of the cursor, as bits."),
    ("stmt_open", "query", "The query after `FOR`, if it is one."),
    ("stmt_open", "dynquery", "The expression after `FOR EXECUTE`, if there is one."),
    (
        "stmt_raise",
        "elog_level",
        "The level of the message, as a number of elog.h: `EXCEPTION` is 21.",
    ),
    ("stmt_return", "expr", "The expression, if there is one."),
    ("stmt_return_next", "expr", "The expression, if there is one."),
    ("type", "text", "The type as it was written, without its collation."),
    (
        "type",
        "tree",
        "The tree of the type's name, as one statement; empty for `%TYPE` and `%ROWTYPE`.",
    ),
    ("type", "collation_name", "The name after `COLLATE`, a `String` for each part."),
    (
        "type",
        "unknown",
        "Whether it is not a type of PostgreSQL's own, so that it may be of any kind.",
    ),
    ("var", "cursor_explicit_expr", "The query of a cursor."),
    ("var", "cursor_explicit_argrow", "The row of a cursor's parameters."),
    ("var", "cursor_options", "The options of a cursor, as bits."),
];

/// Returns the text on a struct, or on a field by its name in Rust.
pub(crate) fn text(of: &str, field: &str) -> Option<&'static str> {
    let text = |of: &str| {
        TEXTS.iter().find(|(name, it, _)| *name == of && *it == field).map(|(.., text)| *text)
    };
    text(of).or_else(|| if field.is_empty() { None } else { text("*") })
}
