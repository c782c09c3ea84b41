import { countryName } from "../regions/region.ts";
import { isStreetType } from "./abbreviations.ts";
import { fold } from "./normalise.ts";
import { findPostalCode, findTellingPostalCode } from "./postal-codes.ts";
import { COUNTRIES_WITH_STATES, stateAtEnd, stateCodeOf } from "./states.ts";

/** The parts of a whole address, as they are written; absent what is not there. */
export interface ParsedAddress {
  number?: string;
  street?: string;
  unit?: string;
  /** "PO Box 123" → "123" */
  box?: string;
  city?: string;
  /** Where the country's addresses name one. */
  stateCode?: string;
  postalCode?: string;
  /** ISO 3166-1 alpha-2, when the text says it: by name, by state, by the form of its postal code. */
  countryCode?: string;
}

/**
 * A complete address, in the order of any country, with or without commas, to its parts. What a country's rules can not tell
 * is left where it stands: the search does not need it (query.ts), address validation does.
 *
 * @param country ISO 3166-1 alpha-2 where the caller knows it
 */
export function parseAddress(text: string, country?: string): ParsedAddress {
  const address: ParsedAddress = {};
  let rest = text
    .normalize("NFC")
    .replace(/[\n;]+/g, ", ")
    .replace(/\s+/g, " ")
    .trim();
  if (country) address.countryCode = country;
  rest = takeCountry(rest, address);
  rest = takeUnit(rest, address);
  rest = takePostalCode(rest, address);
  if (address.countryCode === "JP" || /[\u3040-\u30ff\u4e00-\u9fff]/.test(rest)) return takeBlocks(rest, address);
  rest = takeState(rest, address);
  return takeStreet(rest, address);
}

let countries: Map<string, string> | undefined;

/** Countries by name in the languages that addresses are written in, and the short names in use. */
function countryOf(name: string): string | undefined {
  if (!countries) {
    countries = new Map([
      ["usa", "US"],
      ["us", "US"],
      ["u.s.a.", "US"],
      ["united states of america", "US"],
      ["uk", "GB"],
      ["england", "GB"],
      ["scotland", "GB"],
      ["wales", "GB"],
      ["great britain", "GB"],
      ["holland", "NL"],
      ["czech republic", "CZ"],
      ["turkey", "TR"],
    ]);
    for (const code of CODES.match(/../g) ?? []) {
      for (const language of ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "ru", "ja", LOCAL[code] ?? "en"])
        countries.set(fold(countryName(code, language)), code);
    }
  }
  return countries.get(fold(name.trim()));
}

const CODES =
  "ADAEARATAUBEBGBOBRBYCACHCLCNCOCRCYCZDEDKDZECEEEGESFIFRGBGRGTHRHUIDIEILINISITJPKEKRKZLILTLULVMAMCMTMXMYNGNLNONZPEPHPLPTPYROSARSRUSESGSISKTHTNTRTWUAUSUYVEVNZA";
const LOCAL: Record<string, string> = {
  CZ: "cs",
  DK: "da",
  FI: "fi",
  GR: "el",
  HR: "hr",
  HU: "hu",
  NO: "nb",
  RO: "ro",
  SE: "sv",
  SK: "sk",
  TR: "tr",
  UA: "uk",
};

function takeCountry(text: string, address: ParsedAddress): string {
  const comma = text.lastIndexOf(",");
  const tail = text.slice(comma + 1);
  // "Georgia" behind a comma and before a postal code is the state: a country stands last.
  const whole = comma >= 0 ? countryOf(tail) : undefined;
  if (whole) {
    address.countryCode = whole;
    return text.slice(0, comma).trim();
  }
  const words = text.split(" ");
  for (let count = Math.min(4, words.length - 1); count > 0; count--) {
    const code = countryOf(words.slice(-count).join(" "));
    if (!code || words[words.length - count].endsWith(",")) continue;
    address.countryCode = code;
    return words.slice(0, -count).join(" ").replace(/,$/, "");
  }
  return text;
}

const UNIT =
  /(?:,\s*|\s+)(?:(?:apartment|apt|suite|ste|unit|flat|room|rm|appartement|appt|app|wohnung|whg|piso|int|interno|lokal|lok|kv|кв|bureau|bur|depto|dpto|apto|local|office|ofc|spc|lot|bldg|building|fl|floor)\.?\s*(?:no\.?\s*)?#?\s*|#\s*)((?:\d+|\p{L}(?![\p{L}]))[\p{L}\d/-]{0,5}[ºª°]?)(?=$|[\s,])/iu;
const FLAT_FIRST = /^(?:flat|unit|apt|apartment|suite|shop|level)\s+([\p{L}\d-]{1,6}),?\s+(?=\S)/iu;
/** Australia and Canada: "5/20 George St", "1200-1055 Dunsmuir St". */
const UNIT_SLASH = /^(\d{1,4}[A-Z]?)\/(\d+[A-Z]?(?:-\d+)?)\s+(?=\p{L})/iu;
const UNIT_HYPHEN = /^(\d{1,5})\s?-\s?(\d+[A-Z]?)\s+(?=\p{L})/iu;
const BOX =
  /(?:^|,\s*)(?:p\.?\s?o\.?\s?box|post office box|postfach|case postale|bo[iî]te postale|b\.?p\.?|c\.?p\.?|apartado|caixa postal|casella postale|postbus|skrytka pocztowa)\s*#?\s*(\d[\d\s]{0,8}\d|\d)/iu;

function takeUnit(text: string, address: ParsedAddress): string {
  let rest = text;
  const box = BOX.exec(rest);
  if (box && !/^\d{5}$/.test(box[1])) {
    address.box = box[1].replace(/\s+/g, "");
    rest = rest.replace(box[0], "").replace(/^\s*,\s*/, "");
  }
  const first = FLAT_FIRST.exec(rest);
  if (first && /\d/.test(first[1])) {
    address.unit = first[1];
    return rest.slice(first[0].length);
  }
  const unit = UNIT.exec(rest);
  if (unit && unit.index > 0 && /\p{L}{2}/u.test(rest.slice(0, unit.index))) {
    address.unit = unit[1];
    return rest.slice(0, unit.index) + rest.slice(unit.index + unit[0].length);
  }
  const slash = UNIT_SLASH.exec(rest);
  if (slash && !/^\d\/\d$/.test(slash[0].trim())) {
    address.unit = slash[1];
    return rest.slice(slash[1].length + 1);
  }
  const hyphen = address.countryCode === "CA" ? UNIT_HYPHEN.exec(rest) : null;
  if (!hyphen) return rest;
  address.unit = hyphen[1];
  return rest.slice(rest.indexOf("-") + 1).trim();
}

function takePostalCode(text: string, address: ParsedAddress): string {
  const state = address.countryCode ? undefined : stateBeforeCode(text);
  if (state) address.countryCode = state;
  const found = address.countryCode
    ? findPostalCode(text, address.countryCode)
    : (findTellingPostalCode(text) ?? codeByPlace(text));
  if (!found) return text;
  // A number that begins the text is a house's, unless only the code's words could stand there.
  if (
    !address.box &&
    found.start === 0 &&
    /^\d{1,5}$/.test(found.code) &&
    !/^\S+ [^,]+,/.test(text) &&
    startsWithHouse(text)
  )
    return text;
  address.postalCode = found.code;
  if ("country" in found && found.country !== "US") address.countryCode ??= String(found.country);
  // What stands on both sides of a code are different parts: street before it, city behind it, or the other way round.
  return `${text.slice(0, found.start)}, ${text.slice(found.end)}`
    .replace(/\s*,(?:\s*,)*\s*/g, ", ")
    .replace(/^, |, $/g, "")
    .trim();
}

/** The country whose state stands right before a code of its form: "NY 11201", "NSW 2000", "QC H2X 1Y4". */
function stateBeforeCode(text: string): string | undefined {
  const match = /(?:^|[\s,])([A-Z]{2,3}|\p{L}[\p{L} ]+?),?\s+(\d{5}(?:-\d{4})?|\d{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/iu.exec(
    text,
  );
  if (!match) return undefined;
  const country = /^\d{5}/.test(match[2]) ? "US" : /^\d{4}$/.test(match[2]) ? "AU" : "CA";
  return stateAtEnd(match[1], country) ? country : undefined;
}

/** A code of digits, known by where it stands: before the city behind a comma, or at the end. */
function codeByPlace(text: string) {
  const before = /(?:^|,\s*|\d\p{L}?\s+)(?:[A-Z]{1,2}-)?(\d{3} \d{2}|\d{4,6})(?=\s+\p{L})/u.exec(text);
  const end = /(?<=\p{L},?\s+)(\d{4,6})$/u.exec(text);
  // "5 rue de la Paix 75002 Paris": the house number is gone, so this one is the code.
  const middle = /^\d/.test(text) ? /(?<=\p{L}\s+)(\d{5})(?=\s+\p{L})/u.exec(text) : null;
  const match = before ?? end ?? middle;
  if (!match) return undefined;
  const start = match.index + match[0].lastIndexOf(match[1]);
  return { code: match[1], start, end: start + match[1].length };
}

const startsWithHouse = (text: string) => /^\d{1,5}\s+\p{L}/u.test(text) && !/,/.test(text);

function takeState(text: string, address: ParsedAddress): string {
  const possible = address.countryCode ? [address.countryCode] : ["US", "CA", "AU"];
  for (const country of possible) {
    if (!COUNTRIES_WITH_STATES.includes(country)) continue;
    const parts = text.split(/,\s*|\s+-\s+/);
    const own = parts.length > 1 ? stateCodeOf(parts[parts.length - 1], country) : undefined;
    if (own) {
      address.stateCode = own;
      address.countryCode ??= country;
      return text
        .slice(0, text.lastIndexOf(parts[parts.length - 1]))
        .replace(/(?:,|\s-)\s*$/, "")
        .trim();
    }
    const found = stateAtEnd(parts[parts.length - 1], country);
    const code = found && (address.countryCode || /\b[A-Z]{2,3}$/.test(text)) ? found : undefined;
    if (!code || code.before === "") continue;
    address.stateCode = code.code;
    address.countryCode ??= country;
    return [...parts.slice(0, -1), code.before].join(", ");
  }
  return text;
}

/** Countries that write the house number behind the street. */
const NUMBER_LAST = new Set(
  "DE AT CH NL BE DK NO SE FI IS EE LT LV PL CZ SK HU SI HR RS BG RO GR TR IT ES PT BR AR CL CO PE MX UY EC RU UA BY KZ".split(
    " ",
  ),
);
/** Digits with what may belong to them: "12", "12a", "12 bis", "12-14", "12/3", "217-14", "10 1/2". */
const DIGITS = "\\d+(?:\\s?[-/–]\\s?\\d+[a-zа-я]?)*(?:/[a-z])?";
const NUMBER = `${DIGITS}(?:\\s?(?:bis|ter|quater)|\\s\\d/\\d|\\s?[a-zа-я](?:/[a-z])?)?(?![\\p{L}\\d])`;
/** Before a street a letter by itself is a direction: "100 N Main St". */
const NUMBER_BEFORE = `${DIGITS}(?:\\s?(?:bis|ter|quater)|\\s\\d/\\d|[a-zа-я](?:/[a-z])?)?(?![\\p{L}\\d])`;
const FIRST = new RegExp(`^(?:n[°ºo]\\.?\\s*)?(${NUMBER_BEFORE})(?:,\\s*|\\s+)(?=\\S)`, "iu");
const LAST = new RegExp(`(?:,?\\s+)(?:n[°ºr]\\.?\\s*|no\\.\\s*|д\\.?\\s*|дом\\s+|#\\s*)?(${NUMBER})$`, "iu");
const ALONE = new RegExp(`^(?:n[°ºr]\\.?\\s*|no\\.\\s*|nr\\.?\\s*|д\\.?\\s*|дом\\s+|#\\s*)?(${NUMBER})$`, "iu");

function takeStreet(text: string, address: ParsedAddress): ParsedAddress {
  const parts = text.split(/,\s*/).filter((part) => part !== "");
  // "5, rue de la Paix", "Calle Mayor, 5": a number by itself belongs to the street beside it.
  for (let i = 0; i < parts.length && parts.length > 1; i++) {
    const alone = ALONE.exec(parts[i]);
    if (!alone) continue;
    address.number = alone[1];
    parts.splice(i, 1);
    const at = Math.max(0, i - 1);
    [address.street] = parts.splice(at, 1);
    return withCity(address, parts);
  }
  for (let i = 0; i < parts.length; i++) {
    const found = streetIn(parts[i], address.countryCode, parts.length > 1 || address.postalCode !== undefined);
    if (!found) continue;
    address.number = found.number;
    address.street = found.street;
    parts.splice(i, 1, ...(found.after ? [found.after] : []));
    // What stands before the street is a house's or firm's name.
    return withCity(
      address,
      parts.slice(found.after ? i : Math.min(i, parts.length)).length > 0 ? parts.slice(i) : parts,
    );
  }
  const kind = parts.findIndex((part) => part.split(" ").some((word) => isStreetType(fold(word).replace(/\./g, ""))));
  if (kind >= 0 && parts.length > 1) [address.street] = parts.splice(kind, 1);
  return withCity(address, parts);
}

interface FoundStreet {
  number: string;
  street: string;
  /** What stands behind it in a text without commas: a city. */
  after?: string;
}

function streetIn(part: string, country: string | undefined, divided: boolean): FoundStreet | undefined {
  const first = FIRST.exec(part);
  const last = LAST.exec(part);
  if (last && (!first || (country !== undefined && NUMBER_LAST.has(country)))) {
    return { number: last[1], street: part.slice(0, last.index) };
  }
  if (first) {
    const rest = part.slice(first[0].length);
    const split = divided && !country ? undefined : splitAfterType(rest, divided);
    return split ? { number: first[1], ...split } : { number: first[1], street: rest };
  }
  // "Hauptstraße 5 Heidelberg": a number in the middle ends the street.
  const middle = new RegExp(`^(\\p{L}.*?)\\s+(${NUMBER})\\s+(\\p{L}.*)$`, "iu").exec(part);
  return middle ? { number: middle[2], street: middle[1], after: middle[3] } : undefined;
}

/** "Jay St Brooklyn" → street, city: the street ends with its type, and a direction behind that. */
function splitAfterType(text: string, divided: boolean): { street: string; after?: string } | undefined {
  const words = text.split(" ");
  const clean = words.map((word) => fold(word).replace(/\./g, ""));
  for (let i = words.length - 2; i > 0; i--) {
    if (!isStreetType(clean[i]) || (divided && words.length - i > 4)) continue;
    let end = i + 1;
    if (/^(n|s|e|w|ne|nw|se|sw|north|south|east|west)$/.test(clean[end]) && end < words.length - 1) end++;
    if (/^(n|s|e|w|ne|nw|se|sw)$/.test(clean[end]) && end === words.length - 1) return { street: text };
    return { street: words.slice(0, end).join(" "), after: words.slice(end).join(" ") };
  }
  return undefined;
}

function withCity(address: ParsedAddress, parts: readonly string[]): ParsedAddress {
  const last = parts[parts.length - 1]?.replace(/^\s*-\s*|\s*-\s*$|\([^)]*\)/g, "").trim();
  if (last) address.city = last;
  return address;
}

/** Japan: prefecture, city, district, then block numbers from large to small; "1-1-5", "1丁目1番5号". */
function takeBlocks(text: string, address: ParsedAddress): ParsedAddress {
  address.countryCode ??= /[\u3040-\u30ff]|[都道府県区丁番]/.test(text) ? "JP" : "CN";
  const plain = text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[−－ー―](?=\d)/g, "-");
  const block = /(\d+)(?:丁目|-)?(?:(\d+)(?:番地?|-)?)?(?:(\d+)号?)?\s*$/.exec(plain);
  const latin = /^(\d+(?:-\d+)*)\s+(.+?),\s*(.+)$/.exec(plain);
  if (latin) {
    address.number = latin[1];
    address.street = latin[2];
    const parts = latin[3].split(/,\s*/).filter((part) => part !== "");
    if (parts.length > 0) address.city = parts[parts.length - 1];
    return address;
  }
  const before = block ? plain.slice(0, block.index) : plain;
  if (block)
    address.number = block
      .slice(1)
      .filter((part) => part !== undefined)
      .join("-");
  const parts = /^[\s,]*(.{2,3}?[都道府県])?(.+?[市区町村])(.*)$/u.exec(before.trim());
  if (parts) {
    address.city = parts[2];
    if (parts[3].trim()) address.street = parts[3].trim();
  }
  return address;
}
