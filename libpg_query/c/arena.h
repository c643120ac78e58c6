/*-------------------------------------------------------------------------
 *
 * arena.h
 *	  The memory contexts of this library; see arena.c.
 *
 * The part that most allocations are done with is here, so that the files
 * which allocate most can have it in place of a call.
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
 * For a file that allocates much: the same in place of the functions, before the
 * inline functions of PostgreSQL's headers that use them.
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
 * Before each chunk.  32 bits will do for everything that PostgreSQL can ask for,
 * which is less than 1 GiB.
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

/*
 * Before the header of each chunk, while chunks are marked: what the mark was
 * when the chunk was made, and what is to be known of it now.
 */
typedef struct ArenaMark
{
	uint32		made;
	uint32		now;
} ArenaMark;

typedef struct ArenaBlock
{
	struct ArenaBlock *next;
	struct ArenaBlock *prev;	/* of large ones only */
	struct Arena *arena;
	size_t		size;			/* this header included */
} ArenaBlock;

typedef struct Arena
{
	MemoryContextData header;
	char	   *free;			/* what is left of the current block ... */
	char	   *end;			/* ... ends here */
	ArenaBlock *current;
	ArenaBlock *large;			/* blocks of one chunk each */
	size_t		next_size;		/* of the next block */
	size_t		max_size;		/* of any block, but large ones */
	size_t		kept_size;		/* how much may stay when this is reset */
	char	   *marked_free;	/* while chunks are marked, what is left, ... */
	char	   *marked_end;		/* ... and "free" and "end" are NULL; else these are */
	uint32		mark;			/* for the next chunks */
	bool		mark_used;		/* some chunk has it */
	ArenaBlock	first;			/* part of the same piece of memory */
} Arena;

/* Where the chunks of a block begin. */
#define ARENA_BLOCK_HEADER MAXALIGN(sizeof(ArenaBlock))

/* A larger chunk gets a block of its own. */
#define ARENA_LARGE 8192

/*
 * To look for bugs, every chunk can be a piece of malloc's, of exactly the size
 * that was asked for.  A checker of memory then sees an access beyond a chunk,
 * or after pfree, which would otherwise stay within a block.
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

/* Of a chunk that was made while chunks are marked. */
#define ARENA_MARK(pointer) ((ArenaMark *) ARENA_CHUNK(pointer) - 1)

/* A chunk of any size, or an error. */
extern void *arena_alloc_slow(Arena *arena, Size size);

/* Make, or free, TopMemoryContext and ErrorContext; false if there is no memory. */
extern bool arena_thread_init(void);
extern void arena_thread_exit(void);

/* Frees a chunk with a block of its own. */
extern void arena_free_large(void *pointer);

/* How much of its memory a context keeps for later, when it is reset. */
extern void arena_keep(MemoryContext context, Size size);

/* The bytes that a context holds, in use or not. */
extern Size arena_size(MemoryContext context);

/*
 * Mark all chunks that are made from here on, until there is no more need of
 * it.  As no chunk fits into what seems to be left, each comes from
 * arena_alloc_slow, so that chunks without marks cost what they did.  While it
 * lasts, pfree gives nothing back.
 */
extern void arena_begin_marks(MemoryContext context);
extern void arena_end_marks(MemoryContext context);

/*
 * The blocks of a context, by their addresses, as a chunk of the context; how
 * many there are goes to "count".
 */
extern const ArenaBlock **arena_blocks(MemoryContext context, Size *count);

/*
 * The mark of a chunk that was made while chunks were marked; NULL if the
 * pointer is to something else.
 */
extern const ArenaMark *arena_find_mark(const ArenaBlock *const *blocks, Size count,
										const void *pointer);

static inline void
arena_set_mark(Arena *arena, uint32 mark)
{
	arena->mark = mark;
	arena->mark_used = false;
}

/* Whether a context has no chunks. */
static inline bool
arena_is_empty(MemoryContext context)
{
	const Arena *arena = (const Arena *) context;

	return arena->large == NULL && arena->free == (const char *) &arena->first + ARENA_BLOCK_HEADER;
}

/* Make a chunk of what begins at "start", in a block of the arena. */
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
 * A chunk of another context than the current one stays where it is.
 */
static inline void
arena_pfree(void *pointer)
{
	Arena	   *arena = (Arena *) CurrentMemoryContext;
	Size		size = ARENA_SIZE(pointer);

	if (unlikely(ARENA_IS_LARGE(size)))
		arena_free_large(pointer);
	else if ((char *) pointer + size == arena->free)
		arena->free = (char *) ARENA_CHUNK(pointer);
}

#endif							/* ARENA_H */
