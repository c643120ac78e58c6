/*-------------------------------------------------------------------------
 *
 * plpgsql_header.c
 *	  The variables that a PL/pgSQL function has before its body, and the
 *	  compilation of the body.
 *
 * PostgreSQL reads the header from the catalog when it compiles the body.  Here
 * it is read from the statement; see plpgsql_signature.c.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"

/* The variables of a trigger. */
typedef struct TriggerVariable
{
	const char *name;
	Oid			type;
	PLpgSQL_promise_type promise;
} TriggerVariable;

static const TriggerVariable trigger_variables[] = {
	{"tg_name", NAMEOID, PLPGSQL_PROMISE_TG_NAME},
	{"tg_when", TEXTOID, PLPGSQL_PROMISE_TG_WHEN},
	{"tg_level", TEXTOID, PLPGSQL_PROMISE_TG_LEVEL},
	{"tg_op", TEXTOID, PLPGSQL_PROMISE_TG_OP},
	{"tg_relid", OIDOID, PLPGSQL_PROMISE_TG_RELID},
	{"tg_relname", NAMEOID, PLPGSQL_PROMISE_TG_TABLE_NAME},
	{"tg_table_name", NAMEOID, PLPGSQL_PROMISE_TG_TABLE_NAME},
	{"tg_table_schema", NAMEOID, PLPGSQL_PROMISE_TG_TABLE_SCHEMA},
	{"tg_nargs", INT4OID, PLPGSQL_PROMISE_TG_NARGS},
	{"tg_argv", TEXTARRAYOID, PLPGSQL_PROMISE_TG_ARGV},
};

static const TriggerVariable event_trigger_variables[] = {
	{"tg_event", TEXTOID, PLPGSQL_PROMISE_TG_EVENT},
	{"tg_tag", TEXTOID, PLPGSQL_PROMISE_TG_TAG},
};

static void
add_parameter_name(const PLpgSQL_variable *variable, const char *name)
{
	if (plpgsql_ns_lookup(plpgsql_ns_top(), true, name, NULL, NULL, NULL) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("parameter name \"%s\" used more than once", name)));
	plpgsql_ns_additem(variable->dtype == PLPGSQL_DTYPE_VAR ? PLPGSQL_NSTYPE_VAR :
					   PLPGSQL_NSTYPE_REC, variable->dno, name);
}

/* Adds the variables of parameters; returns the number of those that are output. */
static int
add_parameters(PLpgSQL_function *function, const List *params)
{
	int			outputs = 0;
	PLpgSQL_variable **output_variables = palloc(Max(list_length(params), 1) * sizeof(void *));
	PLpgSQL_row *row;
	ListCell   *cell;

	foreach(cell, params)
	{
		PLpgSQL_param *param = lfirst(cell);
		char		number[32];
		PLpgSQL_variable *variable;

		snprintf(number, sizeof(number), "$%d", foreach_current_index(cell) + 1);
		variable = plpgsql_build_variable(param->name != NULL ? param->name : number, 0,
										  plpgsql_resolved_type(param->datatype), false);
		variable->location = param->location;
		variable->end = param->end;
		param->dno = variable->dno;
		if (plpgsql_is_input(param->mode) && function->fn_nargs < FUNC_MAX_ARGS)
			function->fn_argvarnos[function->fn_nargs++] = variable->dno;
		if (plpgsql_is_output(param->mode))
			output_variables[outputs++] = variable;
		add_parameter_name(variable, number);
		if (param->name != NULL)
			add_parameter_name(variable, param->name);
	}
	if (outputs == 1 && !function->is_procedure)
		function->out_param_varno = output_variables[0]->dno;
	else if (outputs > 0)
	{
		row = palloc0(sizeof(PLpgSQL_row));
		row->dtype = PLPGSQL_DTYPE_ROW;
		row->refname = pstrdup("(unnamed row)");
		row->lineno = -1;
		row->location = -1;
		row->end = -1;
		row->nfields = outputs;
		row->fieldnames = palloc(outputs * sizeof(char *));
		row->varnos = palloc(outputs * sizeof(int));
		for (int i = 0; i < outputs; i++)
		{
			row->fieldnames[i] = output_variables[i]->refname;
			row->varnos[i] = output_variables[i]->dno;
		}
		plpgsql_adddatum((PLpgSQL_datum *) row);
		function->out_param_varno = row->dno;
	}
	pfree(output_variables);
	return outputs;
}

/* What PostgreSQL says of an error before it reads the body. */
#define before_body() \
	errcontext("compilation of PL/pgSQL function \"%s\" near line %d", plpgsql_error_funcname, 1)

static void
add_trigger_variables(const TriggerVariable *variables, size_t count)
{
	for (size_t i = 0; i < count; i++)
	{
		PLpgSQL_var *var = (PLpgSQL_var *)
			plpgsql_build_variable(variables[i].name, 0,
								   plpgsql_own_datatype_of(variables[i].type, -1, InvalidOid), true);

		var->dtype = PLPGSQL_DTYPE_PROMISE;
		var->promise = variables[i].promise;
	}
}

/* The variables before the body, in the order of PostgreSQL. */
static void
add_variables(PLpgSQL_function *function)
{
	const PLpgSQL_type *returns = function->returns;
	int			outputs;

	switch (function->fn_is_trigger)
	{
		case PLPGSQL_NOT_TRIGGER:
			outputs = add_parameters(function, function->params);
			/* $0, which may be assigned to */
			if (outputs == 0 && IsPolymorphicType(returns->typoid))
				plpgsql_build_variable("$0", 0, plpgsql_resolved_type(function->returns), true);
			break;

		case PLPGSQL_DML_TRIGGER:
			if (function->params != NIL)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
						 errmsg("trigger functions cannot have declared arguments"),
						 before_body(),
						 errhint("The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.")));
			function->new_varno = plpgsql_build_record("new", 0, NULL, RECORDOID, true)->dno;
			function->old_varno = plpgsql_build_record("old", 0, NULL, RECORDOID, true)->dno;
			add_trigger_variables(trigger_variables, lengthof(trigger_variables));
			break;

		case PLPGSQL_EVENT_TRIGGER:
			if (function->params != NIL)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
						 errmsg("event trigger functions cannot have declared arguments"),
						 before_body()));
			add_trigger_variables(event_trigger_variables, lengthof(event_trigger_variables));
			break;
	}
	function->found_varno = plpgsql_build_variable("found", 0,
												   plpgsql_own_datatype_of(BOOLOID, -1, InvalidOid),
												   true)->dno;
}

PLpgSQL_function *
plpgsql_compile_body(const char *body)
{
	const RawStmt *raw = plpgsql_compile_state->raw;
	PLpgSQL_function *function = palloc0(sizeof(PLpgSQL_function));

	function->fn_is_trigger = PLPGSQL_NOT_TRIGGER;
	function->fn_cxt = NULL;
	function->out_param_varno = -1;
	function->new_varno = -1;
	function->old_varno = -1;
	function->resolve_option = plpgsql_variable_conflict;
	function->print_strict_params = plpgsql_print_strict_params;
	if (raw == NULL || IsA(raw->stmt, DoStmt))
	{
		function->is_do = true;
		function->name = pstrdup("inline_code_block");
		function->fn_rettype = VOIDOID;
	}
	else
		plpgsql_read_header(function, (const CreateFunctionStmt *) raw->stmt);
	function->fn_signature = function->name;
	function->fn_prokind = function->is_procedure ? PROKIND_PROCEDURE : PROKIND_FUNCTION;

	plpgsql_error_funcname = function->name;
	plpgsql_check_syntax = true;
	plpgsql_curr_compile = function;
	plpgsql_DumpExecTree = false;
	plpgsql_ns_init();
	plpgsql_ns_push(function->name, PLPGSQL_LABEL_BLOCK);
	plpgsql_start_datums();
	if (function->is_do)
		function->returns = plpgsql_own_datatype_of(VOIDOID, -1, InvalidOid);
	add_variables(function);
	plpgsql_run_grammar(function, body);
	plpgsql_finish_datums(function);
	return function;
}
