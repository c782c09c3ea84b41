import { type LiveList, WORLD } from "../../core/geo/builds/manifest.ts";
import { ADDRESSES_VERSION } from "../../core/geocoding/entry/entry.ts";
import { BASEMAP_VERSION } from "../../core/maps/tiles/archive-writer.ts";
import { CITIES_LAYER, CITIES_VERSION } from "../../core/regions/near-cities.ts";
import { REGION_TILE_VERSION } from "../../core/regions/tile-format.ts";

/** Layers of the world base and their formats, known without loading what builds them: a server that finds them live needs no more. */
export const WORLD_FORMATS: Readonly<Record<string, number>> = {
  regions: REGION_TILE_VERSION,
  [CITIES_LAYER]: CITIES_VERSION,
  addresses: ADDRESSES_VERSION,
  basemap: BASEMAP_VERSION,
};

/** Whether the live world base has the layers and formats that this program makes. */
export function isWorldCurrent({ builds }: Pick<LiveList, "builds">, formats = WORLD_FORMATS): boolean {
  const live = builds.find(({ name }) => name === WORLD);
  return (
    live !== undefined &&
    Object.keys(live.layers).length === Object.keys(formats).length &&
    Object.entries(formats).every(([name, version]) => live.layers[name] === version)
  );
}
