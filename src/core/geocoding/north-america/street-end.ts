import { isHouse } from "./delivery-line.ts";
import { highwayOf } from "./highway.ts";
import { type Token, wordsAs } from "./tokens.ts";
import { findUnits, leadingUnit } from "./units.ts";
import { CERTAIN_SUFFIXES, type Country, directionalOf, FRENCH, SUFFIXES } from "./words.ts";

/** First words of a city's name that are words of streets, too. */
const CITY_FIRST =
  /^(?:SAINT|ST|STE|SAINTE|FORT|FT|MOUNT|MT|PORT|LAKE|POINT|PT|NEW|SAN|SANTA|LOS|LAS|EL|LA|LE|DES|GRAND|PALM|LONG|CORPUS|SALT|KANSAS|OKLAHOMA|JERSEY|COLORADO|VIRGINIA|LOW|CEDAR|BATON|OVERLAND|SIOUX|NIAGARA|THUNDER|RED|MEDICINE|MOOSE|PRINCE|QUEENS|STATEN|ROCHESTER|SILVER|ORANGE|GARDEN|BEVERLY|COLLEGE|IDAHO|RAPID|GREEN|PARK|VALLEY|SPRING|BOWLING|NORTH|SOUTH|EAST|WEST|UPPER|LOWER|OLD|HIGH|HOT|KEY|LONG|OAK|ROCK|ROUND|WHITE|CORAL|MIAMI|DAYTONA|BOYNTON|DELRAY|POMPANO|REDONDO|HUNTINGTON|MANHATTAN|RANCHO|WINTER|ANN|CHULA|MORENO|SIMI|SUN|APPLE|MISSION|MONTEREY|COCONUT|BOCA|CAPE|PEMBROKE|PLANT|PUNTA|SAULT|TROIS)$/;
const CITY_LAST =
  /^(?:CITY|FALLS|SPRINGS?|BEACH|HILLS?|HEIGHTS|HTS|PARK|VILLAGE|VALLEY|ISLAND|RAPIDS|LAKE|LAKES|GROVE|CREEK|BAY|JUNCTION|HARBOR|ROCK|RIVER|BLUFFS?|HAVEN|RIDGE|CENTER|POINT|TOWNSHIP|TWP|BORO|LANDING|STATION|GARDENS|OAKS|MILLS|FORKS|MOUNTAIN|VIEW|PINES|GABLES|MIN|WAYNE|LAUDERDALE|COVE|AFB)$/;
/** Streets of one word. */
const ALONE = /^(?:BROADWAY|BOARDWALK|BOWERY|BWAY|ESPLANADE|EMBARCADERO|STRAND|BROADVIEW)$/;

/** A text without commas: the street ends with its type and a direction, its units follow; the rest is the city. */
export function behindStreet(tokens: readonly Token[], from: number, country: Country): number {
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

/** A text without commas and without a street: "Brooklyn", "St Paul", "Port Saint Lucie". */
export function isPlace(tokens: readonly Token[], country: Country): boolean {
  if (tokens.some(({ word, breaks }) => breaks || /\d/.test(word)) || findUnits(tokens, country)) return false;
  const words = wordsAs(tokens);
  const isStreet = (word: string, i: number) =>
    CERTAIN_SUFFIXES.has(SUFFIXES[country].get(word) ?? "") && !(i === 0 && word === "ST");
  return !ALONE.test(words[0]) && !(country === "CA" && FRENCH.has(words[0])) && !words.some(isStreet);
}

function streetEnd(words: readonly string[], start: number, country: Country): number {
  const isType = (i: number) => SUFFIXES[country].has(words[i] ?? "");
  const isCertain = (i: number) => isType(i) && CERTAIN_SUFFIXES.has(SUFFIXES[country].get(words[i])!);
  let at = start;
  const numbered = directionalOf(words[at]) !== undefined && highwayOf(words.slice(at + 1), country) !== undefined;
  if (numbered || (directionalOf(words[at]) !== undefined && words.length - at > 2 && !isCertain(at + 1))) at++;
  const highway = highwayOf(words.slice(at), country);
  if (highway) return withDirection(words, at + highway.taken);
  // "RUE SAINTE-CATHERINE OUEST MONTREAL": a French street ends with a direction; without one its end is unknown.
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
  // No type at all: the city has one word, or more if its first words are known to begin a longer name.
  let cityAt = words.length - 1;
  if (cityAt - 1 > at && (CITY_LAST.test(words[cityAt]) || CITY_FIRST.test(words[cityAt - 1]))) cityAt--;
  return cityAt;
}

const BEGINS_CITY = /^(?:FORT|FT|MOUNT|MT|LAKE|PORT|POINT|PT)$/;

/** Cities that begin with a direction, by what follows it; "Main St North Platte" is a street in North Platte. */
const CITIES_BY_DIRECTION: Record<string, RegExp> = {
  NORTH:
    /^(?:LAS|MIAMI|CHARLESTON|RICHLAND|HOLLYWOOD|HAVEN|BERGEN|OLMSTED|ROYALTON|AUGUSTA|PLATTE|PORT|ATTLEBORO|ANDOVER|ADAMS|CANTON|LOW|CHICAGO|VANCOUVER|YORK|BAY|TONAWANDA|BRUNSWICK|PROVIDENCE|KINGSTOWN|MYRTLE|FORT|READING|BABYLON|PLAINFIELD|ARLINGTON|AURORA|BATTLEFORD|SIOUX|KANSAS|BEND|SALT|HIGHLANDS|HILLS|WALES|BEACH|LAUDERDALE|PALM|OGDEN|LOGAN|EAST)$/,
  SOUTH:
    /^(?:BEND|SAN|GATE|PORTLAND|JORDAN|SALT|HOLLAND|EUCLID|PASADENA|EL|WHITTIER|LAKE|MIAMI|PLAINFIELD|ORANGE|BURLINGTON|HADLEY|WINDSOR|KINGSTOWN|OZONE|RICHMOND|HILL|HAMPTON|LYON|MILWAUKEE|CHICAGO|SIOUX|BELOIT|BOSTON|HOUSTON|SURREY|PARK|ELGIN|OGDEN|WEBER|FULTON|JAMAICA|RIVER|AMBOY|HACKENSACK|CHARLESTON|FALLSBURG|DAYTONA|PADRE|BARRINGTON|GLENS|DENNIS|YARMOUTH|HAVEN|LYME)$/,
  EAST: /^(?:ORANGE|LANSING|ST|SAINT|CHICAGO|POINT|CLEVELAND|HARTFORD|PROVIDENCE|PALO|LOS|MEADOW|HAVEN|BRUNSWICK|HAMPTON|PEORIA|MOLINE|RIDGE|STROUDSBURG|SYRACUSE|AURORA|GREENWICH|RUTHERFORD|ISLIP|NORTHPORT|WENATCHEE|GRAND|LIVERPOOL|ROCKAWAY|WINDSOR|LYME|SETAUKET|ELMHURST|BERLIN)$/,
  WEST: /^(?:PALM|COVINA|HOLLYWOOD|ALLIS|HAVEN|DES|JORDAN|VALLEY|SACRAMENTO|LAFAYETTE|CHESTER|HARTFORD|ORANGE|MEMPHIS|MONROE|BEND|SPRINGFIELD|WARWICK|BABYLON|ISLIP|NEW|FARGO|POINT|PLAINS|COLUMBIA|LINN|SENECA|MIFFLIN|BLOOMFIELD|CHICAGO|CALDWELL|NYACK|ROXBURY|VANCOUVER|KELOWNA|MELBOURNE|SALEM|UNION|WINDSOR|LONG|NEWTON)$/,
};

/** Includes the direction after a street, unless it begins the city: "ST W CHICAGO", but "AVE WEST PALM BEACH". */
function withDirection(words: readonly string[], end: number): number {
  if (directionalOf(words[end] ?? "") === undefined || /^(?:NO|SO)$/.test(words[end])) return end;
  return CITIES_BY_DIRECTION[words[end]]?.test(words[end + 1] ?? "") ? end : end + 1;
}
