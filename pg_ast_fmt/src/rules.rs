//! What the symbols of the grammar are for the layout.
//!
//! A symbol that is not here is laid out by the general rules: what is in parentheses and the items of a list are on one line
//! or on a line each, and words fill the line.

use crate::ops::{BLANK, FILL_INSIDE, Gap, Indent, LINE, NOTHING, OUTSIDE};

/// How a node is laid out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rule {
    /// The symbols that begin a line in it.
    pub(crate) breaks: &'static [&'static str],
    pub(crate) always: Always,
    /// The words directly in it are names, or types.
    pub(crate) is_name: bool,
    /// A parenthesis directly in it is not separated from what it follows.
    pub(crate) calls: bool,
    pub(crate) shape: Shape,
    /// In PL/pgSQL, what is between two parts of it: the first row counts whose names they have. `""` is any part.
    pub(crate) gaps: &'static [(&'static str, &'static str, Gap)],
    /// In PL/pgSQL, the parts of it that are groups.
    pub(crate) sections: &'static [Section],
}

/// Parts of a node in PL/pgSQL that are a group.
pub(crate) struct Section {
    /// What it begins behind; `""` if with the first part but a label.
    pub(crate) behind: &'static str,
    /// What it ends before, if not with the node.
    pub(crate) ends: &'static [&'static str],
    pub(crate) indent: Indent,
    pub(crate) items: Items,
}

/// Whether a section is a list.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Items {
    No,
    /// Its items begin lines.
    Lines,
    /// They are expressions, as in a list of SQL. One alone is no list.
    Exprs,
}

/// Whether a node is on more than one line even if it fits on one.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Always {
    #[default]
    No,
    /// If it is a list of several items, what it is in is.
    Several,
    Yes,
}

/// What is special about a node.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Shape {
    #[default]
    Plain,
    /// It has clauses, which begin lines if it does not fit on one.
    Stmt,
    /// The same, and they may stand beside a river.
    Query,
    /// Its clauses are one level deeper.
    IndentedStmt,
    /// Its parts are those of the node around it.
    Merged,
    /// Statements that are parts of the one around it.
    MergedStmts,
    /// An expression with operators.
    Expr,
    /// A join, which is on the level of one before it.
    Join,
    /// The whole of it is on the next line, one level deeper, if it does not fit.
    Hanging,
    /// Each of its parts but the first is.
    Qualifiers,
    /// Its words are keywords, also where they could be names.
    Privilege,
    /// It ends with `END` on the level on which it begins.
    Block,
    With,
    /// Its items are not indented.
    Ctes,
    /// A construct of PL/pgSQL: one level deeper, if it begins a line.
    Body,
    /// A part of one.
    BodyPart,
}

const fn stmt(breaks: &'static [&'static str]) -> Rule {
    Rule { breaks, ..shaped(Shape::Stmt) }
}

const fn query(breaks: &'static [&'static str]) -> Rule {
    Rule { breaks, ..shaped(Shape::Query) }
}

const fn indented(breaks: &'static [&'static str]) -> Rule {
    Rule { breaks, ..shaped(Shape::IndentedStmt) }
}

const fn merged(breaks: &'static [&'static str]) -> Rule {
    Rule { breaks, ..shaped(Shape::Merged) }
}

const fn shaped(shape: Shape) -> Rule {
    Rule { shape, ..PLAIN }
}

const fn body(gaps: &'static [(&'static str, &'static str, Gap)]) -> Rule {
    Rule { gaps, ..shaped(Shape::Body) }
}

const fn body_part(gaps: &'static [(&'static str, &'static str, Gap)]) -> Rule {
    Rule { gaps, ..shaped(Shape::BodyPart) }
}

const fn with(sections: &'static [Section], rule: Rule) -> Rule {
    Rule { sections, ..rule }
}

const PLAIN: Rule = Rule {
    breaks: &[],
    always: Always::No,
    is_name: false,
    calls: false,
    shape: Shape::Plain,
    gaps: &[],
    sections: &[],
};
const NAME: Rule = Rule { is_name: true, ..PLAIN };
const CALL: Rule = Rule { calls: true, ..PLAIN };
const TYPE: Rule = Rule { is_name: true, calls: true, ..PLAIN };
const ROWS: Rule = Rule { always: Always::Several, ..PLAIN };

const fn always(rule: Rule) -> Rule {
    Rule { always: Always::Yes, ..rule }
}

const OPTIONS_OF_TABLES: &[&str] = &[
    "OptInherit",
    "OnCommitOption",
    "OptTableSpace",
    "OptWith",
    "PartitionBoundSpec",
    "PartitionSpec",
    "SERVER",
    "create_generic_options",
    "opt_with_data",
    "table_access_method_clause",
];

const CLAUSES: &[&str] = &[
    "for_locking_clause",
    "for_locking_items",
    "from_clause",
    "group_clause",
    "having_clause",
    "limit_clause",
    "offset_clause",
    "opt_for_locking_clause",
    "select_limit",
    "sort_clause",
    "where_clause",
    "window_clause",
];

/// `IF .. THEN`, `WHILE .. LOOP`
const HEAD: Section = Section {
    behind: "",
    ends: &["proc_sect", "END", "stmt_elsif", "stmt_else"],
    indent: Indent::Level,
    items: Items::No,
};
const SQL: Section = Section { behind: "", ends: &["';'"], indent: Indent::No, items: Items::No };
const USING: Section = Section {
    behind: "USING",
    ends: &["INTO", "LOOP", "';'"],
    indent: Indent::Level,
    items: Items::Exprs,
};
const OPTIONS: Section =
    Section { behind: "USING", ends: &["';'"], indent: Indent::Level, items: Items::Lines };
const DIAGNOSTICS: Section = Section { behind: "DIAGNOSTICS", ..OPTIONS };
const ASSERTED: Section = Section { behind: "ASSERT", ends: &["';'"], ..USING };

#[rustfmt::skip]
const RULES: &[(&[&str], Rule)] = &[
    // Queries.
    (&["select_no_parens"], query(&["for_locking_clause", "for_locking_items", "opt_for_locking_clause", "select_limit",
        "limit_clause", "offset_clause", "sort_clause"])),
    (&["simple_select"], query(&["EXCEPT", "INTERSECT", "UNION", "from_clause", "group_clause", "having_clause", "into_clause",
        "select_with_parens", "where_clause", "window_clause"])),
    (&["values_clause", "merge_values_clause"], query(&[])),
    (&["InsertStmt"], query(&["DEFAULT", "opt_on_conflict", "returning_clause", "values_clause"])),
    (&["insert_rest"], merged(&["DEFAULT", "OVERRIDING", "SelectStmt", "simple_select", "select_no_parens",
        "select_with_parens", "values_clause"])),
    (&["opt_on_conflict"], indented(&["SET", "where_clause"])),
    (&["UpdateStmt"], query(&["SET", "from_clause", "returning_clause", "where_or_current_clause"])),
    (&["DeleteStmt"], query(&["returning_clause", "using_clause", "where_or_current_clause"])),
    (&["MergeStmt"], always(query(&["ON", "USING", "merge_when_clause", "returning_clause"]))),
    (&["merge_when_list"], merged(&["merge_when_clause"])),
    (&["merge_when_clause"], indented(&[])),
    (&["merge_delete", "merge_update", "merge_insert"], stmt(&["merge_values_clause"])),
    (&["with_clause", "opt_with_clause"], shaped(Shape::With)),
    (&["cte_list"], shaped(Shape::Ctes)),
    (&["joined_table"], Rule { breaks: &["CROSS", "JOIN", "NATURAL", "join_type"], ..shaped(Shape::Join) }),
    (&["filter_clause", "join_qual", "over_clause", "within_group_clause"], shaped(Shape::Hanging)),
    (&["window_specification"], merged(&["opt_frame_clause", "opt_partition_clause", "sort_clause"])),
    // Expressions.
    (&["a_expr", "b_expr"], shaped(Shape::Expr)),
    (&["case_expr"], Rule { breaks: &["case_default"], ..shaped(Shape::Block) }),
    (&["when_clause_list"], merged(&["when_clause"])),
    (&["func_application", "func_expr_common_subexpr"], Rule { breaks: &["sort_clause"], ..CALL }),
    (&["json_table", "xmltable"], Rule { breaks: &["COLUMNS"], ..CALL }),
    // Definitions.
    (&["CreateStmt", "CreateAsStmt", "CreateForeignTableStmt"], stmt(OPTIONS_OF_TABLES)),
    (&["create_as_target", "create_mv_target"], merged(OPTIONS_OF_TABLES)),
    (&["TableElementList", "OptTableElementList", "TypedTableElementList", "OptTypedTableElementList"], ROWS),
    (&["IndexStmt"], indented(&["ON", "OptTableSpace", "opt_include", "opt_reloptions", "where_clause"])),
    (&["CreateFunctionStmt"], always(stmt(&["RETURNS", "opt_routine_body"]))),
    (&["createfunc_opt_list"], merged(&["common_func_opt_item", "createfunc_opt_item"])),
    (&["opt_routine_body"], Rule { breaks: &["routine_body_stmt_list"], ..always(shaped(Shape::Block)) }),
    (&["routine_body_stmt_list"], shaped(Shape::Merged)),
    (&["CreateTrigStmt"], indented(&["ConstraintAttributeSpec", "EXECUTE", "ON", "OptConstrFromTable", "TriggerActionTime",
        "TriggerForSpec", "TriggerReferencing", "TriggerWhen"])),
    (&["CreatePolicyStmt", "AlterPolicyStmt"], indented(&["RowSecurityDefaultForCmd", "RowSecurityDefaultPermissive",
        "RowSecurityDefaultToRole", "RowSecurityOptionalExpr", "RowSecurityOptionalToRole", "RowSecurityOptionalWithCheck"])),
    (&["ViewStmt", "CreateMatViewStmt"], stmt(&["opt_check_option", "opt_reloptions", "opt_with_data"])),
    (&["CreateSchemaStmt"], indented(&[])),
    (&["OptSchemaEltList"], shaped(Shape::MergedStmts)),
    (&["CommentStmt", "SecLabelStmt"], indented(&["IS"])),
    (&["DefineStmt", "PrepareStmt", "DeclareCursorStmt", "ExplainStmt"], stmt(&[])),
    (&["CopyStmt"], indented(&["TO", "copy_from", "opt_with", "where_clause"])),
    (&["RuleStmt"], indented(&["DO", "ON", "where_clause"])),
    (&["ColQualList"], shaped(Shape::Qualifiers)),
    (&["CreateDomainStmt"], indented(&["ColQualList"])),
    (&["AlterTableStmt", "AlterDomainStmt", "CreateSeqStmt", "AlterSeqStmt", "CreateRoleStmt", "CreateUserStmt",
        "CreateGroupStmt", "AlterRoleStmt", "CreatedbStmt", "CreateExtensionStmt"], indented(&[])),
    (&["SeqOptList"], merged(&["SeqOptElem"])),
    (&["OptRoleList", "AlterOptRoleList"], merged(&["AlterOptRoleElem", "CreateOptRoleElem"])),
    (&["createdb_opt_items", "createdb_opt_list"], merged(&["createdb_opt_item"])),
    (&["create_extension_opt_list"], merged(&["create_extension_opt_item"])),
    (&["CreateStatsStmt", "AlterStatsStmt"], indented(&["FROM", "ON"])),
    (&["CreatePublicationStmt", "AlterPublicationStmt"], indented(&["FOR", "opt_definition", "definition"])),
    (&["CreateSubscriptionStmt", "AlterSubscriptionStmt"], indented(&["CONNECTION", "PUBLICATION", "opt_definition",
        "definition"])),
    (&["CreateEventTrigStmt"], indented(&["EXECUTE", "ON", "WHEN"])),
    (&["AlterTSConfigurationStmt"], indented(&["ADD_P", "ALTER", "DROP", "any_with"])),
    (&["CreateUserMappingStmt", "AlterUserMappingStmt"], indented(&["SERVER", "alter_generic_options",
        "create_generic_options"])),
    (&["CreateFdwStmt", "AlterFdwStmt", "CreateForeignServerStmt", "AlterForeignServerStmt"],
        indented(&["FOREIGN", "alter_generic_options", "create_generic_options", "opt_fdw_options",
        "opt_foreign_server_version", "opt_type"])),
    (&["ImportForeignSchemaStmt"], indented(&["FROM", "INTO", "create_generic_options", "import_qualification"])),
    (&["CreateConversionStmt"], indented(&["FOR", "FROM"])),
    (&["CreateOpClassStmt"], indented(&["FOR", "opt_default"])),
    (&["RenameStmt"], indented(&["RENAME"])),
    (&["AlterObjectSchemaStmt"], indented(&["SET"])),
    (&["AlterOwnerStmt"], indented(&["OWNER"])),
    (&["AlterDefaultPrivilegesStmt"], indented(&["DefACLAction"])),
    // Rights.
    (&["GrantStmt", "RevokeStmt", "GrantRoleStmt", "RevokeRoleStmt"], indented(&["FROM", "ON", "TO", "opt_grant_grant_option",
        "opt_granted_by"])),
    (&["privilege"], shaped(Shape::Privilege)),
    (&["DefACLAction"], indented(&["FROM", "ON", "TO"])),
    // Names.
    (&["BareColLabel", "ColId", "ColLabel", "NonReservedWord", "RoleId", "RoleSpec", "func_name", "type_function_name",
        "NonReservedWord_or_Sconst", "opt_boolean_or_string", "utility_option_name", "extract_arg", "name"], NAME),
    (&["Bit", "BitWithLength", "BitWithoutLength", "Character", "CharacterWithLength", "CharacterWithoutLength",
        "ConstDatetime", "ConstInterval", "JsonType", "Numeric", "SimpleTypename", "character", "interval_second",
        "opt_float", "opt_interval", "opt_timezone", "opt_type_modifiers", "opt_varying"], TYPE),
    // PL/pgSQL.
    (&["pl_function", "stmtmulti", "exception_sect", "proc_sect", "PLPGSQL_INTO"], body_part(&[])),
    (&["comp_option"], Rule { is_name: true, ..body_part(&[("Op", "", NOTHING)]) }),
    (&["block_label"], body_part(&[("", "", NOTHING)])),
    (&["pl_block"], always(body(&[("", "decl_sect", OUTSIDE), ("", "BEGIN", OUTSIDE), ("", "exception_sect", OUTSIDE)]))),
    (&["decl_sect"], body_part(&[("", "DECLARE", OUTSIDE)])),
    (&["decl_statement"], body(&[("", "COLLATE", FILL_INSIDE), ("", "NOT", FILL_INSIDE)])),
    (&["decl_datatype"], body_part(&[("", "'%'", NOTHING), ("'%'", "", NOTHING)])),
    (&["decl_cursor_args"], body_part(&[])),
    (&["proc_exception", "case_when"], with(&[HEAD], always(body(&[("", "THEN", OUTSIDE)])))),
    (&["proc_conditions"], body_part(&[("", "OR", LINE)])),
    (&["stmt_if", "stmt_elsif"], with(&[HEAD], always(body(&[("", "THEN", OUTSIDE), ("", "stmt_elsif", OUTSIDE),
        ("", "stmt_else", OUTSIDE)])))),
    (&["stmt_case"], always(body(&[("", "PLpgSQL_Expr", BLANK)]))),
    (&["stmt_else", "stmt_loop"], always(body(&[]))),
    (&["stmt_while", "stmt_for", "stmt_foreach_a"], with(&[HEAD, USING], always(body(&[("END", "", BLANK), ("", "LOOP", OUTSIDE),
        ("", "DOT_DOT", NOTHING), ("DOT_DOT", "", NOTHING), ("", "BY", FILL_INSIDE), ("BY", "", BLANK), ("", "USING", LINE)])))),
    (&["stmt_dynexecute", "stmt_return"], with(&[USING], body(&[("", "INTO", LINE), ("", "USING", LINE), ("", "STRICT", BLANK),
        ("INTO", "", FILL_INSIDE), ("STRICT", "", FILL_INSIDE)]))),
    (&["stmt_open"], with(&[USING], body(&[("OPEN", "", BLANK), ("", "USING", LINE)]))),
    (&["stmt_fetch", "stmt_move"], body(&[("", "PLpgSQL_Expr", BLANK), ("", "INTO", LINE), ("", "STRICT", BLANK),
        ("INTO", "", FILL_INSIDE), ("STRICT", "", FILL_INSIDE)])),
    (&["stmt_raise"], with(&[OPTIONS], body(&[("SQLSTATE", "", BLANK), ("", "SQLSTATE", FILL_INSIDE), ("", "SCONST", FILL_INSIDE),
        ("", "USCONST", FILL_INSIDE), ("", "IDENT", FILL_INSIDE), ("", "USING", LINE)]))),
    (&["stmt_assert"], with(&[ASSERTED], body(&[]))),
    (&["stmt_getdiag"], with(&[DIAGNOSTICS], body(&[("'='", "", FILL_INSIDE), ("COLON_EQUALS", "", FILL_INSIDE)]))),
    (&["stmt_execsql", "stmt_perform"], with(&[SQL], body(&[("", "PLPGSQL_INTO", LINE)]))),
    (&["stmt_assign", "stmt_exit", "stmt_close", "stmt_null", "stmt_commit", "stmt_rollback"], body(&[])),
    (&["PLAssignStmt"], body_part(&[("", "opt_indirection", NOTHING), ("", "plassign_equals", BLANK)])),
    (&["PLpgSQL_Expr"], Rule { breaks: CLAUSES, ..PLAIN }),
    // Lists in parentheses.
    (&["aggr_args", "alias_clause", "execute_param_clause", "func_alias_clause", "func_args", "func_args_with_defaults",
        "opt_name_list", "prep_type_clause", "tablesample_clause", "xml_attributes", "explicit_row",
        "qual_Op", "subquery_Op", "qual_all_Op"], CALL),
];

impl Rule {
    /// The rule of a symbol, by its name in `gram.y`.
    pub(crate) fn of(name: &str) -> Self {
        let found = RULES.iter().find(|(names, _)| names.contains(&name));
        found.map_or(PLAIN, |(_, rule)| *rule)
    }

    /// Whether it begins a line in a statement.
    pub(crate) fn is_stmt(&self) -> bool {
        matches!(self.shape, Shape::Stmt | Shape::Query | Shape::IndentedStmt | Shape::MergedStmts)
    }

    /// Whether it is one of PL/pgSQL.
    pub(crate) fn is_of_body(&self) -> bool {
        matches!(self.shape, Shape::Body | Shape::BodyPart)
    }

    /// Whether a symbol begins a line.
    pub(crate) fn begins_line(&self, name: &str) -> bool {
        self.breaks.contains(&name)
    }
}

/// What a token is for the layout.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) enum TokenRole {
    #[default]
    Other,
    Keyword,
    /// `AND`, `OR`.
    Logical,
    Between,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comma,
    Dot,
    Typecast,
    Colon,
    Semicolon,
    Equals,
    /// `+`, `-`.
    Sign,
    Percent,
    Operator,
}

impl TokenRole {
    /// The role of a terminal, by its name in `gram.y`.
    fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "'('" => Self::Open,
            "')'" => Self::Close,
            "'['" => Self::OpenBracket,
            "']'" => Self::CloseBracket,
            "','" => Self::Comma,
            "'.'" => Self::Dot,
            "TYPECAST" => Self::Typecast,
            "':'" => Self::Colon,
            "';'" => Self::Semicolon,
            "'='" => Self::Equals,
            "'+'" | "'-'" => Self::Sign,
            "'%'" => Self::Percent,
            "'*'" | "'/'" | "'^'" | "'<'" | "'>'" | "Op" | "LESS_EQUALS" | "GREATER_EQUALS"
            | "NOT_EQUALS" | "RIGHT_ARROW" => Self::Operator,
            "AND" | "OR" => Self::Logical,
            "BETWEEN" => Self::Between,
            "IDENT" | "UIDENT" | "FCONST" | "SCONST" | "USCONST" | "BCONST" | "XCONST"
            | "ICONST" | "PARAM" | "DOT_DOT" | "COLON_EQUALS" | "EQUALS_GREATER"
            | "PSQL_VARIABLE" | "PLACEHOLDER" => Self::Other,
            _ => return None,
        })
    }

    pub(crate) fn of(name: &str) -> Self {
        let is_word = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        Self::of_name(name).unwrap_or(if name.bytes().all(is_word) {
            Self::Keyword
        } else {
            Self::Other
        })
    }

    /// Whether it is an operator between or before expressions.
    pub(crate) fn is_operator(self) -> bool {
        matches!(self, Self::Operator | Self::Sign | Self::Percent | Self::Equals)
    }

    /// Whether it is a word of the grammar.
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::Keyword | Self::Logical | Self::Between)
    }
}
