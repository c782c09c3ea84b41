import type { Layer } from "../frame/layer.ts";
import { addressesLayer } from "../layers/addresses/addresses-layer.ts";
import { addressRows } from "../layers/addresses/records/overture-rows.ts";
import { worldAddresses } from "../layers/addresses/world-addresses.ts";
import { basemapLayer } from "../layers/basemap/basemap-layer.ts";
import { worldBasemap } from "../layers/basemap/world-basemap.ts";
import { placesLayer } from "../layers/places/places-layer.ts";
import { osmRegions } from "../layers/regions/osm-regions.ts";
import { worldCityPoints } from "../layers/regions/world-cities.ts";
import { worldRegions } from "../layers/regions/world-regions.ts";
import { roadsLayer } from "../layers/roads/roads-layer.ts";
import { divisionRows } from "../sources/overture/division-rows.ts";
import { placeRows } from "../sources/overture/place-rows.ts";
import type { RowReader } from "../sources/overture/row-reader.ts";

/** Layers of an import of extracts, in order. */
export const layers: readonly Layer[] = [osmRegions, placesLayer, addressesLayer, roadsLayer, basemapLayer];

/** Layers of the build `world`: built from packages, without an extract. */
export const worldLayers: readonly Layer[] = [worldRegions, worldCityPoints, worldAddresses, worldBasemap];

/** What is imported of a release of Overture, in order. */
export const overtureReaders: readonly RowReader[] = [addressRows, placeRows, divisionRows];
