/*
 * The input of bindgen: the nodes of the
 * parse tree and the functions of the shim.
 */
#include "shim.h"

#include "nodes/bitmapset.h"
#include "nodes/primnodes.h"
#include "nodes/value.h"
