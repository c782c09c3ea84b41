import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, POINT, properties } from "./feature.ts";
import { namesOf } from "./names.ts";

/**
 * Kind = the tag's value; the zoom from which a map without crowding names it. Tiles end at 15: readers obey
 * `min_zoom`.
 */
const KINDS: Record<string, Record<string, number>> = {
  aeroway: { aerodrome: 11, terminal: 15, heliport: 14, helipad: 16 },
  railway: { station: 13, halt: 14, tram_stop: 16, subway_entrance: 17 },
  amenity: {
    university: 14,
    hospital: 14,
    ferry_terminal: 14,
    bus_station: 15,
    college: 15,
    townhall: 15,
    theatre: 15,
    school: 15,
    library: 16,
    courthouse: 16,
    police: 16,
    fire_station: 16,
    post_office: 16,
    marketplace: 16,
    place_of_worship: 16,
    cinema: 16,
    arts_centre: 16,
    community_centre: 17,
    kindergarten: 17,
    clinic: 17,
    pharmacy: 17,
    restaurant: 17,
    cafe: 17,
    fast_food: 17,
    bar: 17,
    pub: 17,
    nightclub: 17,
    biergarten: 17,
    ice_cream: 17,
    bank: 17,
    fuel: 17,
    parking: 17,
    charging_station: 18,
    doctors: 18,
    dentist: 18,
    veterinary: 18,
    car_rental: 18,
    fountain: 18,
    toilets: 18,
    drinking_water: 18,
  },
  tourism: {
    zoo: 14,
    theme_park: 14,
    museum: 15,
    aquarium: 15,
    attraction: 15,
    viewpoint: 16,
    gallery: 16,
    hotel: 16,
    camp_site: 16,
    hostel: 17,
    motel: 17,
    guest_house: 18,
    information: 18,
    artwork: 18,
  },
  leisure: {
    park: 15,
    nature_reserve: 14,
    golf_course: 14,
    stadium: 14,
    marina: 15,
    garden: 16,
    sports_centre: 16,
    playground: 17,
    water_park: 15,
    fitness_centre: 18,
    pitch: 18,
  },
  historic: { castle: 15, monument: 16, memorial: 17, ruins: 16, archaeological_site: 16, fort: 15 },
  natural: { peak: 13, volcano: 12, beach: 14, cave_entrance: 16, spring: 17 },
  landuse: { cemetery: 15 },
  boundary: { national_park: 11 },
  shop: {
    mall: 15,
    department_store: 16,
    supermarket: 16,
    bakery: 17,
    convenience: 17,
    books: 17,
    clothes: 17,
    electronics: 17,
    hairdresser: 18,
    beauty: 18,
    butcher: 18,
    florist: 18,
    jewelry: 18,
    bicycle: 18,
    car: 17,
    doityourself: 17,
    furniture: 17,
    sports: 17,
    shoes: 18,
    optician: 18,
    chemist: 17,
  },
  office: { government: 17, diplomatic: 16 },
  highway: { bus_stop: 17 },
};

/**
 * Large areas are named from farther away: a park of a tenth of the screen, say. Area in units of the plane squared.
 */
function zoomOfArea(area: number): number {
  // The zoom at which the area covers 60 × 60 pixels of 512-pixel tiles (8 units a pixel).
  return area > 0 ? Math.ceil(15 - Math.log2(Math.sqrt(area) / (60 * 8))) : 99;
}

/** Not before this zoom, however large. */
const EARLIEST = 9;

/** Shown without a name too: people look for one of many. Car parks are shown if they are large enough for a sign. */
const WITHOUT_NAME: Readonly<Record<string, number>> = { parking: 17, toilets: 18, drinking_water: 18 };

/** The sign of a car park needs an area of 18 × 18 pixels of 512-pixel tiles at zoom 17. */
const MIN_PARKING = (18 * 2) ** 2;

function isShownWithoutName({ amenity, access, parking }: Tags, area: number): boolean {
  if (amenity === undefined || WITHOUT_NAME[amenity] === undefined) return false;
  if (access === "private" || access === "no") return false;
  if (amenity !== "parking") return true;
  return parking !== "street_side" && parking !== "lane" && (area === 0 || area >= MIN_PARKING);
}

/** Kind and usual zoom of a point of interest; a square has no tag that is its kind. */
function kindOf(tags: Tags, area: number): [kind: string, minZoom: number] | undefined {
  if (!tags.name) return isShownWithoutName(tags, area) ? [tags.amenity, WITHOUT_NAME[tags.amenity]] : undefined;
  for (const key in KINDS) {
    const kind = tags[key];
    const usual = kind !== undefined ? KINDS[key][kind] : undefined;
    if (usual !== undefined && kind !== undefined) return [kind, usual];
  }
  const isSquare = tags.place === "square" || (area > 0 && tags.highway === "pedestrian");
  return isSquare ? ["square", 17] : undefined;
}

/** A point of interest; `area` of what it stands for, 0 for a point. */
export function poiFeature(tags: Tags, parts: number[][], area: number): BasemapFeature | undefined {
  const found = kindOf(tags, area);
  if (!found) return undefined;
  const [kind, usual] = found;
  const minZoom = Math.max(EARLIEST, Math.min(usual, zoomOfArea(area)));
  return {
    layer: "pois",
    type: POINT,
    parts,
    minZoom: Math.min(15, minZoom),
    properties: properties({
      kind,
      ...namesOf(tags),
      min_zoom: minZoom,
      iata: tags.iata,
      elevation: kind === "peak" || kind === "volcano" ? metres(tags.ele) : undefined,
    }),
    order: -minZoom,
  };
}

function metres(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? "");
  return Number.isFinite(value) ? Math.round(value) : undefined;
}

export const POI_TAGS: readonly string[] = [
  "place=square",
  ...Object.entries(KINDS).flatMap(([key, kinds]) => Object.keys(kinds).map((kind) => `${key}=${kind}`)),
];
