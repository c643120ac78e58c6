/*-------------------------------------------------------------------------
 *
 * arena.h
 *	  The memory contexts of this library; see arena.c.
 *
 * The most frequent part of allocation is here, so
 * that the files which allocate most can inline it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ARENA_H
#define ARENA_H

#include "postgres.h"

#include "sanitizer.h"

static inline void *arena_palloc(Size size);
static inline void *arena_palloc0(Size size);
static inline void arena_pfree(void *pointer);

/*
 * For a file that allocates much: inline versions of the functions,
 * before the inline functions of PostgreSQL's headers that use them.
 */
#ifdef ARENA_INLINE
#undef palloc
#define palloc(size) arena_palloc(size)
#undef palloc0
#define palloc0(size) arena_palloc0(size)
#undef pfree
#define pfree(pointer) arena_pfree(pointer)
#endif

#include "nodes/memnodes.h"
#include "utils/memutils.h"

/*
 * The header of each chunk.  32 bits suffice for all
 * requests of PostgreSQL, which are less than 1 GiB.
 *
 * An inline function of 15 expects the context right before the chunk.
 */
typedef struct ArenaChunk
{
	uint32		size;			/* room for data */
	uint32		offset;			/* from the start of the block */
#if PG_VERSION_NUM < 160000
	MemoryContext context;
#endif
} ArenaChunk;

typedef struct ArenaBlock
{
	struct ArenaBlock *next;
	struct ArenaBlock *prev;	/* of large blocks only */
	struct Arena *arena;
	size_t		size;			/* including this header */
	size_t		first_event;	/* the number of the next event at its start; 0 without a log */
	bool		large;			/* has only one chunk */
} ArenaBlock;

/* With pointers of 32 bits, a block in a struct is not where a chunk of 64-bit words may follow. */
#ifdef pg_attribute_aligned
#define ARENA_ALIGNED pg_attribute_aligned(MAXIMUM_ALIGNOF)
#else
#define ARENA_ALIGNED
#endif

typedef struct Arena
{
	MemoryContextData header;
	char	   *free;			/* the rest of the current block ... */
	char	   *end;			/* ... ends here */
	ArenaBlock *current;
	ArenaBlock *large;			/* blocks of one chunk each */
	size_t		next_size;		/* of the next block */
	size_t		max_size;		/* of any block that is not large */
	bool		pooled;			/* its blocks are from a pool */
	struct RangeLog *log;		/* of the events during allocation, or NULL */
	ArenaBlock	first ARENA_ALIGNED;	/* in the same piece of memory */
} Arena;

/* The start of the chunks of a block. */
#define ARENA_BLOCK_HEADER MAXALIGN(sizeof(ArenaBlock))

/* A larger chunk gets its own block. */
#define ARENA_LARGE 8192

/*
 * To find bugs, each chunk can be a separate malloc of exactly the
 * requested size.  A memory checker then detects an access beyond a
 * chunk, or after pfree, which would otherwise stay within a block.
 */
#if defined(ADDRESS_SANITIZER) && !defined(ARENA_MALLOC)
#define ARENA_MALLOC
#endif

#ifdef ARENA_MALLOC
#define ARENA_IS_LARGE(size) true
#define ARENA_ROOM(size) (size)
#else
#define ARENA_IS_LARGE(size) ((size) > ARENA_LARGE)
#define ARENA_ROOM(size) MAXALIGN(size)
#endif

#define ARENA_CHUNK(pointer) ((ArenaChunk *) (pointer) - 1)
#define ARENA_SIZE(pointer) ((Size) ARENA_CHUNK(pointer)->size)

/* Returns a chunk of any size, or raises an error. */
extern void *arena_alloc_slow(Arena *arena, Size size);

/* Create or free TopMemoryContext and ErrorContext; false if out of memory. */
extern bool arena_thread_init(void);
extern void arena_thread_exit(void);

/* Frees a chunk that has its own block. */
extern void arena_free_large(void *pointer);

/*
 * Returns a context without a parent, whose blocks come from the thread's pool
 * and return to it: that of the thread which resets or deletes the context.
 * Its first block is small, and each one is twice as large as the one before,
 * so that a small tree takes little memory, whatever was parsed before it.
 */
extern MemoryContext arena_create_pooled(const char *name);

/* The number of versions in this program, each of which has a pool for each thread. */
#ifndef POOLED_VERSIONS
#define POOLED_VERSIONS 1
#endif

/*
 * A pool holds at most this many bytes; more are freed.  That is a block of
 * each size, or its share of them.
 */
#define ARENA_POOL_BYTES (2 * 1024 * 1024 / POOLED_VERSIONS)

/* Frees the thread's pool. */
extern void arena_free_pool(void);

/* Returns the bytes that a context holds, used or not. */
extern Size arena_size(MemoryContext context);

/* Returns the number of the next event of a log; see range_log.h. */
extern size_t arena_log_position(const struct RangeLog *log);

static inline ArenaBlock *
arena_block_of(const void *pointer)
{
	const ArenaChunk *chunk = ARENA_CHUNK(pointer);

	return (ArenaBlock *) ((const char *) chunk - chunk->offset);
}

/*
 * Returns the blocks of a context, sorted by address, as a
 * chunk of the current context; stores their number in "count".
 */
extern const ArenaBlock **arena_blocks(MemoryContext context, Size *count);

/*
 * Returns the block of a chunk, or NULL
 * if the pointer is not to a chunk.
 */
extern const ArenaBlock *arena_find_block(const ArenaBlock *const *blocks, Size count,
										  const void *pointer);

/* Returns whether a context has no chunks. */
static inline bool
arena_is_empty(MemoryContext context)
{
	const Arena *arena = (const Arena *) context;

	return arena->large == NULL && arena->free == (const char *) &arena->first + ARENA_BLOCK_HEADER;
}

/* Make a chunk of the memory at "start", in a block of the arena. */
static inline void *
arena_cut(Arena *arena, const ArenaBlock *block, char *start, Size size)
{
	ArenaChunk *chunk = (ArenaChunk *) start;

	chunk->size = (uint32) MAXALIGN(size);
	chunk->offset = (uint32) (start - (const char *) block);
#if PG_VERSION_NUM < 160000
	chunk->context = &arena->header;
#endif
	return chunk + 1;
}

static inline void *
arena_alloc(Arena *arena, Size size)
{
	char	   *start = arena->free;
	Size		need = MAXALIGN(size) + sizeof(ArenaChunk);

	if (likely(!ARENA_IS_LARGE(size) && need <= (Size) (arena->end - start)))
	{
		arena->free = start + need;
		return arena_cut(arena, arena->current, start, size);
	}
	return arena_alloc_slow(arena, size);
}

static inline void *
arena_palloc(Size size)
{
	return arena_alloc((Arena *) CurrentMemoryContext, size);
}

static inline void *
arena_palloc0(Size size)
{
	return memset(arena_palloc(size), 0, size);
}

/*
 * A chunk of a context that is not current stays, and so do all
 * chunks while there is a log: the next allocations follow it.
 */
static inline void
arena_pfree(void *pointer)
{
	Arena	   *arena = (Arena *) CurrentMemoryContext;
	Size		size = ARENA_SIZE(pointer);

#ifdef ARENA_MALLOC
	/* if every chunk is large, those in a log stay as well */
	if (arena->log != NULL)
		return;
#endif
	if (unlikely(ARENA_IS_LARGE(size)))
		arena_free_large(pointer);
	else if ((char *) pointer + size == arena->free && arena->log == NULL)
		arena->free = (char *) ARENA_CHUNK(pointer);
}

#endif							/* ARENA_H */
