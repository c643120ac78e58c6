/*-------------------------------------------------------------------------
 *
 * plpgsql_signature.c
 *	  The parameters and the result of a PL/pgSQL function, with the checks
 *	  that CREATE FUNCTION does without looking into a database.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "catalog/pg_type.h"

#define invalid_definition(...) \
	ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION), errmsg(__VA_ARGS__)))
#define not_supported(...) \
	ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg(__VA_ARGS__)))

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
	return plpgsql_is_input(a) != plpgsql_is_input(b) && !(plpgsql_is_input(a) && plpgsql_is_output(a)) && !(plpgsql_is_input(b) && plpgsql_is_output(b));
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
		if (plpgsql_is_input(param->mode))
		{
			if (variadic)
				invalid_definition("VARIADIC parameter must be the last input parameter");
			inputs++;
		}
		if (plpgsql_is_output(param->mode))
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
			if (!plpgsql_is_input(param->mode))
				invalid_definition("only input parameters can have default values");
			has_default = true;
		}
		else if (has_default && plpgsql_is_input(param->mode))
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

/* Whether a polymorphic output can be derived from an input. */
static bool
determines(Oid output, Oid input)
{
	if (output == ANYRANGEOID || output == ANYMULTIRANGEOID)
		return input == ANYRANGEOID || input == ANYMULTIRANGEOID;
	if (output == ANYCOMPATIBLERANGEOID || output == ANYCOMPATIBLEMULTIRANGEOID)
		return input == ANYCOMPATIBLERANGEOID || input == ANYCOMPATIBLEMULTIRANGEOID;
	return IsPolymorphicTypeFamily1(output) ? IsPolymorphicTypeFamily1(input) :
		IsPolymorphicTypeFamily2(input);
}

/* Polymorphic outputs need polymorphic inputs. */
static void
check_polymorphic(const PLpgSQL_type *output, const List *params)
{
	Oid			type = output->typoid;
	ListCell   *cell;

	if (!is_polymorphic(type))
		return;
	foreach(cell, params)
	{
		const PLpgSQL_param *param = lfirst(cell);

		if (plpgsql_is_input(param->mode) && determines(type, param->datatype->typoid))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
			 errmsg("cannot determine result data type"),
			 errdetail("A result of type %s requires at least one input of type %s.",
					   plpgsql_type_text(type),
					   type == ANYRANGEOID || type == ANYMULTIRANGEOID ? "anyrange or anymultirange" :
					   type == ANYCOMPATIBLERANGEOID || type == ANYCOMPATIBLEMULTIRANGEOID ?
					   "anycompatiblerange or anycompatiblemultirange" :
					   IsPolymorphicTypeFamily1(type) ?
					   "anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange" :
					   "anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or anycompatiblemultirange")));
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

/* The place of an error in the header, if PostgreSQL has one. */
static void
place_header_error(void *arg)
{
	Compile    *state = plpgsql_compile_state;

	/* it is a place of the outer text, unless the header is elsewhere */
	if (state->header_place >= 0 && state->header == state->outer.text)
		errposition(plpgsql_count_characters(&state->outer, state->header_place));
}

void
plpgsql_read_header(PLpgSQL_function *function, const CreateFunctionStmt *stmt)
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
	check_polymorphic(function->returns, function->params);
	foreach(cell, function->params)
	{
		const PLpgSQL_param *param = lfirst(cell);

		if (plpgsql_is_output(param->mode))
			check_polymorphic(param->datatype, function->params);
	}
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

