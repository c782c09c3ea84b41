import { BoundedMap } from "../../geo/bounded-map.ts";
import { haversine } from "../../geo/distance.ts";
import { GRID } from "../entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { namesOf } from "../index/tile-names.ts";
import { fold, tokensOf } from "../words/normalise.ts";

/**
 * A town that words of a query name whole, by any of its names in the data of any build: "Copenhagen", which addresses
 * there call København, København K or Valby.
 */
export interface Town {
  /** The words of the query, from … to − 1. */
  from: number;
  to: number;
  /** What it is called, folded, and its words. */
  names: readonly (readonly string[])[];
  /** [1e-5 degrees] */
  latitude: number;
  longitude: number;
  /** How far its own addresses lie from its middle [m]. */
  reach: number;
}

/** What a search has found in a block of regions. */
interface Named {
  names: NamesTile;
  entry: number;
  /** The words of the query that are the region's whole name. */
  named?: readonly [from: number, to: number];
}

/** A query is looked at with this many towns. */
const MAX_TOWNS = 6;
/** Addresses that have the town's name may lie farther from its middle, as the middle is often that of a part. */
const SAME_NAME = 3;

/** The towns among what was found in the blocks of regions, large ones first. */
export function townsOf(found: readonly Named[]): Town[] {
  const towns: (Town & { importance: number })[] = [];
  for (const { names, entry, named } of found) {
    if (names.kind(entry) !== "locality" || !named) continue;
    const [from, to] = named;
    const importance = names.importances[entry];
    // Importance is 32 times the decimal logarithm of its people (settlements.ts).
    const reach = Math.max(2000, 400 * (10 ** (importance / 32)) ** 0.27);
    towns.push({
      from,
      to,
      names: namesOf(names, entry).map(({ words }) => words),
      latitude: names.latitudes[entry],
      longitude: names.longitudes[entry],
      reach,
      importance,
    });
  }
  // Of "Frankfurt am Main" the whole is meant, not Frankfurt.
  const longest = towns.filter(
    (one) =>
      !towns.some((other) => other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from),
  );
  return longest.sort((a, b) => b.importance - a.importance).slice(0, MAX_TOWNS);
}

/** Is a city, as an address has it, this town or a part of it by its name: København K of København? */
export function isNamedAfter({ names }: Town, city: string): boolean {
  if (city === "") return false;
  const own = wordsOf(city);
  return names.some((words) => begins(words, own) || begins(own, words));
}

const known = new BoundedMap<string, readonly string[]>(2000);
function wordsOf(city: string): readonly string[] {
  let words = known.get(city);
  if (!words) {
    words = tokensOf(fold(city));
    known.set(city, words);
  }
  return words;
}

/** Does one name begin with the other, word by word? */
const begins = (short: readonly string[], long: readonly string[]) =>
  short.length > 0 && short.length <= long.length && short.every((word, i) => word === long[i]);

export function isNear(town: Town, latitude: number, longitude: number, sameName: boolean): boolean {
  const reach = town.reach * (sameName ? SAME_NAME : 1);
  if (Math.abs(town.latitude - latitude) > reach / 1.1) return false;
  return haversine(town.latitude / GRID, town.longitude / GRID, latitude / GRID, longitude / GRID) <= reach;
}
