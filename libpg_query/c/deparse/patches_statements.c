/*-------------------------------------------------------------------------
 *
 * patches_statements.c
 *	  The functions that patches of libpg_query's deparser call: statements;
 *	  see patches.h.
 *
 * Correct output is unchanged, to the letter.
 *
 *-------------------------------------------------------------------------
 */

/* ----- Statements ----- */

#if PG_VERSION_NUM < 170000
/* A blank, if the next word would otherwise become part of the last one */
static void
patch_blank(DeparseState *state)
{
	if (state->len > 0 && state->data[state->len - 1] != ')' && state->data[state->len - 1] != '"')
		patch_putc(' ');
}
#endif

/* Both in one query are an error, but around a query in parentheses, SKIP LOCKED is none. */
static bool
patch_locks_outside(const SelectStmt *stmt)
{
	ListCell   *lc;

	if (stmt->limitOption != LIMIT_OPTION_WITH_TIES)
		return false;
	foreach(lc, stmt->lockingClause)
		if (castNode(LockingClause, lfirst(lc))->waitPolicy == LockWaitSkip)
			return true;
	return false;
}

/* "relation_expr_opt_alias" in gram.y, before SET: the alias "set" needs AS. */
static void
patch_target_relation(DeparseState *state, RangeVar *relation)
{
	bool		is_set = relation != NULL && relation->alias != NULL &&
		strcmp(relation->alias->aliasname, "set") == 0;

	deparseRelation(state, rule_target_relation(relation),
					is_set ? DEPARSE_NODE_CONTEXT_INSERT_RELATION : DEPARSE_NODE_CONTEXT_NONE);
}

/* "OptWhereClause" of EXCLUDE, which follows the tablespace */
static void
patch_exclusion_where(DeparseState *state, Constraint *constraint)
{
	if (constraint->contype != CONSTR_EXCLUSION || constraint->where_clause == NULL)
		return;
	patch_put("WHERE (");
	patch_expr(constraint->where_clause);
	patch_put(") ");
}

/* INCLUDING ALL, and the options that are excluded again */
static bool
patch_like_options(DeparseState *state, TableLikeClause *like)
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
#if PG_VERSION_NUM < 170000
		{CREATE_TABLE_LIKE_GENERATED, "GENERATED"},
		{CREATE_TABLE_LIKE_IDENTITY, "IDENTITY"},
#else
		{CREATE_TABLE_LIKE_IDENTITY, "IDENTITY"},
		{CREATE_TABLE_LIKE_GENERATED, "GENERATED"},
#endif
		{CREATE_TABLE_LIKE_INDEXES, "INDEXES"},
		{CREATE_TABLE_LIKE_STATISTICS, "STATISTICS"},
		{CREATE_TABLE_LIKE_STORAGE, "STORAGE"},
	};
	bits32		known = 0;

	for (int i = 0; i < lengthof(all); i++)
		known |= all[i].bit;
	if (like->options == CREATE_TABLE_LIKE_ALL || (like->options & ~known) == 0)
		return false;
	patch_put("INCLUDING ALL ");
	for (int i = 0; i < lengthof(all); i++)
		if (!(like->options & all[i].bit))
		{
			patch_put("EXCLUDING ");
			patch_put(all[i].name);
			patch_putc(' ');
		}
	return true;
}

/* A string of SET TIME ZONE that would be another word without quotes. */
static bool
patch_time_zone(DeparseState *state, List *args)
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
	deparseStringLiteral(state, zone->val.sval.sval);
	return true;
}

/* The = before a value: next to an operator it would be a part of that. */
static void
patch_equals(DeparseState *state, Node *arg)
{
	patch_putc('=');
	if (IsA(arg, List) && list_length((List *) arg) == 1)
	{
		const char *name = strVal(linitial((List *) arg));

		if (strcmp(name, "+") != 0 && strcmp(name, "-") != 0)
			patch_putc(' ');
	}
}

/* "old_aggr_definition" in gram.y, whose names are not keywords */
static void
patch_old_definition(DeparseState *state, List *definition)
{
	ListCell   *lc;

	patch_putc('(');
	foreach(lc, definition)
	{
		DefElem    *element = castNode(DefElem, lfirst(lc));

		patch_put(patch_ident(element->defname));
		if (element->arg != NULL)
		{
			patch_put(" = ");
			deparseDefArg(state, element->arg, false);
		}
		if (lnext(definition, lc))
			patch_put(", ");
	}
	patch_putc(')');
}

/* Returns whether GRANT, and so libpg_query, has a word for the option */
static bool
patch_is_known_option(DefElem *option)
{
	return strcmp(option->defname, "admin") == 0 || strcmp(option->defname, "inherit") == 0 ||
		strcmp(option->defname, "set") == 0;
}

/* "grant_role_opt" in gram.y */
static void
patch_grant_option(DeparseState *state, DefElem *option)
{
	if (patch_is_known_option(option))
		return;
	/* WITH TIME is one token */
	patch_put(patch_ident(option->defname));
	patch_put(boolVal(option->arg) ? " OPTION" : " FALSE");
}

/* The revoked option */
static void
patch_revoke_option(DeparseState *state, DefElem *option)
{
	if (patch_is_known_option(option))
		return;
	patch_put(patch_col_id(option->defname));
	patch_putc(' ');
}

/* "parameter_name_list" in gram.y */
static void
patch_parameter_list(DeparseState *state, List *names)
{
	ListCell   *lc;

	patch_put("PARAMETER ");
	foreach(lc, names)
	{
		const char *name = strVal(lfirst(lc));
		const char *dot;

		while ((dot = strchr(name, '.')) != NULL && dot != name && dot[1] != '\0' &&
			   dot[1] != '.' && dot - name < NAMEDATALEN)
		{
			patch_put(quote_identifier(psprintf("%.*s", (int) (dot - name), name)));
			patch_putc('.');
			name = dot + 1;
		}
		patch_put(quote_identifier(name));
		if (lnext(names, lc))
			patch_put(", ");
	}
}

/* Types of objects that ALTER EXTENSION and SECURITY LABEL also accept */
static void
patch_object_type(DeparseState *state, ObjectType type)
{
	switch (type)
	{
		case OBJECT_ACCESS_METHOD:
			patch_put("ACCESS METHOD ");
			break;
		case OBJECT_COLLATION:
			patch_put("COLLATION ");
			break;
		case OBJECT_CONVERSION:
			patch_put("CONVERSION ");
			break;
		case OBJECT_DATABASE:
			patch_put("DATABASE ");
			break;
		case OBJECT_EXTENSION:
			patch_put("EXTENSION ");
			break;
		case OBJECT_FDW:
			patch_put("FOREIGN DATA WRAPPER ");
			break;
		case OBJECT_FOREIGN_SERVER:
			patch_put("SERVER ");
			break;
		case OBJECT_INDEX:
			patch_put("INDEX ");
			break;
		case OBJECT_PUBLICATION:
			patch_put("PUBLICATION ");
			break;
		case OBJECT_ROLE:
			patch_put("ROLE ");
			break;
		case OBJECT_STATISTIC_EXT:
			patch_put("STATISTICS ");
			break;
		case OBJECT_SUBSCRIPTION:
			patch_put("SUBSCRIPTION ");
			break;
		case OBJECT_TABLESPACE:
			patch_put("TABLESPACE ");
			break;
		case OBJECT_TSCONFIGURATION:
			patch_put("TEXT SEARCH CONFIGURATION ");
			break;
		case OBJECT_TSDICTIONARY:
			patch_put("TEXT SEARCH DICTIONARY ");
			break;
		case OBJECT_TSPARSER:
			patch_put("TEXT SEARCH PARSER ");
			break;
		case OBJECT_TSTEMPLATE:
			patch_put("TEXT SEARCH TEMPLATE ");
			break;
		default:
			Assert(false);
	}
}

/* "any_name" or "name" in gram.y */
static void
patch_object_name(DeparseState *state, Node *name)
{
	if (IsA(name, List))
		deparseAnyName(state, (List *) name);
	else
		patch_put(quote_identifier(strVal(name)));
}

/* ----- COPY ----- */

/* Words of the syntax without parentheses, the only one with Boolean options */
static bool
patch_copy_old_option(DeparseState *state, DefElem *option, bool print)
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
				word = patch_upper_name(name);
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

	patch_put(word);
	if (IsA(arg, String) && strcmp(name, "format") != 0)
	{
		patch_putc(' ');
		deparseStringLiteral(state, strVal(arg));
	}
	else if (IsA(arg, List))
	{
		patch_putc(' ');
		deparseColumnList(state, (List *) arg);
	}
	else if (IsA(arg, A_Star))
		patch_put(" *");
	patch_putc(' ');
	return true;
}

/* "copy_generic_opt_arg" in gram.y */
static void
patch_copy_generic_arg(DeparseState *state, Node *arg)
{
	ListCell   *lc;

	switch (nodeTag(arg))
	{
		case T_String:
			deparseOptBooleanOrString(state, strVal(arg));
			break;
		case T_Integer:
		case T_Float:
			deparseNumericOnly(state, (union ValUnion *) arg);
			break;
		case T_A_Star:
			patch_putc('*');
			break;
		case T_List:
			patch_putc('(');
			foreach(lc, (List *) arg)
			{
				deparseOptBooleanOrString(state, strVal(lfirst(lc)));
				if (lnext((List *) arg, lc))
					patch_put(", ");
			}
			patch_putc(')');
			break;
		case T_Boolean:
			patch_put(boolVal(arg) ? "TRUE" : "FALSE");
			break;
		default:
			Assert(false);
	}
}

/* Returns whether deparseOptBoolean can print a value; it is patched since 17. */
static bool
patch_is_opt_boolean(Node *arg)
{
	if (PG_VERSION_NUM >= 170000 || arg == NULL)
		return true;
	if (!IsA(arg, String))
		return IsA(arg, Boolean) || IsA(arg, Integer);
	return strcmp(strVal(arg), "true") == 0 || strcmp(strVal(arg), "false") == 0 ||
		strcmp(strVal(arg), "on") == 0 ||
		patch_name(strVal(arg), 1 << COL_NAME_KEYWORD | 1 << TYPE_FUNC_NAME_KEYWORD) == strVal(arg);
}

/* "copy_generic_opt_elem" in gram.y */
static void
patch_copy_generic_option(DeparseState *state, DefElem *option)
{
	const char *name = option->defname;
	Node	   *arg = option->arg;
	bool		is_string = arg != NULL && IsA(arg, String);
	bool		is_names = arg != NULL && (IsA(arg, A_Star) || IsA(arg, List));

	if (strcmp(name, "format") == 0 && is_string &&
		(strcmp(strVal(arg), "binary") == 0 || strcmp(strVal(arg), "csv") == 0 ||
		 strcmp(strVal(arg), "text") == 0))
	{
		patch_put("FORMAT ");
		patch_put(patch_upper_name(strVal(arg)));
	}
	else if ((strcmp(name, "freeze") == 0 || strcmp(name, "header") == 0) && !is_names &&
			 patch_is_opt_boolean(arg))
	{
		patch_put(patch_upper_name(name));
		deparseOptBoolean(state, arg);
	}
	else if ((strcmp(name, "delimiter") == 0 || strcmp(name, "null") == 0 ||
			  strcmp(name, "quote") == 0 || strcmp(name, "escape") == 0 ||
			  strcmp(name, "encoding") == 0) && is_string)
	{
		patch_put(patch_upper_name(name));
		patch_putc(' ');
		deparseStringLiteral(state, strVal(arg));
	}
	else if ((strcmp(name, "force_quote") == 0 || strcmp(name, "force_not_null") == 0 ||
			  strcmp(name, "force_null") == 0) && is_names &&
			 (PG_VERSION_NUM >= 170000 || IsA(arg, List) || strcmp(name, "force_quote") == 0))
	{
		ListCell   *lc;
		bool		are_columns = true;

		patch_put(patch_upper_name(name));
		patch_putc(' ');
		if (IsA(arg, List))
			foreach(lc, (List *) arg)
			{
				size_t		length = strlen(strVal(lfirst(lc)));

				are_columns = are_columns && length > 0 && length < NAMEDATALEN;
			}
		if (IsA(arg, List) && are_columns)
		{
			patch_putc('(');
			deparseColumnList(state, (List *) arg);
			patch_putc(')');
		}
		else
			patch_copy_generic_arg(state, arg);
	}
	else
	{
		patch_put(quote_identifier(name));
		if (arg != NULL)
		{
			patch_putc(' ');
			patch_copy_generic_arg(state, arg);
		}
	}
}

/*
 * The options of COPY.  The syntax without parentheses makes TRUE of FREEZE
 * and HEADER, the other one a string or nothing, so the two forms must not
 * be confused.  If both are equivalent, the choice is libpg_query's.
 */
static bool
patch_copy_options(DeparseState *state, CopyStmt *stmt)
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
		is_old = is_old && patch_copy_old_option(state, option, false);
		is_compact = is_compact && arg != NULL &&
			(IsA(arg, Boolean) ||
			 (strcmp(option->defname, "format") == 0 && IsA(arg, String) &&
			  strcmp(strVal(arg), "csv") == 0) ||
			 (strcmp(option->defname, "force_quote") == 0 && IsA(arg, List)));
	}

	if (is_old && (has_boolean || is_compact))
	{
		foreach(lc, stmt->options)
			patch_copy_old_option(state, lfirst(lc), true);
	}
	else
	{
		RULE(!has_boolean, "COPY with options of both syntaxes");
		patch_put("WITH (");
		foreach(lc, stmt->options)
		{
			patch_copy_generic_option(state, lfirst(lc));
			if (lnext(stmt->options, lc))
				patch_put(", ");
		}
		patch_put(") ");
	}
	return true;
}
