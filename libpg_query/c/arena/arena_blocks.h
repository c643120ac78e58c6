/*-------------------------------------------------------------------------
 *
 * arena_blocks.h
 *	  The memory for blocks, and the pool of a thread; a part of
 *	  arena.c, which defines _GNU_SOURCE for mremap.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ARENA_BLOCKS_H
#define ARENA_BLOCKS_H

#include "arena.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(ARENA_MALLOC)
#include <sys/mman.h>
#define MAPS_MEMORY
#endif

/* The sizes of the blocks in the pool: this one, and each twice the one before. */
#define POOL_FIRST_SIZE (16 * 1024)
#define POOL_SIZES 7
#define POOL_LAST_SIZE ((Size) POOL_FIRST_SIZE << (POOL_SIZES - 1))

/* Blocks for the next context of this thread, by their size, and their bytes. */
static __thread ArenaBlock *pool[POOL_SIZES];
static __thread Size pool_bytes;

/*
 * Large pieces are mapped, and so returned to the operating system when they
 * are freed.  malloc maps only some: glibc's maps larger and larger ones only,
 * the larger the pieces are that are freed, and keeps the others.
 */
#define IS_MAPPED(size) ((size) >= 128 * 1024)

static void *
obtain(Size size)
{
#ifdef MAPS_MEMORY
	if (IS_MAPPED(size))
	{
		void	   *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
								  MAP_PRIVATE | MAP_ANON, -1, 0);

		return memory != MAP_FAILED ? memory : NULL;
	}
#endif
	return malloc(size);
}

static void
give_back(void *memory, Size size)
{
#ifdef MAPS_MEMORY
	if (IS_MAPPED(size))
	{
		munmap(memory, size);
		return;
	}
#endif
	free(memory);
}

/* Like realloc: on failure, the memory stays. */
static void *
resize(void *memory, Size old_size, Size size)
{
#ifdef MAPS_MEMORY
	if (IS_MAPPED(old_size) || IS_MAPPED(size))
	{
		void	   *moved;

#ifdef MREMAP_MAYMOVE
		if (IS_MAPPED(old_size) && IS_MAPPED(size))
		{
			moved = mremap(memory, old_size, size, MREMAP_MAYMOVE);
			return moved != MAP_FAILED ? moved : NULL;
		}
#endif
		moved = obtain(size);
		if (moved != NULL)
		{
			memcpy(moved, memory, Min(old_size, size));
			give_back(memory, old_size);
		}
		return moved;
	}
#endif
	return realloc(memory, size);
}

/* Returns the blocks of this size in the pool. */
static ArenaBlock **
pool_of(Size size)
{
	ArenaBlock **blocks = pool;

	for (Size each = POOL_FIRST_SIZE; each < size; each *= 2)
		blocks++;
	return blocks;
}

/* Returns a block of the arena's next size, with only that filled in; NULL if out of memory. */
static ArenaBlock *
new_block(const Arena *arena)
{
	ArenaBlock *block;

	if (arena->pooled)
	{
		ArenaBlock **blocks = pool_of(arena->next_size);

		block = *blocks;
		if (block != NULL)
		{
			*blocks = block->next;
			pool_bytes -= block->size;
			return block;
		}
	}
	block = obtain(arena->next_size);
	if (block != NULL)
		block->size = arena->next_size;
	return block;
}

static void
free_block(const Arena *arena, ArenaBlock *block)
{
	if (arena->pooled && pool_bytes + block->size <= ARENA_POOL_BYTES)
	{
		ArenaBlock **blocks = pool_of(block->size);

		block->next = *blocks;
		*blocks = block;
		pool_bytes += block->size;
	}
	else
		give_back(block, block->size);
}

void
arena_free_pool(void)
{
	for (int i = 0; i < POOL_SIZES; i++)
	{
		while (pool[i] != NULL)
		{
			ArenaBlock *block = pool[i];

			pool[i] = block->next;
			give_back(block, block->size);
		}
	}
	pool_bytes = 0;
}

static void
begin_block(Arena *arena, ArenaBlock *block, bool large)
{
	block->arena = arena;
	block->first_event = arena->log != NULL ? arena_log_position(arena->log) : 0;
	block->large = large;
}

static void
use_block(Arena *arena, ArenaBlock *block)
{
	begin_block(arena, block, false);
	arena->current = block;
	arena->free = (char *) block + ARENA_BLOCK_HEADER;
	arena->end = (char *) block + block->size;
}

#endif							/* ARENA_BLOCKS_H */
