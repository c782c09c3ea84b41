import { countryName } from "../../regions/region.ts";
import { countriesOfStreetWord } from "../words/street-languages.ts";
import { COUNTRIES_BY_CODE, cityOfPostalCode } from "./postal-areas.ts";
import { type PostalReading, readPostalCode } from "./postal-forms.ts";
import type { Word } from "./query.ts";

/** What words say about the country of a text: the words as bits, and the countries that fit. */
interface Origin {
  mask: number;
  countries: ReadonlySet<string>;
}

export interface Origins {
  /** Words for kinds of streets in a language. */
  streets: readonly Origin[];
  /** Postal codes that only some countries have. */
  codes: readonly Origin[];
}

const known = new WeakMap<readonly Word[], Origins>();

/** Computed once for a query. */
export function originsOf(words: readonly Word[]): Origins {
  let origins = known.get(words);
  if (!origins) {
    origins = { streets: streetsOf(words), codes: codesOf(words) };
    known.set(words, origins);
  }
  return origins;
}

const streetsOf = (words: readonly Word[]): Origin[] =>
  words.flatMap(({ text, weight }, i) => {
    const countries = weight < 1 ? countriesOfStreetWord(text) : undefined;
    return countries ? [{ mask: 1 << i, countries }] : [];
  });

/** A first number is rather a house. */
function codesOf(words: readonly Word[]): Origin[] {
  const out: Origin[] = [];
  for (let i = words.length > 1 ? 1 : 0; i < words.length; i++) {
    const { text, segment } = words[i];
    if (!/\d/.test(text)) continue;
    const next = words[i + 1];
    const both = next?.segment === segment ? whole(`${text} ${next.text}`) : [];
    const found = both.length > 0 ? both : whole(text);
    if (found.length === 0) continue;
    out.push({ mask: both.length > 0 ? 3 << i : 1 << i, countries: new Set(found.map(({ country }) => country)) });
    if (both.length > 0) i++;
  }
  return out;
}

/** Shorter numbers are houses. */
const MIN_CODE = 5;

const whole = (text: string) =>
  text.replace(" ", "").length < MIN_CODE ? [] : readPostalCode(text).filter(({ partial }) => !partial);

/** How many of these say another country than this one, of words that are in none of the bits. */
export function foreignIn(origins: readonly Origin[], country: string, owned: number): number {
  let count = 0;
  for (const { mask, countries } of origins) if ((mask & owned) === 0 && !countries.has(country)) count++;
  return count;
}

/** A region that words name, and the best answer: what this needs of them. */
interface Anchor {
  from: number;
  to: number;
  regions: readonly { kind: string; context: { countryCode: string } }[];
}
interface Answer {
  layer: string;
  context: { countryCode: string };
}

/** A number that fewer countries have as a postal code names them. */
const FEW_COUNTRIES = 4;

/**
 * The city of a postal code in a text that names nothing better, as a text to search for: "SW1A 1AA" is in London, and "4 Rue des
 * Planquettes 50250" near Saint-Lô, because "rue" is French.
 */
export function cityOfCode(
  text: string,
  words: readonly Word[],
  anchors: readonly Anchor[],
  best: Answer | undefined,
): string | undefined {
  const only = likeliestOf(readPostalCode(text), words, NONE, true);
  if (only) return cityIn(only);
  const named = countriesNamed(anchors);
  const town = best?.layer === "locality" && isNamedIn(anchors, best) ? best.context.countryCode : undefined;
  const isRest = (i: number) => anchors.some(({ from, to }) => i >= from && i < to);
  for (let i = words.length - 1; i >= 0; i--) {
    if (!/\d/.test(words[i].text)) continue;
    const next = words[i + 1];
    // "L-1111" is in Luxembourg, and no Dutch code with the letters that stand for the sign.
    const isPair = next !== undefined && next.segment === words[i].segment && !text.includes(`-${words[i].text}`);
    const pair = isPair ? readPostalCode(`${words[i].text} ${next.text}`) : [];
    const readings = pair.length > 0 ? pair : readPostalCode(words[i].text);
    const last = pair.length > 0 ? i + 1 : i;
    const isAlone = words.every((_, at) => (at >= i && at <= last) || isRest(at));
    // "10111 Tallinn", "Melbourne VIC 3000": the text names the town, and its country has codes of this form.
    const isOfTown = readings.some(({ country }) => country === town) || (isAlone && named.size === 0);
    if (town !== undefined && isOfTown) continue;
    const reading = likeliestOf(readings, words, named, isAlone);
    // "Av. Brasil, 1.500, Campo Mourão": a city of the text is elsewhere, so the number is none of Lisbon.
    const isElsewhere = ({ from, regions }: Anchor) =>
      (from > last || words[from].segment !== words[i].segment) &&
      regions.length > 0 &&
      regions.every(({ context }) => context.countryCode !== reading?.country);
    if (anchors.some(isElsewhere)) continue;
    // A first number is a house, but for codes with letters.
    if (!reading || (i === 0 && !isAlone && !/\p{L}/u.test(reading.code))) continue;
    const isKnown = best?.context.countryCode === reading.country && best.layer !== "country" && best.layer !== "state";
    const city = isKnown ? undefined : cityIn(reading);
    if (city !== undefined) return city;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns whether the text names a town in the country of an answer. */
const isNamedIn = (anchors: readonly Anchor[], { context }: Answer) =>
  anchors.some(({ regions }) =>
    regions.some((one) => one.kind === "locality" && one.context.countryCode === context.countryCode),
  );

function cityIn({ country, code }: PostalReading): string | undefined {
  const city = cityOfPostalCode(country, code);
  return city && `${city}, ${countryName(country)}`;
}

/** The reading of a code whose country the text says, by its name, by its language or by the form of the code. */
function likeliestOf(
  readings: readonly PostalReading[],
  words: readonly Word[],
  named: ReadonlySet<string>,
  isAlone: boolean,
): PostalReading | undefined {
  const { streets } = originsOf(words);
  const isTold = readings.length < FEW_COUNTRIES && readings.some(({ code }) => /[\p{L}-]/u.test(code));
  const fits = ({ country, partial }: PostalReading) => {
    if (partial && !isAlone) return false;
    if (named.size > 0) return named.has(country);
    return isAlone || isTold || (streets.length > 0 && streets.every(({ countries }) => countries.has(country)));
  };
  const rank = ({ country }: PostalReading) => COUNTRIES_BY_CODE.indexOf(country);
  return readings.filter((one) => rank(one) >= 0 && fits(one)).sort((a, b) => rank(a) - rank(b))[0];
}

/** The countries of a text; those of its states where it names none: Viana in Brazil is not Vienna's state. */
function countriesNamed(anchors: readonly Anchor[]): ReadonlySet<string> {
  const regions = anchors.flatMap((anchor) => anchor.regions);
  const countries = regions.filter(({ kind }) => kind === "country");
  const areas = countries.length > 0 ? countries : regions.filter(({ kind }) => kind !== "locality");
  return new Set(areas.map(({ context }) => context.countryCode));
}
