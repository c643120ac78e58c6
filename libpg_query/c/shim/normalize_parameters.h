/*-------------------------------------------------------------------------
 *
 * normalize_parameters.h
 *	  The numbers of the parameters that constants become; a part of
 *	  shim_normalize.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NORMALIZE_PARAMETERS_H
#define NORMALIZE_PARAMETERS_H

/* A bit for the start of each parameter that the walk has met; NULL if the SQL has none, or the result is libpg_query's. */
static __thread uint64 *counted_parameters;

static inline void
count_parameter(int location)
{
	if (counted_parameters != NULL && location >= 0)
		counted_parameters[location / 64] |= UINT64CONST(1) << (location % 64);
}

static inline bool
is_counted(int location)
{
	return (counted_parameters[location / 64] >> (location % 64)) & 1;
}

/*
 * libpg_query numbers constants from the highest parameter on that its walk
 * has met.  It does not enter the modifiers of types: numeric($1).  Returns
 * the number from which on no constant gets that of such a parameter.
 */
static int
highest_parameter(const pgssConstLocations *found, bool *counts_all)
{
	int			highest = found->highest_extern_param_id;
	int			all = highest;
	int			given = 0;
	bool		is_taken = false;

	*counts_all = true;
	if (counted_parameters == NULL)
		return highest;
	for (int i = 0; i < found->clocations_count; i++)
		given = Max(given, -found->clocations[i].param_id);
	for (int place = next_place(0, false); place >= 0; place = next_place(place + 1, false))
	{
		int			number;

		if (!is_parameter(found->query + place) || is_counted(place))
			continue;
		*counts_all = false;
		/* as the scanner reads it */
		number = (int) atol(found->query + place + 1);
		all = Max(all, number);
		is_taken = is_taken || (number > highest && (int64) number - highest <= given);
	}
	return is_taken ? all : highest;
}

#endif							/* NORMALIZE_PARAMETERS_H */
