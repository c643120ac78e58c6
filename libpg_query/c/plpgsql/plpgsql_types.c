/*-------------------------------------------------------------------------
 *
 * plpgsql_types.c
 *	  The types of variables, without a database.
 *
 * What the grammar needs to know about a type is whether its variables are
 * scalars or records, and a few types one by one.  The types that every
 * database has are in a table; a type that is not there may be anything, so
 * that its variable is both a scalar and a record.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"

#include "builtin_types.h"

static const BuiltinType *
find_name(const char *name)
{
	for (size_t i = 0; i < lengthof(builtin_types); i++)
	{
		if (builtin_types[i].name[0] == name[0] && strcmp(builtin_types[i].name, name) == 0)
			return builtin_types + i;
	}
	return NULL;
}

/* Returns the type with this number, or the one whose arrays have it. */
static const BuiltinType *
find_oid(Oid oid, bool *is_array)
{
	/* 0 is that of no type */
	for (size_t i = 0; OidIsValid(oid) && i < lengthof(builtin_types); i++)
	{
		*is_array = builtin_types[i].array == oid;
		if (*is_array || builtin_types[i].oid == oid)
			return builtin_types + i;
	}
	return NULL;
}

static PLpgSQL_type *
new_type(const char *name)
{
	PLpgSQL_type *type = palloc0(sizeof(PLpgSQL_type));

	type->typname = pstrdup(name);
	type->ttype = PLPGSQL_TTYPE_SCALAR;
	type->atttypmod = -1;
	type->location = -1;
	type->end = -1;
	return type;
}

/* A type that only a database knows. */
static PLpgSQL_type *
unknown_type(const char *name)
{
	PLpgSQL_type *type = new_type(name);

	type->ttype = PLPGSQL_TTYPE_REC;
	type->collation = DEFAULT_COLLATION_OID;
	type->unknown = true;
	return type;
}

/* A builtin type, or that of its arrays; NULL if it has none. */
static PLpgSQL_type *
builtin_type(const BuiltinType *builtin, bool is_array)
{
	PLpgSQL_type *type;

	if (is_array && builtin->array == 0)
		return NULL;
	type = new_type(is_array ? psprintf("_%s", builtin->name) : builtin->name);
	type->typoid = is_array ? builtin->array : builtin->oid;
	type->typtype = builtin->kind;
	/* record[] is a pseudo-type in the catalog, cstring[] is none */
	if (is_array && (builtin->kind != TYPTYPE_PSEUDO || builtin->oid == CSTRINGOID))
		type->typtype = TYPTYPE_BASE;
	if (type->typtype == TYPTYPE_COMPOSITE || type->typoid == RECORDOID)
		type->ttype = PLPGSQL_TTYPE_REC;
	else if (type->typtype == TYPTYPE_PSEUDO)
		type->ttype = PLPGSQL_TTYPE_PSEUDO;
	type->typisarray = is_array && type->typtype != TYPTYPE_PSEUDO;
	type->collation = builtin->collation;
	return type;
}

/* The type of arrays of a type that only a database knows. */
static PLpgSQL_type *
unknown_array_type(const char *element)
{
	PLpgSQL_type *type = new_type(psprintf("%s[]", element));

	type->typtype = TYPTYPE_BASE;
	type->typisarray = true;
	type->collation = DEFAULT_COLLATION_OID;
	return type;
}

PLpgSQL_type *
plpgsql_own_datatype_of(Oid oid, int32 typmod, Oid collation)
{
	bool		is_array;
	const BuiltinType *builtin = find_oid(oid, &is_array);
	PLpgSQL_type *type;

	if (builtin == NULL)
		elog(ERROR, "cache lookup failed for type %u", oid);
	type = builtin_type(builtin, is_array);
	type->atttypmod = typmod;
	if (OidIsValid(collation) && OidIsValid(type->collation))
		type->collation = collation;
	return type;
}

PLpgSQL_type *
plpgsql_own_array_of(PLpgSQL_type *element)
{
	bool		is_array;
	const BuiltinType *builtin;
	PLpgSQL_type *type;

	if (element->typisarray)
		return element;
	builtin = element->unknown ? NULL : find_oid(element->typoid, &is_array);
	if (builtin == NULL)
		return unknown_array_type(element->typname);
	type = is_array ? NULL : builtin_type(builtin, true);
	if (type == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("could not find array type for data type %s",
						plpgsql_type_text(element->typoid))));
	type->atttypmod = element->atttypmod;
	type->collation = element->collation;
	return type;
}

const char *
plpgsql_type_text(Oid oid)
{
	bool		is_array;
	const BuiltinType *builtin = find_oid(oid, &is_array);
	const char *name;

	if (builtin == NULL)
		return "???";
	name = builtin->sql_name != NULL ? builtin->sql_name : builtin->name;
	return is_array ? psprintf("%s[]", name) : name;
}

/* The type with a name, or NULL. */
static PLpgSQL_type *
named_type(const List *names)
{
	const char *name;
	const BuiltinType *builtin;
	bool		is_array = false;

	if (list_length(names) > 2 ||
		(list_length(names) == 2 && strcmp(strVal(linitial(names)), "pg_catalog") != 0))
		return NULL;
	name = strVal(llast(names));
	builtin = find_name(name);
	if (builtin == NULL && name[0] == '_')
	{
		builtin = find_name(name + 1);
		is_array = true;
	}
	return builtin != NULL ? builtin_type(builtin, is_array) : NULL;
}

PLpgSQL_type *
plpgsql_type_of(TypeName *name)
{
	char	   *text = NameListToString(name->names);
	PLpgSQL_type *type = name->pct_type ? NULL : named_type(name->names);

	/* with the name of the database, or of the column for %TYPE, and its schema */
	if (list_length(name->names) > (name->pct_type ? 4 : 3))
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("improper %s name (too many dotted names): %s",
						name->pct_type ? "%TYPE reference" : "qualified", text)));
	if (type == NULL)
		type = name->arrayBounds != NIL ? unknown_array_type(text) : unknown_type(text);
	else
	{
		plpgsql_check_typmods(type->typoid, name);
		/* an array of arrays is an array */
		if (name->arrayBounds != NIL && !type->typisarray)
		{
			PLpgSQL_type *array = NULL;
			bool		is_array;
			const BuiltinType *builtin = find_oid(type->typoid, &is_array);

			if (!is_array)
				array = builtin_type(builtin, true);
			if (array == NULL)
				ereport(ERROR,
						(errcode(ERRCODE_UNDEFINED_OBJECT),
						 errmsg("type \"%s[]\" does not exist", text)));
			type = array;
		}
	}
	type->tree = name;
	return type;
}

void
plpgsql_copy_written(PLpgSQL_type *to, const PLpgSQL_type *from)
{
	to->text = from->text;
	to->tree = from->tree;
	to->location = from->location;
	to->end = from->end;
}

PLpgSQL_type *
plpgsql_resolved_type(PLpgSQL_type *type)
{
	Oid			resolved;
	PLpgSQL_type *copy;

	switch (type->typoid)
	{
		case ANYARRAYOID:
		case ANYCOMPATIBLEARRAYOID:
			resolved = INT4ARRAYOID;
			break;
		case ANYRANGEOID:
		case ANYCOMPATIBLERANGEOID:
			resolved = INT4RANGEOID;
			break;
		case ANYMULTIRANGEOID:
		case ANYCOMPATIBLEMULTIRANGEOID:
			resolved = INT4MULTIRANGEOID;
			break;
		case ANYELEMENTOID:
		case ANYNONARRAYOID:
		case ANYENUMOID:
		case ANYCOMPATIBLEOID:
		case ANYCOMPATIBLENONARRAYOID:
			resolved = INT4OID;
			break;
		default:
			return type;
	}
	copy = plpgsql_own_datatype_of(resolved, -1, InvalidOid);
	plpgsql_copy_written(copy, type);
	return copy;
}

PLpgSQL_type *
plpgsql_own_variable_type(List *names)
{
	PLpgSQL_nsitem *item;
	int			names_used = 0;
	const PLpgSQL_type *found = NULL;
	PLpgSQL_type *copy;

	item = plpgsql_ns_lookup(plpgsql_ns_top(), false, strVal(linitial(names)),
							 list_length(names) > 1 ? strVal(lsecond(names)) : NULL,
							 list_length(names) > 2 ? strVal(lthird(names)) : NULL, &names_used);
#if PG_VERSION_NUM < 170000
	/* before 17, a single name may be that of a type, but not that of a record */
	if (list_length(names) == 1 && item == NULL)
	{
		PLpgSQL_type *type = named_type(names);

		return type != NULL && type->typtype != TYPTYPE_COMPOSITE ? type :
			unknown_type(strVal(linitial(names)));
	}
	if (list_length(names) == 1 && item->itemtype == PLPGSQL_NSTYPE_REC)
		return plpgsql_is_unknown(plpgsql_Datums[item->itemno]) ? unknown_type("record") : NULL;
#else
	if (list_length(names) == 1 && item == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("variable \"%s\" does not exist", strVal(linitial(names)))));
#endif
	if (item != NULL && names_used == list_length(names))
	{
		const PLpgSQL_datum *datum = plpgsql_Datums[item->itemno];

		if (item->itemtype == PLPGSQL_NSTYPE_VAR)
			found = ((const PLpgSQL_var *) datum)->datatype;
		else if (item->itemtype == PLPGSQL_NSTYPE_REC)
			found = ((const PLpgSQL_rec *) datum)->datatype;
		/* a record such as NEW, whose type is RECORD */
		if (found == NULL)
			return plpgsql_own_datatype_of(RECORDOID, -1, InvalidOid);
		copy = palloc(sizeof(PLpgSQL_type));
		*copy = *found;
		copy->text = NULL;
		copy->tree = NULL;
		copy->collation_name = NIL;
		return copy;
	}
	return unknown_type(psprintf("%s%%TYPE", NameListToString(names)));
}

PLpgSQL_type *
plpgsql_own_row_type(List *names)
{
	PLpgSQL_type *type;

	/* a database may be named in a type, but not here */
	if (list_length(names) > 2)
		return NULL;
	type = new_type(psprintf("%s%%rowtype", NameListToString(names)));
	type->ttype = PLPGSQL_TTYPE_REC;
	type->typtype = TYPTYPE_COMPOSITE;
	return type;
}

Oid
plpgsql_own_collation(List *names)
{
	plpgsql_compile_state->collation = names;
	return DEFAULT_COLLATION_OID;
}

List *
plpgsql_take_collation(void)
{
	List	   *names;

	if (plpgsql_compile_state == NULL)
		return NIL;
	names = plpgsql_compile_state->collation;
	plpgsql_compile_state->collation = NIL;
	return names;
}
