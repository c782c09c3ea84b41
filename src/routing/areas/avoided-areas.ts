import { AVOID_FACTOR, type Metric } from "../graph/modes.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import { PIECE_GROUP, pieceBoxes } from "../graph/pieces.ts";
import type { Tile } from "../graph/tile.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";
import type { TileView } from "../store/tile-view.ts";
import type { Area } from "./area.ts";

/** Areas are bits of one number. */
const MAX_AREAS = 30;
/** Searches load each tile with roads in an area in full: at most this many in addition to the others. */
export const MAX_AREA_TILES = 128;
/** Cost of examining the roads of a tile [µs]. */
const TILE_COST = 300;

/** The areas contain more roads than one query may examine. */
export class AreasTooLarge extends Error {
  constructor(most: number) {
    super(`the areas to be avoided have roads on more than ${most} tiles`);
  }
}

/** The roads of a tile that enter an area. */
interface Touched {
  tile: Tile;
  /** By piece: the areas it enters. */
  areas: Int32Array;
}

/**
 * Areas to avoid, for one query. A road that enters an area is closed along its entire edge, from junction to junction.
 * If a journey begins or ends in an area, judged by its first and last edges, the area stays open to that journey: its
 * roads get the same weight as those of `avoid`, so that the route leaves it the short way.
 */
export class AvoidedAreas {
  readonly #touched: ReadonlyMap<number, Touched>;
  readonly #closures = new Map<number, Closure>();

  /** Reads the roads around the areas. @throws AreasTooLarge */
  static async find(store: RoadStore, areas: readonly Area[], mostTiles: number): Promise<AvoidedAreas> {
    const near = new Set<number>();
    for (const area of areas) for (const index of await tilesIn(store, area, mostTiles)) near.add(index);
    if (areas.length > MAX_AREAS) throw new Error(`at most ${MAX_AREAS} areas`);
    if (near.size > mostTiles) throw new AreasTooLarge(mostTiles);
    const indices = [...near].sort((a, b) => a - b);
    const tiles = await Promise.all(indices.map((index) => store.tileAtHand(index) ?? store.tile(index)));
    const touched = new Map<number, Touched>();
    for (const [i, tile] of tiles.entries()) {
      // A tile that cannot be read may contain an area: no route may cross it.
      if (!tile) store.detours.add(indices[i]);
      else {
        const entered = areasByPiece(tile, areas);
        if (entered) touched.set(tile.index, { tile, areas: entered });
        const turn = store.spend(TILE_COST);
        if (turn) await turn;
      }
    }
    return new AvoidedAreas(touched);
  }

  private constructor(touched: ReadonlyMap<number, Touched>) {
    this.#touched = touched;
  }

  /** The areas that a journey from or to these roads begins or ends in. */
  around(snaps: readonly Snap[]): number {
    let bits = 0;
    for (const { tile, piece } of snaps) bits |= this.#touched.get(tile.index)?.areas[piece] ?? 0;
    return bits;
  }

  /** Returns the roads that are closed to a journey that begins or ends in some of the areas. */
  closure(open: number): Closure {
    let known = this.#closures.get(open);
    if (!known) {
      known = new Closure(this.#touched, open);
      this.#closures.set(open, known);
    }
    return known;
  }
}

/** Roads that are closed to some journeys, tile by tile. */
export class Closure {
  readonly #touched: ReadonlyMap<number, Touched>;
  readonly #open: number;
  readonly #views = new Map<TileView, TileView>();

  constructor(touched: ReadonlyMap<number, Touched>, open: number) {
    this.#touched = touched;
    this.#open = open;
  }

  /** Tiles that must not be crossed with data computed without the areas. */
  *tiles(): Iterable<Tile> {
    for (const { tile } of this.#touched.values()) yield tile;
  }

  /** View of a tile that respects the areas; undefined if they do not affect it. */
  view(store: RoadStore, tile: Tile, metric: Metric): TileView | undefined {
    const touched = this.#touched.get(tile.index);
    if (!touched) return undefined;
    const plain = store.view(tile, metric);
    let view = this.#views.get(plain);
    if (!view) {
      const weight = new Int32Array(plain.weight);
      for (let edge = 0; edge < weight.length; edge++) {
        const areas = touched.areas[tile.pieceOf(edge)];
        if (areas === 0) continue;
        weight[edge] = (areas & ~this.#open) !== 0 ? UNREACHABLE : weight[edge] * AVOID_FACTOR;
      }
      view = plain.weighing(weight);
      this.#views.set(plain, view);
    }
    return view;
  }
}

/** Tiles that may have roads in the box around an area. @throws AreasTooLarge */
async function tilesIn(store: RoadStore, { south, west, north, east }: Area, mostTiles: number): Promise<Set<number>> {
  const tiles = new Set<number>();
  const latitude = (south + north) / 2;
  // The box is within the ellipse with half axes √2 times as long.
  const tall = ((north - south) / 2) * Math.SQRT2 + 1;
  const wide = ((east - west) / 2) * Math.SQRT2 + 1;
  for (const turn of [0, 360e6, -360e6]) {
    const longitude = (west + east) / 2 + turn;
    // Each district has a tile at least, and mostly some sixty.
    if (store.manifest.districtsNear(latitude, longitude, tall, wide).size > mostTiles)
      throw new AreasTooLarge(mostTiles);
    const opening = store.districts.openNear(latitude, longitude, tall, wide);
    if (opening) await opening;
    for (const index of store.districts.tilesNear(latitude, longitude, tall, wide)) tiles.add(index);
  }
  return tiles;
}

/** For each piece, the areas it enters, as bits; undefined if no piece enters any. */
function areasByPiece(tile: Tile, areas: readonly Area[]): Int32Array | undefined {
  let found: Int32Array | undefined;
  const { groups } = pieceBoxes(tile);
  for (const [i, area] of areas.entries()) {
    for (let group = 0; group * 4 < groups.length; group++) {
      const [south, west, north, east] = groups.subarray(group * 4, group * 4 + 4);
      const shifts = area.shifts(south, west, north, east);
      if (shifts.length === 0) continue;
      const last = Math.min(tile.pieceCount, (group + 1) * PIECE_GROUP);
      for (let piece = group * PIECE_GROUP; piece < last; piece++) {
        if (!shifts.some((shift) => enters(tile, piece, area, shift))) continue;
        found ??= new Int32Array(tile.pieceCount);
        found[piece] |= 1 << i;
      }
    }
  }
  return found;
}

/** Returns whether a piece of road is in an area or crosses its edge. */
function enters(tile: Tile, piece: number, area: Area, shift: number): boolean {
  const start = tile.startOf(piece);
  let y = tile.latitude[start];
  let x = tile.longitude[start] + shift;
  if (area.contains(y, x)) return true;
  for (let i = tile.shapeFirst[piece]; i < tile.shapeFirst[piece + 1]; i++) {
    const nextY = y + tile.shapeNorth[i];
    const nextX = x + tile.shapeEast[i];
    if (area.isCrossedBy(y, x, nextY, nextX)) return true;
    y = nextY;
    x = nextX;
  }
  const end = tile.endOf(piece);
  return area.isCrossedBy(y, x, tile.latitude[end], tile.longitude[end] + shift);
}
