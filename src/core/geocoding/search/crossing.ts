import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import type { AddressIndex } from "../index/address-index.ts";
import { parseQuery } from "../parse/query.ts";
import type { Found } from "./found.ts";
import { type Hit, IndexSearch, isComplete, type SearchOptions } from "./index-search.ts";
import { nearestOn } from "./reverse.ts";
import { findSpans } from "./spans.ts";

/** Two streets meet if a vertex of one is this near to the other [m]: the halves of divided roads are apart. */
const MEET = 25;
/** The most pairs of streets that are compared. */
const MAX_PAIRS = 40;

/**
 * Finds where two streets meet: "5th Ave & 42nd St, New York". The text after the second street's comma applies to
 * both. An empty list if no streets of these names meet.
 */
export async function findCrossings(
  indexes: readonly AddressIndex[],
  [first, second]: readonly [string, string],
  options: SearchOptions,
  typos: boolean,
): Promise<Found[]> {
  const around = aroundCrossing(second);
  const streets = { ...options, layers: new Set(["address"] as const), limit: 20 };
  const searches = indexes.map((index) => {
    const [a, b, both] = [first + around, second, `${first} ${second}`].map(
      (text) => new IndexSearch(index, parseQuery(text, options.open), streets),
    );
    return { a, b, both };
  });
  await Promise.all(searches.flatMap(({ a, b, both }) => [a, b, both]).map((one) => one.openAround()));
  const blocks = [...new Set(searches.flatMap(({ a, b }) => [...a.heads, ...b.heads]))];
  const found = await Promise.all(
    searches.map(async ({ a, b, both }) => {
      for (const one of [a, b]) {
        one.expectTowns(searches.flatMap((other) => (one === a ? other.a : other.b).towns()));
        one.takeSpans(findSpans(one.query.words, blocks));
      }
      // A tile with words of both streets is the likeliest to contain their corner.
      await both.openByWords(typos);
      await Promise.all([a, b].map((one) => one.openSame(both)));
      return meetings(await hits(a, typos), await hits(b, typos));
    }),
  );
  const all = found.flat();
  const { near } = options;
  if (near) for (const one of all) one.distance = apart(near, one.location);
  return all
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.distance ?? 0) - (b.distance ?? 0) || b.score - a.score)
    .filter(isFirst);
}

const rankOf = ({ confidence }: Found) => (confidence === "exact" ? 0 : 1);

/** The text after the second street's comma, with the comma: ", New York"; "" without one. */
export function aroundCrossing(second: string): string {
  const comma = second.indexOf(",");
  return comma < 0 ? "" : second.slice(comma);
}

async function hits(search: IndexSearch, typos: boolean): Promise<Hit[]> {
  const streets = (await search.hits(typos)).filter(
    (hit) => isComplete(hit) && hit.house === undefined && hit.coverage >= 0.4 && hit.names.kinds[hit.entry] === 0,
  );
  return streets.sort((a, b) => Number(b.spelt) - Number(a.spelt) || b.text - a.text);
}

async function meetings(a: readonly Hit[], b: readonly Hit[]): Promise<Found[]> {
  const out: Found[] = [];
  const pairs = a
    .flatMap((one) =>
      b.filter((other) => other.names !== one.names || other.entry !== one.entry).map((other) => [one, other] as const),
    )
    // Parts of a street are in several tiles, and two streets may meet at the edge of two.
    .sort((x, y) => weightOf(y) - weightOf(x))
    .slice(0, MAX_PAIRS);
  for (const [one, other] of pairs) {
    const location = await meeting(one, other);
    if (!location) continue;
    out.push({
      layer: "address",
      kind: "street",
      name: `${one.names.name(one.entry)} & ${other.names.name(other.entry)}`,
      context: one.names.context(one.entry),
      postalCode: one.names.postalCode(one.entry),
      location,
      confidence: one.spelt && other.spelt ? "exact" : "interpolated",
      reached: true,
      score: (one.text + other.text) / 2,
    });
  }
  return out;
}

const weightOf = ([a, b]: readonly [Hit, Hit]) =>
  (a.tile === b.tile ? 2 : 0) + (a.spelt ? 1 : 0) + (b.spelt ? 1 : 0) + (a.text + b.text) / 4;

/** The vertex of one street nearest to the other, if they meet. */
async function meeting(one: Hit, other: Hit): Promise<Coordinate | undefined> {
  const [a, b] = await Promise.all(
    [one, other].map((hit) => hit.index.details(hit.tile, hit.names, hit.entry, () => false)),
  );
  let best: Coordinate | undefined;
  let least = MEET;
  for (const line of a.lines) {
    for (const vertex of line) {
      for (const target of b.lines) {
        const { distance } = nearestOn(target, vertex);
        if (distance < least) {
          least = distance;
          best = vertex;
        }
      }
    }
  }
  return best;
}

/** A crossing of divided roads is found several times. */
function isFirst(one: Found, i: number, all: readonly Found[]): boolean {
  return all.findIndex((other) => other.name === one.name && apart(other.location, one.location) < 150) === i;
}

const apart = (a: Coordinate, b: Coordinate) => haversine(a.latitude, a.longitude, b.latitude, b.longitude);
