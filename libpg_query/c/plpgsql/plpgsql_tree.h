/*-------------------------------------------------------------------------
 *
 * plpgsql_tree.h
 *	  PostgreSQL's structs for PL/pgSQL, and those that it lacks.
 *
 * patches/plpgsql_tree.patch adds fields to PostgreSQL's: the places of what
 * was written, the trees of the SQL inside, and lists of the structs below.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PLPGSQL_TREE_H
#define PLPGSQL_TREE_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "plpgsql.h"

/* NULL; PostgreSQL makes no node of it. */
typedef struct PLpgSQL_stmt_null
{
	PLpgSQL_stmt_type cmd_type;
	int			lineno;
	unsigned int stmtid;
	int			location;
	int			end;
} PLpgSQL_stmt_null;

typedef enum PLpgSQL_decl_type
{
	PLPGSQL_DECL_VARIABLE,
	PLPGSQL_DECL_CURSOR,
	PLPGSQL_DECL_ALIAS,
} PLpgSQL_decl_type;

/* A declaration of a block. */
typedef struct PLpgSQL_decl
{
	PLpgSQL_decl_type kind;
	char	   *name;
	int			dno;			/* of the variable, or of the one that an alias is for */
	int			location;
	int			end;			/* after the semicolon */
} PLpgSQL_decl;

/* An argument of a cursor, in OPEN or FOR. */
typedef struct PLpgSQL_cursor_arg
{
	char	   *name;			/* NULL if it has none */
	PLpgSQL_expr *expr;
	int			location;
	int			end;
} PLpgSQL_cursor_arg;

/* A parameter of a function, in the order of the header. */
typedef struct PLpgSQL_param
{
	char	   *name;			/* NULL if it has none */
	FunctionParameterMode mode;
	int			dno;			/* -1 in a function for triggers */
	PLpgSQL_type *datatype;
	int			location;
	int			end;
} PLpgSQL_param;

#endif							/* PLPGSQL_TREE_H */
