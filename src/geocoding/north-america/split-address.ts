import { stateCodeOf } from "../states.ts";
import { type DeliveryLine, deliveryLineOf, isHouse } from "./delivery-line.ts";
import { highwayOf } from "./highway.ts";
import { specialLine } from "./special-line.ts";
import { type Token, tokensOfLine, wordsAs, writtenAs } from "./tokens.ts";
import { findUnits, leadingUnit, type Unit } from "./units.ts";
import { CERTAIN_SUFFIXES, type Country, directionalOf, FRENCH, SUFFIXES } from "./words.ts";

/** A whole address of the US or Canada as one text, in its parts. */
export interface SplitAddress {
  country: Country;
  line: DeliveryLine;
  /** As written; "" for what is not there. */
  city: string;
  stateCode: string;
  /** As written, the US "ZIP+4" whole. */
  postalCode: string;
}

const ZIP = /^\d{5}(?:-\d{4})?$/;
const POSTAL = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]-?\d[ABCEGHJ-NPRSTV-Z]\d$/;
const HALVES = [/^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]$/, /^\d[ABCEGHJ-NPRSTV-Z]\d$/] as const;

/** How sure it is that a text is of the US or Canada; undefined when nothing says so. */
export function countryOfText(text: string): Country | undefined {
  const tokens = tokensOfLine(text);
  const own = takeCountry(tokens);
  if (own) return own;
  const code = takePostalCode(tokens);
  if (code?.country === "CA") return "CA";
  for (const country of ["US", "CA"] as const) {
    const state = takeState([...tokens], country);
    if (!state) continue;
    if (code) return country;
    // Without a postal code the two letters may be a country's ("Erlangen, DE") or any word: only in capitals or behind a
    // comma, and only behind a house number, a box or a route, as addresses begin here.
    const isCode = state.breaks || state.written === state.written.toUpperCase();
    if (isCode && (isHouse(tokens[0].word) || specialLine(wordsAs(tokens), country))) return country;
  }
  return undefined;
}

export function splitAddress(text: string, known?: Country): SplitAddress {
  const tokens = tokensOfLine(text);
  const named = takeCountry(tokens);
  const behind = takeUnitsBehindCode(tokens);
  const code = takePostalCode(tokens);
  let country: Country = known ?? named ?? code?.country ?? "US";
  let state = takeState(tokens, country);
  if (!state && !known && !named && country === "US") {
    state = takeState(tokens, "CA");
    if (state) country = "CA";
  }
  // "Toronto M5V 2T6, ON": the code may stand before the state.
  const postalCode = code ?? takePostalCode(tokens);
  const stateCode = state?.code ?? "";
  const at = cityStart(tokens, country, stateCode);
  const line = deliveryLineOf(tokens.slice(0, at), { country, stateCode });
  const city = cityOf(tokens.slice(at));
  line.units.push(...behind);
  return { country, line, city: city || leftOver(line), stateCode, postalCode: postalCode?.written ?? "" };
}

const COUNTRIES: Record<string, Country> = {
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  "UNITED STATES OF AMERICA": "US",
  "ETATS-UNIS": "US",
  CANADA: "CA",
};

function takeCountry(tokens: Token[]): Country | undefined {
  for (let count = Math.min(4, tokens.length - 1); count > 0; count--) {
    const country = COUNTRIES[wordsAs(tokens.slice(-count)).join(" ")];
    // "123 Rue du Canada": a country stands behind a code, a state or a comma.
    const first = tokens[tokens.length - count];
    const before = tokens[tokens.length - count - 1]?.word ?? "";
    if (!country || !(first.breaks || /\d/.test(before) || stateCodeOf(before, country) || count > 1)) continue;
    tokens.splice(-count);
    return country;
  }
  return undefined;
}

/** "Mount Vernon, NY 10550 Suite 102B" */
function takeUnitsBehindCode(tokens: Token[]): Unit[] {
  const at = tokens.findIndex(
    ({ word }, i) => i > 2 && i < tokens.length - 1 && ZIP.test(word) && /^[A-Z]{2}$/.test(tokens[i - 1].word),
  );
  if (at < 0) return [];
  const found = leadingUnit(tokens.slice(at + 1), "US");
  if (!found || at + 1 + found.end !== tokens.length) return [];
  tokens.splice(at + 1);
  return found.units;
}

interface FoundCode {
  country: Country;
  written: string;
}

/** The code at the end. A number of five digits that is all there is before a street is a house's. */
function takePostalCode(tokens: Token[]): FoundCode | undefined {
  const last = tokens[tokens.length - 1];
  if (!last || tokens.length < 2) return undefined;
  const before = tokens[tokens.length - 2];
  if (HALVES[1].test(last.word) && HALVES[0].test(before.word)) {
    const [a, b] = tokens.splice(-2);
    return { country: "CA", written: `${a.text} ${b.text}` };
  }
  if (POSTAL.test(last.word)) return { country: "CA", written: tokens.pop()!.text };
  // "60601 1234", "60601-1234", "606011234"
  if (/^\d{4}$/.test(last.word) && /^\d{5}$/.test(before.word) && tokens.length > 2 && !last.breaks) {
    const [a, b] = tokens.splice(-2);
    return { country: "US", written: `${a.text}-${b.text}` };
  }
  if (ZIP.test(last.word) || /^\d{9}$/.test(last.word)) {
    const text = tokens.pop()!.text;
    return { country: "US", written: /^\d{9}$/.test(text) ? `${text.slice(0, 5)}-${text.slice(5)}` : text };
  }
  return undefined;
}

interface FoundState {
  code: string;
  written: string;
  breaks: boolean;
}

const SHORT_STATES: Record<Country, Record<string, string>> = {
  US: {
    "WASHINGTON DC": "",
    CALIF: "CA",
    FLA: "FL",
    MASS: "MA",
    PENN: "PA",
    PENNA: "PA",
    TENN: "TN",
    MINN: "MN",
    CONN: "CT",
    ILL: "IL",
    MICH: "MI",
    WASH: "WA",
    ORE: "OR",
    ARIZ: "AZ",
    COLO: "CO",
    WISC: "WI",
    TEX: "TX",
    ALA: "AL",
    AA: "AA",
    AE: "AE",
    AP: "AP",
    FM: "FM",
    MH: "MH",
    PW: "PW",
  },
  CA: {
    "P Q": "QC",
    PQ: "QC",
    QUE: "QC",
    QUEBEC: "QC",
    ONT: "ON",
    ALTA: "AB",
    SASK: "SK",
    MAN: "MB",
    NFLD: "NL",
    NF: "NL",
    NEWFOUNDLAND: "NL",
    PEI: "PE",
    NWT: "NT",
    BC: "BC",
  },
};

/** The state at the end; it leaves at least one word before it. */
function takeState(tokens: Token[], country: Country): FoundState | undefined {
  for (let count = Math.min(4, tokens.length - 1); count > 0; count--) {
    const part = tokens.slice(-count);
    if (part.slice(1).some(({ breaks }) => breaks)) continue;
    const text = wordsAs(part).join(" ");
    const code = stateCodeOf(text, country) ?? SHORT_STATES[country][text];
    if (!code) continue;
    // "Washington" or "New York" by itself behind a street is the city.
    if (count === tokens.length) continue;
    const before = tokens[tokens.length - count - 1];
    // "321 S Washington": what is left would be no address.
    if (!part[0].breaks && text.length > 2 && tokens.length - count <= 2 && isStub(tokens.slice(0, -count))) continue;
    if (isCityToo(text) && !(part[0].breaks && hasCity(tokens.slice(0, -count))) && SUFFIXES.US.has(before.word))
      continue;
    tokens.splice(-count);
    return { code, written: writtenAs(part), breaks: part[0].breaks };
  }
  return undefined;
}

const isStub = (rest: readonly Token[]) => rest.every(({ word }) => isHouse(word) || directionalOf(word) !== undefined);
const isCityToo = (text: string) => /^(?:NEW YORK|WASHINGTON|QUEBEC)$/.test(text);
const hasCity = (tokens: readonly Token[]) => tokens.filter(({ breaks }) => breaks).length > 0;

/** Where the city begins: behind the last comma, else behind the street. */
function cityStart(tokens: readonly Token[], country: Country, stateCode: string): number {
  const context = { country, stateCode };
  const special = specialStart(tokens, country, stateCode);
  const lastBreak = tokens.findLastIndex(({ breaks }) => breaks);
  if (lastBreak > 0 && (special < 0 || lastBreak > special) && isCity(tokens.slice(lastBreak), country, lastBreak)) {
    const before = tokens.slice(0, lastBreak);
    // "Jay St, Brooklyn": fine; "Acme Inc, 20 Jay St Brooklyn": the city still stands in the last part.
    const part = tokens.slice(lastBreak);
    if (!(isHouse(part[0].word) && part.length > 1 && !before.some(({ word }) => isHouse(word)))) return lastBreak;
  }
  if (special >= 0) return behindSpecial(tokens, special, context);
  const from = Math.max(0, lastBreak > 0 && isHouse(tokens[lastBreak].word) ? lastBreak : 0);
  return behindStreet(tokens, from, country);
}

/** Behind a comma a city, not a unit: "Apt 4", "2nd Floor", "Suite 300". */
function isCity(part: readonly Token[], country: Country, at: number): boolean {
  if (at === 0) return false;
  if (part.some(({ word }) => word === "#")) return false;
  const units = findUnits([{ text: "", word: "", breaks: false }, ...part], country);
  return !(units && units.start === 1 && units.end === part.length + 1) && /\p{L}/u.test(part[0].word);
}

function specialStart(tokens: readonly Token[], country: Country, stateCode: string): number {
  const words = wordsAs(tokens);
  for (let i = 0; i < words.length; i++) {
    const found = specialLine(words.slice(i), country, stateCode);
    if (found && (i === 0 || tokens[i].breaks || found.kind === "box" || found.kind === "route")) return i;
  }
  return -1;
}

function behindSpecial(
  tokens: readonly Token[],
  at: number,
  { country, stateCode }: { country: Country; stateCode: string },
) {
  const words = wordsAs(tokens);
  const breakAt = tokens.findIndex((token, i) => i > at && token.breaks);
  const limit = breakAt < 0 ? words.length : breakAt;
  const found = specialLine(words.slice(at, limit), country, stateCode);
  if (!found) return limit;
  // A station runs on until a comma; without one the city is its last word.
  if (found.station && breakAt < 0 && found.taken === words.length - at) return words.length - 1;
  return at + found.taken;
}

/** First words of a city's name that are words of streets, too. */
const CITY_FIRST =
  /^(?:SAINT|ST|STE|SAINTE|FORT|FT|MOUNT|MT|PORT|LAKE|POINT|PT|NEW|SAN|SANTA|LOS|LAS|EL|LA|LE|DES|GRAND|PALM|LONG|CORPUS|SALT|KANSAS|OKLAHOMA|JERSEY|COLORADO|VIRGINIA|LITTLE|CEDAR|BATON|OVERLAND|SIOUX|NIAGARA|THUNDER|RED|MEDICINE|MOOSE|PRINCE|QUEENS|STATEN|ROCHESTER|SILVER|ORANGE|GARDEN|BEVERLY|COLLEGE|IDAHO|RAPID|GREEN|PARK|VALLEY|SPRING|BOWLING|NORTH|SOUTH|EAST|WEST|UPPER|LOWER|OLD|HIGH|HOT|KEY|LONG|OAK|ROCK|ROUND|WHITE|CORAL|MIAMI|DAYTONA|BOYNTON|DELRAY|POMPANO|REDONDO|HUNTINGTON|MANHATTAN|RANCHO|WINTER|ANN|CHULA|MORENO|SIMI|SUN|APPLE|MISSION|MONTEREY|COCONUT|BOCA|CAPE|PEMBROKE|PLANT|PUNTA|SAULT|TROIS)$/;
const CITY_LAST =
  /^(?:CITY|FALLS|SPRINGS?|BEACH|HILLS?|HEIGHTS|HTS|PARK|VILLAGE|VALLEY|ISLAND|RAPIDS|LAKE|LAKES|GROVE|CREEK|BAY|JUNCTION|HARBOR|ROCK|RIVER|BLUFFS?|HAVEN|RIDGE|CENTER|POINT|TOWNSHIP|TWP|BORO|LANDING|STATION|GARDENS|OAKS|MILLS|FORKS|MOUNTAIN|VIEW|PINES|GABLES|WORTH|WAYNE|LAUDERDALE|COVE|AFB)$/;
/** Streets of one word. */
const ALONE = /^(?:BROADWAY|BOARDWALK|BOWERY|BWAY|ESPLANADE|EMBARCADERO|STRAND|BROADVIEW)$/;

/** A text without commas: the street ends with its type and a direction, its units follow; the rest is the city. */
function behindStreet(tokens: readonly Token[], from: number, country: Country): number {
  const words = wordsAs(tokens);
  const lead = leadingUnit(tokens.slice(from), country);
  let first = lead && isHouse(words[from + lead.end] ?? "") ? from + lead.end : from;
  while (first < words.length && !isHouse(words[first])) first++;
  const start = first < words.length ? first + 1 : from;
  if (start >= words.length) return words.length;
  const end = streetEnd(words, start, country);
  const tail = tokens.slice(start);
  const units = findUnits(tail, country);
  if (units && (units.start + start <= end + 1 || end >= words.length || units.start + start < words.length - 1)) {
    const at = units.start + start;
    if (at >= end || end >= words.length) return Math.max(at, units.end + start);
  }
  return end;
}

function streetEnd(words: readonly string[], start: number, country: Country): number {
  const isType = (i: number) => SUFFIXES[country].has(words[i] ?? "");
  const isCertain = (i: number) => isType(i) && CERTAIN_SUFFIXES.has(SUFFIXES[country].get(words[i])!);
  let at = start;
  const numbered = directionalOf(words[at]) !== undefined && highwayOf(words.slice(at + 1), country) !== undefined;
  if (numbered || (directionalOf(words[at]) !== undefined && words.length - at > 2 && !isCertain(at + 1))) at++;
  const highway = highwayOf(words.slice(at), country);
  if (highway) return withDirection(words, at + highway.taken);
  // "RUE SAINTE-CATHERINE OUEST MONTREAL": French streets end with a direction, or nobody knows where.
  if (
    country === "CA" &&
    FRENCH.has(words[at]) &&
    /^(?:RUE|AV|BOUL|CH|CHEMIN|AVENUE|BOULEVARD|PLACE|MONTEE|RANG)$/.test(words[at])
  ) {
    for (let i = at + 2; i < words.length - 1; i++) if (directionalOf(words[i], true)) return i + 1;
    if (!words.slice(at + 1).some((word) => SUFFIXES.US.has(word))) return Math.max(at + 2, words.length - 1);
  }
  // "AVENUE A", "300 WEST"
  if (isCertain(at) && /^[A-Z]$|^\d+$/.test(words[at + 1] ?? "") && words.length - at > 2) {
    // "LANE 8 1/2"
    return withDirection(words, at + (/^\d\/\d$/.test(words[at + 2]) ? 3 : 2));
  }
  if (/^\d+$/.test(words[at]) && directionalOf(words[at + 1] ?? "") !== undefined && !isType(at + 2)) return at + 2;
  for (let i = at + 1; i < words.length; i++) {
    if (!isCertain(i)) continue;
    // "OCEAN ST CLOUD", "N MAIN ST ST LOUIS": the first is the street's, the second a saint's.
    let end = i;
    while (end + 1 < words.length && isCertain(end + 1) && !(/^ST$/.test(words[end + 1]) && end + 2 < words.length))
      end++;
    return withDirection(words, end + 1);
  }
  if (ALONE.test(words[at])) return withDirection(words, at + 1);
  for (let i = at + 1; i < words.length - 1; i++) {
    // "SUNSET RIDGE BOERNE": a weaker type, where a word is left for the city.
    if (isType(i) && !BEGINS_CITY.test(words[i]) && !(i + 2 === words.length && CITY_LAST.test(words[i + 1])))
      return withDirection(words, i + 1);
  }
  if (words.length - at < 2) return words.length;
  // No type at all: the city has one word, or as many as its words say.
  let cityAt = words.length - 1;
  if (cityAt - 1 > at && (CITY_LAST.test(words[cityAt]) || CITY_FIRST.test(words[cityAt - 1]))) cityAt--;
  return cityAt;
}

const BEGINS_CITY = /^(?:FORT|FT|MOUNT|MT|LAKE|PORT|POINT|PT)$/;

/** Cities that begin with a direction, by what follows it; "Main St North Platte" is a street in North Platte. */
const CITIES_BY_DIRECTION: Record<string, RegExp> = {
  NORTH:
    /^(?:LAS|MIAMI|CHARLESTON|RICHLAND|HOLLYWOOD|HAVEN|BERGEN|OLMSTED|ROYALTON|AUGUSTA|PLATTE|PORT|ATTLEBORO|ANDOVER|ADAMS|CANTON|LITTLE|CHICAGO|VANCOUVER|YORK|BAY|TONAWANDA|BRUNSWICK|PROVIDENCE|KINGSTOWN|MYRTLE|FORT|READING|BABYLON|PLAINFIELD|ARLINGTON|AURORA|BATTLEFORD|SIOUX|KANSAS|BEND|SALT|HIGHLANDS|HILLS|WALES|BEACH|LAUDERDALE|PALM|OGDEN|LOGAN|EAST)$/,
  SOUTH:
    /^(?:BEND|SAN|GATE|PORTLAND|JORDAN|SALT|HOLLAND|EUCLID|PASADENA|EL|WHITTIER|LAKE|MIAMI|PLAINFIELD|ORANGE|BURLINGTON|HADLEY|WINDSOR|KINGSTOWN|OZONE|RICHMOND|HILL|HAMPTON|LYON|MILWAUKEE|CHICAGO|SIOUX|BELOIT|BOSTON|HOUSTON|SURREY|PARK|ELGIN|OGDEN|WEBER|FULTON|JAMAICA|RIVER|AMBOY|HACKENSACK|CHARLESTON|FALLSBURG|DAYTONA|PADRE|BARRINGTON|GLENS|DENNIS|YARMOUTH|HAVEN|LYME)$/,
  EAST: /^(?:ORANGE|LANSING|ST|SAINT|CHICAGO|POINT|CLEVELAND|HARTFORD|PROVIDENCE|PALO|LOS|MEADOW|HAVEN|BRUNSWICK|HAMPTON|PEORIA|MOLINE|RIDGE|STROUDSBURG|SYRACUSE|AURORA|GREENWICH|RUTHERFORD|ISLIP|NORTHPORT|WENATCHEE|GRAND|LIVERPOOL|ROCKAWAY|WINDSOR|LYME|SETAUKET|ELMHURST|BERLIN)$/,
  WEST: /^(?:PALM|COVINA|HOLLYWOOD|ALLIS|HAVEN|DES|JORDAN|VALLEY|SACRAMENTO|LAFAYETTE|CHESTER|HARTFORD|ORANGE|MEMPHIS|MONROE|BEND|SPRINGFIELD|WARWICK|BABYLON|ISLIP|NEW|FARGO|POINT|PLAINS|COLUMBIA|LINN|SENECA|MIFFLIN|BLOOMFIELD|CHICAGO|CALDWELL|NYACK|ROXBURY|VANCOUVER|KELOWNA|MELBOURNE|SALEM|UNION|WINDSOR|LONG|NEWTON)$/,
};

/** Behind a street its direction, unless that begins the city: "ST W CHICAGO", but "AVE WEST PALM BEACH". */
function withDirection(words: readonly string[], end: number): number {
  if (directionalOf(words[end] ?? "") === undefined || /^(?:NO|SO)$/.test(words[end])) return end;
  return CITIES_BY_DIRECTION[words[end]]?.test(words[end + 1] ?? "") ? end : end + 1;
}

/** "Brooklyn", "c/o" and counties left out. */
function cityOf(tokens: readonly Token[]): string {
  const text = writtenAs(tokens).replace(/^[-\s]+|[-\s]+$/g, "");
  return /\p{L}/u.test(text) ? text : "";
}

/** Behind the units of a line without commas stands the city. */
function leftOver({ rest }: DeliveryLine): string {
  const last = rest.findLastIndex(({ breaks }) => breaks);
  return cityOf(rest.slice(Math.max(0, last)));
}
