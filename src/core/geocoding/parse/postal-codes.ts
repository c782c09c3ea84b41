/**
 * Formats of postal codes by country (Universal Postal Union, "Postal addressing systems in member countries"). If the
 * country is unknown they are tried in this order: the most distinctive first.
 */
const PATTERNS: [countries: string, pattern: string][] = [
  ["GB", "(?:GIR ?0AA|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})"],
  ["CA", "[ABCEGHJ-NPRSTVXY]\\d[A-Z][ -]?\\d[A-Z]\\d"],
  ["IE", "[AC-FHKNPRTV-Y]\\d[\\dW] ?[\\dAC-FHKNPRTV-Y]{4}"],
  ["NL", "[1-9]\\d{3} ?(?!S[ADS](?![A-Z]))[A-Z]{2}"],
  ["BR", "\\d{5}-\\d{3}"],
  ["JP", "〒? ?\\d{3}-\\d{4}"],
  ["PT", "\\d{4}-\\d{3}"],
  ["PL", "\\d{2}-\\d{3}"],
  ["AR", "[A-HJ-NP-Z]\\d{4}[A-Z]{3}"],
  ["MT", "[A-Z]{3} ?\\d{4}"],
  ["US", "\\d{5}(?:-\\d{4})?"],
  ["CZ SK SE GR", "\\d{3} ?\\d{2}"],
  ["RU CN IN KZ RO CO SG", "\\d{6}"],
  ["DE FR ES IT MX TR FI KR UA HR EE MY TH ID MA EG SA PE", "\\d{5}"],
  ["AU AT BE CH DK NO NZ HU PH ZA LU LV SI BG CY LI TN BD", "\\d{4}"],
  ["CL", "\\d{7}|\\d{3}-\\d{4}"],
  ["LT", "LT-?\\d{5}"],
];

const BY_COUNTRY = new Map<string, string>();
for (const [countries, pattern] of PATTERNS) for (const code of countries.split(" ")) BY_COUNTRY.set(code, pattern);

export interface FoundPostalCode {
  code: string;
  start: number;
  end: number;
}

/** The last separate postal code of a country in a text. Letters in any case. */
export function findPostalCode(text: string, country: string): FoundPostalCode | undefined {
  const pattern = BY_COUNTRY.get(country);
  return pattern === undefined ? undefined : last(text, pattern);
}

/** A code whose form belongs to one country only, which identifies the country too. */
export function findTellingPostalCode(text: string): (FoundPostalCode & { country: string }) | undefined {
  for (const [countries, pattern] of PATTERNS.slice(0, 10)) {
    if (countries === "IE" || countries === "MT") continue;
    const found = last(text, pattern);
    if (found) return { ...found, country: countries };
  }
  return undefined;
}

function last(text: string, pattern: string): FoundPostalCode | undefined {
  const all = [
    ...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}-])(?:[A-Z]{1,2}-)?(${pattern})(?![\\p{L}\\p{N}-])`, "giu")),
  ];
  const match = all.at(-1);
  if (!match) return undefined;
  const start = match.index;
  return { code: match[1].replace(/^〒/, "").trim().toUpperCase(), start, end: start + match[0].length };
}
