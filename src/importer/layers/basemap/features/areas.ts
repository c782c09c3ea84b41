import { tableOf, tablesOf } from "../../../common/own-table.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import TABLES from "./areas.json" with { type: "json" };

/**
 * The kind of an area on the map, and its maximum first zoom; small areas show once they are a pixel or two.
 */
interface AreaClass {
  layer: "landuse" | "water" | "buildings";
  kind: string;
  kindDetail?: string;
  minZoom: number;
}

type KindFrom = [kind: string, minZoom: number];

const LANDUSE = tablesOf<(string | number)[]>(TABLES.landuse);

/** Rivers show from far away; basins and pools only from near. */
const WATER_KINDS = tableOf<(string | number)[]>(TABLES.water);

/** The kind of an area from its tags; undefined when the map does not show it. */
export function areaClass(tags: Tags): AreaClass | undefined {
  if (isSet(tags.building) && tags.location !== "underground") {
    return { layer: "buildings", kind: "building", minZoom: 13 };
  }
  if (isSet(tags["building:part"])) return { layer: "buildings", kind: "building_part", minZoom: 15 };
  const water = waterClass(tags);
  if (water) return { layer: "water", ...water };
  if (tags.tunnel === "yes" || tags.location === "underground") return undefined;
  for (const key in LANDUSE) {
    const value = tags[key];
    const known = value !== undefined && LANDUSE[key][value];
    if (!known) continue;
    const [kind, minZoom] = known as KindFrom;
    return { layer: "landuse", kind, minZoom, ...(kind !== value && { kindDetail: value }) };
  }
  return undefined;
}

function waterClass(tags: Tags): Omit<AreaClass, "layer"> | undefined {
  if (tags.natural === "water") {
    const [kind, minZoom] = (WATER_KINDS[tags.water ?? ""] ?? ["water", 6]) as KindFrom;
    return { kind, minZoom, ...(tags.water && tags.water !== kind && { kindDetail: tags.water }) };
  }
  if (tags.waterway === "riverbank") return { kind: "river", minZoom: 6 };
  if (tags.waterway === "dock" || tags.waterway === "canal") return { kind: tags.waterway, minZoom: 11 };
  if (tags.landuse === "reservoir") return { kind: "lake", kindDetail: "reservoir", minZoom: 4 };
  if (tags.landuse === "basin") return { kind: "basin", minZoom: 12 };
  if (tags.leisure === "swimming_pool" && tags.indoor !== "yes") return { kind: "swimming_pool", minZoom: 14 };
  if (tags.amenity === "fountain") return { kind: "fountain", minZoom: 15 };
  return undefined;
}

const isSet = (value: string | undefined) => value !== undefined && value !== "no";

/** Tags by which a closed way is an area although most ways with them are lines. */
export function isArea(tags: Tags): boolean {
  if (tags.area === "yes") return true;
  if (tags.area === "no") return false;
  if (tags.place === "square") return true;
  // A closed way with one of these is a street or a coast, not an area.
  const linear = tags.highway ?? tags.railway ?? tags.waterway;
  if (linear === "platform" || linear === "riverbank" || linear === "dock") return true;
  if (linear !== undefined && !isSet(tags.building) && tags.natural !== "water") return false;
  return true;
}

/** Keys and values an import has to read for areas. */
export const AREA_TAGS: readonly string[] = [
  "building",
  "building:part",
  "natural=water",
  "waterway=riverbank",
  "waterway=dock",
  "waterway=canal",
  "landuse=reservoir",
  "landuse=basin",
  "leisure=swimming_pool",
  "amenity=fountain",
  ...Object.entries(LANDUSE).flatMap(([key, values]) => Object.keys(values).map((value) => `${key}=${value}`)),
];
