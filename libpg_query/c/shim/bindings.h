/*
 * The input of bindgen: the nodes of the parse tree,
 * those of PL/pgSQL, and the functions of the shim.
 */
#include "shim.h"

#include "nodes/bitmapset.h"
#include "nodes/primnodes.h"
#include "nodes/value.h"

#include "../plpgsql/plpgsql_tree.h"
