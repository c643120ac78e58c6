/*-------------------------------------------------------------------------
 *
 * plpgsql_header.c
 *	  The header of a PL/pgSQL function, and the compilation of its body.
 *
 * PostgreSQL reads the header from the catalog when it compiles the body.  Here
 * it is read from the statement, with the checks that CREATE FUNCTION does
 * without looking into a database.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

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

#define invalid_definition(...) \
	ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION), errmsg(__VA_ARGS__)))
#define not_supported(...) \
	ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg(__VA_ARGS__)))

static bool
is_input(FunctionParameterMode mode)
{
	return mode != FUNC_PARAM_OUT && mode != FUNC_PARAM_TABLE;
}

static bool
is_output(FunctionParameterMode mode)
{
	return mode == FUNC_PARAM_OUT || mode == FUNC_PARAM_INOUT || mode == FUNC_PARAM_TABLE;
}

static bool
is_polymorphic(Oid type)
{
	return IsPolymorphicType(type);
}

static PLpgSQL_param *
make_param(const FunctionParameter *parameter)
{
	PLpgSQL_param *param = palloc0(sizeof(PLpgSQL_param));

	param->name = parameter->name != NULL && parameter->name[0] != '\0' ? parameter->name : NULL;
	param->mode = parameter->mode == FUNC_PARAM_DEFAULT ? FUNC_PARAM_IN : parameter->mode;
	param->dno = -1;
	plpgsql_compile_state->header_place = parameter->argType->location;
	param->datatype = plpgsql_type_of(parameter->argType);
	plpgsql_compile_state->header_place = -1;
	param->location = -1;
	param->end = -1;
	return param;
}

/* Whether parameters of these modes may have the same name. */
static bool
may_share_name(FunctionParameterMode a, FunctionParameterMode b)
{
	return is_input(a) != is_input(b) && !(is_input(a) && is_output(a)) && !(is_input(b) && is_output(b));
}

/*
 * The checks of CREATE FUNCTION.  Returns the
 * type of the output parameters, or NULL if there are none.
 */
static PLpgSQL_type *
check_parameters(const CreateFunctionStmt *stmt, const List *params)
{
	PLpgSQL_type *output = NULL;
	int			inputs = 0;
	int			outputs = 0;
	bool		variadic = false;
	bool		has_default = false;
	int			number = 0;
	ListCell   *cell;

	foreach(cell, params)
	{
		const PLpgSQL_param *param = lfirst(cell);
		const FunctionParameter *parameter = list_nth(stmt->parameters, number);

#if PG_VERSION_NUM >= 180000
		plpgsql_compile_state->header_place = parameter->location;
#endif
		if (parameter->argType->setof)
			invalid_definition(stmt->is_procedure ? "procedures cannot accept set arguments" :
							   "functions cannot accept set arguments");
		if (is_input(param->mode))
		{
			if (variadic)
				invalid_definition("VARIADIC parameter must be the last input parameter");
			inputs++;
		}
		if (is_output(param->mode))
		{
			if (stmt->is_procedure && variadic)
				invalid_definition("VARIADIC parameter must be the last parameter");
			output = outputs++ == 0 ? param->datatype : NULL;
		}
		if (param->mode == FUNC_PARAM_VARIADIC)
		{
			Oid			type = param->datatype->typoid;

			variadic = true;
			if (!param->datatype->typisarray && !param->datatype->unknown && type != ANYARRAYOID &&
				type != ANYCOMPATIBLEARRAYOID && type != ANYOID)
				invalid_definition("VARIADIC parameter must be an array");
		}
		/* more are found by add_parameter_name */
		if (param->name != NULL && number < FUNC_MAX_ARGS)
		{
			for (int other = 0; other < number; other++)
			{
				const PLpgSQL_param *before = list_nth(params, other);

				if (before->name != NULL && !may_share_name(param->mode, before->mode) &&
					strcmp(before->name, param->name) == 0)
					invalid_definition("parameter name \"%s\" used more than once", param->name);
			}
		}
		if (parameter->defexpr != NULL)
		{
			if (!is_input(param->mode))
				invalid_definition("only input parameters can have default values");
			has_default = true;
		}
		else if (has_default && is_input(param->mode))
			invalid_definition("input parameters after one with a default value must also have defaults");
		else if (has_default && stmt->is_procedure)
			invalid_definition("procedure OUT parameters cannot appear after one with a default value");
		number++;
	}
	plpgsql_compile_state->header_place = -1;
	if (inputs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_ARGUMENTS),
				 errmsg("functions cannot have more than %d arguments", FUNC_MAX_ARGS)));
	if (outputs > 1 || (outputs > 0 && stmt->is_procedure))
		output = plpgsql_own_datatype_of(RECORDOID, -1, InvalidOid);
	return output;
}

/* The type that a function returns; that of its output parameters must be the same. */
static PLpgSQL_type *
returned_type(const CreateFunctionStmt *stmt, PLpgSQL_type *output)
{
	PLpgSQL_type *type;

	if (stmt->is_procedure || stmt->returnType == NULL)
	{
		if (output != NULL)
			return output;
		if (!stmt->is_procedure)
			invalid_definition("function result type must be specified");
		return plpgsql_own_datatype_of(VOIDOID, -1, InvalidOid);
	}
	type = plpgsql_type_of(stmt->returnType);
	if (output != NULL && (type->typoid != output->typoid || type->unknown != output->unknown))
		invalid_definition("function result type must be %s because of OUT parameters",
						   output->unknown ? output->typname : plpgsql_type_text(output->typoid));
	return type;
}

/* What the validator of PL/pgSQL accepts. */
static void
check_pseudotypes(const PLpgSQL_type *returns, const List *params)
{
	ListCell   *cell;

	if (returns->ttype == PLPGSQL_TTYPE_PSEUDO && returns->typoid != TRIGGEROID &&
		returns->typoid != EVENT_TRIGGEROID && returns->typoid != VOIDOID &&
		!is_polymorphic(returns->typoid))
		not_supported("PL/pgSQL functions cannot return type %s", plpgsql_type_text(returns->typoid));
	foreach(cell, params)
	{
		const PLpgSQL_type *type = ((const PLpgSQL_param *) lfirst(cell))->datatype;

		if (type->ttype == PLPGSQL_TTYPE_PSEUDO && !is_polymorphic(type->typoid))
			not_supported("PL/pgSQL functions cannot accept type %s", plpgsql_type_text(type->typoid));
	}
}

static void
add_parameter_name(const PLpgSQL_variable *variable, const char *name)
{
	if (plpgsql_ns_lookup(plpgsql_ns_top(), true, name, NULL, NULL, NULL) != NULL)
		invalid_definition("parameter name \"%s\" used more than once", name);
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
		if (is_input(param->mode) && function->fn_nargs < FUNC_MAX_ARGS)
			function->fn_argvarnos[function->fn_nargs++] = variable->dno;
		if (is_output(param->mode))
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

/* The end of the body is a RETURN, where PostgreSQL needs none. */
static void
add_return(PLpgSQL_function *function)
{
	PLpgSQL_stmt_block *block = function->action;
	PLpgSQL_stmt_return *stmt;

	if (block->exceptions != NULL || block->label != NULL)
	{
		PLpgSQL_stmt_block *outer = palloc0(sizeof(PLpgSQL_stmt_block));

		outer->cmd_type = PLPGSQL_STMT_BLOCK;
		outer->stmtid = ++function->nstatements;
		outer->location = -1;
		outer->end = -1;
		outer->body = list_make1(block);
		function->action = block = outer;
	}
	if (block->body != NIL && ((PLpgSQL_stmt *) llast(block->body))->cmd_type == PLPGSQL_STMT_RETURN)
		return;
	stmt = palloc0(sizeof(PLpgSQL_stmt_return));
	stmt->cmd_type = PLPGSQL_STMT_RETURN;
	stmt->stmtid = ++function->nstatements;
	stmt->location = -1;
	stmt->end = -1;
	stmt->retvarno = function->out_param_varno;
	block->body = lappend(block->body, stmt);
}

static PLpgSQL_trigtype
trigger_type(const PLpgSQL_type *returns)
{
	switch (returns->typoid)
	{
		case TRIGGEROID:
			return PLPGSQL_DML_TRIGGER;
		case EVENT_TRIGGEROID:
			return PLPGSQL_EVENT_TRIGGER;
		default:
			return PLPGSQL_NOT_TRIGGER;
	}
}

/* The variables before the body, in the order of PostgreSQL; returns the number of output parameters. */
static int
add_variables(PLpgSQL_function *function)
{
	const PLpgSQL_type *returns = function->returns;
	int			outputs = 0;

	switch (function->fn_is_trigger)
	{
		case PLPGSQL_NOT_TRIGGER:
			outputs = add_parameters(function, function->params);
			/* $0, which may be assigned to */
			if (outputs == 0 && is_polymorphic(returns->typoid))
				plpgsql_build_variable("$0", 0, plpgsql_resolved_type(function->returns), true);
			break;

		case PLPGSQL_DML_TRIGGER:
			if (function->params != NIL)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
						 errmsg("trigger functions cannot have declared arguments"),
						 errhint("The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.")));
			function->new_varno = plpgsql_build_record("new", 0, NULL, RECORDOID, true)->dno;
			function->old_varno = plpgsql_build_record("old", 0, NULL, RECORDOID, true)->dno;
			add_trigger_variables(trigger_variables, lengthof(trigger_variables));
			break;

		case PLPGSQL_EVENT_TRIGGER:
			if (function->params != NIL)
				invalid_definition("event trigger functions cannot have declared arguments");
			add_trigger_variables(event_trigger_variables, lengthof(event_trigger_variables));
			break;
	}
	function->found_varno = plpgsql_build_variable("found", 0,
												   plpgsql_own_datatype_of(BOOLOID, -1, InvalidOid),
												   true)->dno;
	return outputs;
}

/* The place of an error in the header, if PostgreSQL has one. */
static void
place_header_error(void *arg)
{
	Compile    *state = plpgsql_compile_state;

	/* it is a place of the outer text, unless the header is elsewhere */
	if (state->header_place >= 0 && state->header == state->outer.text)
		errposition(plpgsql_count_characters(&state->outer, state->header_place));
}

static void
read_header(PLpgSQL_function *function, const CreateFunctionStmt *stmt)
{
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = place_header_error,
	};
	PLpgSQL_type *output;
	ListCell   *cell;

	function->name = strVal(llast(stmt->funcname));
	function->is_procedure = stmt->is_procedure;
	error_context_stack = &callback;
	foreach(cell, stmt->parameters)
		function->params = lappend(function->params, make_param(lfirst(cell)));
	output = check_parameters(stmt, function->params);
	function->returns = returned_type(stmt, output);
	plpgsql_place_params(plpgsql_compile_state->header, plpgsql_compile_state->raw, function->params,
						 function->returns);
	function->fn_retset = !stmt->is_procedure && stmt->returnType != NULL && stmt->returnType->setof;
	check_pseudotypes(function->returns, function->params);
	error_context_stack = callback.previous;
	function->fn_is_trigger = trigger_type(function->returns);
	switch (function->fn_is_trigger)
	{
		case PLPGSQL_NOT_TRIGGER:
			function->fn_rettype = plpgsql_resolved_type(function->returns)->typoid;
			function->fn_retistuple = function->returns->ttype == PLPGSQL_TTYPE_REC;
			break;
		case PLPGSQL_DML_TRIGGER:
			function->fn_retistuple = true;
			function->fn_retset = false;
			break;
		case PLPGSQL_EVENT_TRIGGER:
			function->fn_rettype = VOIDOID;
			function->fn_retistuple = true;
			function->fn_retset = false;
			break;
	}
	foreach(cell, stmt->options)
	{
		const DefElem *option = lfirst(cell);

		if (strcmp(option->defname, "volatility") == 0)
			function->fn_readonly = strcmp(strVal(option->arg), "volatile") != 0;
	}
}

PLpgSQL_function *
plpgsql_compile_body(const char *body)
{
	const RawStmt *raw = plpgsql_compile_state->raw;
	PLpgSQL_function *function = palloc0(sizeof(PLpgSQL_function));
	int			outputs;

	function->fn_is_trigger = PLPGSQL_NOT_TRIGGER;
	function->fn_cxt = NULL;
	function->out_param_varno = -1;
	function->resolve_option = plpgsql_variable_conflict;
	function->print_strict_params = plpgsql_print_strict_params;
	if (raw == NULL || IsA(raw->stmt, DoStmt))
	{
		function->is_do = true;
		function->name = pstrdup("inline_code_block");
		function->fn_rettype = VOIDOID;
	}
	else
		read_header(function, (const CreateFunctionStmt *) raw->stmt);
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
	outputs = add_variables(function);
	plpgsql_run_grammar(function, body);
	if (outputs > 0 || function->fn_rettype == VOIDOID || function->fn_retset)
		add_return(function);
	plpgsql_finish_datums(function);
	return function;
}
