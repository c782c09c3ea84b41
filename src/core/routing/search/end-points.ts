import type { Tile } from "../graph/tile.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";

/**
 * Where a search begins or ends: an edge of a tile, and how much of it is travelled there [0.1 s, 0.1 m, unrounded].
 */
export interface EndPoint {
  /**
   * The tile in which the journey continues (start: the edge's head is there) or comes from (end: its tail is there).
   */
  tile: Tile;
  edge: number;
  /** Share of the edge from its tail to the point, 0 … 1. */
  share: number;
  /** Which of the caller's points this belongs to. */
  owner: number;
}

/**
 * Start points of journeys from these snaps: for each direction of the road, the tile of its head. A road across a
 * tile's border needs the neighboring tile, which is read if it is not loaded; if it cannot be read, no journey starts
 * in that direction.
 */
export function startsOf(
  store: RoadStore,
  snaps: readonly Snap[],
  owner = 0,
): readonly EndPoint[] | Promise<readonly EndPoint[]> {
  return withTiles(store, tilesAt(snaps, "head"), (tileOf) => startPoints(snaps, tileOf, owner));
}

function startPoints(snaps: readonly Snap[], tileOf: TileOf, owner: number): EndPoint[] {
  const points: EndPoint[] = [];
  for (const { tile, edge, share } of directionsOf(snaps)) {
    const node = tile.headOf(edge);
    if (node < tile.insideCount) points.push({ tile, edge, share, owner });
    else {
      const other = tileOf(tile.outsideTile[node - tile.insideCount]);
      if (!other) continue;
      const own = other.entering[tile.crossingOf(edge) - other.firstEntering];
      points.push({ tile: other, edge: own, share, owner });
    }
  }
  return points;
}

/**
 * End points of journeys to these snaps: likewise by the tail, and with the copies that restrictions created of the
 * road.
 */
export function endsOf(
  store: RoadStore,
  snaps: readonly Snap[],
  owner = 0,
): readonly EndPoint[] | Promise<readonly EndPoint[]> {
  return withTiles(store, tilesAt(snaps, "tail"), (tileOf) => endPoints(snaps, tileOf, owner));
}

function endPoints(snaps: readonly Snap[], tileOf: TileOf, owner: number): EndPoint[] {
  const points: EndPoint[] = [];
  for (const { tile, edge, share } of directionsOf(snaps)) {
    const node = tile.tailOf(edge);
    for (const copy of tile.withCopies(edge)) {
      if (node < tile.insideCount) points.push({ tile, edge: copy, share, owner });
      else {
        const other = tileOf(tile.outsideTile[node - tile.insideCount]);
        const own = other?.leaving.get(tile.crossingOf(copy));
        if (other && own !== undefined) points.push({ tile: other, edge: own, share, owner });
      }
    }
  }
  return points;
}

/** The tiles that `startsOf` (or, by the tails, `endsOf`) will need: available before any of them is read. */
export function tilesAt(snaps: readonly Snap[], end: "head" | "tail"): number[] {
  return directionsOf(snaps).map(({ tile, edge }) => {
    const node = end === "head" ? tile.headOf(edge) : tile.tailOf(edge);
    return node < tile.insideCount ? tile.index : tile.outsideTile[node - tile.insideCount];
  });
}

function directionsOf(snaps: readonly Snap[]): { tile: Tile; edge: number; share: number }[] {
  const directions: { tile: Tile; edge: number; share: number }[] = [];
  for (const { tile, piece, share, forward, backward } of snaps) {
    if (forward) directions.push({ tile, edge: tile.forwardEdge(piece), share });
    if (backward) directions.push({ tile, edge: tile.backwardEdge(piece), share: 1 - share });
  }
  return directions;
}

/** A tile by its index; undefined where it cannot be read. */
type TileOf = (index: number) => Tile | undefined;

/** Calls `make` when some tiles are loaded; immediately if they are. */
function withTiles<T>(store: RoadStore, indices: readonly number[], make: (tileOf: TileOf) => T): T | Promise<T> {
  const tiles = new Map<number, Tile | undefined>();
  for (const index of indices) if (!tiles.has(index)) tiles.set(index, store.tileAtHand(index));
  const tileOf = (index: number) => tiles.get(index);
  const lacking = [...tiles.keys()].filter((index) => !tiles.get(index));
  if (lacking.length === 0) return make(tileOf);
  const read = async (index: number) => tiles.set(index, await store.tile(index));
  return Promise.all(lacking.map(read)).then(() => make(tileOf));
}
