import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import { GRID } from "../entry/entry.ts";
import { houseId } from "../index/address-id.ts";
import type { AddressIndex } from "../index/address-index.ts";
import type { NamesTile } from "../index/names-tile.ts";
import type { ParsedQuery } from "../parse/query.ts";
import { parseHouseNumber } from "../words/house-number.ts";
import type { Found } from "./found.ts";
import { isInArea, type SearchOptions } from "./index-search.ts";
import { sumOf } from "./sums.ts";

/**
 * Tiles of all builds, their distance [m], and streets whose house numbers are read, the nearest ones: a bound on the
 * work.
 */
const MAX_TILES = 4;
const REACH = 5_000;
const MAX_STREETS = 120;
/** Time to measure the distance of an entry, to open a street's details, and to read a byte of them [microseconds]. */
const ENTRY_COST = 0.1;
const STREET_COST = 2;
const BYTE_COST = 0.05;
/** Longer numbers are postal codes. */
const MAX_LETTERS = 4;

/**
 * Finds the nearest houses with a number that is all that was typed so far, else those whose number begins so: "10"
 * begins "10 Main St" and "105 Oak St", and far regions with a 10 in their names are less likely.
 */
export async function numbersNearby(
  indexes: readonly AddressIndex[],
  { words }: ParsedQuery,
  options: SearchOptions,
): Promise<Found[]> {
  const [word] = words;
  const { near, open, layers } = options;
  if (!near || !open || !layers.has("address") || words.length !== 1) return [];
  if (!word.number || word.text.length > MAX_LETTERS) return [];
  const number = parseHouseNumber(word.text);
  if (!number) return [];
  const wanted = { key: number.key, begun: /^\d+$/.test(word.text) ? word.text : undefined, near, options };
  const tiles = await Promise.all(
    indexes
      .filter(({ hasPlacesInHeads }) => !hasPlacesInHeads)
      .map(async (index) => (await index.near(near, REACH, MAX_TILES)).map((one) => ({ ...one, index }))),
  );
  const nearest = tiles
    .flat()
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_TILES);
  const streets = (await Promise.all(nearest.map(({ index, tile }) => streetsOf(index, tile, near, options)))).flat();
  const found: NumberedHouse[] = [];
  for (const street of streets.sort((a, b) => a.distance - b.distance).slice(0, MAX_STREETS))
    for (const house of await housesOf(street, wanted)) found.push(house);
  const whole = found.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : found)
    .map(({ found: one }) => one)
    .sort((a, b) => a.distance! - b.distance!)
    .slice(0, options.limit);
}

/** `isWhole`: its number is the typed one, which does not only begin it. */
interface NumberedHouse {
  found: Found;
  isWhole: boolean;
}

interface Wanted {
  key: string;
  /** Digits that may begin a longer number. */
  begun: string | undefined;
  near: Coordinate;
  options: SearchOptions;
}

interface Street {
  index: AddressIndex;
  tile: number;
  names: NamesTile;
  entry: number;
  /** From the point [m]. */
  distance: number;
}

/** The streets of a tile with details, in the requested countries. */
async function streetsOf(
  index: AddressIndex,
  tile: number,
  near: Coordinate,
  { countries, pace }: SearchOptions,
): Promise<Street[]> {
  index.expect(tile);
  const names = await index.names(tile);
  if (!names) return [];
  const turn = pace?.spend(ENTRY_COST * names.count);
  if (turn) await turn;
  const streets: Street[] = [];
  for (let entry = 0; entry < names.count; entry++) {
    if (names.kinds[entry] !== 0 || !names.hasDetails(entry)) continue;
    if (countries && !countries.includes(names.context(entry).countryCode)) continue;
    const [latitude, longitude] = [names.latitudes[entry] / GRID, names.longitudes[entry] / GRID];
    const distance = haversine(near.latitude, near.longitude, latitude, longitude);
    streets.push({ index, tile, names, entry, distance });
  }
  return streets;
}

/** The houses of a street that have the number, or one that begins so. */
async function housesOf(
  { index, tile, names, entry }: Street,
  { key, begun, near, options }: Wanted,
): Promise<NumberedHouse[]> {
  const turn = options.pace?.spend(STREET_COST + BYTE_COST * (names.details[entry + 1] - names.details[entry]));
  if (turn) await turn;
  const context = names.context(entry);
  const [digits] = /^\d+/.exec(key) ?? [""];
  const { houses } = await index.details(tile, names, entry, (own) => `${own}`.startsWith(begun ?? digits));
  const found: NumberedHouse[] = [];
  for (const { number, computed, location } of houses) {
    const isWhole = number.key === key;
    if (computed || (!isWhole && begun === undefined) || !isInArea(location, options)) continue;
    const distance = haversine(near.latitude, near.longitude, location.latitude, location.longitude);
    const house: Found = {
      layer: "address",
      kind: "street",
      name: names.nameIn(entry, options.language) ?? names.name(entry),
      context,
      postalCode: names.postalCode(entry),
      id: houseId(names, entry, number.text, location),
      number: number.text,
      location,
      confidence: "fallback",
      score: sumOf({ street: 1, population: 4, house: 1, uncovered: 1, distance: Math.log(1 + distance / 20_000) }),
      distance,
    };
    found.push({ found: house, isWhole });
  }
  return found;
}
