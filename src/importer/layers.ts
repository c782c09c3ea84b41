import { addressesLayer } from "./addresses/addresses-layer.ts";
import { worldAddresses } from "./addresses/world-addresses.ts";
import { basemapLayer } from "./basemap/basemap-layer.ts";
import { worldBasemap } from "./basemap/world-basemap.ts";
import type { Layer } from "./layer.ts";
import { placesLayer } from "./places/places-layer.ts";
import { osmRegions } from "./regions/osm-regions.ts";
import { worldRegions } from "./regions/world-regions.ts";
import { roadsLayer } from "./roads/roads-layer.ts";

/** What an import of extracts builds, in this order. */
export const layers: readonly Layer[] = [osmRegions, placesLayer, addressesLayer, roadsLayer, basemapLayer];

/** What the build named `world` holds: the same for everybody, from packages, with no extract. */
export const worldLayers: readonly Layer[] = [worldRegions, worldAddresses, worldBasemap];
