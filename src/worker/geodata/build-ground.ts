import { areasOf, sourcesOf } from "../../core/geo/builds/manifest.ts";
import type { TileSource } from "../../core/geo/builds/tile-source.ts";
import { type RangeReader, TileArchive } from "../../core/maps/tiles/archive.ts";
import { planeRects } from "../../core/maps/tiles/plane.ts";
import { type DirectoryEntry, decodeHeader } from "../../core/maps/tiles/pmtiles.ts";
import { glyphsOf, unitsOf } from "./glyphs.ts";
import type { Ground, Zooms } from "./ground.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { BuildSource } from "./r2-source.ts";

/** The archive of a build; the layer `basemap` also contains the glyphs of its names. */
export const BASEMAP_LAYER = "basemap";
export const BASEMAP_KEY = `${BASEMAP_LAYER}/tiles.pmtiles`;
/** The minimum zoom of an import's map is at most this (importer/layers/basemap). */
const ALL_HAVE_FROM = 12;

// Values only: a promise belongs to the request that created it.
const archives = new WeakMap<BuildSource, TileArchive>();
const zoomsOf = new WeakMap<BuildSource, Zooms>();

/** The archive of a build, opened on demand. */
export function groundOf(source: BuildSource): Ground {
  const { id } = source.build;
  const open = async (): Promise<TileArchive> => {
    const known = archives.get(source);
    if (known) return known;
    const archive = await source.checked(BASEMAP_KEY, "head", (from) => TileArchive.open(rangesOf(from), leavesOf(id)));
    archives.set(source, archive);
    return archive;
  };
  return {
    id,
    rects: areasOf(source.build, BASEMAP_LAYER).flatMap(planeRects),
    sources: sourcesOf(source.build, BASEMAP_LAYER),
    knownZooms: () => archives.get(source)?.header ?? zoomsOf.get(source),
    async zooms(z) {
      // Every import has tiles at these zooms, so it will be opened anyway.
      const paged = z < ALL_HAVE_FROM ? (await source.pages.find(id, BASEMAP_KEY))?.bytes : undefined;
      const { minZoom, maxZoom } = (paged && headerIn(paged)) ?? (await open()).header;
      zoomsOf.set(source, { minZoom, maxZoom });
      return { minZoom, maxZoom };
    },
    async tile(z, x, y) {
      const archive = await open();
      return source.checked(BASEMAP_KEY, `${z}/${x}/${y}`, (from) => archive.tile(z, x, y, rangesOf(from)));
    },
    glyphs: (units) => glyphsOf(source, units),
    units: () => unitsOf(source),
  };
}

/** undefined if the archive was damaged when its page was created: opening it then reports that. */
function headerIn(bytes: Uint8Array): Zooms | undefined {
  try {
    return decodeHeader(bytes);
  } catch {
    return undefined;
  }
}

function rangesOf(source: TileSource): RangeReader {
  return async (offset, length) => {
    const bytes = await source.read(BASEMAP_KEY, { offset, length });
    if (!bytes) throw new Error("it is missing");
    return bytes;
  };
}

/** Leaf directories, in the isolate's cache. */
export function leavesOf(archive: string) {
  return {
    get: (key: string) => cache.get(`${archive}#${key}`)?.value as readonly DirectoryEntry[] | undefined,
    put: (key: string, leaf: readonly DirectoryEntry[], bytes: number) => cache.put(`${archive}#${key}`, leaf, bytes),
  };
}
