import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";
import type { AddressIndex } from "./address-index.ts";
import type { Found } from "./found.ts";
import { type Hit, IndexSearch, isComplete, type SearchOptions } from "./index-search.ts";
import { parseQuery } from "./query.ts";
import { nearestOn } from "./reverse.ts";

/** Two streets meet where a vertex of one lies this near to the other [m]: the halves of divided roads are apart. */
const MEET = 25;
/** The most pairs of streets that are compared. */
const MOST_PAIRS = 24;

/**
 * Where two streets meet: "5th Ave & 42nd St, New York". The text after the second street's comma applies to both. An
 * empty list when no streets of these names meet.
 */
export async function findCrossings(
  indexes: readonly AddressIndex[],
  [first, second]: readonly [string, string],
  options: SearchOptions,
): Promise<Found[]> {
  const around = aroundCrossing(second);
  const streets = { ...options, layers: new Set(["address"] as const), limit: 20 };
  const found = await Promise.all(
    indexes.map(async (index) => {
      const [a, b] = await Promise.all([hits(index, first + around, streets), hits(index, second, streets)]);
      return meetings(a, b);
    }),
  );
  const all = found.flat();
  const { near } = options;
  if (near) for (const one of all) one.distance = apart(near, one.location);
  return all.sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0)).filter(isFirst);
}

/** The text after the second street's comma, with the comma: ", New York"; "" without one. */
export function aroundCrossing(second: string): string {
  const comma = second.indexOf(",");
  return comma < 0 ? "" : second.slice(comma);
}

async function hits(index: AddressIndex, text: string, options: SearchOptions): Promise<Hit[]> {
  const search = new IndexSearch(index, parseQuery(text, options.open), options);
  await Promise.all([search.openAround(), search.openByWords(false)]);
  return (await search.hits(false)).filter((hit) => isComplete(hit) && hit.house === undefined && hit.coverage >= 0.4);
}

async function meetings(a: readonly Hit[], b: readonly Hit[]): Promise<Found[]> {
  const out: Found[] = [];
  const pairs = a
    .flatMap((one) =>
      b.filter((other) => other.tile === one.tile && other.entry !== one.entry).map((other) => [one, other]),
    )
    .slice(0, MOST_PAIRS);
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
      confidence: "exact",
      score: (one.text + other.text) / 2,
    });
  }
  return out;
}

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
