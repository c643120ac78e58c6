/*-------------------------------------------------------------------------
 *
 * mends_statements.c
 *	  The functions that mends of libpg_query's deparser call: statements;
 *	  see mends_deparse.h.
 *
 * Correct output is unchanged, to the letter.
 *
 *-------------------------------------------------------------------------
 */

/* ----- Statements ----- */

/* "relation_expr_opt_alias" in gram.y, before SET: the alias "set" needs AS. */
static void
mend_target_relation(MEND_PARAM, RangeVar *relation)
{
	bool		is_set = relation != NULL && relation->alias != NULL &&
		strcmp(relation->alias->aliasname, "set") == 0;

	deparseRangeVar(MEND, relation,
					is_set ? DEPARSE_NODE_CONTEXT_INSERT_RELATION : DEPARSE_NODE_CONTEXT_NONE);
}

/* "OptWhereClause" of EXCLUDE, which follows the tablespace */
static void
mend_exclusion_where(MEND_PARAM, Constraint *constraint)
{
	if (constraint->contype != CONSTR_EXCLUSION || constraint->where_clause == NULL)
		return;
	mend_put("WHERE (");
	mend_expr(constraint->where_clause);
	mend_put(") ");
}

/* INCLUDING ALL, and the options that are excluded again */
static bool
mend_like_options(MEND_PARAM, TableLikeClause *like)
{
	static const struct
	{
		bits32		bit;
		const char *name;
	}			all[] = {
		{CREATE_TABLE_LIKE_COMMENTS, "COMMENTS"},
		{CREATE_TABLE_LIKE_COMPRESSION, "COMPRESSION"},
		{CREATE_TABLE_LIKE_CONSTRAINTS, "CONSTRAINTS"},
		{CREATE_TABLE_LIKE_DEFAULTS, "DEFAULTS"},
		{CREATE_TABLE_LIKE_IDENTITY, "IDENTITY"},
		{CREATE_TABLE_LIKE_GENERATED, "GENERATED"},
		{CREATE_TABLE_LIKE_INDEXES, "INDEXES"},
		{CREATE_TABLE_LIKE_STATISTICS, "STATISTICS"},
		{CREATE_TABLE_LIKE_STORAGE, "STORAGE"},
	};
	bits32		known = 0;

	for (int i = 0; i < lengthof(all); i++)
		known |= all[i].bit;
	if (like->options == CREATE_TABLE_LIKE_ALL || (like->options & ~known) == 0)
		return false;
	mend_put("INCLUDING ALL ");
	for (int i = 0; i < lengthof(all); i++)
		if (!(like->options & all[i].bit))
		{
			mend_put("EXCLUDING ");
			mend_put(all[i].name);
			mend_putc(' ');
		}
	return true;
}

/* A string of SET TIME ZONE that would be another word without quotes. */
static bool
mend_time_zone(MEND_PARAM, List *args)
{
	A_Const    *zone;
	const char *name;

	if (list_length(args) != 1 || !IsA(linitial(args), A_Const))
		return false;
	zone = (A_Const *) linitial(args);
	if (zone->isnull || !IsA(&zone->val, String) ||
		ScanKeywordLookup(zone->val.sval.sval, &ScanKeywords) < 0)
		return false;
	/* others are quoted, and are an IDENT */
	name = zone->val.sval.sval;
	if (quote_identifier(name) != name && strcmp(name, "true") != 0 &&
		strcmp(name, "false") != 0 && strcmp(name, "on") != 0)
		return false;
	deparseStringLiteral(MEND, zone->val.sval.sval);
	return true;
}

/* The = before a value: next to an operator it would be a part of that. */
static void
mend_equals(MEND_PARAM, Node *arg)
{
	mend_putc('=');
	if (IsA(arg, List) && list_length((List *) arg) == 1)
	{
		const char *name = strVal(linitial((List *) arg));

		if (strcmp(name, "+") != 0 && strcmp(name, "-") != 0)
			mend_putc(' ');
	}
}

/* "old_aggr_definition" in gram.y, whose names are not keywords */
static void
mend_old_definition(MEND_PARAM, List *definition)
{
	ListCell   *lc;

	mend_putc('(');
	foreach(lc, definition)
	{
		DefElem    *element = castNode(DefElem, lfirst(lc));

		mend_put(mend_ident(element->defname));
		if (element->arg != NULL)
		{
			mend_put(" = ");
			deparseDefArg(MEND, element->arg, false);
		}
		if (lnext(definition, lc))
			mend_put(", ");
	}
	mend_putc(')');
}

/* Returns whether GRANT, and so libpg_query, has a word for the option */
static bool
mend_is_known_option(DefElem *option)
{
	return strcmp(option->defname, "admin") == 0 || strcmp(option->defname, "inherit") == 0 ||
		strcmp(option->defname, "set") == 0;
}

/* "grant_role_opt" in gram.y */
static void
mend_grant_option(MEND_PARAM, DefElem *option)
{
	if (mend_is_known_option(option))
		return;
	/* WITH TIME is one token */
	mend_put(mend_ident(option->defname));
	mend_put(boolVal(option->arg) ? " OPTION" : " FALSE");
}

/* The revoked option */
static void
mend_revoke_option(MEND_PARAM, DefElem *option)
{
	if (mend_is_known_option(option))
		return;
	mend_put(mend_col_id(option->defname));
	mend_putc(' ');
}

/* "parameter_name_list" in gram.y */
static void
mend_parameter_list(MEND_PARAM, List *names)
{
	ListCell   *lc;

	mend_put("PARAMETER ");
	foreach(lc, names)
	{
		const char *name = strVal(lfirst(lc));
		const char *dot;

		while ((dot = strchr(name, '.')) != NULL && dot != name && dot[1] != '\0' &&
			   dot[1] != '.' && dot - name < NAMEDATALEN)
		{
			mend_put(quote_identifier(psprintf("%.*s", (int) (dot - name), name)));
			mend_putc('.');
			name = dot + 1;
		}
		mend_put(quote_identifier(name));
		if (lnext(names, lc))
			mend_put(", ");
	}
}

/* Types of objects that ALTER EXTENSION and SECURITY LABEL also accept */
static void
mend_object_type(MEND_PARAM, ObjectType type)
{
	switch (type)
	{
		case OBJECT_ACCESS_METHOD:
			mend_put("ACCESS METHOD ");
			break;
		case OBJECT_COLLATION:
			mend_put("COLLATION ");
			break;
		case OBJECT_CONVERSION:
			mend_put("CONVERSION ");
			break;
		case OBJECT_DATABASE:
			mend_put("DATABASE ");
			break;
		case OBJECT_EXTENSION:
			mend_put("EXTENSION ");
			break;
		case OBJECT_FDW:
			mend_put("FOREIGN DATA WRAPPER ");
			break;
		case OBJECT_FOREIGN_SERVER:
			mend_put("SERVER ");
			break;
		case OBJECT_INDEX:
			mend_put("INDEX ");
			break;
		case OBJECT_PUBLICATION:
			mend_put("PUBLICATION ");
			break;
		case OBJECT_ROLE:
			mend_put("ROLE ");
			break;
		case OBJECT_STATISTIC_EXT:
			mend_put("STATISTICS ");
			break;
		case OBJECT_SUBSCRIPTION:
			mend_put("SUBSCRIPTION ");
			break;
		case OBJECT_TABLESPACE:
			mend_put("TABLESPACE ");
			break;
		case OBJECT_TSCONFIGURATION:
			mend_put("TEXT SEARCH CONFIGURATION ");
			break;
		case OBJECT_TSDICTIONARY:
			mend_put("TEXT SEARCH DICTIONARY ");
			break;
		case OBJECT_TSPARSER:
			mend_put("TEXT SEARCH PARSER ");
			break;
		case OBJECT_TSTEMPLATE:
			mend_put("TEXT SEARCH TEMPLATE ");
			break;
		default:
			Assert(false);
	}
}

/* "any_name" or "name" in gram.y */
static void
mend_object_name(MEND_PARAM, Node *name)
{
	if (IsA(name, List))
		deparseAnyName(MEND, (List *) name);
	else
		mend_put(quote_identifier(strVal(name)));
}

/* ----- COPY ----- */

/* Words of the syntax without parentheses, the only one with Boolean options */
static bool
mend_copy_old_option(MEND_PARAM, DefElem *option, bool print)
{
	const char *name = option->defname;
	Node	   *arg = option->arg;
	const char *word = NULL;

	if (arg == NULL)
		return false;
	switch (nodeTag(arg))
	{
		case T_Boolean:
			word = strcmp(name, "freeze") == 0 ? "FREEZE" :
				strcmp(name, "header") == 0 ? "HEADER" : NULL;
			if (word == NULL || !boolVal(arg))
				return false;
			break;
		case T_String:
			if (strcmp(name, "format") == 0)
				word = strcmp(strVal(arg), "csv") == 0 ? "CSV" :
					strcmp(strVal(arg), "binary") == 0 ? "BINARY" : NULL;
			else if (strcmp(name, "delimiter") == 0 || strcmp(name, "null") == 0 ||
					 strcmp(name, "quote") == 0 || strcmp(name, "escape") == 0 ||
					 strcmp(name, "encoding") == 0)
				word = mend_upper_name(name);
			break;
		case T_List:
		case T_A_Star:
			word = strcmp(name, "force_quote") == 0 ? "FORCE QUOTE" :
				strcmp(name, "force_not_null") == 0 ? "FORCE NOT NULL" :
				strcmp(name, "force_null") == 0 ? "FORCE NULL" : NULL;
			break;
		default:
			break;
	}
	if (word == NULL)
		return false;
	if (!print)
		return true;

	mend_put(word);
	if (IsA(arg, String) && strcmp(name, "format") != 0)
	{
		mend_putc(' ');
		deparseStringLiteral(MEND, strVal(arg));
	}
	else if (IsA(arg, List))
	{
		mend_putc(' ');
		deparseColumnList(MEND, (List *) arg);
	}
	else if (IsA(arg, A_Star))
		mend_put(" *");
	mend_putc(' ');
	return true;
}

/* "copy_generic_opt_arg" in gram.y */
static void
mend_copy_generic_arg(MEND_PARAM, Node *arg)
{
	ListCell   *lc;

	switch (nodeTag(arg))
	{
		case T_String:
			deparseOptBooleanOrString(MEND, strVal(arg));
			break;
		case T_Integer:
		case T_Float:
			deparseNumericOnly(MEND, (union ValUnion *) arg);
			break;
		case T_A_Star:
			mend_putc('*');
			break;
		case T_List:
			mend_putc('(');
			foreach(lc, (List *) arg)
			{
				deparseOptBooleanOrString(MEND, strVal(lfirst(lc)));
				if (lnext((List *) arg, lc))
					mend_put(", ");
			}
			mend_putc(')');
			break;
		case T_Boolean:
			mend_put(boolVal(arg) ? "TRUE" : "FALSE");
			break;
		default:
			Assert(false);
	}
}

/* "copy_generic_opt_elem" in gram.y */
static void
mend_copy_generic_option(MEND_PARAM, DefElem *option)
{
	const char *name = option->defname;
	Node	   *arg = option->arg;
	bool		is_string = arg != NULL && IsA(arg, String);
	bool		is_names = arg != NULL && (IsA(arg, A_Star) || IsA(arg, List));

	if (strcmp(name, "format") == 0 && is_string &&
		(strcmp(strVal(arg), "binary") == 0 || strcmp(strVal(arg), "csv") == 0 ||
		 strcmp(strVal(arg), "text") == 0))
	{
		mend_put("FORMAT ");
		mend_put(mend_upper_name(strVal(arg)));
	}
	else if ((strcmp(name, "freeze") == 0 || strcmp(name, "header") == 0) && !is_names)
	{
		mend_put(mend_upper_name(name));
		deparseOptBoolean(MEND, arg);
	}
	else if ((strcmp(name, "delimiter") == 0 || strcmp(name, "null") == 0 ||
			  strcmp(name, "quote") == 0 || strcmp(name, "escape") == 0 ||
			  strcmp(name, "encoding") == 0) && is_string)
	{
		mend_put(mend_upper_name(name));
		mend_putc(' ');
		deparseStringLiteral(MEND, strVal(arg));
	}
	else if ((strcmp(name, "force_quote") == 0 || strcmp(name, "force_not_null") == 0 ||
			  strcmp(name, "force_null") == 0) && is_names)
	{
		ListCell   *lc;
		bool		are_columns = true;

		mend_put(mend_upper_name(name));
		mend_putc(' ');
		if (IsA(arg, List))
			foreach(lc, (List *) arg)
			{
				size_t		length = strlen(strVal(lfirst(lc)));

				are_columns = are_columns && length > 0 && length < NAMEDATALEN;
			}
		if (IsA(arg, List) && are_columns)
		{
			mend_putc('(');
			deparseColumnList(MEND, (List *) arg);
			mend_putc(')');
		}
		else
			mend_copy_generic_arg(MEND, arg);
	}
	else
	{
		mend_put(quote_identifier(name));
		if (arg != NULL)
		{
			mend_putc(' ');
			mend_copy_generic_arg(MEND, arg);
		}
	}
}

/*
 * The options of COPY.  The syntax without parentheses makes TRUE of FREEZE
 * and HEADER, the other one a string or nothing, so the two forms must not
 * be confused.  If both are equivalent, the choice is libpg_query's.
 */
static bool
mend_copy_options(MEND_PARAM, CopyStmt *stmt)
{
	ListCell   *lc;
	bool		has_boolean = false;
	bool		is_old = true;
	bool		is_compact = true;

	foreach(lc, stmt->options)
	{
		DefElem    *option = castNode(DefElem, lfirst(lc));
		Node	   *arg = option->arg;

		has_boolean = has_boolean || (arg != NULL && IsA(arg, Boolean));
		is_old = is_old && mend_copy_old_option(MEND, option, false);
		is_compact = is_compact && arg != NULL &&
			(IsA(arg, Boolean) ||
			 (strcmp(option->defname, "format") == 0 && IsA(arg, String) &&
			  strcmp(strVal(arg), "csv") == 0) ||
			 (strcmp(option->defname, "force_quote") == 0 && IsA(arg, List)));
	}

	if (is_old && (has_boolean || is_compact))
	{
		foreach(lc, stmt->options)
			mend_copy_old_option(MEND, lfirst(lc), true);
	}
	else
	{
		mend_put("WITH (");
		foreach(lc, stmt->options)
		{
			mend_copy_generic_option(MEND, lfirst(lc));
			if (lnext(stmt->options, lc))
				mend_put(", ");
		}
		mend_put(") ");
	}
	return true;
}
