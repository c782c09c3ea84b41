/** Languages of a country's laws and signs, where they are more than the first of CLDR's for it. */
const SPOKEN: Readonly<Record<string, string>> = {
  ...{ AX: "sv", BE: "nl fr de", BO: "es qu", CA: "en fr", CH: "de fr it", CM: "fr en", CY: "el tr" },
  ...{
    ES: "es ca eu gl",
    FI: "fi sv",
    HK: "zh-Hant zh en",
    IE: "en ga",
    IN: "en hi",
    IT: "it de",
    KE: "en sw",
    KZ: "kk ru",
  },
  ...{
    LU: "fr de lb",
    MA: "ar fr",
    MO: "zh-Hant zh pt",
    MT: "mt en",
    NZ: "en mi",
    PH: "en fil",
    PK: "en ur",
    RS: "sr sr-Latn",
  },
  ...{ SG: "en zh ms ta", TW: "zh-Hant zh", UA: "uk ru", ZA: "en af zu" },
};

const known = new Map<string, readonly string[]>();

/** Codes of the languages of a country (ISO 3166-1 alpha-2), the first one first. */
export function spokenLanguages(country: string): readonly string[] {
  let languages = known.get(country);
  if (!languages) {
    const first = () => new Intl.Locale(`und-${country}`).maximize().language;
    languages = (SPOKEN[country] ?? (/^[A-Z]{2}$/.test(country) ? first() : "")).split(" ");
    known.set(country, languages);
  }
  return languages;
}

/** Returns whether names in a language are those of the country itself. */
export const isSpokenIn = (language: string, country: string): boolean => spokenLanguages(country).includes(language);
