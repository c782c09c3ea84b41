import { BoundedMap } from "../../geo/bounded-map.ts";
import { haversine } from "../../geo/distance.ts";
import { GRID } from "../entry/entry.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { namesOf } from "../index/tile-names.ts";
import type { Word } from "../parse/query.ts";
import { withoutArticle } from "../words/articles.ts";
import { tokensOf } from "../words/normalise.ts";

/**
 * A town that words of a query name whole, by any of its names in the data of any build: "Copenhagen", which addresses
 * there call København, København K or Valby.
 */
export interface Town {
  /** The words of the query, from … to − 1. */
  from: number;
  to: number;
  /** Its names, folded, as words. */
  names: readonly (readonly string[])[];
  /** [1e-5 degrees] */
  latitude: number;
  longitude: number;
  /** Distance of its farthest own addresses from its center [m]. */
  reach: number;
}

/** Result of a search in a block of regions. */
interface Named {
  names: NamesTile;
  entry: number;
  /** The words of the query that are the region's whole name. */
  named?: readonly [from: number, to: number];
}

/** A query is looked at with this many towns. */
const MAX_TOWNS = 6;
/** Addresses with the town's name may be farther from its center, because the center is often that of a part. */
const SAME_NAME = 3;

/**
 * Distance of the farthest addresses of a town from its center [m]. Importance is 32 times the decimal logarithm of its
 * people (settlements.ts).
 */
export const reachOf = (importance: number) => Math.max(2000, 400 * (10 ** (importance / 32)) ** 0.27);

/** Articles that a town's name has in one list and lacks in another: Il-Marsa, Ħal Tarxien, Al Ain. */
const ARTICLES_OF_TOWNS = new Set(
  "il l ir is it iz ix in id hal had haz has har hax al el ad an ar as at az the".split(" "),
);

/** The towns found in the blocks of regions, large ones first; with the article before a name in the query. */
export function townsOf(found: readonly Named[], words: readonly Word[]): Town[] {
  const startOf = (from: number) => {
    const before = words[from - 1];
    return before?.segment === words[from].segment && ARTICLES_OF_TOWNS.has(before.text) ? from - 1 : from;
  };
  const towns: (Town & { importance: number })[] = [];
  for (const { names, entry, named } of found) {
    if (names.kind(entry) !== "locality" || !named) continue;
    const [from, to] = named;
    const importance = names.importances[entry];
    towns.push({
      from: startOf(from),
      to,
      names: namesOf(names, entry).map(({ words }) => words),
      latitude: names.latitudes[entry],
      longitude: names.longitudes[entry],
      reach: reachOf(importance),
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

/** Returns whether the city of an address is this town or a part of it by its name: København K of København. */
export function isNamedAfter({ names }: Pick<Town, "names">, city: string): boolean {
  if (city === "") return false;
  const own = withoutArticle(townWords(city));
  return names.some((words) => {
    const name = withoutArticle(words);
    return begins(name, own) || begins(own, name);
  });
}

const known = new BoundedMap<string, readonly string[]>(2000);
/** The words of a town's name in an address. */
function townWords(city: string): readonly string[] {
  let words = known.get(city);
  if (!words) {
    words = tokensOf(city);
    known.set(city, words);
  }
  return words;
}

/** Returns whether one name begins with the other, word by word. */
const begins = (short: readonly string[], long: readonly string[]) =>
  short.length > 0 && short.length <= long.length && short.every((word, i) => word === long[i]);

export function isNear(town: Town, latitude: number, longitude: number, sameName: boolean): boolean {
  const reach = town.reach * (sameName ? SAME_NAME : 1);
  if (Math.abs(town.latitude - latitude) > reach / 1.1) return false;
  return haversine(town.latitude / GRID, town.longitude / GRID, latitude / GRID, longitude / GRID) <= reach;
}
