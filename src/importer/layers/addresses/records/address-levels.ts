import { LANGUAGES } from "../../../../core/geocoding/entry/entry.ts";
import type { Names } from "../../../../core/geocoding/index/entry-record.ts";
import { tokensOf } from "../../../../core/geocoding/words/normalise.ts";
import type { Tags } from "../../../osm/pbf/element.ts";

/**
 * An address is a list of levels under a town, of which street and number are the usual case: a district and a lot, a square and
 * a door, a village and a conscription number. Here it becomes one line: a name, and a number that has all levels below it.
 *
 *     street Moda Caddesi, housenumber 57                            "Moda Caddesi", 57
 *     quarter 銀座, neighbourhood 四丁目, block 6, housenumber 1       "銀座", 4-6-1
 *     place SQN 205, block A, housenumber 1                          "SQN 205 Bloco A", 1
 *     place Lhota, conscriptionnumber 47                             "Lhota", 47
 */
export interface AddressLine {
  name: string;
  /** In other languages. */
  names: Names;
  number: string;
  /** Where the houses of a name stand: along a street, or in no order. */
  form: "street" | "block";
}

const keysOf = (levels: string) => levels.split(" ").map((level) => `addr:${level}`);

/** Levels that may stand for a street, the smallest first. */
const PLACES = keysOf("place neighbourhood quarter subdistrict hamlet suburb district");
/** Levels between a street and its town. */
const AROUND = keysOf("neighbourhood quarter subdistrict ward hamlet place");
const DISTRICTS = keysOf("district suburb city_district");
const STREET = "addr:street";
const NAMED = [STREET, ...keysOf("place neighbourhood quarter suburb district")];
const OTHER_LANGUAGES = LANGUAGES.filter((language) => language !== "en");

/** Tags of the levels, besides the town and the number of the house. Their order is that of records (raw-record.ts). */
export const LEVEL_TAGS = [
  ...keysOf("place neighbourhood quarter suburb district subdistrict ward hamlet city_district"),
  ...keysOf("block block_number conscriptionnumber streetnumber housename"),
  ...NAMED.map((key) => `${key}:en`),
  ...OTHER_LANGUAGES.map((language) => `${STREET}:${language}`),
];
/** Names of a level in other languages: in English alone, but for streets. */
const NAMES = new Map(
  NAMED.map((key) => [
    key,
    (key === STREET ? LANGUAGES : (["en"] as const)).map((language) => [language, `${key}:${language}`] as const),
  ]),
);

/** An element with one of these has an address, if it also has a place. */
export const NUMBER_TAGS = ["addr:housenumber", "addr:block_number", "addr:conscriptionnumber", "addr:housename"];

/** Whether the tags name more than a town, so that they may be an address. */
export const hasNumber = (tags: Tags): boolean => NUMBER_TAGS.some((key) => tags[key] !== undefined);

/** What stands for the street where there is none: the smallest level with a name. */
export const placeOf = (tags: Tags): string | undefined => {
  const key = PLACES.find((one) => tags[one]);
  return key && tags[key];
};

/** The line of an address; undefined without a number. @param street its own, or that of a relation, or `placeOf` */
export function addressLine(tags: Tags, street: string, country: string): AddressLine | undefined {
  const number = numberOf(tags);
  if (street !== placeOf(tags) && street !== "") {
    if (number === undefined) return undefined;
    return { name: street, names: namesOf(tags, STREET, street), number, form: "street" };
  }
  return country === "JP" ? japaneseLine(tags, number) : blockLine(tags, street, number, country);
}

/** Of a house without one, the name of the house; of one with both numbers of a Czech house, both. */
function numberOf(tags: Tags): string | undefined {
  const { "addr:housenumber": own, "addr:conscriptionnumber": conscription, "addr:streetnumber": along } = tags;
  if (own) return own;
  if (conscription) return along ? `${conscription}/${along}` : conscription;
  const name = tags["addr:housename"];
  return name !== undefined && /\d/.test(name) ? name : undefined;
}

function blockLine(tags: Tags, place: string, number: string | undefined, country: string): AddressLine | undefined {
  if (number === undefined) return undefined;
  const level = PLACES.find((key) => tags[key] === place) ?? "";
  // There the street is only missing.
  if (WITHOUT_DISTRICTS.has(country) && DISTRICTS.includes(level)) return undefined;
  const block = blockOf(tags, country);
  const name = block === "" ? place : `${place} ${block}`;
  const names = block === "" ? namesOf(tags, level, place) : [];
  return { name, names, number, form: "block" };
}

/** What a block is called in addresses. */
const BLOCKS: Record<string, string> = { AO: "Bloco", BR: "Bloco", MZ: "Bloco", PT: "Bloco", ES: "Bloque", RO: "Bloc" };

/** "7" → "Block 7"; "" without one. */
function blockOf(tags: Tags, country: string): string {
  const block = (tags["addr:block"] ?? tags["addr:block_number"] ?? "").trim();
  const isBare = /^(?:\p{L}|\d+\p{L}?)$/u.test(block);
  return isBare ? `${BLOCKS[country] ?? "Block"} ${block}` : block;
}

const CHOME = /^(.*?)\s*(\d+|[一二三四五六七八九十]+)\s*丁目$/u;

/** Named down to the district, numbered below it: part of the district (chome), block, house. */
function japaneseLine(tags: Tags, house: string | undefined): AddressLine | undefined {
  const quarter = tags["addr:quarter"] ?? "";
  const below = tags["addr:neighbourhood"] ?? "";
  const whole = tags["addr:place"] ?? (below.startsWith(quarter) ? below : quarter + below) ?? "";
  // "四丁目" as it is counted: 4.
  const [, name = whole, written] = CHOME.exec(whole.normalize("NFKC")) ?? [];
  const chome = written === undefined ? undefined : tokensOf(`${written}丁目`)[0];
  const number = [chome, tags["addr:block_number"], house]
    .filter((part) => part !== undefined && part !== "")
    .join("-");
  const place = name || (tags["addr:suburb"] ?? "");
  if (place === "" || number === "" || (house === undefined && tags["addr:block_number"] === undefined))
    return undefined;
  const level = PLACES.find((key) => tags[key] === place) ?? "";
  return { name: place, names: namesOf(tags, level, place), number, form: "block" };
}

/**
 * The name of a level in other languages. A square is called both "C 4" and "C4": the first name of a language is shown.
 */
function namesOf(tags: Tags, level: string, name: string): Names {
  let names = NO_NAMES;
  for (const [language, key] of NAMES.get(level) ?? [])
    if (tags[key] !== undefined && tags[key] !== name) names = [...names, [language, tags[key]]];
  const square = name.length <= 5 ? /^(\p{L}{1,2})( ?)(\d{1,2})$/u.exec(name) : null;
  if (!square) return names;
  return [...names, ["en", name], ["en", square[1] + (square[2] === "" ? " " : "") + square[3]]];
}

const NO_NAMES: Names = [];

/** Countries that do not write a part of the town in addresses; there the drawn regions say what there is. */
const WITHOUT_DISTRICTS = new Set(
  "AD AT AU BE CA CH CZ DE DK EE ES FI FR GB IE IS IT LI LT LU LV MC MT NL NO NZ PL PT SE SI SK SM US VA".split(" "),
);

/** Parts of a town that an address names; "" for what it does not. */
export interface Areas {
  district: string;
  quarter: string;
  /** The district in English. */
  english: string;
}

/** The district and the part of it that an address names; "" for what it does not, or has as its line. */
export function areasOf(tags: Tags, country: string, line: string): Areas {
  if (WITHOUT_DISTRICTS.has(country)) return NO_AREAS;
  const isPart = (key: string) => tags[key] && tags[key] !== line && tags[key] !== tags["addr:city"];
  const [district, quarter] = [DISTRICTS.find(isPart), AROUND.find(isPart)];
  if (district === undefined && quarter === undefined) return NO_AREAS;
  return {
    district: (district && tags[district]) ?? "",
    quarter: (quarter && tags[quarter]) ?? "",
    english: (district && tags[`${district}:en`]) ?? "",
  };
}

const NO_AREAS: Areas = { district: "", quarter: "", english: "" };
