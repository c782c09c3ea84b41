import { countryName } from "../../regions/region.ts";
import { type Context, LANGUAGES } from "../entry/entry.ts";
import { separableArticles } from "../words/articles.ts";
import { tokensOf } from "../words/normalise.ts";
import { otherCityNames } from "./city-names.ts";
import { officialNameOf } from "./country-names.ts";
import { provinceOf } from "./italian-provinces.ts";
import { stateNameOf } from "./states.ts";

export type ContextPart = "city" | "county" | "state" | "country";

/** Names of a country besides its names in the languages of the API. */
const MORE: Record<string, string> = {
  AE: "uae",
  AT: "österreich",
  BR: "brasil",
  CH: "schweiz suisse svizzera",
  CN: "中国",
  CZ: "czech republic česko",
  DK: "danmark",
  FI: "suomi",
  GB: "uk england scotland wales britain",
  GR: "ελλάδα",
  HU: "magyarország",
  IT: "italia",
  JP: "日本",
  KR: "korea 한국",
  NL: "nederland holland",
  NO: "norge",
  PL: "polska",
  RU: "россия",
  SE: "sverige",
  TR: "turkey türkiye",
  UA: "україна",
  US: "usa america",
};

const byCountry = new Map<string, readonly string[]>();

function countryWords(code: string): readonly string[] {
  let words = byCountry.get(code);
  if (!words) {
    const names = LANGUAGES.map((language) => countryName(code, language));
    words = [...new Set([code.toLowerCase(), ...names, MORE[code] ?? "", ...officialNameOf(code)].flatMap(tokensOf))];
    byCountry.set(code, words);
  }
  return words;
}

export interface ContextWord {
  part: ContextPart;
  /** How many words the name has that it belongs to: only all of them together confirm it. */
  of: number;
  /** May stand for the whole: "Frankfurt" of Frankfurt am Main, but not "Columbia" of British Columbia. */
  leads: boolean;
}

const known = new WeakMap<Context, ReadonlyMap<string, ContextWord>>();

/** The words that may follow a name: those of its city, county, state and country. */
export function contextWords(context: Context): ReadonlyMap<string, ContextWord> {
  let words = known.get(context);
  if (!words) {
    const made = new Map<string, ContextWord>();
    const add = (part: ContextPart, list: readonly string[], of = list.length) => {
      for (const [i, word] of list.entries()) {
        const leads = i === 0 || i === list.length - of;
        if (!made.has(word)) made.set(word, { part, of, leads: leads && part === "city" && word.length > 3 });
      }
    };
    const city = tokensOf(context.city);
    // "Sliema" is all of Tas-Sliema.
    add("city", city, city.length - separableArticles(context.city));
    add("city", tokensOf(context.borough));
    add("city", tokensOf(context.neighborhood));
    for (const other of otherCityNames(context.countryCode, context.city)) add("city", tokensOf(other));
    // Before its states: "Perth, Australia" has all of a name, and a part of Western Australia.
    if (context.countryCode) add("country", countryWords(context.countryCode), 1);
    add("state", tokensOf(context.stateCode));
    const { countryCode, stateCode } = context;
    const written = stateCode === "" ? undefined : stateNameOf(stateCode, countryCode);
    add("state", tokensOf(context.state || (written ?? "")));
    // The one state that is a city of this table: "Cuauhtémoc, CDMX". New York, the state, is not NYC.
    if (countryCode === "MX" && /^ciudad de m[eé]xico$/i.test(context.state))
      for (const other of otherCityNames(countryCode, context.state)) add("state", tokensOf(other));
    if (countryCode === "IT") {
      const province = provinceOf(context.county) ?? provinceOf(context.city);
      if (province) add("county", [province]);
    }
    add("county", tokensOf(context.county));
    words = made;
    known.set(context, words);
  }
  return words;
}
