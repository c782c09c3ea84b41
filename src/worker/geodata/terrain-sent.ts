import type { Pace } from "../../core/geo/pace.ts";
import type { Basemap } from "./basemap.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";
import { packed, tileAsSent } from "./map-tiles.ts";
import { type TileId, terrainBytes, terrainVersion } from "./terrain.ts";

/** A tile of the basemap with the hills, compressed if `gzip` is set; not `isWhole` if a damaged block was left out. */
export async function terrainTileAsSent(
  geodata: Geodata,
  basemap: Basemap,
  id: TileId,
  gzip: boolean,
  pace: Pace,
): Promise<{ tile: Uint8Array | undefined; isWhole: boolean }> {
  const key = `${terrainVersion(geodata)}/${basemap.version}/${id.z}/${id.x}/${id.y}#${gzip ? "gzip" : "plain"}`;
  const known = cache.get(key);
  if (known) return { tile: known.value as Uint8Array, isWhole: true };
  const map = await tileAsSent(basemap, id, false, pace);
  const { drawn: hills, isWhole } = await terrainBytes(geodata, id, pace);
  // The layers of a vector tile are a repeated field: tiles that follow one another are one tile.
  const plain = new Uint8Array((map?.length ?? 0) + (hills?.length ?? 0));
  if (map) plain.set(map);
  if (hills) plain.set(hills, map?.length ?? 0);
  if (plain.length === 0) return { tile: undefined, isWhole };
  const bytes = gzip ? await packed(plain) : plain;
  if (basemap.whole && isWhole) cache.put(key, bytes, bytes.length);
  return { tile: bytes, isWhole };
}
