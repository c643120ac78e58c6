/*-------------------------------------------------------------------------
 *
 * plpgsql_typmods.c
 *	  Checks the modifiers of builtin types: varchar(10), numeric(10, 2).
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

void
plpgsql_check_typmods(Oid type, const TypeName *name)
{
}
