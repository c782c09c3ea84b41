import { ancestorOf, cellAt, type PackedCell } from "../geo/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import type { TileSource } from "../geo/tile-source.ts";
import type { PointRegions, Region, RegionKind } from "./region.ts";
import { RegionTile } from "./region-tile.ts";
import { resolve } from "./resolve.ts";

/** One build's regions: the world base or an import. */
export interface RegionLayer {
  source: TileSource;
  /** Names this layer in the cache; two layers with equal keys hold equal tiles (a build id does). */
  id: string;
  /** H3 resolution of its tiles. */
  resolution: number;
  /** The cells it has tiles for; absent: unknown, so every cell is asked for. */
  cells?: ReadonlySet<PackedCell>;
  /** Its tiles hold the world base's regions as well: where it has one, layers after it need not be read. */
  complete: boolean;
}

/** Where decoded tiles stay between requests: undefined = never read, null = there is no such tile. */
export interface TileCache {
  get(key: string): RegionTile | null | undefined;
  set(key: string, tile: RegionTile | null, weight: number): void;
}

/** H3 resolution of the world base's tiles: some 570 for all land, 5 kB each. */
export const WORLD_TILES = 1;
/** And of an import's: 1,800 km² each, so that dense borders of towns and postal codes still load fast. */
export const IMPORT_TILES = 4;

/** Key of a tile within a build: the cell as a packed integer. */
export function tileKey(cell: PackedCell): string {
  return `regions/${cell}`;
}

/**
 * Which regions a point lies in. Layers are asked in order, imports before the world base; a cold answer costs one read of
 * the tile around the point for each layer up to the first complete one, a warm answer none.
 */
export class RegionIndex {
  readonly #layers: readonly RegionLayer[];
  readonly #cache: TileCache;
  /** A tile answers with the same list again and again: so its resolved answer is kept with it. */
  readonly #answers = new WeakMap<readonly Region[], { answer: PointRegions; whole: boolean }>();

  constructor(layers: readonly RegionLayer[], cache: TileCache = lastTiles()) {
    this.#layers = layers;
    this.#cache = cache;
  }

  /** The best region of each kind. The answer is shared between callers: read it, do not change it. */
  async regionsAt(point: Coordinate): Promise<PointRegions> {
    const { regions, tile } = await this.#find(point);
    let known = this.#answers.get(regions);
    if (!known) {
      const answer = resolve(regions);
      known = { answer, whole: !tile || missing(answer, tile).length === 0 };
      this.#answers.set(regions, known);
    }
    return known.whole || !tile ? known.answer : withNearest(point, regions, tile);
  }

  /** Every region whose outline holds the point, also several of one kind. */
  async allRegionsAt(point: Coordinate): Promise<readonly Region[]> {
    return (await this.#find(point)).regions;
  }

  /** What holds the point, and the coarsest layer's tile around it. */
  async #find(point: Coordinate): Promise<{ regions: readonly Region[]; tile: RegionTile | null }> {
    const cell = cellAt(point);
    let found: readonly Region[] | undefined;
    let last: RegionTile | null = null;
    for (const layer of this.#layers) {
      const tileCell = ancestorOf(cell, layer.resolution);
      if (layer.cells && !layer.cells.has(tileCell)) continue;
      const key = `${layer.id}/${tileCell}`;
      let tile = this.#cache.get(key);
      if (tile === undefined) tile = await this.#read(layer, tileCell, key);
      if (!tile) continue;
      last = tile;
      const regions = tile.regionsAt(point, cell);
      found = found?.length ? [...found, ...regions] : regions;
      if (layer.complete) break;
    }
    return { regions: found ?? NONE, tile: last };
  }

  async #read({ source }: RegionLayer, cell: PackedCell, key: string): Promise<RegionTile | null> {
    const bytes = await source.read(tileKey(cell));
    const tile = bytes ? new RegionTile(bytes) : null;
    this.#cache.set(key, tile, tile?.weight ?? 100);
    return tile;
  }
}

const NONE: readonly Region[] = [];

/**
 * The world base's coasts and lake shores are good to some kilometres, so a harbour may lie outside of every outline. What
 * a point lacks is taken from the nearest edge within this distance [m].
 */
const SHORE = 5000;

/** Which of country, state and county a point should have but does not: those the tile knows where the point is. */
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

/** The cache for those who bring none: the `count` tiles used last. */
function lastTiles(count = 64): TileCache {
  const tiles = new Map<string, RegionTile | null>();
  return {
    get(key) {
      const tile = tiles.get(key);
      if (tile === undefined) return undefined;
      tiles.delete(key);
      tiles.set(key, tile);
      return tile;
    },
    set(key, tile) {
      tiles.set(key, tile);
      if (tiles.size > count) for (const oldest of tiles.keys()) return void tiles.delete(oldest);
    },
  };
}
