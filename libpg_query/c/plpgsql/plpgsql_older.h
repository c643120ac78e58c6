/*
 * What pl_gram.c lacks before 18; a part of it.
 *
 * libpg_query has its own RETURN in these versions; and it has releases
 * of 15 and 16 that end a command at the first semicolon, also in the middle of
 * CREATE RULE .. (..; ..) and of a routine's BEGIN ATOMIC .. END, as later releases do not.
 */
#include "plpgsql_compile.h"

#if PG_VERSION_NUM < 170000
/* How far a command has been read. */
typedef struct Command
{
	int			tokens;			/* that may be CREATE OR REPLACE FUNCTION */
	bool		is_routine;
	int			parentheses;
	int			begins;
} Command;

/* Whether a word of the body is the given one. */
static bool
is_body_word(int location, const char *word)
{
	const char *text = plpgsql_compile_state->body.text + location;

	for (; *word != '\0'; word++)
	{
		if ((*text++ | 0x20) != *word)
			return false;
	}
	return true;
}

/* Takes the next token of a command; returns whether it ends there. */
static bool
ends_command(Command *command, int firsttoken, int location, int token)
{
	if (!plpgsql_has_places())
		return token == ';';
	if (command->tokens == 0 && (firsttoken != T_WORD || !is_body_word(location, "create")))
		command->tokens = -1;
	if (command->tokens >= 0)
	{
		bool		replaces = token == T_WORD && strcmp(yylval.word.ident, "replace") == 0;

		if (token == T_WORD && command->tokens != 1 &&
			(strcmp(yylval.word.ident, "function") == 0 ||
			 strcmp(yylval.word.ident, "procedure") == 0))
			command->is_routine = true;
		/* OR, then REPLACE */
		if (command->tokens == 0 ? token == K_OR : command->tokens == 1 && replaces)
			command->tokens++;
		else
			command->tokens = -1;
	}
	if (token == '(')
		command->parentheses++;
	else if (token == ')' && command->parentheses > 0)
		command->parentheses--;
	if (command->is_routine && command->parentheses == 0)
	{
		if (token == K_BEGIN || token == K_CASE)
			command->begins++;
		else if (token == K_END && command->begins > 0)
			command->begins--;
	}
	return token == ';' && command->parentheses == 0 && command->begins == 0;
}
#endif

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
