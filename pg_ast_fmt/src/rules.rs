//! What the symbols of the grammar are for the layout.
//!
//! A symbol that is not here is laid out by the general rules: what is in parentheses and the items of a list are on one line
//! or on a line each, and words fill the line.

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

const PLAIN: Rule =
    Rule { breaks: &[], always: Always::No, is_name: false, calls: false, shape: Shape::Plain };
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
            | "ICONST" | "PARAM" | "DOT_DOT" | "COLON_EQUALS" | "EQUALS_GREATER" => Self::Other,
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
