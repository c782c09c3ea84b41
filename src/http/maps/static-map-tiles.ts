import { BoundedCache } from "../../geo/bounded-cache.ts";
import type { Basemap } from "../../geodata/basemap.ts";
import type { PlacedTile } from "../../maps/shapes.ts";
import { readTile, type Tile, tileWeight } from "../../maps/vector-tile.ts";
import { type TilePlace, tilesBehind, type View } from "../../maps/view.ts";

/** Largest zoom with tiles of its own; beyond, they are drawn larger. */
const TILE_ZOOM = 15;
/** Decoded tiles kept by the isolate [bytes]. */
const CACHE_BYTES = 8 * 1024 * 1024;

const cache = new BoundedCache(CACHE_BYTES);

/** The tiles behind a view, read side by side; where there is none the map shows the style's background. */
export async function readTiles(basemap: Basemap, view: View): Promise<PlacedTile[]> {
  const read = new Map<string, Promise<Tile | undefined>>();
  const places = tilesBehind(view, TILE_ZOOM);
  const placed = await Promise.all(
    places.map(async (place): Promise<PlacedTile | undefined> => {
      // A small world repeats its tiles.
      const key = `${basemap.version}/${place.z}/${place.x}/${place.y}`;
      let tile = read.get(key);
      if (!tile) {
        tile = decoded(basemap, key, place);
        read.set(key, tile);
      }
      const found = await tile;
      return found && { ...place, tile: found };
    }),
  );
  return placed.filter((tile) => tile !== undefined);
}

async function decoded(basemap: Basemap, key: string, { z, x, y }: TilePlace): Promise<Tile | undefined> {
  const known = cache.get(key);
  if (known) return known.value as Tile | undefined;
  const bytes = await basemap.tile(z, x, y);
  const tile = bytes && readTile(bytes);
  cache.put(key, tile, tile ? tileWeight(tile) : 100);
  return tile;
}
