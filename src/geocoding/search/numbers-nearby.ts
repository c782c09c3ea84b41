import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import { GRID } from "../entry.ts";
import { houseId } from "../index/address-id.ts";
import type { AddressIndex } from "../index/address-index.ts";
import type { NamesTile } from "../index/names-tile.ts";
import type { ParsedQuery } from "../parse/query.ts";
import { parseHouseNumber } from "../words/house-number.ts";
import type { Found } from "./found.ts";
import { isInArea, type SearchOptions } from "./index-search.ts";
import { scoreOf } from "./rank.ts";

/** Tiles, their distance [m], and streets of each tile whose house numbers are read: a bound on the work. */
const MAX_TILES = 3;
const REACH = 5_000;
const MAX_STREETS = 100;
/** Longer numbers are postal codes. */
const MAX_LETTERS = 4;
/** How well a number fits without its street. */
const NUMBER_TEXT = 0.64;

/**
 * Finds the nearest houses with a number that is all that was typed so far: "10" begins "10 Main St", and far regions
 * with a 10 in their names are less likely.
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
  const wanted = { key: number.key, first: number.first, near, options };
  const found = await Promise.all(
    indexes
      .filter(({ hasPlacesInHeads }) => !hasPlacesInHeads)
      .map(async (index) => {
        const tiles = await index.near(near, REACH, MAX_TILES);
        return (await Promise.all(tiles.map(({ tile }) => housesIn(index, tile, wanted)))).flat();
      }),
  );
  return found
    .flat()
    .sort((a, b) => a.distance! - b.distance!)
    .slice(0, options.limit);
}

interface Wanted {
  key: string;
  first: number;
  near: Coordinate;
  options: SearchOptions;
}

async function housesIn(index: AddressIndex, tile: number, { key, first, near, options }: Wanted): Promise<Found[]> {
  index.expect(tile);
  const names = await index.names(tile);
  if (!names) return [];
  const found: Found[] = [];
  for (const entry of nearestStreets(names, near)) {
    const context = names.context(entry);
    if (options.countries && !options.countries.includes(context.countryCode)) continue;
    const { houses } = await index.details(tile, names, entry, (own) => own === first);
    for (const { number, computed, location } of houses) {
      if (computed || number.key !== key || !isInArea(location, options)) continue;
      const distance = haversine(near.latitude, near.longitude, location.latitude, location.longitude);
      found.push({
        layer: "address",
        kind: "street",
        name: names.nameIn(entry, options.language) ?? names.name(entry),
        context,
        postalCode: names.postalCode(entry),
        id: houseId(names, entry, number.text, location),
        number: number.text,
        location,
        confidence: "fallback",
        score: scoreOf({
          text: NUMBER_TEXT,
          confirmed: 1,
          missing: 0,
          distance,
          importance: names.importances[entry] / 255,
          countryRank: options.countries?.indexOf(context.countryCode) ?? 0,
        }),
        distance,
      });
    }
  }
  return found;
}

function nearestStreets(names: NamesTile, near: Coordinate): number[] {
  const streets: { entry: number; distance: number }[] = [];
  for (let entry = 0; entry < names.count; entry++) {
    if (names.kinds[entry] !== 0 || !names.hasDetails(entry)) continue;
    const [latitude, longitude] = [names.latitudes[entry] / GRID, names.longitudes[entry] / GRID];
    streets.push({ entry, distance: haversine(near.latitude, near.longitude, latitude, longitude) });
  }
  return streets
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_STREETS)
    .map(({ entry }) => entry);
}
