import type { Tags } from "../../../osm/pbf/element.ts";

/**
 * The kind of an area on the map, and its maximum first zoom; small areas show once they are a pixel or two.
 */
interface AreaClass {
  layer: "landuse" | "water" | "buildings";
  kind: string;
  kindDetail?: string;
  minZoom: number;
}

const LANDUSE: Record<string, Record<string, [kind: string, minZoom: number]>> = {
  aeroway: {
    aerodrome: ["aerodrome", 10],
    runway: ["runway", 10],
    taxiway: ["taxiway", 12],
    apron: ["taxiway", 12],
    helipad: ["taxiway", 14],
  },
  leisure: {
    park: ["park", 8],
    garden: ["garden", 12],
    golf_course: ["golf_course", 10],
    dog_park: ["dog_park", 13],
    playground: ["playground", 13],
    pitch: ["pitch", 13],
    track: ["pitch", 13],
    nature_reserve: ["nature_reserve", 8],
    recreation_ground: ["recreation_ground", 11],
    sports_centre: ["recreation_ground", 12],
    stadium: ["stadium", 12],
    common: ["park", 10],
  },
  amenity: {
    hospital: ["hospital", 11],
    clinic: ["hospital", 13],
    school: ["school", 12],
    kindergarten: ["kindergarten", 13],
    university: ["university", 11],
    college: ["college", 11],
    grave_yard: ["cemetery", 12],
    parking: ["parking", 14],
  },
  tourism: { zoo: ["zoo", 11], theme_park: ["attraction", 12], camp_site: ["recreation_ground", 13] },
  natural: {
    beach: ["beach", 10],
    wood: ["wood", 6],
    glacier: ["glacier", 6],
    grassland: ["grassland", 8],
    scrub: ["scrub", 8],
    heath: ["scrub", 8],
    sand: ["sand", 9],
    shingle: ["sand", 12],
    wetland: ["wetland", 9],
    bare_rock: ["bare_rock", 9],
    scree: ["bare_rock", 9],
  },
  landuse: {
    forest: ["forest", 6],
    farmland: ["farmland", 8],
    vineyard: ["orchard", 9],
    orchard: ["orchard", 9],
    farmyard: ["farmyard", 12],
    meadow: ["meadow", 9],
    grass: ["grass", 11],
    village_green: ["village_green", 11],
    recreation_ground: ["recreation_ground", 11],
    allotments: ["allotments", 11],
    cemetery: ["cemetery", 10],
    residential: ["residential", 8],
    commercial: ["commercial", 9],
    retail: ["commercial", 9],
    industrial: ["industrial", 9],
    port: ["industrial", 10],
    quarry: ["industrial", 10],
    railway: ["railway", 11],
    military: ["military", 9],
    religious: ["school", 13],
    education: ["school", 12],
  },
  boundary: { national_park: ["national_park", 6] },
  highway: { pedestrian: ["pedestrian", 13], footway: ["pedestrian", 14], platform: ["platform", 14] },
  "area:highway": {
    pedestrian: ["pedestrian", 14],
    footway: ["pedestrian", 15],
    living_street: ["pedestrian", 14],
    steps: ["pedestrian", 15],
  },
  place: { square: ["pedestrian", 13] },
  railway: { platform: ["platform", 14] },
  public_transport: { platform: ["platform", 14] },
  man_made: { pier: ["pier", 12], breakwater: ["pier", 13], bridge: ["pedestrian", 14] },
};

/** Rivers show from far away; basins and pools only from near. */
const WATER_KINDS: Record<string, [kind: string, minZoom: number]> = {
  river: ["river", 6],
  canal: ["canal", 9],
  stream: ["stream", 12],
  lake: ["lake", 4],
  reservoir: ["lake", 4],
  lagoon: ["lake", 4],
  oxbow: ["lake", 8],
  pond: ["water", 12],
  basin: ["basin", 12],
  wastewater: ["basin", 13],
  dock: ["dock", 11],
  harbour: ["dock", 11],
};

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
    const [kind, minZoom] = known;
    return { layer: "landuse", kind, minZoom, ...(kind !== value && { kindDetail: value }) };
  }
  return undefined;
}

function waterClass(tags: Tags): Omit<AreaClass, "layer"> | undefined {
  if (tags.natural === "water") {
    const [kind, minZoom] = WATER_KINDS[tags.water ?? ""] ?? ["water", 6];
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
