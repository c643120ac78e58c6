/*
 * RETURN, for versions in which libpg_query has its own; a part of pl_gram.c.
 */

/* The next token must be the semicolon. */
static void
expect_no_value(int code, const char *message, const char *hint)
{
	if (yylex() != ';')
		ereport(ERROR,
				(errcode(code), errmsg("%s", message), hint != NULL ? errhint("%s", hint) : 0,
				 parser_errposition(yylloc)));
}

static PLpgSQL_stmt *
own_return_stmt(int location)
{
	const PLpgSQL_function *function = plpgsql_curr_compile;
	PLpgSQL_stmt_return *stmt = palloc0(sizeof(PLpgSQL_stmt_return));
	int			token;

	stmt->cmd_type = PLPGSQL_STMT_RETURN;
	stmt->lineno = plpgsql_location_to_lineno(location);
	stmt->stmtid = ++plpgsql_curr_compile->nstatements;
	stmt->retvarno = -1;
	if (function->fn_retset)
		expect_no_value(ERRCODE_DATATYPE_MISMATCH,
						"RETURN cannot have a parameter in function returning set",
						"Use RETURN NEXT or RETURN QUERY.");
	else if (function->fn_rettype == VOIDOID && function->fn_prokind == PROKIND_PROCEDURE)
		expect_no_value(ERRCODE_SYNTAX_ERROR, "RETURN cannot have a parameter in a procedure", NULL);
	else if (function->fn_rettype == VOIDOID)
		expect_no_value(ERRCODE_DATATYPE_MISMATCH,
						"RETURN cannot have a parameter in function returning void", NULL);
	else if (function->out_param_varno >= 0)
	{
		expect_no_value(ERRCODE_DATATYPE_MISMATCH,
						"RETURN cannot have a parameter in function with OUT parameters", NULL);
		stmt->retvarno = function->out_param_varno;
	}
	else
	{
		token = yylex();
		/* a variable, unless it is a field of one */
		if (token == T_DATUM && plpgsql_peek() == ';' &&
			yylval.wdatum.datum->dtype != PLPGSQL_DTYPE_RECFIELD)
		{
			stmt->retvarno = yylval.wdatum.datum->dno;
			(void) yylex();
		}
		else
		{
			plpgsql_push_back_token(token);
			stmt->expr = read_sql_expression(';', ";");
		}
	}
	return (PLpgSQL_stmt *) stmt;
}
