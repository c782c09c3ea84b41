import type { Language } from "../../core/geocoding/entry/entry.ts";
import type { CityAliases } from "./lists.ts";

/** The script in which addresses of a country are written, where it is not Latin, and its language if the API has it. */
const SCRIPTS: readonly (readonly [countries: string, script: string, language: Language | undefined])[] = [
  ["RU", "Cyrillic", "ru"],
  ["BG BY KG KZ MK MN RS UA", "Cyrillic", undefined],
  ["CY GR", "Greek", undefined],
  ["GE", "Georgian", undefined],
  ["AM", "Armenian", undefined],
  ["IL", "Hebrew", undefined],
  ["TH", "Thai", undefined],
  ["JP", "Han", "ja"],
  ["CN HK MO TW", "Han", "zh"],
  ["KR", "Hangul", "ko"],
  ["AE BH DZ EG IQ JO KW LB LY MA OM PS QA SA SD SY TN YE", "Arabic", "ar"],
];

const byCountry = new Map(
  SCRIPTS.flatMap(([countries, script, language]) =>
    countries.split(" ").map((country) => {
      const pattern = new RegExp(`^[\\p{Script=${script}}\\p{M}\\s'’-]+$`, "u");
      return [country, { pattern, language }] as const;
    }),
  ),
);

/**
 * The name of a city in the script of its country, with its language: the one in the country's language, else the first in its
 * script. Undefined if there is none.
 */
export function localNameOf(country: string, names: CityAliases): readonly [Language, string] | undefined {
  const local = byCountry.get(country);
  if (!local) return undefined;
  const language = local.language ?? "";
  const own = names.find(([one, name]) => one === language && local.pattern.test(name));
  const [, name] = own ?? names.find(([, other]) => local.pattern.test(other)) ?? [];
  // Names in languages that the API does not have are stored as English, after the English name.
  return name === undefined ? undefined : [local.language ?? "en", name];
}
