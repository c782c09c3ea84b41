import { countryName } from "../../regions/region.ts";
import { fold } from "../words/normalise.ts";
import { cityWordsAtEnd, type Towns } from "./cities-at-end.ts";
import TABLE from "./countries.json" with { type: "json" };
import type { ParsedAddress } from "./parsed-address.ts";
import { stateCodeOf } from "./states.ts";

let countries: Map<string, string> | undefined;

/** Countries by name in the languages that addresses are written in, and the short names in use. */
function countryOf(name: string): string | undefined {
  if (!countries) {
    countries = new Map(Object.entries(TABLE.shortNames));
    for (const code of CODE_LIST) {
      for (const language of ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "ru", "ja", LOCAL[code] ?? "en"])
        countries.set(fold(countryName(code, language)), code);
    }
  }
  return countries.get(fold(name.trim()));
}

const CODE_LIST: readonly string[] = TABLE.codes.split(" ");
const LOCAL: Readonly<Record<string, string>> = TABLE.languages;

/** Two letters are a country's where no state is meant: "Paris, FR", "Rotterdam NL". */
function countryByCode(letters: string, before: string, towns: Towns): string | undefined {
  if (!/^[a-z]{2}$/i.test(letters)) return undefined;
  const code = letters.toUpperCase();
  if (!CODE_LIST.includes(code)) return undefined;
  if (cityWordsAtEnd(["-", ...before.split(/[\s,]+/)], towns, code) > 0) return code;
  // "91052 Erlangen, DE": no country of these states writes the code before the city.
  if (/(?:^|[\s,])\d{4,6} \p{L}[^,\d]*,$/u.test(before)) return code;
  return ["US", "CA", "AU"].some((country) => stateCodeOf(code, country)) || !before.endsWith(",") ? undefined : code;
}

/** A country after the last comma. "Georgia" before a postal code is the state, because a country comes last. */
export function takeNamedCountry(text: string, address: ParsedAddress): string {
  const comma = text.lastIndexOf(",");
  const whole = comma >= 0 ? countryOf(text.slice(comma + 1)) : undefined;
  if (!whole) return text;
  address.countryCode = whole;
  return text.slice(0, comma).trim();
}

export function takeCountry(text: string, address: ParsedAddress, towns: Towns): string {
  const split = /^(.*?,?)\s*\b([A-Za-z]{2})$/.exec(text);
  const byCode = split && countryByCode(split[2], split[1].trim(), towns);
  if (split && byCode && !stateCodeOf(split[2], address.countryCode ?? "")) {
    address.countryCode = byCode;
    return split[1].replace(/,\s*$/, "").trim();
  }
  const rest = takeNamedCountry(text, address);
  if (rest !== text) return rest;
  const words = text.split(" ");
  for (let count = Math.min(4, words.length - 1); count > 0; count--) {
    const code = countryOf(words.slice(-count).join(" "));
    if (!code || words[words.length - count].endsWith(",")) continue;
    address.countryCode = code;
    return words.slice(0, -count).join(" ").replace(/,$/, "");
  }
  return text;
}
