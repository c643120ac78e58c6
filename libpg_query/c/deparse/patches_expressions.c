/*-------------------------------------------------------------------------
 *
 * patches_expressions.c
 *	  The functions that patches of libpg_query's deparser call: names and
 *	  expressions; see patches.h.
 *
 * Correct output is unchanged, to the letter.
 *
 *-------------------------------------------------------------------------
 */

/* ----- Names ----- */

/*
 * Returns whether the scanner reads the name without quotes as itself: scan.l's {identifier} in
 * lower case.  quote_identifier also quotes dollar signs and all bytes that are not ASCII.
 */
static bool
patch_is_word(const char *name)
{
	const char *c = name;

	if ((*c >= 'a' && *c <= 'z') || *c == '_' || IS_HIGHBIT_SET(*c))
		do
			c++;
		while ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '$' ||
			   IS_HIGHBIT_SET(*c));
	return *c == '\0' && c != name;
}

/*
 * Returns the name, in quotes unless it is a word that is not a
 * keyword, or one of these categories, one bit each, or unreserved.
 */
static const char *
patch_name(const char *name, int categories)
{
	int			keyword;

	if (!patch_is_word(name))
		return quote_identifier(name);
	keyword = ScanKeywordLookup(name, &ScanKeywords);
	if (keyword >= 0)
		patch_note_keyword(name);
	categories |= 1 << UNRESERVED_KEYWORD;
	if (keyword >= 0 && !(categories & (1 << ScanKeywordCategories[keyword])))
		return quote_identifier(name);
	return name;
}

/* "ColId" in gram.y */
static const char *
patch_col_id(const char *name)
{
	return patch_name(name, 1 << COL_NAME_KEYWORD);
}

/* "ColLabel" in gram.y */
static const char *
patch_col_label(const char *name)
{
	return patch_name(name, 1 << COL_NAME_KEYWORD | 1 << TYPE_FUNC_NAME_KEYWORD |
					 1 << RESERVED_KEYWORD);
}

/* "param_name" in gram.y */
static const char *
patch_param_name(const char *name)
{
	return patch_name(name, 1 << TYPE_FUNC_NAME_KEYWORD);
}

/* The name after STORAGE and COMPRESSION; it may be DEFAULT. */
static const char *
patch_attr_option(const char *name)
{
	return strcmp(name, "default") == 0 ? name : patch_col_id(name);
}

/* IDENT, which is never a keyword. */
static const char *
patch_ident(const char *name)
{
	const char *quoted = quote_identifier(name);

	if (quoted == name && ScanKeywordLookup(name, &ScanKeywords) >= 0)
		return psprintf("\"%s\"", name);
	return quoted;
}

/* Names with dots, such as that of a parameter. */
static void
patch_dotted_name(DeparseState *state, const char *name)
{
	const char *dot;

	/* quoted as one name, it would be truncated */
	if (strlen(name) >= NAMEDATALEN)
		while ((dot = strchr(name, '.')) != NULL && dot != name && dot[1] != '\0' &&
			   dot - name < NAMEDATALEN)
		{
			patch_put(quote_identifier(psprintf("%.*s", (int) (dot - name), name)));
			patch_putc('.');
			name = dot + 1;
		}
	patch_put(quote_identifier(name));
}

/*
 * A string that can be quoted by "$$".
 */
static bool
patch_is_dollar_quotable(const char *text)
{
	size_t		length = strlen(text);

	return strstr(text, "$$") == NULL && (length == 0 || text[length - 1] != '$');
}

/*
 * A string that can be quoted by the delimiters
 * of DO: "$$", or "$outer$" if it contains "$$".
 */
static bool
patch_is_do_quotable(const char *text)
{
	const char *quote = "$outer";
	size_t		length = strlen(text);

	if (strstr(text, "$$") == NULL)
		return patch_is_dollar_quotable(text);
	return strstr(text, "$outer$") == NULL &&
		(length < strlen(quote) || strcmp(text + length - strlen(quote), quote) != 0);
}

/* "opt_boolean_or_string" in gram.y, if the string may be unquoted. */
static void
patch_word_or_string(DeparseState *state, const char *value)
{
	int			keyword = ScanKeywordLookup(value, &ScanKeywords);
	bool		is_free = keyword < 0 || ScanKeywordCategories[keyword] != RESERVED_KEYWORD ||
		strcmp(value, "true") == 0 || strcmp(value, "false") == 0 ||
		strcmp(value, "on") == 0;

	if (patch_is_word(value) && is_free)
		patch_put(value);
	else
		deparseNonReservedWordOrSconst(state, value);
}

/* A name that is printed in upper case, which is only correct for words. */
static const char *
patch_upper_name(const char *name)
{
	char	   *upper = pstrdup(name);

	for (unsigned char *p = (unsigned char *) upper; *p; p++)
		*p = pg_toupper(*p);
	return upper;
}

/* "utility_option_name" in gram.y */
static void
patch_utility_option_name(DeparseState *state, const char *name)
{
	int			others = 1 << COL_NAME_KEYWORD | 1 << TYPE_FUNC_NAME_KEYWORD;
	const char *shown = strcmp(name, "analyze") == 0 ? name : patch_name(name, others);

	patch_put(*shown == '"' ? shown : patch_upper_name(name));
}

/* "createdb_opt_name" in gram.y */
static void
patch_database_option_name(DeparseState *state, const char *name)
{
	bool		is_keyword = strcmp(name, "encoding") == 0 || strcmp(name, "location") == 0 ||
		strcmp(name, "owner") == 0 || strcmp(name, "tablespace") == 0 ||
		strcmp(name, "template") == 0;
	bool		is_word = patch_is_word(name) && ScanKeywordLookup(name, &ScanKeywords) < 0;

	patch_put(is_keyword || is_word ? patch_upper_name(name) : patch_ident(name));
}

/* ----- Expressions ----- */

static void
patch_integer(DeparseState *state, int64 value)
{
	char		text[sizeof("-9223372036854775808")];
	char	   *at = text + sizeof(text) - 1;
	uint64		left = value < 0 ? -(uint64) value : (uint64) value;

	*at = '\0';
	do
		*--at = (char) ('0' + left % 10);
	while ((left /= 10) != 0);
	if (value < 0)
		*--at = '-';
	patch_put(at);
}

/* A star alone, in a list of targets. */
static void
patch_star(DeparseState *state, ColumnRef *column)
{
	rule_star(column->fields, list_head(column->fields));
#if PG_VERSION_NUM >= 170000
	deparseAppendCommentsIfNeeded(state, column->location);
#endif
	patch_putc('*');
}

/*
 * TRIM with more than two arguments, which only
 * the form without a first argument accepts.
 */
static bool
patch_trim(DeparseState *state, FuncCall *call)
{
	const char *name = strVal(lsecond(call->funcname));

	if (list_length(call->args) <= 2)
		return false;
	patch_put("TRIM (");
	patch_put(strcmp(name, "ltrim") == 0 ? "LEADING" :
			 strcmp(name, "rtrim") == 0 ? "TRAILING" : "BOTH");
	patch_put(" FROM ");
	deparseExprList(state, call->args);
	patch_putc(')');
	return true;
}

/* A call that is not a "func_expr_windowless", so that an index parenthesises it */
static bool
patch_needs_index_parens(Node *node)
{
	FuncCall   *call;

#if PG_VERSION_NUM < 180000
	/* some are printed as operators; 18 checks for these itself */
	if (!patch_is_c_expr(node))
		return true;
#endif
	if (!IsA(node, FuncCall))
		return false;
	call = (FuncCall *) node;
	return call->over != NULL || call->agg_filter != NULL || call->agg_within_group;
}

/*
 * The operator of an A_Expr.  A prefix operator is a "qual_Op",
 * or + or -, which would become the sign of a number.
 */
static void
patch_operator(DeparseState *state, A_Expr *expr)
{
	List	   *op = expr->name;
	bool		is_bare = !patch_is_minus_number(expr);

	if (expr->lexpr == NULL && list_length(op) == 1)
	{
		const char *name = strVal(linitial(op));
		size_t		length = strlen(name);

		if (length == 1 && strchr("*/%^<>=", name[0]) != NULL)
			is_bare = false;
		else if (strcmp(name, "<=") == 0 || strcmp(name, ">=") == 0 || strcmp(name, "<>") == 0)
			is_bare = false;
	}
	if (is_bare)
		deparseQualOp(state, op);
	else
	{
		patch_put("OPERATOR(");
		deparseAnyOperator(state, op);
		patch_putc(')');
	}
}

/* "any_operator" in gram.y, after more than one name */
static bool
patch_any_operator(DeparseState *state, List *op)
{
	ListCell   *lc;

	if (list_length(op) <= 2)
		return false;
	foreach(lc, op)
	{
		if (lnext(op, lc) == NULL)
			patch_put(strVal(lfirst(lc)));
		else
		{
			patch_put(quote_identifier(strVal(lfirst(lc))));
			patch_putc('.');
		}
	}
	return true;
}

/* "xml_whitespace_option" in gram.y: STRIP is the default */
static void
patch_xml_whitespace(DeparseState *state, XmlExpr *expr)
{
	Node	   *preserve = lsecond(expr->args);

	if (IsA(preserve, TypeCast))
		preserve = ((TypeCast *) preserve)->arg;
	if (IsA(preserve, A_Const) && IsA(&((A_Const *) preserve)->val, Boolean) &&
		((A_Const *) preserve)->val.boolval.boolval)
		patch_put(" PRESERVE WHITESPACE");
}

/*
 * char 'x', which is not 'x'::char: the latter has a length.  Point 'x', too,
 * has no more than a name.
 */
static bool
patch_is_bare_type(TypeName *name, A_Const *value)
{
	return name->typmods == NIL && name->arrayBounds == NIL && !name->setof &&
		!name->pct_type && !value->isnull && IsA(&value->val, String);
}

/* An Iconst */
static bool
patch_is_iconst(Node *node)
{
	A_Const    *value = (A_Const *) node;

	return node != NULL && IsA(node, A_Const) && !value->isnull &&
		IsA(&value->val, Integer) && value->val.ival.ival >= 0;
}

/*
 * Returns whether the typmods of pg_catalog.interval are those of a
 * field or of seconds, with the precision that the grammar allows there.
 */
static bool
patch_is_interval(List *typmods)
{
	int			fields;
	bool		with_seconds;

	if (typmods == NIL)
		return true;
	if (list_length(typmods) > 2 || !patch_is_iconst(linitial(typmods)))
		return false;
	fields = ((A_Const *) linitial(typmods))->val.ival.ival;
	with_seconds = false;
	switch (fields)
	{
		case INTERVAL_MASK(YEAR):
		case INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY):
		case INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(YEAR) | INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
			break;
		case INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
			with_seconds = true;
			break;
		case INTERVAL_FULL_RANGE:
			/* it is only written with a precision */
			with_seconds = true;
			if (list_length(typmods) == 1)
				return false;
			break;
		default:
			return false;
	}
	if (list_length(typmods) == 1)
		return true;
	return with_seconds && patch_is_iconst(lsecond(typmods)) &&
		((A_Const *) lsecond(typmods))->val.ival.ival != INTERVAL_FULL_PRECISION;
}

/*
 * Returns whether a type of pg_catalog must be printed by its catalog
 * name: the grammar's name for it takes no modifiers, or not these.
 */
static bool
patch_is_generic_type(TypeName *type)
{
	const char *name = strVal(lsecond(type->names));
	List	   *typmods = type->typmods;

	if (type->pct_type || strcmp(name, "real") == 0)
		return true;
	if (strcmp(name, "numeric") == 0)
		return false;
	if (strcmp(name, "bool") == 0 || strcmp(name, "int2") == 0 || strcmp(name, "int4") == 0 ||
		strcmp(name, "int8") == 0 || strcmp(name, "float4") == 0 || strcmp(name, "float8") == 0)
		return typmods != NIL;
	if (strcmp(name, "interval") == 0)
		return !patch_is_interval(typmods);
	if (strcmp(name, "bpchar") == 0)
		return list_length(typmods) != 1 || !patch_is_iconst(linitial(typmods));
	if (strcmp(name, "varchar") == 0 || strcmp(name, "time") == 0 ||
		strcmp(name, "timetz") == 0 || strcmp(name, "timestamp") == 0 ||
		strcmp(name, "timestamptz") == 0)
		return list_length(typmods) > 1 ||
			(typmods != NIL && !patch_is_iconst(linitial(typmods)));
	/* 15 and 16 print these themselves, but for the quotes */
	return PG_VERSION_NUM >= 170000 || patch_col_label(name) != name;
}

/* interval 'x' with its fields, or interval(p) 'x' */
static void
patch_interval(DeparseState *state, Node *value, TypeName *name)
{
	List	   *typmods = name->typmods;
	bool		has_range = typmods != NIL && patch_is_iconst(linitial(typmods)) &&
		((A_Const *) linitial(typmods))->val.ival.ival != INTERVAL_FULL_RANGE;

	patch_put("interval");
	if (typmods != NIL && !has_range)
		deparseIntervalTypmods(state, name);
	patch_putc(' ');
	patch_expr(value);
	if (has_range)
		deparseIntervalTypmods(state, name);
}

/* A constant preceded by its type, the only form of "AexprConst" */
static void
patch_typed_const(DeparseState *state, TypeCast *cast)
{
	TypeName   *name = cast->typeName;

	if (name != NULL && list_length(name->names) == 2 && name->typmods != NIL &&
		strcmp(strVal(linitial(name->names)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(name->names)), "interval") == 0 &&
		patch_is_interval(name->typmods))
		patch_interval(state, cast->arg, name);
	else if (name != NULL && list_length(name->names) == 1 && name->typmods == NIL &&
			 strcmp(strVal(linitial(name->names)), "point") == 0 &&
			 cast->arg != NULL && IsA(cast->arg, A_Const) &&
			 ((A_Const *) cast->arg)->location > name->location)
		deparseTypeCast(state, cast, DEPARSE_NODE_CONTEXT_NONE);
	else
	{
		deparseTypeName(state, name);
		patch_putc(' ');
		patch_expr(cast->arg);
	}
}

/* "c_expr" in gram.y: a number with a sign is none. */
static void
patch_as_c_expr(DeparseState *state, Node *node)
{
	A_Const    *value = (A_Const *) node;
	bool		is_negative = false;

	if (node != NULL && IsA(node, A_Const) && !value->isnull)
	{
		if (IsA(&value->val, Integer))
			is_negative = value->val.ival.ival < 0;
		else if (IsA(&value->val, Float))
			is_negative = value->val.fval.fval != NULL && value->val.fval.fval[0] == '-';
	}
	if (!is_negative)
	{
		deparseCExpr(state, node);
		return;
	}
	patch_putc('(');
	patch_expr(node);
	patch_putc(')');
}

#if PG_VERSION_NUM >= 160000
/*
 * "WITH UNIQUE" of a JSON function.  After a value that ends in IS
 * JSON, it would be read as a part of that, unless that has its own.
 */
static void
patch_before_unique(DeparseState *state, JsonValueExpr *value)
{
	Node	   *node = value == NULL ? NULL : (Node *) value->raw_expr;

	if (node != NULL && value->format != NULL && value->format->format_type != JS_FORMAT_DEFAULT)
		return;
	while (node != NULL && IsA(node, BoolExpr))
		node = ((BoolExpr *) node)->args == NIL ? NULL : llast(((BoolExpr *) node)->args);
	if (node != NULL && IsA(node, JsonIsPredicate) && !((JsonIsPredicate *) node)->unique_keys)
		patch_put(" WITHOUT UNIQUE KEYS ");
}
#endif
