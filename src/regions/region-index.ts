import { ancestorOf, cellAt, type PackedCell } from "../geo/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import type { TileSource } from "../geo/tile-source.ts";
import type { PointRegions, Region } from "./region.ts";
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
  readonly #answers = new WeakMap<readonly Region[], PointRegions>();

  constructor(layers: readonly RegionLayer[], cache: TileCache = lastTiles()) {
    this.#layers = layers;
    this.#cache = cache;
  }

  /** The best region of each kind. The answer is shared between callers: read it, do not change it. */
  async regionsAt(point: Coordinate): Promise<PointRegions> {
    const regions = await this.allRegionsAt(point);
    let answer = this.#answers.get(regions);
    if (!answer) {
      answer = resolve(regions);
      this.#answers.set(regions, answer);
    }
    return answer;
  }

  /** Every region that holds the point, also several of one kind. */
  async allRegionsAt(point: Coordinate): Promise<readonly Region[]> {
    const cell = cellAt(point);
    let found: readonly Region[] | undefined;
    for (const layer of this.#layers) {
      const tileCell = ancestorOf(cell, layer.resolution);
      if (layer.cells && !layer.cells.has(tileCell)) continue;
      const key = `${layer.id}/${tileCell}`;
      let tile = this.#cache.get(key);
      if (tile === undefined) tile = await this.#read(layer, tileCell, key);
      if (!tile) continue;
      const regions = tile.regionsAt(point, cell);
      found = found?.length ? [...found, ...regions] : regions;
      if (layer.complete) break;
    }
    return found ?? NONE;
  }

  async #read({ source }: RegionLayer, cell: PackedCell, key: string): Promise<RegionTile | null> {
    const bytes = await source.read(tileKey(cell));
    const tile = bytes ? new RegionTile(bytes) : null;
    this.#cache.set(key, tile, tile?.weight ?? 100);
    return tile;
  }
}

const NONE: readonly Region[] = [];

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
