/*-------------------------------------------------------------------------
 *
 * grammar.h
 *	  What PostgreSQL's grammar is run with, in place of Bison's skeleton.
 *
 * The tables are Bison's, with entries that are read together merged, and
 * packed again; build/grammar.rs generates them as grammar_tables.h.  The actions of the
 * states, and the points at which the next token is read, the stack grows
 * and the stack is exhausted, are those of the skeleton of Bison 2.3.
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
 * yycheck and yytable: the column of an entry, and its action; -1 and 0 if
 * no row has it.  Each column of each row is in the array, so that no bounds
 * check is needed.
 */
typedef struct GrammarEntry
{
	int16		check;
	int16		action;
} GrammarEntry;

/*
 * yypact and yydefact: the index of the row's column 0, or GRAMMAR_NO_ENTRY
 * if it has none; and of the row that has the entries that are not in this
 * one, or 0.
 */
typedef struct GrammarState
{
	int32		entry;
	uint16		default_rule;
	uint16		base;
} GrammarState;

#define GRAMMAR_NO_ENTRY (-1)

/* The facts about a rule from its action, for range_replay.h; see build/grammar.rs. */
#define RULE_CHANGES 1			/* its value may be the node of a symbol, changed */
#define RULE_MAKES_SEVERAL 2	/* it makes several nodes */
#define RULE_CHANGES_ITEM 4		/* its value is a list with the node of a symbol, changed */
#define RULE_HAS_POINTER 8		/* its value is a pointer; without this, it may be that of an older symbol */

/* yypgoto and yydefgoto of the rule's nonterminal, yyr2. */
typedef struct GrammarRule
{
	int32		entry;
	int16		default_state;
	uint8		length;
	bool		keeps;			/* has one symbol, whose value becomes its own */
} GrammarRule;

/*
 * base_yylex, which is a filter, without a call for
 * the tokens that it passes through.  Other tokens
 * are stored where it finds its lookahead token.
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

/* Each symbol has its value, its location, and the state after it. */
typedef struct Symbol
{
	YYSTYPE		value;
	YYLTYPE		location;
	int			state;
} Symbol;

/* The entry of a state for a terminal, or NULL if the state's default rule applies. */
static inline const GrammarEntry *
grammar_find(const GrammarEntry *entries, const GrammarState *state, int terminal)
{
	const GrammarEntry *entry = entries + state->entry + terminal;

	if (entry->check == terminal)
		return entry;
	if (state->base == 0)
		return NULL;
	entry = entries + state->base + terminal;
	return entry->check == terminal ? entry : NULL;
}

/* The state after "below" when a rule's nonterminal has been made. */
static inline int
grammar_go(const GrammarEntry *entries, const GrammarRule *rule, int below)
{
	const GrammarEntry *entry = entries + rule->entry + below;

	return entry->check == below ? entry->action : rule->default_state;
}

#endif							/* GRAMMAR_H */
