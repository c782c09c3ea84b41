import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import type { Language } from "../../../core/geocoding/entry/entry.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import type { City } from "../../../importer/world/cities.ts";
import { withoutArea } from "./area-words.ts";

/** Natural Earth's populated places (public domain), for lists of the world base data. */

/** Languages of the API in which Natural Earth has names, with the letters of each. */
const LANGUAGES: readonly (readonly [Language, RegExp])[] = [
  ...(["de", "es", "fr", "pt"] as const).map((language) => [language, /^[\p{Script=Latin}\p{M}\s'’.-]+$/u] as const),
  ["ru", /^[\p{Script=Cyrillic}\p{M}\s'’.-]+$/u],
  ["zh", /^[\p{Script=Han}·]+$/u],
];

/** A place of Natural Earth. */
interface Named extends Coordinate {
  /** GeoNames id; -1 without one, and of a few it is another place's. */
  geonameid: number;
  iso_a2: string;
  name: string;
  name_en: string | null;
  adm1name: string | null;
  featurecla: string;
  pop_max: number | null;
}
type Translated = Partial<Readonly<Record<`name_${Language}`, string | null>>>;
export type AtlasPlace = Named & Translated;

/** A place is the city of its id, or of its name, up to this distance [m]. */
const SAME_PLACE = 30_000;

/** Returns what lists the names of a place by language, of which `latin` is the name in the base; the Chinese ones simplified. */
export async function namesReader(folder: string) {
  const simplified = await simplifier(folder);
  return (place: AtlasPlace, country: string, latin: string): (readonly [Language, string])[] =>
    LANGUAGES.flatMap(([language, letters]) => {
      const listed = place[`name_${language}`]?.replace(/\s*[(,].*$/, "");
      const name = listed && language === "zh" ? withoutArea("zh", country, simplified(listed), latin) : listed;
      return name && letters.test(name) ? [[language, name] as const] : [];
    });
}

async function simplifier(folder: string): Promise<(name: string) => string> {
  const path = pathToFileURL(join(folder, "opencc-js/package/dist/esm/full.js")).href;
  const { Converter } = (await import(path)) as { Converter: (from: object) => (name: string) => string };
  return Converter({ from: "t", to: "cn" });
}

/** The best-known places first. */
export function atlasPlaces(folder: string): AtlasPlace[] {
  const bytes = gunzipSync(readFileSync(join(folder, "natural-earth/populated-places.geojson.gz")));
  const { features } = JSON.parse(bytes.toString()) as {
    features: { properties: AtlasPlace & { scalerank: number } }[];
  };
  return features.map(({ properties }) => properties).sort((a, b) => a.scalerank - b.scalerank);
}

/** The city of the base that a place is. */
export function cityFinder(cities: readonly City[], byName: ReadonlyMap<string, readonly City[]>) {
  const byId = new Map(cities.map((city) => [city.id, city]));
  return (place: AtlasPlace): City | undefined => {
    const isHere = (city: City) => distance(city, place) < SAME_PLACE;
    const own = byId.get(place.geonameid);
    if (own && isHere(own)) return own;
    return [place.name_en ?? place.name, place.name]
      .flatMap((name) => byName.get(fold(name)) ?? [])
      .find((city) => city.country === place.iso_a2 && isHere(city));
  };
}
