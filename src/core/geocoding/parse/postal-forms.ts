import TABLE from "./postal-forms.json" with { type: "json" };
import { stateCodeOf } from "./states.ts";

/**
 * Forms of postal codes of 200 countries: A a letter, 9 a digit, and where a space or a hyphen is written; `patterns` is how codes of a
 * country begin, `partial` the first half of codes that people write alone, `signs` letters before a code that name its country. From
 * postcode-validator 3.10.22 (MIT; its source is Unicode CLDR), the signs from the Vienna Convention on Road Traffic.
 */
export interface PostalReading {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** As the country writes it: "sw1a1aa" → "SW1A 1AA". */
  code: string;
  /** The first half of a code: "SW1A", "K1A", "D02". */
  partial: boolean;
  /** The four digits after a ZIP code. */
  plus4?: string;
}

interface Form {
  /** Position and sign of the separator. */
  gap: { at: number; sign: string } | undefined;
  countries: readonly string[];
  partial: boolean;
}

/** Forms by their letters and digits without separators. */
const FORMS = new Map<string, Form[]>();
for (const [list, partial] of [
  [TABLE.forms, false],
  [TABLE.partial, true],
] as const) {
  for (const [form, countries] of Object.entries(list)) {
    const at = form.search(/[ -]/);
    const key = form.replace(/[ -]/, "");
    const one: Form = { gap: at < 0 ? undefined : { at, sign: form[at] }, countries: countries.split(" "), partial };
    FORMS.set(key, [...(FORMS.get(key) ?? []), one]);
  }
}
const STARTS = new Map(
  Object.entries(TABLE.patterns).map(([country, start]) => [country, new RegExp(`^(?:${start})`)]),
);
const SIGNS: Readonly<Record<string, string>> = TABLE.signs;

/** The longest text that can be one, with a country's code beside it. */
const MAX_LENGTH = 20;
const WITH_COUNTRY = /^(?:([A-Z]{1,3})[- ])?([A-Z\d][A-Z\d -]*?)(?:,? ([A-Z]{2,3}))?$/;

/**
 * What a text is if it is a postal code: the countries that have codes of its form, in the order of the alphabet, whole codes first. Names
 * no country where a code beside it does: "75001 FR", "D-10115", "9486, li", "VIC 3000". Empty for anything else.
 */
export function readPostalCode(text: string): PostalReading[] {
  if (text.length > MAX_LENGTH) return [];
  const upper = text
    .normalize("NFKC")
    .replace(/^〒\s*/u, "")
    .replace(/[‐-―−]/g, "-")
    .trim()
    .toUpperCase();
  const [, before, code, after] = WITH_COUNTRY.exec(upper) ?? [];
  const found = formsOf(upper);
  // "CH-1204" is in Switzerland rather than in Brunei; "2511 CV" is Dutch.
  if (before !== undefined && after === undefined) return [...besideCode(code, SIGNS[before] ?? before), ...found];
  return found.length > 0 || before !== undefined || after === undefined ? found : besideCode(code, after);
}

/** The readings of a code beside that of its country, or of its state: "VIC 3000". */
function besideCode(code: string, beside: string): PostalReading[] {
  const whole = formsOf(code).filter(({ partial }) => !partial);
  const named = whole.filter(({ country }) => country === beside);
  return named.length > 0 ? named : whole.filter(({ country }) => stateCodeOf(beside, country) !== undefined);
}

function formsOf(text: string): PostalReading[] {
  const written = /^([A-Z\d]+)(?:[ -]([A-Z\d]+))?$/.exec(text);
  if (!written) return [];
  const [, first, second = ""] = written;
  const letters = first + second;
  const readings: PostalReading[] = [];
  for (const { gap, countries, partial } of FORMS.get(maskOf(letters)) ?? []) {
    // A separator is left out or is another one, but is nowhere else.
    if (second !== "" && first.length !== gap?.at) continue;
    // Digits alone may be anything: "217-14" is a house, and the hyphen of a long code is needed.
    const isWritten = text[first.length] === gap?.sign || (second === "" && gap?.sign === " ");
    if (gap && !isWritten && /^\d+$/.test(letters)) continue;
    for (const country of countries) {
      if (!(STARTS.get(country)?.test(letters) ?? true)) continue;
      const isZip4 = letters.length === 9 && gap?.at === 5;
      const code = isZip4 ? first : gap ? `${letters.slice(0, gap.at)}${gap.sign}${letters.slice(gap.at)}` : letters;
      readings.push({ country, code, partial, ...(isZip4 && { plus4: second }) });
    }
  }
  const seen = new Set<string>();
  return readings
    .sort((a, b) => Number(a.partial) - Number(b.partial) || (a.country < b.country ? -1 : 1))
    .filter(({ country }) => !seen.has(country) && seen.add(country));
}

/** Of Eircodes, the letters and digits of the second half are mixed. */
function maskOf(letters: string): string {
  const mask = letters.replace(/[A-Z]/g, "A").replace(/\d/g, "9");
  return mask.length === 7 && /^A9[9A]/.test(mask) && !FORMS.has(mask) ? `${mask.slice(0, 3)}AAAA` : mask;
}
