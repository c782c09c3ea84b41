import { AVOID_FACTOR, type Metric } from "../graph/modes.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import { PIECE_GROUP, pieceBoxes } from "../graph/pieces.ts";
import type { Tile } from "../graph/tile.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { CellClique } from "../store/search-cells.ts";
import type { Snap } from "../store/snap.ts";
import type { TileView } from "../store/tile-view.ts";
import type { Area } from "./area.ts";

/** Areas are bits of one number. */
const MAX_AREAS = 30;
/** Searches load each tile with roads in an area in full: at most this many in addition to the others. */
export const MAX_AREA_TILES = 128;
/** Cost of the boxes of a tile's roads, and of examining a group of them, beside the edges of areas near it [µs]. */
const TILE_COST = 200;
const GROUP_COST = 4;
/** More than a tile has search cells. */
const MAX_CELLS = 65_536;

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
  /** The areas that any of them enters. */
  all: number;
  /** By search cell: those that the edges which begin in it enter. */
  cells: Int32Array;
}

/**
 * Areas to avoid, for one query. A road that enters an area is closed along its entire edge, from junction to junction.
 * If a journey begins or ends in an area, judged by its first and last edges, the area stays open to that journey: its
 * roads get the same weight as those of `avoid`, so that the route leaves it the short way.
 */
export class AvoidedAreas {
  readonly #touched: ReadonlyMap<number, Touched>;
  readonly #closures = new Map<number, Closure>();
  readonly #views = new Map<TileView, ClosedViews>();

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
        const entered = await areasByPiece(store, tile, areas);
        if (entered) touched.set(tile.index, touchedOf(tile, entered));
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

  /**
   * Returns the roads that are closed to a journey that begins or ends in some of the areas. `often`: many searches will use it, so
   * they should cross search cells by cliques.
   */
  closure(open: number, often = false): Closure {
    const key = open * 2 + Number(often);
    let known = this.#closures.get(key);
    if (!known) {
      known = new Closure(this.#touched, this.#views, open, often);
      this.#closures.set(key, known);
    }
    return known;
  }
}

/** Roads that are closed to some journeys, tile by tile. */
export class Closure {
  readonly #touched: ReadonlyMap<number, Touched>;
  readonly #views: Map<TileView, ClosedViews>;
  readonly #open: number;
  readonly isUsedOften: boolean;

  constructor(
    touched: ReadonlyMap<number, Touched>,
    views: Map<TileView, ClosedViews>,
    open: number,
    isUsedOften: boolean,
  ) {
    this.#touched = touched;
    this.#views = views;
    this.#open = open;
    this.isUsedOften = isUsedOften;
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
    let views = this.#views.get(plain);
    if (!views) {
      views = new ClosedViews(plain, touched);
      this.#views.set(plain, views);
    }
    return views.of(this.#open & touched.all);
  }
}

/** A view of a tile with closed roads, for each set of open areas among those that its roads enter. */
class ClosedViews {
  readonly #plain: TileView;
  readonly #touched: Touched;
  readonly #views = new Map<number, TileView>();
  /** By open areas and search cell: many views have the same roads closed there. */
  readonly #cliques = new Map<number, CellClique>();

  constructor(plain: TileView, touched: Touched) {
    this.#plain = plain;
    this.#touched = touched;
  }

  of(open: number): TileView {
    const known = this.#views.get(open);
    if (known) return known;
    const { tile, areas } = this.#touched;
    const weight = new Int32Array(this.#plain.weight);
    for (let edge = 0; edge < weight.length; edge++) {
      const entered = areas[tile.pieceOf(edge)];
      if (entered === 0) continue;
      weight[edge] = (entered & ~open) !== 0 ? UNREACHABLE : weight[edge] * AVOID_FACTOR;
    }
    const view = this.#plain.weighing(weight, (cell, make) => this.#clique(open, cell, make));
    this.#views.set(open, view);
    return view;
  }

  #clique(open: number, cell: number, make: () => CellClique): CellClique {
    const entered = this.#touched.cells[cell];
    if (entered === 0) return this.#plain.clique(cell);
    const key = (open & entered) * MAX_CELLS + cell;
    let clique = this.#cliques.get(key);
    if (!clique) {
      clique = make();
      this.#cliques.set(key, clique);
    }
    return clique;
  }
}

function touchedOf(tile: Tile, areas: Int32Array): Touched {
  const cells = new Int32Array(tile.cellCount);
  for (let edge = 0; edge < tile.edgeCount; edge++) {
    const cell = tile.nodeCell[tile.tailOf(edge)];
    if (cell >= 0) cells[cell] |= areas[tile.pieceOf(edge)];
  }
  return { tile, areas, all: areas.reduce((all, bits) => all | bits, 0), cells };
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
async function areasByPiece(store: RoadStore, tile: Tile, areas: readonly Area[]): Promise<Int32Array | undefined> {
  let found: Int32Array | undefined;
  const { groups } = pieceBoxes(tile);
  let units = TILE_COST;
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
      const turn = store.spend(units + area.takeWork());
      units = GROUP_COST;
      if (turn) await turn;
    }
  }
  if (units === TILE_COST) {
    const turn = store.spend(units);
    if (turn) await turn;
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
