import type { Layer } from "../frame/layer.ts";
import { addressesLayer } from "../layers/addresses/addresses-layer.ts";
import { worldAddresses } from "../layers/addresses/world-addresses.ts";
import { basemapLayer } from "../layers/basemap/basemap-layer.ts";
import { worldBasemap } from "../layers/basemap/world-basemap.ts";
import { placesLayer } from "../layers/places/places-layer.ts";
import { osmRegions } from "../layers/regions/osm-regions.ts";
import { worldRegions } from "../layers/regions/world-regions.ts";
import { roadsLayer } from "../layers/roads/roads-layer.ts";

/** What an import of extracts builds, in this order. */
export const layers: readonly Layer[] = [osmRegions, placesLayer, addressesLayer, roadsLayer, basemapLayer];

/** What the build named `world` holds: the same for everybody, from packages, with no extract. */
export const worldLayers: readonly Layer[] = [worldRegions, worldAddresses, worldBasemap];
