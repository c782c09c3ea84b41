import type { Pace } from "../../core/geo/pace.ts";
import { type TilePlace, tilesBehind, type View } from "../../core/maps/base/view.ts";
import type { PlacedTile } from "../../core/maps/shapes/shapes.ts";
import { MAX_ZOOM } from "../../core/maps/tiles/plane.ts";
import { readTile, type Tile, tileWeight } from "../../core/maps/tiles/vector-tile.ts";
import type { Basemap } from "./basemap.ts";
import { BASEMAP_LAYER } from "./build-ground.ts";
import { cacheFiguresOf } from "./cache-figures.ts";
import { isolateCache as cache } from "./isolate-cache.ts";

/** Cost of decoding a tile, per byte [µs]. */
const DECODE_COST = 0.1;
/** Tiles decoded for drawing, counted separately from those sent unchanged. */
const figures = cacheFiguresOf("basemap drawn");
/** Cache size of a missing tile. */
const NOTHING_BYTES = 100;

/**
 * The tiles of a view, read in parallel and decoded for drawing; without a tile the map shows the style's background.
 * Beyond the maximum zoom, the finest tiles are drawn larger. A tile composed without a damaged part is not cached.
 */
export async function mapTiles(basemap: Basemap, view: View, pace: Pace): Promise<PlacedTile[]> {
  const read = new Map<string, Promise<Tile | undefined>>();
  const placed = await Promise.all(
    tilesBehind(view, MAX_ZOOM).map(async (place): Promise<PlacedTile | undefined> => {
      // A small world repeats its tiles.
      const key = `${place.z}/${place.x}/${place.y}`;
      let tile = read.get(key);
      if (!tile) {
        tile = decoded(basemap, `${basemap.version}/${key}#drawn`, place, pace);
        read.set(key, tile);
      }
      const found = await tile;
      return found && { ...place, tile: found };
    }),
  );
  return placed.filter((tile) => tile !== undefined);
}

const sentFigures = cacheFiguresOf(BASEMAP_LAYER);

/**
 * The bytes of a tile as sent, compressed if `gzip` is set: compressed once and cached, because compression costs more
 * than the rest of the response. undefined if there is no tile. A tile without a damaged part is not cached.
 */
export async function tileAsSent(
  basemap: Basemap,
  { z, x, y }: Pick<TilePlace, "z" | "x" | "y">,
  gzip: boolean,
  pace: Pace,
): Promise<Uint8Array | undefined> {
  const name = `${basemap.version}/${z}/${x}/${y}`;
  const key = `${name}#${gzip ? "gzip" : "plain"}`;
  const known = cache.get(key);
  if (known) {
    sentFigures.hits++;
    return known.value as Uint8Array;
  }
  const plain = await basemap.tile(z, x, y, pace);
  const bytes = plain && gzip ? await packed(plain) : plain;
  // Composed tiles are already cached.
  if (bytes && basemap.whole && (gzip || !cache.get(name))) cache.put(key, bytes, bytes.length);
  return bytes;
}

export async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function decoded(basemap: Basemap, key: string, { z, x, y }: TilePlace, pace: Pace): Promise<Tile | undefined> {
  const known = cache.get(key);
  if (known) {
    figures.hits++;
    return known.value as Tile | undefined;
  }
  figures.misses++;
  const bytes = await basemap.tile(z, x, y, pace);
  const turn = pace.spend((bytes?.length ?? 0) * DECODE_COST);
  if (turn) await turn;
  const tile = bytes && readTile(bytes);
  if (basemap.whole) cache.put(key, tile, tile ? tileWeight(tile) : NOTHING_BYTES);
  return tile;
}
