/*-------------------------------------------------------------------------
 *
 * plpgsql_names.c
 *	  Looks up names of variables, labels and fields.
 *
 * PostgreSQL compares each name with those of all variables, and each field with
 * all fields of its record.  Here both are in a hash table; in a bucket, the
 * youngest entry is the first, so that the end of a block removes the first ones.
 *
 *-------------------------------------------------------------------------
 */
#include "plpgsql_compile.h"

#include "utils/memutils.h"

/* An item of the namespace, or a field. */
typedef struct NameEntry
{
	const char *name;
	uint32		hash;
	int			next;			/* in the bucket; -1 at its end */
	PLpgSQL_nsitem *item;		/* NULL for a field */
	int			owner;			/* of an item: the entry of its block's label, of a label: that of the block
								 * around it, or -1; of a field: the number of its record */
	PLpgSQL_recfield *field;
} NameEntry;

struct NameTable
{
	NameEntry  *entries;
	int			count;
	int			room;
	int		   *buckets;
	uint32		mask;
	int			label;			/* the entry of the innermost block's label, or -1 */
};

static uint32
hash_name(const char *name, uint32 seed)
{
	uint32		hash = 2166136261u ^ seed;

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char) *name) * 16777619u;
	return hash ^ (hash >> 15);
}

static void
grow(NameTable *table)
{
	int			room = Max(table->room * 2, 64);
	MemoryContext caller_context = MemoryContextSwitchTo(plpgsql_compile_tmp_cxt);

	if (table->entries == NULL)
	{
		table->entries = palloc(room * sizeof(NameEntry));
		table->buckets = palloc(room * sizeof(int));
	}
	else
	{
		table->entries = repalloc(table->entries, room * sizeof(NameEntry));
		table->buckets = repalloc(table->buckets, room * sizeof(int));
	}
	MemoryContextSwitchTo(caller_context);
	table->room = room;
	table->mask = room - 1;
	for (int i = 0; i < room; i++)
		table->buckets[i] = -1;
	for (int i = 0; i < table->count; i++)
	{
		int		   *bucket = table->buckets + (table->entries[i].hash & table->mask);

		table->entries[i].next = *bucket;
		*bucket = i;
	}
}

static NameEntry *
add_entry(NameTable *table, const char *name, uint32 hash)
{
	NameEntry  *entry;

	if (table->count == table->room)
		grow(table);
	entry = table->entries + table->count;
	*entry = (NameEntry) {.name = name, .hash = hash, .next = table->buckets[hash & table->mask]};
	table->buckets[hash & table->mask] = table->count++;
	return entry;
}

static NameTable *
new_table(void)
{
	NameTable  *table = MemoryContextAllocZero(plpgsql_compile_tmp_cxt, sizeof(NameTable));

	table->label = -1;
	return table;
}

/* The youngest entry with a name, from a given one on; -1 if there is none. */
static int
find_entry(const NameTable *table, int at, const char *name, uint32 hash)
{
	while (at >= 0 && (table->entries[at].hash != hash || strcmp(table->entries[at].name, name) != 0))
		at = table->entries[at].next;
	return at;
}

static int
first_entry(const NameTable *table, const char *name, uint32 hash)
{
	return table->room == 0 ? -1 : find_entry(table, table->buckets[hash & table->mask], name, hash);
}

static bool
is_label(const NameEntry *entry)
{
	return entry->item->itemtype == PLPGSQL_NSTYPE_LABEL;
}

/* ----- The namespace ----- */

void
plpgsql_add_name(PLpgSQL_nsitem *item)
{
	Compile    *state = plpgsql_compile_state;
	NameTable  *table;
	NameEntry  *entry;

	if (state == NULL)
		return;
	if (state->names == NULL)
		state->names = new_table();
	table = state->names;
	entry = add_entry(table, item->name, hash_name(item->name, 0));
	entry->item = item;
	entry->owner = table->label;
	if (item->itemtype == PLPGSQL_NSTYPE_LABEL)
		table->label = table->count - 1;
}

void
plpgsql_end_names(void)
{
	NameTable  *table;

	if (plpgsql_compile_state == NULL)
		return;
	table = plpgsql_compile_state->names;
	for (int end = table->label; table->count > end;)
	{
		const NameEntry *entry = table->entries + --table->count;

		table->buckets[entry->hash & table->mask] = entry->next;
		if (table->count == end)
			table->label = entry->owner;
	}
}

/* The variable with a name in the block of a label; a scalar only if that is asked for. */
static PLpgSQL_nsitem *
find_in_block(const NameTable *table, int label, const char *name, bool scalar)
{
	uint32		hash = hash_name(name, 0);

	for (int at = first_entry(table, name, hash); at > label;
		 at = find_entry(table, table->entries[at].next, name, hash))
	{
		const NameEntry *entry = table->entries + at;

		if (entry->owner == label && !is_label(entry) &&
			(scalar || entry->item->itemtype != PLPGSQL_NSTYPE_VAR))
			return entry->item;
	}
	return NULL;
}

PLpgSQL_nsitem *
plpgsql_find_name(bool localmode, const char *name1, const char *name2, const char *name3,
				  int *names_used)
{
	const NameTable *table = plpgsql_compile_state->names;
	uint32		hash = hash_name(name1, 0);
	int			unused;

	if (names_used == NULL)
		names_used = &unused;
	for (int at = first_entry(table, name1, hash); at >= (localmode ? table->label : 0);
		 at = find_entry(table, table->entries[at].next, name1, hash))
	{
		const NameEntry *entry = table->entries + at;

		/* within a block, a variable precedes the label */
		if (!is_label(entry) && (name2 == NULL || entry->item->itemtype != PLPGSQL_NSTYPE_VAR))
		{
			*names_used = 1;
			return entry->item;
		}
		if (is_label(entry) && name2 != NULL)
		{
			PLpgSQL_nsitem *item = find_in_block(table, at, name2, name3 == NULL);

			if (item != NULL)
			{
				*names_used = 2;
				return item;
			}
		}
	}
	*names_used = 0;
	return NULL;
}

PLpgSQL_nsitem *
plpgsql_find_label(const char *name)
{
	const NameTable *table = plpgsql_compile_state->names;
	uint32		hash = hash_name(name, 0);

	for (int at = first_entry(table, name, hash); at >= 0;
		 at = find_entry(table, table->entries[at].next, name, hash))
	{
		if (is_label(table->entries + at))
			return table->entries[at].item;
	}
	return NULL;
}

PLpgSQL_nsitem *
plpgsql_find_loop(void)
{
	const NameTable *table = plpgsql_compile_state->names;

	for (int at = table->label; at >= 0; at = table->entries[at].owner)
	{
		if (table->entries[at].item->itemno == PLPGSQL_LABEL_LOOP)
			return table->entries[at].item;
	}
	return NULL;
}

/* ----- Fields of records ----- */

PLpgSQL_recfield *
plpgsql_find_field(const PLpgSQL_rec *rec, const char *name)
{
	const NameTable *table = plpgsql_compile_state->fields;
	uint32		hash = hash_name(name, rec->dno);

	if (table == NULL)
		return NULL;
	for (int at = first_entry(table, name, hash); at >= 0;
		 at = find_entry(table, table->entries[at].next, name, hash))
	{
		if (table->entries[at].owner == rec->dno)
			return table->entries[at].field;
	}
	return NULL;
}

void
plpgsql_add_field(PLpgSQL_recfield *field)
{
	Compile    *state = plpgsql_compile_state;
	NameEntry  *entry;

	if (state == NULL)
		return;
	if (state->fields == NULL)
		state->fields = new_table();
	entry = add_entry(state->fields, field->fieldname,
					  hash_name(field->fieldname, field->recparentno));
	entry->owner = field->recparentno;
	entry->field = field;
}
