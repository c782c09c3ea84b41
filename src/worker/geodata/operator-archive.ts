import { type DirectoryCache, TileArchive } from "../../core/maps/tiles/archive.ts";
import { planeRects } from "../../core/maps/tiles/plane.ts";
import type { Ground } from "./ground.ts";
import type { ObjectBucket } from "./object-bucket.ts";

interface Opened {
  ground: Ground;
}

const opened = new WeakMap<ObjectBucket, Map<string, Opened>>();

/** The object was replaced while it was read. */
class Replaced extends Error {
  override name = "Replaced";
}

/**
 * An archive that the operator put into the bucket, such as a planet build of Protomaps. It may be replaced at any
 * time: every read requires the ETag of the first one, and if that is gone the archive is opened again.
 * @throws Error if there is no such object, or it is not a PMTiles archive of vector tiles
 */
export async function openOperatorArchive(bucket: ObjectBucket, key: string, leaves: DirectoryCache): Promise<Opened> {
  const known = opened.get(bucket)?.get(key);
  if (known) return known;
  const { archive, etag } = await openArchive(bucket, key, leaves);
  const metadata = await archive.metadata();
  const attribution = typeof metadata.attribution === "string" ? plainText(metadata.attribution) : undefined;
  const { minZoom, maxZoom, bounds } = archive.header;
  const one: Opened = {
    ground: {
      id: `${key}@${etag}`,
      zooms: async () => ({ minZoom, maxZoom }),
      knownZooms: () => ({ minZoom, maxZoom }),
      rects: planeRects(bounds),
      isComplete: true,
      sources: [{ name: key, url: "", licence: "the operator's own", ...(attribution && { attribution }) }],
      async tile(z, x, y) {
        try {
          return await archive.tile(z, x, y);
        } catch (error) {
          if (!(error instanceof Replaced)) throw error;
          opened.get(bucket)?.delete(key);
          return (await openOperatorArchive(bucket, key, leaves)).ground.tile(z, x, y);
        }
      },
    },
  };
  const all = opened.get(bucket) ?? new Map<string, Opened>();
  all.set(key, one);
  opened.set(bucket, all);
  return one;
}

async function openArchive(bucket: ObjectBucket, key: string, leaves: DirectoryCache) {
  let etag: string | undefined;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const object = await bucket.get(key, {
      range: { offset, length },
      ...(etag !== undefined && { onlyIf: { etagMatches: etag } }),
    });
    if (!object) throw new Error(`BASEMAP_ARCHIVE is ${key}, which is not in the bucket`);
    if (!object.arrayBuffer) throw new Replaced(`${key} was replaced`);
    etag ??= object.etag;
    return new Uint8Array(await object.arrayBuffer());
  };
  // Leaves are cached by ETag, so that those of a replaced archive are not used.
  const archive = await TileArchive.open(read, {
    get: (leaf) => leaves.get(`${etag}#${leaf}`),
    put: (leaf, directory, bytes) => leaves.put(`${etag}#${leaf}`, directory, bytes),
  });
  return { archive, etag };
}

/** Attributions in archives are HTML. */
function plainText(html: string): string {
  return html.replace(/<[^<>]*>/g, "").trim();
}
