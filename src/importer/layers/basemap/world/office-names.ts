import { countryName } from "../../../../core/regions/region.ts";
import { localCountryName } from "../../../world/countries.ts";
import type { MapNames } from "../../../world/map-names.ts";
import { MAP_LANGUAGES } from "../features/names.ts";
import words from "./office-words.json" with { type: "json" };

/**
 * What GeoNames calls a town by its municipality, its office or in the genitive: "Delegación Tlalpan", "Kota Surabaya", "Thành Phố
 * Huế", "Gagarin Shahri", "Durrësi". The words are those by which its names are longer than Natural Earth's of the same town, and those
 * that many names of a country begin or end with.
 */
const OFFICES: Readonly<Record<string, { before: readonly string[]; after: readonly string[] }>> = words;

/** Numbered parts of a town, which GeoNames lists as towns: "Marseille 04", "Seen (Kreis 3)". */
export const isNumberedPart = (name: string) => /(?:^\D.*\s\d+|\(Kreis \d+\))$/.test(name);

/** The names of a town without the words of its office; those that then repeat the local one are left out. */
export function townNamesOf(country: string, { name: local, ...others }: MapNames): MapNames {
  const english = others["name:en"];
  const name = local === `Ciudad ${english}` ? english : indefinite(country, withoutOffice(country, local), english);
  const rest = Object.entries(others).map(([key, one]) => [key, withoutOffice(country, one, key.slice(5))]);
  return { name, ...Object.fromEntries(rest.filter(([, one]) => one !== name)) };
}

/** The names of a region without "governorate" in Arabic, which no map writes beside the names of towns. */
export const plainRegionNames = (names: MapNames): MapNames =>
  Object.fromEntries(
    Object.entries(names).map(([key, name]) => [key, name.replace(/^(?:محافظة|ولاية|إمارة|منطقة)\s/, "")]),
  );

function withoutOffice(country: string, name: string, language = ""): string {
  const shorter = name.replace(formOf(country, language), "");
  if (shorter === name || isIncomplete(shorter) || COMPLETE.has(name) || countryNames(country).has(shorter))
    return name;
  return withoutOffice(country, shorter, language);
}

const forms = new Map<string, RegExp>();

/** The words of offices at the beginning and at the end of a country's names, and of those in a language. */
function formOf(country: string, language: string): RegExp {
  const key = `${country} ${language}`;
  let form = forms.get(key);
  if (!form) {
    const words = (side: "before" | "after") =>
      ["*", country, language]
        .flatMap((of) => OFFICES[of]?.[side] ?? [])
        .map((word) => word.replace(/[()]/g, "\\$&"))
        .join("|");
    // Korean has no space before it, and "-dong" its hyphen; Estonia's lists have an underscore.
    form = new RegExp(`^(?:${words("before")})\\s|(?:[\\s_-]|(?<=\\p{Script=Hangul}))(?:${words("after")})$`, "iu");
    forms.set(key, form);
  }
  return form;
}

/** The rest of a phrase, a letter, or a number. */
const isIncomplete = (name: string) => /^\p{Ll}|^.?$|^\d/u.test(name);

/** Names in which the word is no office. */
const COMPLETE = new Set([
  "City of Industry",
  "Ciudad de Benín",
  "George Town",
  "Kota Bharu",
  "Kota Kinabalu",
  "Kota Tinggi",
]);

const namesOfCountries = new Map<string, ReadonlySet<string>>();

function countryNames(country: string): ReadonlySet<string> {
  let known = namesOfCountries.get(country);
  if (!known) {
    const all = [localCountryName(country), ...MAP_LANGUAGES.map((language) => countryName(country, language))];
    known = new Set(all.filter((name) => name !== undefined));
    namesOfCountries.set(country, known);
  }
  return known;
}

const ALBANIAN = new Set(["AL", "XK"]);

/** Albanian names with their article: maps have "Durrës", not "Durrësi", and "Shkodër", not "Shkodra". */
function indefinite(country: string, name: string, english: string | undefined): string {
  const stem = english?.replace(/ër$/, "r").replace(/ë$/, "");
  return ALBANIAN.has(country) && english !== undefined && name.replace(/[iau]$/, "") === stem ? english : name;
}
