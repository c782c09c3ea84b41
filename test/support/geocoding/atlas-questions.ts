import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { fold } from "../../../src/core/geocoding/words/normalise.ts";
import { countryName } from "../../../src/core/regions/region.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import FORMS from "./atlas-forms.json" with { type: "json" };
import { keyOf, withAreas } from "./namesakes.ts";
import type { Question } from "./question.ts";

/** Questions about places of an atlas (Natural Earth), of which the world base has no list: what it calls them, and how well known they are. */

const LANGUAGES = ["de", "es", "fr", "pt", "ru", "zh"] as const;

interface Properties {
  name: string;
  name_en: string | null;
  adm1name: string | null;
  iso_a2: string;
  scalerank: number;
  pop_max: number;
  featurecla: string;
  latitude: number;
  longitude: number;
}

type Feature<T> = { properties: T; geometry: { coordinates: unknown } };

const read = <T>(file: string): Feature<T>[] =>
  JSON.parse(gunzipSync(readFileSync(join(EXTRACTS, "natural-earth", file))).toString()).features;

interface Place extends Coordinate {
  name: string;
  names: Partial<Record<(typeof LANGUAGES)[number], string>>;
  country: string;
  state: string;
  people: number;
  rank: number;
}

function places(): Place[] {
  return read<Properties & Record<string, string>>("populated-places.geojson.gz").flatMap(({ properties: one }) => {
    const name = one.name_en ?? one.name;
    if (!/^[A-Z]{2}$/.test(one.iso_a2) || one.pop_max < 20_000) return [];
    const names = Object.fromEntries(
      LANGUAGES.flatMap((language) => (one[`name_${language}`] ? [[language, one[`name_${language}`]]] : [])),
    );
    const { latitude, longitude, iso_a2: country, adm1name, pop_max: people, scalerank: rank } = one;
    return [{ name, names, country, state: adm1name ?? "", latitude, longitude, people, rank }];
  });
}

/** The most of each kind. */
export function atlasQuestions(seed: number, most = 250): Question[] {
  const draw = randomFrom(seed);
  const all = places();
  const known = all.filter((one) => isBestKnown(one, all));
  const some = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return Array.from(
      { length: Math.min(most, left.length) },
      () => left.splice(Math.floor(draw() * left.length), 1)[0],
    );
  };
  const ask = (set: string, query: string, { latitude, longitude, country, people }: Place): Question => ({
    set: `atlas: ${set}`,
    query,
    at: [{ latitude, longitude }],
    km: people > 1_000_000 ? 50 : 35,
    from: country,
  });
  const foreign = known.flatMap((one) =>
    LANGUAGES.flatMap((language) => {
      const name = one.names[language];
      return name === undefined || fold(name) === fold(one.name) ? [] : [{ one, language, name }];
    }),
  );
  return [
    ...some(known).flatMap((one) => withAreas(ask("city", one.name, one), one.name, one)),
    ...some(known.filter((one) => /['’ʻ‘-]/.test(one.name))).flatMap((one) =>
      withAreas(ask("without marks", plain(one.name), one), one.name, one),
    ),
    ...some(all.filter(({ state, rank }) => state !== "" && rank < 8)).map((one) =>
      ask("city, state", `${one.name}, ${one.state}`, one),
    ),
    ...some(all.filter(({ state }) => state !== "")).map((one) =>
      ask("city, state, country", `${one.name}, ${one.state}, ${countryName(one.country)}`, one),
    ),
    ...some(foreign.filter(({ one }) => one.rank < 7)).flatMap(({ one, name }) =>
      withAreas(ask("exonym", name, one), name, one),
    ),
    ...some(foreign).map(({ one, language, name }) =>
      ask("exonym, country", `${name}, ${countryName(one.country, language)}`, one),
    ),
    ...regions(some),
    ...lines(all, draw, most, ask),
    ...codes(),
  ];
}

const plain = (name: string) => name.replace(/['’ʻ‘]/g, "").replaceAll("-", " ");

/** No place of this name in the atlas or in GeoNames has a third of its people. */
function isBestKnown(one: Place, all: readonly Place[]): boolean {
  names ??= Map.groupBy(worldCities(), ({ name }) => keyOf(name));
  const key = keyOf(one.name);
  if (one.rank > 7 || one.people < 50_000) return false;
  if (all.some((other) => other !== one && keyOf(other.name) === key && other.people * 3 > one.people)) return false;
  const others = names.get(key) ?? [];
  return others.every((other) => distance(other, one) < 50_000 || other.population * 3 < one.people);
}
let names: Map<string, readonly (Coordinate & { population: number })[]> | undefined;

/** Islands and natural regions that maps name at small scales. */
function regions(some: <T>(list: readonly T[]) => T[]): Question[] {
  interface Region {
    name: string | null;
    featurecla: string;
    scalerank: number;
  }
  const wanted = read<Region>("regions.geojson.gz").filter(
    ({ properties: { name, featurecla, scalerank } }) =>
      name !== null && /^(?:Island|Island group|Peninsula)$/.test(featurecla) && scalerank < 6 && !/\./.test(name),
  );
  // What is on both sides of the 180th meridian has its middle elsewhere.
  const isWide = ({ geometry }: Feature<Region>) => {
    const [west, , east] = boundsOf((geometry.coordinates as unknown[]).flat(4) as number[]);
    return east - west > 60;
  };
  return some(wanted.filter((one) => !isWide(one))).map(({ properties: { name }, geometry }) => {
    const corners = (geometry.coordinates as unknown[]).flat(4) as number[];
    const [west, south, east, north] = boundsOf(corners);
    const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
    const km = 60 + distance({ latitude: south, longitude: west }, { latitude: north, longitude: east }) / 1500;
    return { set: "atlas: island or region", query: title(name!), at: [middle], km, from: name! };
  });
}

const title = (name: string) =>
  name === name.toUpperCase() ? name.toLowerCase().replace(/(^|[\s-])\p{L}/gu, (letter) => letter.toUpperCase()) : name;

function boundsOf(corners: readonly number[]): [number, number, number, number] {
  const out: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  corners.forEach((value, i) => {
    out[i % 2] = Math.min(out[i % 2], value);
    out[2 + (i % 2)] = Math.max(out[2 + (i % 2)], value);
  });
  return out;
}

/** Addresses as people of a country write them, that nobody imported: the city is the answer. */
function lines(
  all: readonly Place[],
  draw: () => number,
  most: number,
  ask: (set: string, query: string, place: Place) => Question,
): Question[] {
  const byCountry = Map.groupBy(all, ({ country }) => country);
  const rows = FORMS.lines as { country: string; language?: string; forms: string[] }[];
  return Array.from({ length: most * 2 }, (_, i) => {
    const { country, language, forms } = rows[i % rows.length];
    const form = forms[Math.floor(draw() * forms.length)];
    // Without its state, only a city that everyone knows can be meant.
    const isNamed = /STATE/.test(form);
    const own = byCountry.get(country)!.filter(({ people }) => people > 100_000);
    const some = own.filter((one) => (isNamed ? one.state !== "" : isBestKnown(one, all)));
    const place = some[Math.floor(draw() * some.length)];
    const city = place.names[language as "de"] ?? place.name;
    const query = form.replaceAll("CITY", city).replaceAll("STATE", place.state);
    return ask("line of a country", query, place);
  });
}

/** Postal codes of all countries, which no list of the base has. */
const codes = (): Question[] =>
  (FORMS.codes as [string, string, number, number, number][]).map(([country, query, latitude, longitude, km]) => ({
    set: "atlas: postal code",
    query,
    at: [{ latitude, longitude }],
    km,
    from: country,
  }));
