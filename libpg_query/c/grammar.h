/*-------------------------------------------------------------------------
 *
 * grammar.h
 *	  What PostgreSQL's grammar is run with, in place of Bison's skeleton.
 *
 * The tables are Bison's, with what is read together put together; they are
 * made when this library is built (build/grammar.rs), as grammar_tables.h.
 * What a state does, when the next token is read, when the stack grows and
 * when it is exhausted are as in the skeleton of Bison 2.3.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include "postgres.h"

#if PG_VERSION_NUM >= 160000
#include "gramparse.h"
#else
#include "parser/gramparse.h"
#endif

/*
 * yycheck and yytable.  There are entries before the first one and after the
 * last, as many as are looked at, so that nobody compares with the ends.
 */
typedef struct GrammarEntry
{
	int16		check;
	int16		action;
} GrammarEntry;

/* yypact and yydefact. */
typedef struct GrammarState
{
	int32		entry;
	uint16		default_rule;
} GrammarState;

/* What is known of a rule from its action, for range_replay.h; see build/grammar.rs. */
#define RULE_CHANGES 1			/* its value may be a node of a symbol's, changed */
#define RULE_MAKES_SEVERAL 2	/* it makes more than one node */
#define RULE_CHANGES_ITEM 4		/* its value is a list of a node of a symbol's, changed */

/* yypgoto and yydefgoto of the rule's nonterminal, yyr2. */
typedef struct GrammarRule
{
	int32		entry;
	int16		default_state;
	uint8		length;
	bool		keeps;			/* one symbol, whose value becomes the rule's */
} GrammarRule;

/*
 * base_yylex, which is a filter, without a call for what it lets through.  What
 * it does not let through is put where it finds the token that it has looked
 * ahead for.
 */
static inline int
next_token(YYSTYPE *value, YYLTYPE *location, core_yyscan_t scanner)
{
	base_yy_extra_type *extra = pg_yyget_extra(scanner);
	int			filtered;
	int			token;

	if (likely(!extra->have_lookahead))
	{
		token = core_yylex(&value->core_yystype, location, scanner);
		switch (token)
		{
#if PG_VERSION_NUM >= 160000
			case FORMAT:
#endif
			case NOT:
			case NULLS_P:
			case WITH:
			case WITHOUT:
			case UIDENT:
			case USCONST:
#if PG_VERSION_NUM < 180000
			case SQL_COMMENT:
			case C_COMMENT:
#endif
				break;
			default:
				return token;
		}
		extra->have_lookahead = true;
		extra->lookahead_token = token;
		extra->lookahead_yylval = value->core_yystype;
		extra->lookahead_yylloc = *location;
		extra->lookahead_end = NULL;
	}
	filtered = extra->lookahead_token;
	token = base_yylex(value, location, scanner);
	if (unlikely(parse_log != NULL))
		log_filtered(parse_log, *location, filtered == UIDENT || filtered == USCONST,
					 extra->have_lookahead);
	return token;
}

/* Each symbol has its value, where it is in the text, and the state that it led to. */
typedef struct Symbol
{
	YYSTYPE		value;
	YYLTYPE		location;
	int			state;
} Symbol;

/* The state to go to from "below" when a rule's nonterminal has been made. */
static inline int
grammar_go(const GrammarEntry *entries, const GrammarRule *rule, int below)
{
	const GrammarEntry *entry = entries + rule->entry + below;

	return entry->check == below ? entry->action : rule->default_state;
}

#endif							/* GRAMMAR_H */
