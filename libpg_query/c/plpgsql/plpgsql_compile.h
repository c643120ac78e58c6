/*-------------------------------------------------------------------------
 *
 * plpgsql_compile.h
 *	  Shared by our files for PL/pgSQL: the state of a call.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PLPGSQL_COMPILE_H
#define PLPGSQL_COMPILE_H

#include "location_map.h"
#include "plpgsql_hooks.h"
#include "shim_internal.h"

/* A text in which places are counted in characters; each count continues the last one. */
typedef struct CountedText
{
	const char *text;
	int			bytes;			/* up to here ... */
	int			characters;		/* ... there are this many characters */
} CountedText;

typedef struct NameTable NameTable;

/* What is being compiled. */
typedef struct Compile
{
	CountedText outer;			/* the text that was given */
	CountedText body;			/* the value of the literal in it; text is NULL outside of a body */
	LocationMap map;			/* of the whole body */
	const char *header;			/* the text that contains the function's header */
	const RawStmt *raw;			/* its statement; NULL for a DO without one */
	MemoryContext context;		/* of the result */
	MemoryContext scratch;		/* of what is not needed after an expression */
	int			error_place;	/* of an error inside of an expression: an offset in the body, or -1 */
	int			header_place;	/* of an error in the header: an offset in the outer text, or -1 */
	bool		shares_nodes;

	int			token_end;		/* of the last token of the scanner ... */
	int			before_token_end;	/* ... and of the one before it */
	int			loop_variable_end;
	PLpgSQL_expr *expr;			/* the last one that was made */
	List	   *decls;
	List	   *cursor_args;
	List	   *collation;
	PLpgSQL_condition *first_condition; /* of a chain ... */
	PLpgSQL_condition *last_condition;	/* ... and its end */
	const int  *lines;			/* the ends of the body's lines ... */
	int			line_count;		/* ... and their number */
	NameTable  *names;			/* of variables and labels */
	NameTable  *fields;			/* of records */
} Compile;

/* NULL unless shim_plpgsql_parse is running. */
extern __thread Compile *plpgsql_compile_state;

/* The place in characters, from 1, of a byte of a text. */
extern int plpgsql_count_characters(CountedText *text, int bytes);
/* The byte of a place in characters, from 1. */
extern int plpgsql_count_bytes(CountedText *text, int position);

/*
 * Fills in the map for the value of the literal at "literal".  It fails if
 * the literal is not one of this value, which would be a mistake here.
 */
extern bool plpgsql_map_literal(const char *outer, const char *literal, const char *value,
								LocationMap *map);

/* Returns the place after blanks and comments. */
extern const char *plpgsql_skip_blanks(const char *at);

/* Raises an error if a builtin type does not have such modifiers. */
extern void plpgsql_check_typmods(Oid type, const TypeName *name);

/* The checks of CREATE FUNCTION, or of DO without a statement. */
extern void plpgsql_check_options(const List *options, const CreateFunctionStmt *stmt);

/* Reads the parameters and the result of a function. */
extern void plpgsql_read_header(PLpgSQL_function *function, const CreateFunctionStmt *stmt);

static inline bool
plpgsql_is_input(FunctionParameterMode mode)
{
	return mode != FUNC_PARAM_OUT && mode != FUNC_PARAM_TABLE;
}

static inline bool
plpgsql_is_output(FunctionParameterMode mode)
{
	return mode == FUNC_PARAM_OUT || mode == FUNC_PARAM_INOUT || mode == FUNC_PARAM_TABLE;
}

/* The type of a parameter or a result. */
extern PLpgSQL_type *plpgsql_type_of(TypeName *name);
/* The same for a body: that of a parameter whose type is not fixed. */
extern PLpgSQL_type *plpgsql_resolved_type(PLpgSQL_type *type);
/* Copies what was written. */
extern void plpgsql_copy_written(PLpgSQL_type *to, const PLpgSQL_type *from);

/* Sets the places of the parameters and the result of a function, whose statement is in a text. */
extern void plpgsql_place_params(const char *text, const RawStmt *raw, const List *params,
								 PLpgSQL_type *returns);

/* Compiles a body with the header of the current statement; without one, that of a DO. */
extern PLpgSQL_function *plpgsql_compile_body(const char *body);
/* Sets the function's action. */
extern void plpgsql_run_grammar(PLpgSQL_function *function, const char *body);

#endif							/* PLPGSQL_COMPILE_H */
