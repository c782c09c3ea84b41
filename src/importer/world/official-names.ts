import countries from "i18n-iso-countries";
import { officialNameOf } from "../../core/geocoding/parse/country-names.ts";

/** The long and other names of a country: "Korea, Republic of", "Bundesrepublik Deutschland". */
export function officialNames(code: string): string[] {
  const listed = ["en", "de", "es", "fr", "pt"].flatMap(
    (language) => countries.getName(code, language, { select: "all" }) ?? [],
  );
  const names = [...officialNameOf(code), ...listed];
  return [...new Set(names)].slice(0, 14);
}
