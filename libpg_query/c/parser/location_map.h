/*-------------------------------------------------------------------------
 *
 * location_map.h
 *	  The places of a literal's value in the text that contains it.
 *
 * A piece of the value is either a run of bytes that are the same in the
 * literal, or what one escape stands for: a doubled quote, \n, \00e9.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOCATION_MAP_H
#define LOCATION_MAP_H

#include "postgres.h"

typedef struct MapPiece
{
	int			inner;			/* its start in the value */
	int			outer;			/* its start in the text ... */
	int			outer_length;	/* ... and its length there */
} MapPiece;

/* The places of a part of the value, in which offsets begin anew. */
typedef struct LocationMap
{
	const MapPiece *pieces;		/* the last one is the end of the value */
	size_t		count;
	int			shift;			/* from an offset in the part to one in the value ... */
	int			first;			/* ... but that of offset 0, since PERFORM is longer than SELECT */
} LocationMap;

/* The piece with an offset of the value. */
static inline const MapPiece *
map_piece(const LocationMap *map, int inner)
{
	size_t		low = 0;
	size_t		high = map->count;

	while (high - low > 1)
	{
		size_t		middle = low + (high - low) / 2;

		if (map->pieces[middle].inner <= inner)
			low = middle;
		else
			high = middle;
	}
	return map->pieces + low;
}

/* Whether the piece, which is not the last, is a run. */
static inline bool
map_is_run(const MapPiece *piece)
{
	return piece[1].inner - piece->inner == piece->outer_length;
}

/* The place of a byte of the value, or of its end. */
static inline int
map_start(const LocationMap *map, int inner)
{
	const MapPiece *piece = map_piece(map, inner);

	if (piece == map->pieces + map->count - 1 || !map_is_run(piece))
		return piece->outer;
	return piece->outer + (inner - piece->inner);
}

/* The place after the last byte of what ends at an offset of the value. */
static inline int
map_end(const LocationMap *map, int inner)
{
	const MapPiece *piece;

	if (inner == 0)
		return map->pieces[0].outer;
	piece = map_piece(map, inner - 1);
	if (piece == map->pieces + map->count - 1)
		return piece->outer;
	return map_is_run(piece) ? piece->outer + (inner - piece->inner) : piece->outer + piece->outer_length;
}

/* The place of an offset in the part. */
static inline int
map_location(const LocationMap *map, int location)
{
	if (location < 0)
		return location;
	return map_start(map, location == 0 ? map->first : location + map->shift);
}

/* The offset in the part of a place that map_location returned. */
static inline int
map_back(const LocationMap *map, int place)
{
	size_t		low = 0;
	size_t		high = map->count;
	int			inner;

	if (place < 0)
		return place;
	while (high - low > 1)
	{
		size_t		middle = low + (high - low) / 2;

		if (map->pieces[middle].outer <= place)
			low = middle;
		else
			high = middle;
	}
	inner = map->pieces[low].inner;
	if (low + 1 < map->count && map_is_run(map->pieces + low))
		inner += place - map->pieces[low].outer;
	return Max(inner - map->shift, 0);
}

#endif							/* LOCATION_MAP_H */
