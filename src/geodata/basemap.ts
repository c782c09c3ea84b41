import type { DataSource } from "../geo/manifest.ts";
import { TileArchive } from "../maps/tiles/archive.ts";
import type { Rect } from "../maps/tiles/clip.ts";
import { composeTile, holdsTile, inTile, meetsTile, type TilePart } from "../maps/tiles/compose.ts";
import { decodeTile, encodeTile } from "../maps/tiles/mvt.ts";
import { MAX_ZOOM, planeRects } from "../maps/tiles/plane.ts";
import type { DirectoryEntry } from "../maps/tiles/pmtiles.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { openOperatorArchive } from "./operator-archive.ts";
import type { BuildSource } from "./r2-source.ts";

/** The archive of a build: the layer `basemap` has one object. */
export const BASEMAP_LAYER = "basemap";
export const BASEMAP_KEY = `${BASEMAP_LAYER}/tiles.pmtiles`;

// Values only: a promise belongs to the request that made it.
const archives = new WeakMap<BuildSource, TileArchive>();

/** An archive, the part of the plane it draws, and the name of its content. */
export interface Ground {
  id: string;
  minZoom: number;
  maxZoom: number;
  rects: readonly Rect[];
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
}

/**
 * The map of the world, from all archives that are live. Of a place the smallest import that holds it tells, then larger ones,
 * the world base last; a tile at the edge of an import shows each on its side. Every tile of the world base's area is
 * answered, whatever is imported.
 */
export class Basemap {
  /** Names the content: another version, other tiles. */
  readonly version: string;
  /** Whose data is on the map. */
  readonly sources: readonly DataSource[];
  readonly #grounds: readonly Ground[];
  readonly #world: Ground | undefined;

  constructor(grounds: readonly Ground[], world: Ground | undefined, sources: readonly DataSource[]) {
    this.#grounds = grounds;
    this.#world = world;
    this.sources = sources;
    this.version = [...grounds, ...(world ? [world] : [])].map(({ id }) => id).join(".") || "none";
  }

  /** Is there anything to draw? Not before the world base was built. */
  get isEmpty(): boolean {
    return this.#grounds.length === 0 && !this.#world;
  }

  /**
   * The vector tile (not compressed), 0 ≤ z ≤ 15; undefined where no archive has anything. Tiles beyond the square of the
   * world do not exist.
   */
  async tile(z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    const side = 2 ** z;
    if (z < 0 || z > MAX_ZOOM || x < 0 || y < 0 || x >= side || y >= side) return undefined;
    const parts: { ground: Ground; holes: readonly Rect[] }[] = [];
    const holes: Rect[] = [];
    let covered = false;
    for (const ground of this.#grounds) {
      if (z < ground.minZoom) continue;
      const rects = ground.rects.map((rect) => inTile(rect, z, x, y, MAX_ZOOM)).filter(meetsTile);
      if (rects.length === 0) continue;
      parts.push({ ground, holes: [...holes] });
      holes.push(...rects);
      covered = rects.some(holdsTile);
      if (covered) break;
    }
    if (!covered && this.#world) parts.push({ ground: this.#world, holes });
    const [first] = parts;
    if (!first) return undefined;
    // The usual case: one archive, one tile, as it is.
    if (parts.length === 1 && first.holes.length === 0 && z <= first.ground.maxZoom) {
      return first.ground.tile(z, x, y);
    }
    return this.#composed(z, x, y, parts);
  }

  async #composed(
    z: number,
    x: number,
    y: number,
    parts: readonly { ground: Ground; holes: readonly Rect[] }[],
  ): Promise<Uint8Array | undefined> {
    const key = `${this.version}/${z}/${x}/${y}`;
    const known = cache.get(key);
    if (known) return known.value as Uint8Array | undefined;
    const drawn: TilePart[] = [];
    for (const { ground, holes } of parts) {
      const zoom = Math.min(z, ground.maxZoom);
      const shrink = 2 ** (z - zoom);
      const bytes = await ground.tile(zoom, Math.floor(x / shrink), Math.floor(y / shrink));
      if (bytes) drawn.push({ layers: decodeTile(bytes), zoom, holes });
    }
    const layers = composeTile(z, x, y, drawn);
    const tile = layers.length > 0 ? encodeTile(layers) : undefined;
    cache.put(key, tile, tile?.byteLength ?? 0);
    return tile;
  }
}

/**
 * The basemap of the builds that are live. `operatorArchive` names a PMTiles archive in the same bucket that the operator
 * put there; it takes the place of the builds' archives.
 */
export async function openBasemap(geodata: Geodata, bucket: ObjectBucket, operatorArchive?: string): Promise<Basemap> {
  const worldSource = geodata.world?.has(BASEMAP_LAYER) ? geodata.world : undefined;
  const world = worldSource && (await groundOf(worldSource));
  const worldSources = worldSource?.build.sources ?? [];
  if (operatorArchive) {
    const { ground, sources } = await openOperatorArchive(bucket, operatorArchive, leavesOf(operatorArchive));
    return new Basemap([ground], world, [...sources, ...worldSources]);
  }
  const grounds = await Promise.all(geodata.with(BASEMAP_LAYER).map(groundOf));
  const sources = [...geodata.with(BASEMAP_LAYER).flatMap(({ build }) => build.sources), ...worldSources];
  const bySize = grounds.map((ground) => ({ ground, size: sizeOf(ground) })).sort((a, b) => a.size - b.size);
  const named = new Map(sources.map((source) => [source.name, source]));
  return new Basemap(
    bySize.map(({ ground }) => ground),
    world,
    [...named.values()],
  );
}

async function groundOf(source: BuildSource): Promise<Ground> {
  const { id, areas, name } = source.build;
  let archive = archives.get(source);
  if (!archive) {
    const read = async (offset: number, length: number) => {
      const bytes = await source.read(BASEMAP_KEY, { offset, length });
      if (!bytes) throw new Error(`the build ${name} (${id}) has lost ${BASEMAP_KEY}`);
      return bytes;
    };
    archive = await TileArchive.open(read, leavesOf(id));
    archives.set(source, archive);
  }
  const { minZoom, maxZoom } = archive.header;
  return { id, minZoom, maxZoom, rects: areas.flatMap(planeRects), tile: (z, x, y) => archive.tile(z, x, y) };
}

function leavesOf(archive: string) {
  return {
    get: (key: string) => cache.get(`${archive}#${key}`)?.value as readonly DirectoryEntry[] | undefined,
    put: (key: string, leaf: readonly DirectoryEntry[], bytes: number) => cache.put(`${archive}#${key}`, leaf, bytes),
  };
}

function sizeOf({ rects }: Ground): number {
  return Math.min(...rects.map(({ left, right, top, bottom }) => (right - left) * (bottom - top)));
}
