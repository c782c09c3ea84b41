import { LANGUAGES, type Language } from "../../../../core/geocoding/entry/entry.ts";
import type { Names } from "../../../../core/geocoding/index/entry-record.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { iataCodes } from "../../places/iata-codes.ts";

/** Names in the ten languages, where they differ from the name itself. */
export function namesOf(tags: Tags): Names {
  return LANGUAGES.map((language) => [language, tags[`name:${language}`]] as const).filter(
    (pair): pair is readonly [Language, string] => pair[1] !== undefined && pair[1] !== tags.name,
  );
}

/**
 * An airport is also found by its codes: "YVR", "YVR Airport", "Flughafen MUC". The first name of a language is shown.
 */
export function airportNames(tags: Tags, name: string): Names {
  const names = namesOf(tags);
  const codes = iataCodes(tags);
  if (codes.length === 0) return names;
  const own = names.some(([language]) => language === "en") ? [] : [["en", name] as const];
  const coded = codes.flatMap((code) => [code, `${code} Airport`, `${code} ${name}`]);
  return [...names, ...own, ...coded.map((text) => ["en", text] as const)];
}

/** The importance of a place, 0 … 255. */
export function importanceOfPlace(tags: Tags): number {
  const airport = tags.aeroway === "aerodrome" && tags.iata ? 90 : 0;
  return 45 + (tags.wikidata ? 45 : 0) + (tags.wikipedia ? 25 : 0) + (tags["brand:wikidata"] ? 10 : 0) + airport;
}
