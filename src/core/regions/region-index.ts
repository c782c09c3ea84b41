import type { TileSource } from "../geo/builds/tile-source.ts";
import { ancestorOf, cellAt, type PackedCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import type { PointRegions, Region, RegionKind } from "./region.ts";
import { RegionTile } from "./region-tile.ts";
import { resolve } from "./resolve.ts";

/** H3 resolution of the world base's tiles: some 570 of 5 kB each for all land. */
export const WORLD_TILES = 1;
/**
 * H3 resolution of an import's tiles: 1,800 km² each, so that dense borders of towns and postal codes still load fast.
 */
export const IMPORT_TILES = 4;

/** Key of a tile within a build: the cell as a packed integer. */
export function tileKey(cell: PackedCell): string {
  return `regions/${cell}`;
}

/** The cells of all tiles of a build (geo/cells/cell-list.ts). */
export const TILE_LIST_KEY = "regions/tiles";

/** The cell that a tile's key names. */
export function cellOfKey(key: string): PackedCell {
  return Number(key.slice(key.indexOf("/") + 1));
}

/** Returns a decoded tile by its key, or undefined if it does not exist; the provider caches tiles that are in use. */
export type TileReader = (key: string) => Promise<RegionTile | undefined>;

/** A reader that decodes each tile once and caches all: for builds in memory. */
export function tilesFrom(source: TileSource): TileReader {
  const tiles = new Map<string, Promise<RegionTile | undefined>>();
  return (key) => {
    let tile = tiles.get(key);
    if (!tile) {
      tile = source.read(key).then((bytes) => bytes && new RegionTile(bytes));
      tiles.set(key, tile);
    }
    return tile;
  };
}

/** A tile returns the same list object again and again, so the resolved answer is cached by it. */
const results = new WeakMap<readonly Region[], { result: PointRegions; whole: boolean }>();

/**
 * Finds the regions of a point. An import's tiles include the world base data, so a cold lookup costs one read per
 * import around the point, or, if none of them has a tile, one more read of the world base data. A warm lookup costs
 * none. It caches nothing itself: create one per request.
 */
export class RegionIndex {
  readonly #imports: readonly TileReader[];
  readonly #world: TileReader | undefined;

  constructor(imports: readonly TileReader[], world?: TileReader) {
    this.#imports = imports;
    this.#world = world;
  }

  /** Returns the best region of each kind. The result is shared between callers: do not change it. */
  async regionsAt(point: Coordinate): Promise<PointRegions> {
    const { regions, tile } = await this.#find(point);
    return bestOf(point, regions, tile);
  }

  /** Every region whose outline contains the point, including several of one kind. */
  async allRegionsAt(point: Coordinate): Promise<readonly Region[]> {
    return (await this.#find(point)).regions;
  }

  /** The regions that contain the point, and a tile around it. */
  async #find(point: Coordinate): Promise<{ regions: readonly Region[]; tile?: RegionTile }> {
    const cell = cellAt(point);
    if (this.#imports.length > 0) {
      const key = tileKey(ancestorOf(cell, IMPORT_TILES));
      const read = await Promise.all(this.#imports.map((tileAt) => tileAt(key)));
      const tiles = read.filter((tile) => tile !== undefined);
      if (tiles.length === 1) return { regions: tiles[0].regionsAt(point, cell), tile: tiles[0] };
      if (tiles.length > 1) return { regions: tiles.flatMap((tile) => tile.regionsAt(point, cell)), tile: tiles[0] };
    }
    const tile = await this.#world?.(tileKey(ancestorOf(cell, WORLD_TILES)));
    return { regions: tile?.regionsAt(point, cell) ?? NONE, tile };
  }
}

/** The same from the one tile around a point, where no other build counts. */
export function regionsIn(tile: RegionTile | undefined, point: Coordinate, cell: PackedCell): PointRegions {
  return bestOf(point, tile?.regionsAt(point, cell) ?? NONE, tile);
}

/**
 * The same if it follows from the regions that contain the point alone; undefined if the nearest ones are needed as
 * well.
 */
export function regionsHeld(
  tile: RegionTile | undefined,
  point: Coordinate,
  cell: PackedCell,
): PointRegions | undefined {
  const known = resultOf(tile?.regionsAt(point, cell) ?? NONE, tile);
  return known.whole || !tile ? known.result : undefined;
}

function resultOf(regions: readonly Region[], tile: RegionTile | undefined): { result: PointRegions; whole: boolean } {
  let known = results.get(regions);
  if (!known) {
    const result = resolve(regions);
    known = { result, whole: !tile || missing(result, tile).length === 0 };
    results.set(regions, known);
  }
  return known;
}

function bestOf(point: Coordinate, regions: readonly Region[], tile: RegionTile | undefined): PointRegions {
  const known = resultOf(regions, tile);
  return known.whole || !tile ? known.result : withNearest(point, regions, tile);
}

const NONE: readonly Region[] = [];

/**
 * The coasts and lake shores of the world base data are accurate to a few kilometers, so a harbor may be outside every
 * outline. Missing regions of a point are taken from the nearest edge within this distance [m].
 */
const SHORE = 5000;

/** Kinds among country, state and county that a point lacks although the tile has such regions. */
function missing({ country, state, county }: PointRegions, tile: RegionTile): RegionKind[] {
  const has = (kind: RegionKind, fits: (region: Region) => boolean) =>
    tile.regions.some((region) => region.kind === kind && fits(region));
  if (!country) return has("country", () => true) ? ["country"] : [];
  if (!state && has("state", (region) => region.country === country.code)) return ["state"];
  return !county && state && has("county", (region) => region.state === state.code) ? ["county"] : [];
}

function withNearest(point: Coordinate, regions: readonly Region[], tile: RegionTile): PointRegions {
  const list = [...regions];
  let answer = resolve(list);
  for (let kinds = missing(answer, tile); kinds.length > 0; kinds = missing(answer, tile)) {
    const { country, state } = answer;
    const near = tile.nearest(
      point,
      SHORE,
      (region) =>
        region.kind === kinds[0] &&
        (!country || region.country === country.code) &&
        (!state || !region.state || region.state === state.code),
    );
    if (!near) break;
    list.push(near);
    answer = resolve(list);
  }
  return answer;
}
