/*-------------------------------------------------------------------------
 *
 * arena.c
 *	  Memory contexts for a parser, replacing PostgreSQL's mcxt.c and aset.c.
 *
 * A tree is made, read and freed as a whole, so freeing parts of
 * it gains nothing.  A context is a chain of blocks from which
 * chunks are cut one after another.  A chunk that PostgreSQL
 * frees stays, unless it is the last one or has its own block.
 *
 * The blocks of a freed tree are kept in a pool for the next
 * one, which then needs neither malloc nor fresh pages from the
 * operating system, which cost more than all the rest.  A tree
 * has only the blocks that it fills: programs keep trees.
 *
 *-------------------------------------------------------------------------
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE				/* mremap */
#endif
#include "arena.h"
#include "arena_blocks.h"

__thread MemoryContext CurrentMemoryContext = NULL;
__thread MemoryContext TopMemoryContext = NULL;
__thread MemoryContext ErrorContext = NULL;
#if PG_VERSION_NUM >= 180000
__thread MemoryContext CacheMemoryContext = NULL;
#endif

/* The first block of a context with a pool, which comes with the context: 8 KiB in all. */
#define SMALL_BLOCK (8 * 1024 - offsetof(Arena, first) - ARENA_BLOCK_HEADER)

/* PostgreSQL also prints all contexts to stderr; a library should not. */
static pg_noinline void
out_of_memory(Arena *arena, Size size)
{
	ereport(ERROR,
			(errcode(ERRCODE_OUT_OF_MEMORY),
			 errmsg("out of memory"),
			 errdetail("Failed on request of size %zu in memory context \"%s\".",
					   size, arena->header.name)));
}

/*
 * PostgreSQL treats this as an internal
 * error; here oversized input causes it.
 */
static void
check_size(Size size)
{
	if (unlikely(!AllocSizeIsValid(size)))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg_internal("invalid memory alloc request size %zu", size)));
}

/* ----- Chunks ----- */

static void
link_large(Arena *arena, ArenaBlock *block)
{
	block->prev = NULL;
	block->next = arena->large;
	if (block->next)
		block->next->prev = block;
	arena->large = block;
}

static void
unlink_large(Arena *arena, ArenaBlock *block)
{
	if (block->prev)
		block->prev->next = block->next;
	else
		arena->large = block->next;
	if (block->next)
		block->next->prev = block->prev;
}

static Size
large_block_size(Size size)
{
	return ARENA_BLOCK_HEADER + sizeof(ArenaChunk) + ARENA_ROOM(size);
}

static void *
alloc_large(Arena *arena, Size size)
{
	ArenaBlock *block;

	check_size(size);
	block = obtain(large_block_size(size));
	if (block == NULL)
		out_of_memory(arena, size);
	block->size = large_block_size(size);
	begin_block(arena, block, true);
	link_large(arena, block);
	return arena_cut(arena, block, (char *) block + ARENA_BLOCK_HEADER, size);
}

void *
arena_alloc_slow(Arena *arena, Size size)
{
	ArenaBlock *block;

	if (ARENA_IS_LARGE(size))
		return alloc_large(arena, size);

	block = new_block(arena);
	if (block == NULL)
		out_of_memory(arena, size);
	block->next = NULL;
	block->prev = NULL;
	arena->current->next = block;
	arena->next_size = Min(arena->next_size * 2, arena->max_size);
	use_block(arena, block);
	return arena_alloc(arena, size);
}

void *
palloc(Size size)
{
	return arena_palloc(size);
}

void *
palloc0(Size size)
{
	return arena_palloc0(size);
}

void *
MemoryContextAlloc(MemoryContext context, Size size)
{
	return arena_alloc((Arena *) context, size);
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return memset(arena_alloc((Arena *) context, size), 0, size);
}

#if PG_VERSION_NUM < 170000
void *
MemoryContextAllocZeroAligned(MemoryContext context, Size size)
{
	return MemoryContextAllocZero(context, size);
}
#endif

/*
 * Callers that allow for a failure, or for more than
 * PostgreSQL's limit, also get an error: they all pass it on.
 */
void *
MemoryContextAllocExtended(MemoryContext context, Size size, int flags)
{
	void	   *chunk = arena_alloc((Arena *) context, size);

	if (flags & MCXT_ALLOC_ZERO)
		memset(chunk, 0, size);
	return chunk;
}

void
arena_free_large(void *pointer)
{
	ArenaBlock *block = arena_block_of(pointer);

	unlink_large(block->arena, block);
	give_back(block, block->size);
}

void
pfree(void *pointer)
{
	arena_pfree(pointer);
}

static void *
realloc_large(void *pointer, Size size)
{
	ArenaBlock *block = arena_block_of(pointer);
	Arena	   *arena = block->arena;
	ArenaBlock *grown;

	check_size(size);
	unlink_large(arena, block);
	grown = resize(block, block->size, large_block_size(size));
	if (grown == NULL)
	{
		link_large(arena, block);
		out_of_memory(arena, size);
	}
	grown->size = large_block_size(size);
	link_large(arena, grown);
	return arena_cut(arena, grown, (char *) grown + ARENA_BLOCK_HEADER, size);
}

void *
repalloc(void *pointer, Size size)
{
	Size		old_size = ARENA_SIZE(pointer);
	Arena	   *arena;
	void	   *moved;

#ifndef ARENA_MALLOC
	/* this excludes the rounding */
	if (size <= old_size)
		return pointer;
#endif
	if (ARENA_IS_LARGE(old_size))
		return realloc_large(pointer, size);

	/* the last chunk can grow in place */
	arena = arena_block_of(pointer)->arena;
	if ((char *) pointer + old_size == arena->free && !ARENA_IS_LARGE(size) &&
		MAXALIGN(size) <= (Size) (arena->end - (char *) pointer))
	{
		arena->free = (char *) pointer + MAXALIGN(size);
		ARENA_CHUNK(pointer)->size = (uint32) MAXALIGN(size);
		return pointer;
	}

	moved = arena_alloc(arena, size);
	return memcpy(moved, pointer, old_size);
}

char *
MemoryContextStrdup(MemoryContext context, const char *string)
{
	Size		size = strlen(string) + 1;

	return memcpy(arena_alloc((Arena *) context, size), string, size);
}

char *
pstrdup(const char *in)
{
	return MemoryContextStrdup(CurrentMemoryContext, in);
}

#if PG_VERSION_NUM >= 160000
MemoryContext
GetMemoryChunkContext(void *pointer)
{
	return &arena_block_of(pointer)->arena->header;
}
#endif

/* ----- Contexts ----- */

void
MemoryContextSetParent(MemoryContext context, MemoryContext new_parent)
{
	MemoryContext parent = context->parent;

	if (parent == new_parent)
		return;
	if (parent != NULL)
	{
		if (context->prevchild != NULL)
			context->prevchild->nextchild = context->nextchild;
		else
			parent->firstchild = context->nextchild;
		if (context->nextchild != NULL)
			context->nextchild->prevchild = context->prevchild;
	}
	context->parent = new_parent;
	context->prevchild = NULL;
	context->nextchild = new_parent != NULL ? new_parent->firstchild : NULL;
	if (context->nextchild != NULL)
		context->nextchild->prevchild = context;
	if (new_parent != NULL)
		new_parent->firstchild = context;
}

void
MemoryContextSetIdentifier(MemoryContext context, const char *id)
{
	context->ident = id;
}

/*
 * The sizes are those of blocks.  A block can hold every
 * chunk that is not large.  NULL if out of memory.
 */
static MemoryContext
create(MemoryContext parent, const char *name, Size first, Size next, Size max)
{
	Size		least = ARENA_BLOCK_HEADER + sizeof(ArenaChunk) + ARENA_LARGE;
	Arena	   *arena = malloc(offsetof(Arena, first) + ARENA_BLOCK_HEADER + first);

	if (arena == NULL)
		return NULL;
	memset(arena, 0, sizeof(Arena));
	arena->header.type = T_AllocSetContext;
	arena->header.name = name;
	arena->next_size = Max(next, least);
	arena->max_size = Max(max, least);
	arena->first.size = ARENA_BLOCK_HEADER + first;
	use_block(arena, &arena->first);
	MemoryContextSetParent(&arena->header, parent);
	return &arena->header;
}

/* Raises an error instead. */
static MemoryContext
not_null(MemoryContext context, const char *name)
{
	if (context == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory"),
				 errdetail("Failed while creating memory context \"%s\".", name)));
	return context;
}

MemoryContext
AllocSetContextCreateInternal(MemoryContext parent, const char *name, Size minContextSize,
							  Size initBlockSize, Size maxBlockSize)
{
	return not_null(create(parent, name, Max(minContextSize, 1024), initBlockSize, maxBlockSize),
					name);
}

MemoryContext
arena_create_pooled(const char *name)
{
	MemoryContext context = not_null(create(NULL, name, SMALL_BLOCK, POOL_FIRST_SIZE,
											POOL_LAST_SIZE), name);

	((Arena *) context)->pooled = true;
	return context;
}

static int
compare_blocks(const void *a, const void *b)
{
	const ArenaBlock *left = *(const ArenaBlock *const *) a;
	const ArenaBlock *right = *(const ArenaBlock *const *) b;

	return (left > right) - (left < right);
}

const ArenaBlock **
arena_blocks(MemoryContext context, Size *count)
{
	Arena	   *arena = (Arena *) context;
	const ArenaBlock **blocks;
	Size		length = 0;

	for (const ArenaBlock *block = &arena->first; block != NULL; block = block->next)
		length++;
	for (const ArenaBlock *block = arena->large; block != NULL; block = block->next)
		length++;

	blocks = palloc(length * sizeof(*blocks));
	*count = 0;
	for (const ArenaBlock *block = &arena->first; block != NULL && *count < length; block = block->next)
		blocks[(*count)++] = block;
	for (const ArenaBlock *block = arena->large; block != NULL && *count < length; block = block->next)
		blocks[(*count)++] = block;
	(qsort) (blocks, *count, sizeof(*blocks), compare_blocks);
	return blocks;
}

const ArenaBlock *
arena_find_block(const ArenaBlock *const *blocks, Size count, const void *pointer)
{
	const char *at = pointer;
	const ArenaBlock *block;
	Size		low = 0;

	/* the last block that begins before the pointer */
	while (count > 0)
	{
		Size		half = count / 2;

		if ((const char *) blocks[low + half] <= at)
		{
			low += half + 1;
			count -= half + 1;
		}
		else
			count = half;
	}
	if (low == 0)
		return NULL;
	block = blocks[low - 1];
	if (at < (const char *) block + ARENA_BLOCK_HEADER + sizeof(ArenaChunk) ||
		at >= (const char *) block + block->size || arena_block_of(at) != block)
		return NULL;
	return block;
}

Size
arena_size(MemoryContext context)
{
	const Arena *arena = (const Arena *) context;
	Size		size = offsetof(Arena, first);

	for (const ArenaBlock *block = &arena->first; block != NULL; block = block->next)
		size += block->size;
	for (const ArenaBlock *block = arena->large; block != NULL; block = block->next)
		size += block->size;
	return size;
}

/* Free all blocks except the first one. */
static void
free_blocks(Arena *arena)
{
	ArenaBlock *block;
	ArenaBlock *next;

	for (block = arena->large; block != NULL; block = next)
	{
		next = block->next;
		give_back(block, block->size);
	}
	arena->large = NULL;

	if (arena->first.next != NULL)
		arena->next_size = arena->first.next->size;
	for (block = arena->first.next; block != NULL; block = next)
	{
		next = block->next;
		free_block(arena, block);
	}
	arena->first.next = NULL;
}

void
MemoryContextReset(MemoryContext context)
{
	Arena	   *arena = (Arena *) context;

	MemoryContextDeleteChildren(context);
	if (arena->large != NULL || arena->first.next != NULL)
		free_blocks(arena);
	arena->log = NULL;
	use_block(arena, &arena->first);
}

void
MemoryContextDeleteChildren(MemoryContext context)
{
	while (context->firstchild != NULL)
		MemoryContextDelete(context->firstchild);
}

void
MemoryContextDelete(MemoryContext context)
{
	MemoryContextDeleteChildren(context);
	MemoryContextSetParent(context, NULL);
	free_blocks((Arena *) context);
	free(context);
}

bool
arena_thread_init(void)
{
	MemoryContext top = create(NULL, "TopMemoryContext", 1024, 8 * 1024, 8 * 1024);

	if (top == NULL)
		return false;

	/* errors are reported from here, including out of memory */
	ErrorContext = create(top, "ErrorContext", 8 * 1024, 8 * 1024, 8 * 1024);
	if (ErrorContext == NULL)
	{
		MemoryContextDelete(top);
		return false;
	}
	CurrentMemoryContext = TopMemoryContext = top;
	return true;
}

void
arena_thread_exit(void)
{
	MemoryContextDelete(TopMemoryContext);
	TopMemoryContext = ErrorContext = CurrentMemoryContext = NULL;
}
