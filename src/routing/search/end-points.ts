import type { Tile } from "../graph/tile.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";
import type { EndPoint } from "./overlay.ts";

/**
 * Start points of journeys from these snaps: for each direction of the road, the tile of its head. A road across a
 * tile's border needs the neighboring tile, which is read if it is not loaded; if it cannot be read, no journey starts
 * in that direction.
 */
export async function startsOf(store: RoadStore, snaps: readonly Snap[], owner = 0): Promise<EndPoint[]> {
  const points: EndPoint[] = [];
  for (const { tile, edge, share } of directionsOf(snaps)) {
    const node = tile.headOf(edge);
    if (node < tile.insideCount) points.push({ tile, edge, share, owner });
    else {
      const other = await neighbour(store, tile, node);
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
export async function endsOf(store: RoadStore, snaps: readonly Snap[], owner = 0): Promise<EndPoint[]> {
  const points: EndPoint[] = [];
  for (const { tile, edge, share } of directionsOf(snaps)) {
    const node = tile.tailOf(edge);
    for (const copy of tile.withCopies(edge)) {
      if (node < tile.insideCount) points.push({ tile, edge: copy, share, owner });
      else {
        const other = await neighbour(store, tile, node);
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
  return snaps.flatMap(({ tile, piece, share, forward, backward }) => [
    ...(forward ? [{ tile, edge: tile.forwardEdge(piece), share }] : []),
    ...(backward ? [{ tile, edge: tile.backwardEdge(piece), share: 1 - share }] : []),
  ]);
}

async function neighbour(store: RoadStore, tile: Tile, outsideNode: number): Promise<Tile | undefined> {
  const index = tile.outsideTile[outsideNode - tile.insideCount];
  return store.tileAtHand(index) ?? store.tile(index);
}
