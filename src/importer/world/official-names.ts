import countries from "i18n-iso-countries";
import { LANGUAGES } from "../../core/geocoding/entry/entry.ts";
import { officialNameOf } from "../../core/geocoding/parse/country-names.ts";
import { fold } from "../../core/geocoding/words/normalise.ts";
import { spokenLanguages } from "../../core/geocoding/words/spoken-languages.ts";

/** The long and other names of a country: "Korea, Republic of", "Bundesrepublik Deutschland". */
export function officialNames(code: string): string[] {
  const listed = ["en", "de", "es", "fr", "pt"].flatMap(
    (language) => countries.getName(code, language, { select: "all" }) ?? [],
  );
  const names = [...officialNameOf(code), ...listed];
  return [...new Set(names)].slice(0, 14);
}

/** Languages that the API does not have: in them countries are found (Unicode CLDR, by the runtime). */
const MORE_LANGUAGES =
  "af am as az be bg bn bs ca ckb cs cy da el et eu fa fi fil ga gl gu ha he hi hr hu hy id ig is it ka kk km kn ky lb lo lt lv mk ml mn mr ms mt my nb ne nl or pa pl ps ro sd si sk sl so sq sr sr-Latn sv sw ta te tg th tk tr ug uk ur uz vi yue zh-Hant zu".split(
    " ",
  );
/** Abbreviations are those of the language: Indonesian AS is the United States; three letters without marks are rather a town: Man. */
const ABBREVIATION = /^(?:[\p{Script=Latin}\p{M}.]{1,2}|[A-Za-z.]{3})$/u;

/** Names of a country in more languages, long and short: "Hong Kong SAR China" and "Hong Kong"; those of another list unless CLDR has them of another country. */
export function namesInMoreLanguages(code: string): string[] {
  const listed = countries.getSupportedLanguages().flatMap((language) => countries.getName(code, language, ALL) ?? []);
  const names = [
    ...catalogs().flatMap((catalog) => catalog.of(code) ?? []),
    ...listed.filter((name) => owners().get(fold(name)) === undefined),
  ];
  return [...new Set(names)].filter((name) => name !== code && !ABBREVIATION.test(name));
}
const ALL = { select: "all" } as const;

let owned: Map<string, string> | undefined;

/** The country of each name that CLDR has. */
function owners(): ReadonlyMap<string, string> {
  owned ??= new Map(
    Object.keys(countries.getAlpha2Codes()).flatMap((code) =>
      catalogs().flatMap((catalog) => {
        const name = catalog.of(code);
        return name === undefined ? [] : [[fold(name), code] as const];
      }),
    ),
  );
  return owned;
}

/** A country's names in its own languages: "Suomi", "Sverige". */
export const localNames = (code: string): string[] =>
  spokenLanguages(code).flatMap((language) => new Intl.DisplayNames(language, { type: "region" }).of(code) ?? []);

let known: readonly Intl.DisplayNames[] | undefined;

function catalogs(): readonly Intl.DisplayNames[] {
  known ??= [...LANGUAGES, ...MORE_LANGUAGES].flatMap((language) =>
    (["long", "short"] as const).map((style) => new Intl.DisplayNames([language], { type: "region", style })),
  );
  return known;
}
