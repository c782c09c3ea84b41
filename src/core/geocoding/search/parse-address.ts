import { parseNorthAmerican } from "../north-america/parse.ts";
import { cityWordsAtEnd, NO_TOWNS, type Towns } from "../parse/cities-at-end.ts";
import { isWrittenInBlocks, takeBlocks, takeLatinBlocks } from "../parse/parse-blocks.ts";
import { isNumberAlone, readStreet, type StreetReading } from "../parse/parse-street.ts";
import type { ParsedAddress } from "../parse/parsed-address.ts";
import { findPostalCode, findTellingPostalCode } from "../parse/postal-codes.ts";
import { COUNTRIES_WITH_STATES, stateAtEnd, stateCodeOf } from "../parse/states.ts";
import { takeCountry, takeNamedCountry } from "../parse/take-country.ts";
import { takeUnit } from "../parse/take-unit.ts";
import { fold, MAX_TEXT_LENGTH } from "../words/normalise.ts";

/**
 * Splits a complete address, in the order of any country, with or without commas, into its parts. Text that a country's
 * rules cannot assign stays in place: the search does not need the parts (query.ts), address validation does.
 *
 * @param country ISO 3166-1 alpha-2 where the caller knows it
 * @param towns those that a search has found in the text: "10 boulevard Saint-Germain Paris" has no comma
 */
export function parseAddress(text: string, country?: string, towns: Towns = NO_TOWNS): ParsedAddress {
  const plain = withoutSides(text);
  const american = parseNorthAmerican(plain, country);
  if (american) return withCode(american);
  const address: ParsedAddress = {};
  let rest = plain
    .slice(0, MAX_TEXT_LENGTH)
    .normalize("NFC")
    .replace(/[\n;]+/g, ", ")
    .replaceAll("&amp;", "&")
    // Initials lose their dots: "N.Y." is NY.
    .replace(/(?<![\p{L}.])(?:\p{Lu}\.){1,3}\p{Lu}\.?(?![\p{L}])/gu, (letters) => letters.replaceAll(".", ""))
    .replace(/\s+/g, " ")
    .trim();
  if (country) address.countryCode = country;
  const whole = rest;
  rest = takeCountry(rest, address, towns);
  const named = rest !== whole;
  rest = takeUnit(rest, address);
  rest = takePostalCode(rest, address, towns);
  // "Osaka, Japan, 565-0871"
  if (!named && rest.includes(",")) rest = takeNamedCountry(rest, address);
  if (isWrittenInBlocks(rest)) return takeBlocks(rest, address);
  if (address.countryCode === "JP" && takeLatinBlocks(rest, address)) return address;
  rest = takeState(rest, address, towns);
  return takeStreet(rest, address, towns);
}

/** "90210, CA": a number without a street is a postal code. */
function withCode(address: ParsedAddress): ParsedAddress {
  const { number, ...rest } = address;
  const isCode = /^\d{5}$/.test(number ?? "") && rest.street === undefined && rest.postalCode === undefined;
  return isCode ? { ...rest, postalCode: number } : address;
}

/**
 * Removes text next to an address that is not a requested part: the sea around a country, the district of a French
 * city, the region of a Russian one, the prefecture after a Japanese one. "1075 Budapest Kazinczy utca" gets its comma.
 */
function withoutSides(text: string): string {
  return text
    .replace(/(?<=(?:jamaica|barbados|grenada|antigua|tobago)),?\s+w\.?\s?i\.?\s*$/iu, "")
    .replace(/(?<![\p{L}\p{N}])(?:\d{1,2}|[ivx]+)(?:er|e|eme|ème)\s+arr(?:ondissement\b|\.)\s*,?\s*(?=\p{L})/iu, "")
    .replace(/(?<=\p{L}|,)\s+[\p{L}-]+(?:ой|ая|ий|ого)\s+(?:област[иь]|обл\.?|кра[йя])(?!\p{L})/iu, "")
    .replace(new RegExp(`(?<=\\p{L}|,)\\s+(?:республика\\s+)?(?:${REPUBLICS})(?=\\s*,?\\s*(?:росси|$))`, "iu"), "")
    .replace(/(?<![\p{L}])г\.\s*(?=\p{Lu})/u, "")
    .replace(/(?<=-(?:shi|ku|cho|machi|gun)),?\s+\p{L}+-(?:fu|ken|to)(?!\p{L})/iu, "")
    .replace(/^(\d{4}\s+\p{Lu}\p{L}+)\s+(?=\p{L}[^,\d]*(?:utca|út|tér|körút|krt|u)\.?,?\s+\d)/iu, "$1, ");
}

/** Republics of Russia (Constitution, article 65), as written after a town. */
const REPUBLICS =
  "адыгея|алтай|башкортостан|бурятия|дагестан|ингушетия|калмыкия|карелия|коми|марий эл|мордовия|татарстан|тыва|удмуртия|хакасия|чечня|чувашия";

function takePostalCode(text: string, address: ParsedAddress, towns: Towns): string {
  // Jamaica's capital has districts: "Kingston 6".
  const district = address.countryCode === "JM" ? /(?<=kingston)\s+(\d{1,2})$/iu.exec(text) : null;
  if (district) {
    address.postalCode = district[1];
    return text.slice(0, district.index);
  }
  const state = address.countryCode ? undefined : stateBeforeCode(text);
  if (state) address.countryCode = state;
  const found = address.countryCode
    ? findPostalCode(text, address.countryCode)
    : (findTellingPostalCode(text) ?? codeByPlace(text, towns));
  if (!found) return text;
  if (found.start === 0 && address.box === undefined && beginsWithHouse(text, found.code, address.countryCode, towns))
    return text;
  // "Fm 3009 TX": an apparent Dutch code that ends with a state.
  if (address.countryCode === undefined && /^\d{4} [A-Z]{2}$/.test(found.code) && found.end === text.length)
    if (stateCodeOf(found.code.slice(5), "US") && !towns(text.slice(0, found.start))) return text;
  address.postalCode = found.code;
  if ("country" in found) address.countryCode ??= String(found.country);
  // The two sides of a code are different parts: street before it and city after it, or the other way round.
  return `${text.slice(0, found.start)}, ${text.slice(found.end)}`
    .replace(/\s*,(?:\s*,)*\s*/g, ", ")
    .replace(/^, |, $/g, "")
    .trim();
}

/** The country whose state stands right before a code of its form: "NY 11201", "NSW 2000", "QC H2X 1Y4". */
function stateBeforeCode(text: string): string | undefined {
  const match =
    /(?:^|[\s,])([A-Z]{2,3}|\p{L}[\p{L} ]+?),?\s+(\d{5}(?:-\d{4})?|\d{4}|\d{6}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/iu.exec(text);
  if (!match) return undefined;
  const country = /^\d{5}(?!\d)/.test(match[2])
    ? "US"
    : /^\d{4}$/.test(match[2])
      ? "AU"
      : /^\d/.test(match[2])
        ? "IN"
        : "CA";
  return stateAtEnd(match[1], country) ? country : undefined;
}

/** A numeric code is recognized by its position: after a comma and before the city, or at the end. */
function codeByPlace(text: string, towns: Towns) {
  const plusFour = /(?<!\S)\d{5}-\d{4}(?!\S)/.exec(text);
  if (plusFour) return { code: plusFour[0], start: plusFour.index, end: plusFour.index + 10, country: "US" };
  // Norway and Iceland where the 0 in front is lost: "Sars gate 2A, 562 Oslo".
  const short = /,\s*(\d{3})\s+(\p{L}+)$/u.exec(text);
  if (short && ["NO", "IS", "FO"].some((country) => towns(short[2], country))) {
    const start = short.index + short[0].indexOf(short[1]);
    return { code: short[1], start, end: start + 3 };
  }
  const whole = /^\d{4,6}(?=,|$)/.exec(text);
  if (whole) return { code: whole[0], start: 0, end: whole[0].length };
  const before = /(?:^|,\s*|\d\p{L}?\s+)(?:[A-Z]{1,2}-)?(\d{3} \d{2}|\d{4,7})(?=\s+\p{L})/u.exec(text);
  const end = /(?<=\p{L},?\s+)(\d{4,6})$/u.exec(text);
  // "5 rue de la Paix 75002 Paris": the house number was removed, so this number is the code.
  const middle = /^\d/.test(text) ? /(?<=\p{L}\s+)(\d{5})(?=\s+\p{L})/u.exec(text) : null;
  const match = before ?? end ?? middle;
  if (!match) return undefined;
  const start = match.index + match[0].lastIndexOf(match[1]);
  return { code: match[1], start, end: start + match[1].length };
}

/** "22024 Main St, CA": a number that begins the text and is followed by a street is a house number. */
function beginsWithHouse(text: string, code: string, country: string | undefined, towns: Towns): boolean {
  const part = text.slice(0, text.includes(",") ? text.indexOf(",") : undefined);
  const reading = readStreet(part, { divided: part.length < text.length, last: false });
  if (reading?.number === undefined) return false;
  if (part.length < text.length || reading.score >= 2) return reading.score >= 2;
  return /^\d{1,4}$/.test(code) && !country && !towns(reading.street);
}

function takeState(text: string, address: ParsedAddress, towns: Towns): string {
  const possible = address.countryCode ? [address.countryCode] : ["US", "CA", "AU", "BR"];
  for (const country of possible) {
    if (!COUNTRIES_WITH_STATES.includes(country)) continue;
    const parts = text.split(/,\s*|\s+-\s+/);
    const own = parts.length > 1 ? stateCodeOf(parts[parts.length - 1], country) : undefined;
    // "Avenida Juárez 50, Ciudad de México": city and state of one name.
    const isCity = parts.length === 2 && towns(parts[1], country);
    const sure = country !== "BR" || address.countryCode || towns(parts[parts.length - 2] ?? "", "BR");
    if (own && sure && !isCity) {
      address.stateCode = own;
      address.countryCode ??= country;
      return text
        .slice(0, text.lastIndexOf(parts[parts.length - 1]))
        .replace(/(?:,|\s-)\s*$/, "")
        .trim();
    }
    const found = stateAtEnd(parts[parts.length - 1], country);
    const isKnown =
      address.countryCode !== undefined ||
      (country !== "BR" && /\b[A-Z]{2,3}$/.test(text)) ||
      (found !== undefined && (found.name || cityWordsAtEnd(["-", ...found.before.split(" ")], towns, country) > 0));
    const code = found && isKnown && !isCity ? found : undefined;
    if (!code || code.before === "") continue;
    address.stateCode = code.code;
    address.countryCode ??= country;
    return [...parts.slice(0, -1), code.before].join(", ");
  }
  return text;
}

/**
 * Names that follow a city and are not cities: counties and constituent countries of Britain, counties of the US and
 * Ireland.
 */
const COUNTY =
  /^(?:greater (?:london|manchester)|england|scotland|wales|northern ireland|(?:east|west|north|south|mid) (?:sussex|yorkshire|midlands|glamorgan)|\p{L}+shire(?: east)?|cheshire west and chester|merseyside|tyne and wear|essex|kent|surrey|sussex|norfolk|suffolk|devon|cornwall|dorset|somerset|cumbria|rutland|middlesex|isle of wight|avon|berks|bucks|herts|hants|lancs|oxon|wilts|notts|cambs|isle of man|jersey|guernsey|county \p{L}+|co\.? \p{L}+|[\p{L} .]+ county)$/u;

function takeStreet(text: string, address: ParsedAddress, towns: Towns): ParsedAddress {
  const parts = text
    .split(/,\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  while (parts.length > 1 && COUNTY.test(fold(parts[parts.length - 1]))) parts.pop();
  const alone = takeNumberAlone(parts, address, towns);
  const found = alone ?? bestStreet(parts, address, towns);
  if (found) return withPlaces(address, parts, found, towns);
  // Britain's streets often have no word for one: "The Rushes, Loughborough".
  if (address.countryCode === "GB" && address.postalCode !== undefined && parts.length > 1) {
    const at = parts.length - 2;
    return withPlaces(address, parts, { at, reading: { street: parts[at], before: "", after: "", score: 0 } }, towns);
  }
  const city = parts.pop();
  if (city) setCity(address, city, towns);
  if (parts.length > 0) address.name = parts.join(", ");
  return address;
}

interface Found {
  at: number;
  reading: StreetReading;
}

function around(parts: readonly string[], at: number, address: ParsedAddress, towns: Towns) {
  return {
    towns,
    country: address.countryCode,
    divided: parts.length > 1 && at < parts.length - 1,
    last: at > 0 && at === parts.length - 1,
  };
}

/** Ends the name of a building or an estate that precedes its street. */
const ESTATE =
  /^(?:(\d+\p{L}?)\s+)?(.*\b(?:shopping (?:centre|center|mall)|retail park|business park|science park|industrial (?:estate|park)|trading estate))(?:\s+(\p{L}.*))?$/iu;

/** "12 Newgate Shopping Centre, George St", "Castle Court Shopping Centre Castle Street". */
function streetOfEstate(parts: readonly string[], address: ParsedAddress, towns: Towns): Found | undefined {
  for (const [at, part] of parts.entries()) {
    const estate = ESTATE.exec(part);
    if (!estate) continue;
    const [, number, before, behind] = estate;
    const where = behind === undefined ? at + 1 : at;
    const line = behind ?? parts[where];
    const reading = line === undefined ? undefined : readStreet(line, around(parts, where, address, towns));
    if (!reading || reading.score < 2) continue;
    return {
      at: where,
      reading: { ...reading, number: reading.number ?? number, before: behind === undefined ? "" : before },
    };
  }
  return undefined;
}

function bestStreet(parts: readonly string[], address: ParsedAddress, towns: Towns): Found | undefined {
  const estate = streetOfEstate(parts, address, towns);
  if (estate) return estate;
  let best: Found | undefined;
  for (const [at, part] of parts.entries()) {
    const reading = readStreet(part, around(parts, at, address, towns));
    if (reading && (!best || reading.score > best.reading.score)) best = { at, reading };
  }
  return best;
}

/** "5, rue de la Paix", "Calle Mayor, 5": a separate number belongs to the adjacent part. */
function takeNumberAlone(parts: string[], address: ParsedAddress, towns: Towns): Found | undefined {
  for (let i = 0; i < parts.length && parts.length > 1; i++) {
    const number = isNumberAlone(parts[i]);
    if (number === undefined) continue;
    const elsewhere = parts.findIndex(
      (part, at) => at !== i && (readStreet(part, around(parts, at, address, towns))?.number ?? "") !== "",
    );
    if (elsewhere >= 0 && elsewhere < i) {
      // "Am Bürgerpark 15, 13156, Berlin": the street has its number, so this is the postal code.
      if (/^\d{4,6}$/.test(number) && address.postalCode === undefined) {
        address.postalCode = number;
        parts.splice(i, 1);
        i--;
      }
      continue;
    }
    parts.splice(i, 1);
    const at = Math.max(0, i - 1);
    const plain = readStreet(parts[at], { country: address.countryCode, divided: true, last: false });
    const before = plain?.number === undefined ? (plain?.before ?? "") : "";
    const street = before ? (plain?.street ?? parts[at]) : parts[at];
    return { at, reading: { street, number, before, after: "", score: 3 } };
  }
  return undefined;
}

function withPlaces(
  address: ParsedAddress,
  parts: readonly string[],
  { at, reading }: Found,
  towns: Towns,
): ParsedAddress {
  if (reading.number !== undefined) address.number = reading.number;
  address.street = reading.street;
  const names = [...parts.slice(0, at), reading.before].filter((part) => part !== "");
  const places = [reading.after, ...parts.slice(at + 1)].filter((part) => part !== "");
  if (places.length > 0) setCity(address, places[places.length - 1], towns);
  // "69117 Heidelberg, Hauptstraße 5": the city comes first. Not so in Britain, where a building does.
  else if (
    names.length > 0 &&
    reading.before === "" &&
    (towns(names[0]) || (address.postalCode !== undefined && address.countryCode !== "GB"))
  )
    setCity(address, names.shift() as string, towns);
  if (names.length > 0) address.name = names.join(", ");
  return address;
}

function setCity(address: ParsedAddress, written: string, towns: Towns): void {
  let city = written.replace(/^\s*-\s*|\s*-\s*$|\([^)]*\)/g, "").trim();
  // In Italy the province's letters follow the city: "20121 Milano MI".
  const province = address.countryCode === "IT" ? /^(.+?)\s+([A-Z]{2})$/.exec(city) : null;
  if (province) {
    city = province[1];
    address.stateCode ??= province[2];
  }
  // "28046 Madrid Madrid": city and province of one name.
  const twice = /^(.+) \1$/.exec(city);
  if (twice) city = twice[1];
  // A city without its comma, after a district: "Shoreditch London".
  const words = city.split(" ");
  const count = words.length > 1 ? cityWordsAtEnd(words, towns, address.countryCode) : 0;
  if (count > 0) city = words.slice(-count).join(" ");
  if (city) address.city = city;
}
