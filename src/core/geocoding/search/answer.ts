import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import { GRID, type House } from "../entry/entry.ts";
import { houseId } from "../index/address-id.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { BUDGET } from "../index/budget.ts";
import { nameKey, namesOf } from "../index/tile-names.ts";
import type { ParsedQuery } from "../parse/query.ts";
import { tokensOf } from "../words/normalise.ts";
import { type FoundHouse, findHouse, housesAround } from "./find-house.ts";
import type { Found } from "./found.ts";
import { type Hit, isComplete, isInArea, isLargeAirport, layerOf, type SearchOptions } from "./index-search.ts";
import { reachOf } from "./towns.ts";
import weights from "./weights.json" with { type: "json" };

/** When more than this share of an address is unknown words, its house number is not searched for. */
const DOUBT = 0.3;

/** Here `exact` means that everything in the query matched; for the reported value see `confidenceOf`. */
export interface Answer extends Found {
  complete: boolean;
  /** Letter for letter, but for spelling rules. */
  spelt: boolean;
  /** The words of its name. */
  key: string;
  /** Its name is the whole query. */
  whole: boolean;
  /** From the blocks of regions: a place there is an airport of the world base. */
  base: boolean;
  /** A large airport that is called by a word of its name: Heathrow. */
  airport: boolean;
  /** By a name that people use today, and no code. */
  usual: boolean;
  /** A word has marks that none of its names has: "Balé" is not Bâle. */
  marked: boolean;
  importance: number;
}

/** The result that a hit is: with its house, if the query has a number. */
export async function answerOf(
  hit: Hit,
  all: readonly Hit[],
  query: ParsedQuery,
  options: SearchOptions,
): Promise<Answer | undefined> {
  const { names, entry } = hit;
  const kind = names.kind(entry);
  const other = names.nameIn(entry, options.language);
  const found: Answer = {
    layer: layerOf(kind),
    kind,
    name: other ?? names.name(entry),
    key: other === undefined ? nameKey(names, entry) : tokensOf(other).join(" "),
    context: names.context(entry),
    postalCode: names.postalCode(entry),
    location: positionOf(hit),
    confidence: hit.complete && !isWithoutHouse(hit, query) && !isByLooseCode(hit, query) ? "exact" : "fallback",
    score: hit.score,
    complete: isComplete(hit),
    spelt: hit.spelt,
    whole: isWhole(hit, query),
    base: hit.tile === -1,
    airport: isLargeAirport(hit),
    usual: isUsual(hit, query),
    marked: (hit.evidence?.marks ?? 0) > 0,
    importance: names.importances[entry] / 255,
    ...(kind === "locality" && {
      town: {
        names: namesOf(names, entry).map(({ words }) => words),
        reach: reachOf(names.importances[entry]),
      },
    }),
  };
  if (hit.house !== undefined && !(await addHouse(found, hit, hit.house, all, query))) return undefined;
  if (kind === "street" && hit.house === undefined && hit === all[0]) await addNamedHouse(found, hit, all, query);
  if (!isInArea(found.location, options)) return undefined;
  if (options.near) {
    const { near } = options;
    found.distance = haversine(near.latitude, near.longitude, found.location.latitude, found.location.longitude);
  }
  return found;
}

/** Returns whether the text has all of a name that people of the region, or those who ask, use today: "BO" is Bolivia, "Bo" a town. */
function isUsual({ coverage, evidence = {} }: Hit, { words }: ParsedQuery): boolean {
  const { otherName = 0, inLanguage = 0, code = 0, minorCode = 0 } = evidence;
  const isWritten = words.every(({ capitals }) => capitals);
  return coverage > 0.999 && otherName + minorCode === 0 && inLanguage < 1 && (code === 0 || isWritten);
}

/**
 * "Volzhskiy, AL": where states have letters, those of another state in the country of a town are no evidence that it is there. Letters with marks
 * are no code: "Mỹ" is not Malaysia.
 */
const isByLooseCode = ({ names, entry, evidence, owned }: Hit, { words }: ParsedQuery) =>
  names.kinds[entry] > 1 &&
  (((evidence?.looseCode ?? 0) > 0 && /^[A-Z]+$/.test(names.context(entry).stateCode)) ||
    ((evidence?.code ?? evidence?.minorCode ?? 0) > 0 && words.some(({ marked }, i) => marked && owned & (1 << i))));

/** Returns whether the text is one of its names, in full. */
function isWhole({ names, entry, named, missing }: Hit, { words }: ParsedQuery): boolean {
  if (named?.[0] === 0 && named[1] === words.length) return true;
  if (missing > 0 || names.kind(entry) !== "country") return false;
  return namesOf(names, entry).some((name) => name.words.join(" ") === words.map(({ text }) => text).join(" "));
}

/** A street is not all of what a text with a unit asks for: "Block 13, Flat 5". */
const isWithoutHouse = ({ names, entry, house }: Hit, { unit }: ParsedQuery) =>
  names.kinds[entry] === 0 && house === undefined && unit !== undefined && /\d/.test(unit);

/** Adds the house with this number, if the street has it. Returns false if another part of the street has it. */
async function addHouse(
  answer: Answer,
  hit: Hit,
  number: string,
  all: readonly Hit[],
  query: ParsedQuery,
): Promise<boolean> {
  // A house number on a different street, whose name the query has only in part, is no answer.
  const isThis = hit.complete || hit.otherType || (hit.coverage >= 0.99 && hit.missing <= DOUBT);
  const [houses, sources] = isThis ? await Promise.all([housesOf(hit, all, number), hit.index.sources()]) : [[], []];
  const plain = findHouse(houses, number, answer.context.countryCode, hit.names.isBlock(hit.entry));
  const other = query.lettered ?? (plain?.confidence === "exact" ? undefined : query.stair);
  const otherHouse = other && findHouse(houses, other.number);
  const isOther = otherHouse?.confidence === "exact";
  const house = isOther ? otherHouse : plain;
  if (house?.confidence === "exact" && !(await hasHouse(hit, number, house.number))) return false;
  if (house) {
    takeHouse(answer, hit, house, sources);
    answer.score += house.confidence === "exact" ? weights.house : weights.nearHouse;
    const unit = isOther ? other?.unit : (query.unit ?? house.unit);
    if (unit) answer.unit = unit;
  } else {
    if (hit.complete) answer.sought = number;
    answer.confidence = "fallback";
    answer.score += weights.noHouse;
  }
  return true;
}

function takeHouse(answer: Answer, hit: Hit, house: FoundHouse, sources: Awaited<ReturnType<AddressIndex["sources"]>>) {
  answer.number = house.number;
  answer.location = house.location;
  answer.confidence = house.confidence;
  if (house.confidence === "exact") answer.id = houseId(hit.names, hit.entry, house.number, house.location);
  if (house.origin) {
    answer.precision = house.origin.precision;
    answer.sources = house.origin.sources.flatMap((source) => sources[source] ?? []);
  }
}

/** The longest name of a house [words]. */
const MAX_HOUSE_NAME = 5;

/** Adds the house that the words are called that nothing else explains: "Liesel Court, Triq Il-Mimosa". */
async function addNamedHouse(answer: Answer, hit: Hit, all: readonly Hit[], { words }: ParsedQuery): Promise<void> {
  const rest = words.filter((_, i) => hit.missed & (1 << i));
  if (hit.coverage < 0.99 || rest.length === 0 || rest.length > MAX_HOUSE_NAME) return;
  if (rest.some(({ number }) => number) || !rest.some(({ weight }) => weight >= 1)) return;
  const name = rest.map(({ text }) => text).join(" ");
  const [houses, sources] = await Promise.all([housesOf(hit, all, name), hit.index.sources()]);
  const house = findHouse(houses, name);
  if (house?.confidence !== "exact") return;
  takeHouse(answer, hit, house, sources);
  answer.complete = true;
}

export function positionOf({ names, entry }: Hit): Coordinate {
  return { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
}

/** Parts of one street are in several tiles, and under several postal codes: a number is looked up in all of them. */
async function housesOf(hit: Hit, all: readonly Hit[], requested: string): Promise<House[]> {
  const own = streetKey(hit);
  const parts = [hit];
  for (const other of all) {
    if (parts.length === BUDGET.houses) break;
    if (other !== hit && other.names.kinds[other.entry] === 0 && streetKey(other) === own) parts.push(other);
  }
  return (await Promise.all(parts.map((part) => ownHouses(part, requested)))).flat();
}

/** The houses of this part of the street around the number; read once. */
function ownHouses(hit: Hit, requested: string): Promise<readonly House[]> {
  hit.houses ??= hit.index
    .details(hit.tile, hit.names, hit.entry, housesAround(requested, hit.names.context(hit.entry).countryCode))
    .then(({ houses }) => houses);
  return hit.houses;
}

/** Returns whether the number is in this part of the street. If not, another part may have it. */
async function hasHouse(hit: Hit, requested: string, found: string): Promise<boolean> {
  return (await ownHouses(hit, requested)).some(({ number }) => number.text === found);
}

function streetKey(hit: Hit): string {
  if (hit.key === undefined) {
    const { city, stateCode, countryCode } = hit.names.context(hit.entry);
    hit.key = `${nameKey(hit.names, hit.entry)}\n${city}\n${stateCode}\n${countryCode}`;
  }
  return hit.key;
}
