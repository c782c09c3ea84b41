import type { Bounds, DataSource } from "../../core/geo/builds/manifest.ts";
import { UnreadableObject } from "../../core/geo/builds/tile-source.ts";
import { type Pace, unpaced } from "../../core/geo/pace.ts";
import type { Glyph } from "../../core/maps/text/glyphs.ts";
import type { Rect } from "../../core/maps/tiles/clip.ts";
import {
  COMPOSITION_VERSION,
  composeTile,
  type Holes,
  holdsTile,
  holeOf,
  inTile,
  meetsTile,
} from "../../core/maps/tiles/compose.ts";
import { decodeTile, encodeTile, type Properties } from "../../core/maps/tiles/mvt.ts";
import {
  COMPLETE,
  type FeatureClass,
  KNOWS_NOTHING,
  LAND_COVER_END,
  LINES_ZOOM,
  namesToo,
  OVERVIEW_ZOOM,
  type Overview,
  overviewOf,
  PLACES_ZOOM,
  withLines,
} from "../../core/maps/tiles/overview.ts";
import { boundsOf, EXTENT, MAX_ZOOM } from "../../core/maps/tiles/plane.ts";
import type { LeftOut } from "../platform/reports.ts";
import { BASEMAP_LAYER, groundOf, leavesOf } from "./build-ground.ts";
import { cacheFiguresOf } from "./cache-figures.ts";
import type { Ground, Zooms } from "./ground.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { openOperatorArchive } from "./operator-archive.ts";

interface TilePlace {
  z: number;
  x: number;
  y: number;
}

const tileFigures = cacheFiguresOf(BASEMAP_LAYER);

/**
 * The map of the world, from all live archives. The smallest import that contains a place draws it, then larger ones,
 * and the world base data last; a tile at the edge of an import shows each on its own side. This is decided for each
 * class of features separately: an import never hides a class that it has no data for (maps/tiles/overview.ts). Every
 * tile of the world base data's area has a response, whatever is imported.
 */
export class Basemap {
  /** Identifies the content: it changes when tiles change. */
  readonly version: string;
  /** The attributions of the data on the map. */
  readonly sources: readonly DataSource[];
  readonly #grounds: readonly Ground[];
  readonly #world: Ground | undefined;
  readonly #leftOut: LeftOut;
  #whole = true;

  constructor(
    grounds: readonly Ground[],
    world: Ground | undefined,
    sources: readonly DataSource[],
    leftOut: LeftOut = () => undefined,
  ) {
    this.#leftOut = leftOut;
    this.#grounds = grounds;
    this.#world = world;
    this.sources = sources;
    const ids = [...grounds, ...(world ? [world] : [])].map(({ id }) => id);
    this.version = ids.length === 0 ? "none" : `${COMPOSITION_VERSION}.${ids.join(".")}`;
  }

  /** False if something could not be read and was omitted: such a map must not be cached. */
  get whole(): boolean {
    return this.#whole;
  }

  /** Is there anything to draw? False until the world base is built. */
  get isEmpty(): boolean {
    return this.#grounds.length === 0 && !this.#world;
  }

  /**
   * The vector tile (not compressed), 0 ≤ z ≤ 15; undefined if no archive has data. Tiles beyond the square of the
   * world don't exist.
   */
  async tile(z: number, x: number, y: number, pace: Pace = unpaced()): Promise<Uint8Array | undefined> {
    const side = 2 ** z;
    if (z < 0 || z > MAX_ZOOM || x < 0 || y < 0 || x >= side || y >= side) return undefined;
    const key = `${this.version}/${z}/${x}/${y}`;
    const known = cache.get(key);
    if (known) {
      tileFigures.hits++;
      return known.value as Uint8Array | undefined;
    }
    tileFigures.misses++;
    const parts = await this.#partsOf(z, x, y);
    if (parts.length === 0) {
      this.#note(key, []);
      return undefined;
    }
    const [first] = parts;
    // The usual case: one archive covers everything, and its tile is used unchanged.
    if (parts.length === 1 && first.whole && first.zoom === z) {
      this.#note(key, [first.id]);
      return first.bytes;
    }
    const turn = pace.spend(parts.reduce((sum, { bytes }) => sum + bytes.length * COMPOSE_COST, 0));
    if (turn) await turn;
    const { layers, shown } = composeTile(
      z,
      x,
      y,
      parts.map((part) => ({ ...part, layers: decodeTile(part.bytes) })),
    );
    // Nothing of the other archives is visible here, so the archive's own tile is used.
    const [only] = shown;
    const own = shown.length === 1 && only.zoom === z && only.whole;
    const tile = own ? only.bytes : layers.length > 0 ? encodeTile(layers) : undefined;
    this.#note(
      key,
      shown.map(({ id }) => id),
    );
    if (this.whole) cache.put(key, tile, (tile?.byteLength ?? 0) + 200);
    return tile;
  }

  #note(key: string, ids: readonly string[]): void {
    if (this.whole) cache.put(`${key}#by`, ids, 100);
  }

  /**
   * The sources of the data in tiles. If the isolate no longer knows which archives a tile came from, those of every
   * archive that may draw there, so that none is ever missing.
   */
  sourcesIn(places: readonly TilePlace[]): readonly DataSource[] {
    const sources = this.#drawnIn(places).flatMap((ground) => ground.sources);
    return [...new Map(sources.map((source) => [source.name, source])).values()];
  }

  /** The archives drawn in tiles. */
  #drawnIn(places: readonly TilePlace[]): Ground[] {
    const grounds = [...this.#grounds, ...(this.#world ? [this.#world] : [])];
    const ids = new Set<string>();
    for (const { z, x, y } of places) {
      const known = cache.get(`${this.version}/${z}/${x}/${y}#by`)?.value as readonly string[] | undefined;
      for (const id of known ?? grounds.filter((ground) => mayDraw(ground, z, x, y)).map(({ id }) => id)) ids.add(id);
    }
    return grounds.filter(({ id }) => ids.has(id));
  }

  /**
   * Whether an import has streets in or around tiles, as far as its overview reaches. What it has beyond the features of the world
   * base counts as streets: an import has all of OpenStreetMap or none of it.
   */
  async hasStreets(places: readonly TilePlace[]): Promise<boolean> {
    for (const { z, x, y } of places)
      for (const { ground, zooms } of await this.#groundsAt(z, x, y))
        if (ground.isComplete || (await this.#overview(ground, zooms, z, x, y)).knows.has("details")) return true;
    return false;
  }

  /** The areas of the imports, where maps have streets: west, south, east, north. */
  get areas(): readonly Bounds[] {
    return this.#grounds.flatMap(({ rects }) => rects.map(boundsOf));
  }

  /** The glyphs of units, from the archives drawn in tiles, and from the world base data. */
  async glyphs(places: readonly TilePlace[], units: readonly string[]): Promise<Map<string, Glyph>> {
    const drawn = this.#drawnIn(places);
    if (this.#world && !drawn.includes(this.#world)) drawn.push(this.#world);
    return this.#glyphsOf(drawn, units);
  }

  /** The glyphs of all archives for which `wanted` holds. */
  async allGlyphs(wanted: (unit: string) => boolean): Promise<Map<string, Glyph>> {
    const grounds = [...(this.#world ? [this.#world] : []), ...this.#grounds];
    const units = new Set<string>();
    for (const ground of grounds) {
      for (const unit of (await this.#orOmit(() => ground.units?.())) ?? []) if (wanted(unit)) units.add(unit);
    }
    return this.#glyphsOf(grounds, [...units]);
  }

  async #glyphsOf(grounds: readonly Ground[], units: readonly string[]): Promise<Map<string, Glyph>> {
    const found = new Map<string, Glyph>();
    for (const ground of grounds) {
      const missing = units.filter((unit) => !found.has(unit));
      if (missing.length === 0) break;
      for (const [unit, glyph] of (await this.#orOmit(() => ground.glyphs?.(missing))) ?? []) found.set(unit, glyph);
    }
    return found;
  }

  /** Unreadable data is omitted and reported. */
  async #orOmit<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      return this.#without(error);
    }
  }

  /**
   * The archives' tiles of a place, the finest archive first, each with the classes of features drawn by previous
   * archives. An archive without a tile there, or with an unreadable one, draws nothing.
   */
  async #partsOf(z: number, x: number, y: number): Promise<Part[]> {
    const parts: Part[] = [];
    const holes: Partial<Record<FeatureClass, Rect[]>> = {};
    const overviews: Overview[] = [];
    // At these zooms the names of places come from the world base only.
    const byWorld = new Set<FeatureClass>(this.#world && z < PLACES_ZOOM ? ["places"] : []);
    const covered = new Set<FeatureClass>(z < LAND_COVER_END ? [] : ["landcover"]);
    for (const { ground, rects, zooms } of await this.#groundsAt(z, x, y)) {
      const part = await this.#part(ground, zooms, z, x, y, holes);
      if (!part) continue;
      const omits = ground.isComplete ? NONE : byWorld;
      parts.push({ ...part, omits, whole: part.whole && omits.size === 0 });
      const overview = ground.isComplete ? COMPLETE : await this.#overview(ground, zooms, z, x, y);
      overviews.push(overview);
      const holding = rects.some(holdsTile);
      const draws = [...overview.knows].filter((kind) => !omits.has(kind));
      // The ground of an import has its own colors.
      if (z >= LAND_COVER_END && overview.knows.has("details")) draws.push("landcover");
      for (const kind of draws) {
        holes[kind] = [...(holes[kind] ?? []), ...rects.map(holeOf)];
        if (holding) covered.add(kind);
      }
      if (covered.size === COMPLETE.knows.size) return parts;
    }
    const worldZooms = this.#world && (await this.#zooms(this.#world, z));
    const world = this.#world && worldZooms && (await this.#part(this.#world, worldZooms, z, x, y, holes));
    if (!world) return parts;
    const side = 2 ** z;
    if (byWorld.has("places")) return [...parts, world];
    const keepsPlace = (properties: Properties, px: number, py: number) =>
      !overviews.some((overview) => namesToo(overview, properties, (x + px / EXTENT) / side, (y + py / EXTENT) / side));
    return [...parts, { ...world, keepsPlace }];
  }

  /**
   * The archives that contain a tile, at zooms they have. Only these are opened: others cost nothing, however many
   * there are.
   */
  async #groundsAt(z: number, x: number, y: number) {
    const meeting = this.#grounds.flatMap((ground) => {
      const rects = ground.rects.map((rect) => inTile(rect, z, x, y, MAX_ZOOM)).filter(meetsTile);
      return rects.length > 0 ? [{ ground, rects }] : [];
    });
    const zooms = await Promise.all(meeting.map(({ ground }) => this.#zooms(ground, z)));
    return meeting.flatMap((one, i) => {
      const known = zooms[i];
      return known && z >= known.minZoom ? [{ ...one, zooms: known }] : [];
    });
  }

  async #zooms(ground: Ground, z: number): Promise<Zooms | undefined> {
    try {
      return ground.knownZooms() ?? (await ground.zooms(z));
    } catch (error) {
      return this.#without(error);
    }
  }

  async #part(
    ground: Ground,
    { maxZoom }: Zooms,
    z: number,
    x: number,
    y: number,
    holes: Holes,
  ): Promise<Part | undefined> {
    const zoom = Math.min(z, maxZoom);
    const shrink = 2 ** (z - zoom);
    const bytes = await this.#read(ground, zoom, Math.floor(x / shrink), Math.floor(y / shrink));
    if (!bytes) return undefined;
    return { id: ground.id, bytes, zoom, holes: { ...holes }, whole: Object.keys(holes).length === 0 };
  }

  /** The classes of features that an archive has around a tile. */
  async #overview(ground: Ground, { minZoom, maxZoom }: Zooms, z: number, x: number, y: number): Promise<Overview> {
    const zoom = Math.min(z, maxZoom, Math.max(OVERVIEW_ZOOM, minZoom));
    const [ox, oy] = [x, y].map((value) => Math.floor(value / 2 ** (z - zoom)));
    const key = `${ground.id}/overview/${zoom}/${ox}/${oy}`;
    const known = cache.get(key);
    if (known) return known.value as Overview;
    const bytes = await this.#read(ground, zoom, ox, oy);
    if (!bytes) return KNOWS_NOTHING;
    const near = overviewOf(bytes, zoom, ox, oy);
    const up = zoom - LINES_ZOOM;
    const overview =
      up > 0 && minZoom <= LINES_ZOOM
        ? withLines(near, await this.#overview(ground, { minZoom, maxZoom }, LINES_ZOOM, ox >> up, oy >> up))
        : near;
    cache.put(key, overview, 500 + overview.towns.length * 100);
    return overview;
  }

  /** A tile that can't be read is omitted, and reported. */
  async #read(ground: Ground, z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    try {
      return await ground.tile(z, x, y);
    } catch (error) {
      return this.#without(error);
    }
  }

  #without(error: unknown): undefined {
    if (!(error instanceof UnreadableObject)) throw error;
    this.#whole = false;
    this.#leftOut(BASEMAP_LAYER);
  }
}

/** An archive that this isolate has not opened may have tiles of every zoom. */
function mayDraw({ knownZooms, rects }: Ground, z: number, x: number, y: number): boolean {
  return z >= (knownZooms()?.minZoom ?? 0) && rects.some((rect) => meetsTile(inTile(rect, z, x, y, MAX_ZOOM)));
}

/** An archive's tile as a part of a composed one. */
interface Part {
  id: string;
  bytes: Uint8Array;
  zoom: number;
  holes: Holes;
  /** Nothing is clipped. */
  whole: boolean;
  omits?: ReadonlySet<FeatureClass>;
  keepsPlace?: (properties: Properties, x: number, y: number) => boolean;
}

const NONE: ReadonlySet<FeatureClass> = new Set();

/** Cost of decoding, clipping and encoding a tile, per byte [µs]. */
const COMPOSE_COST = 0.3;

/**
 * The basemap of the live builds. `operatorArchive` is the key of a PMTiles archive in the same bucket, uploaded by the
 * operator, which replaces the builds' archives.
 */
export async function openBasemap(geodata: Geodata, bucket: ObjectBucket, operatorArchive?: string): Promise<Basemap> {
  const { grounds, world, sources } = liveGrounds(geodata);
  if (operatorArchive) {
    const { ground } = await openOperatorArchive(bucket, operatorArchive, leavesOf(operatorArchive));
    return new Basemap([ground], world, [...ground.sources, ...(world?.sources ?? [])], geodata.leftOut);
  }
  return new Basemap(grounds, world, sources, geodata.leftOut);
}

interface LiveGrounds {
  /** The one with the smallest area first. */
  grounds: readonly Ground[];
  world: Ground | undefined;
  sources: readonly DataSource[];
}

/** By the list of live builds, which requests share until it changes. */
const groundsOf = new WeakMap<Geodata["builds"], LiveGrounds>();

function liveGrounds(geodata: Geodata): LiveGrounds {
  const known = groundsOf.get(geodata.builds);
  if (known) return known;
  const world = geodata.world?.has(BASEMAP_LAYER) ? groundOf(geodata.world) : undefined;
  const bySize = geodata
    .with(BASEMAP_LAYER)
    .map(groundOf)
    .map((ground) => ({ ground, size: sizeOf(ground) }))
    .sort((a, b) => a.size - b.size);
  const sources = [...geodata.with(BASEMAP_LAYER).map(groundOf), ...(world ? [world] : [])].flatMap(
    (ground) => ground.sources,
  );
  const named = new Map(sources.map((source) => [source.name, source]));
  const live = { grounds: bySize.map(({ ground }) => ground), world, sources: [...named.values()] };
  groundsOf.set(geodata.builds, live);
  return live;
}

function sizeOf({ rects }: Ground): number {
  return Math.min(...rects.map(({ left, right, top, bottom }) => (right - left) * (bottom - top)));
}
