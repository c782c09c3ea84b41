import type { Coordinate } from "../geo/coordinate.ts";
import { AddressIndex } from "../geocoding/address-index.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

export const ADDRESSES_LAYER = "addresses";

/** Builds that one request looks into, the world base beside them: a bound on its work. */
const MOST_BUILDS = 8;

/** Where addresses are looked for: around a point the builds that hold it come first. */
export function addressIndexes(geodata: Geodata, near?: Coordinate): AddressIndex[] {
  const around = near ? geodata.at(near, ADDRESSES_LAYER) : [];
  const all = [...new Set([...around, ...geodata.with(ADDRESSES_LAYER)])].slice(0, MOST_BUILDS);
  const { world } = geodata;
  if (world?.has(ADDRESSES_LAYER)) all.push(world);
  return all.map((source) => indexOf(geodata, source));
}

/** Builds that hold a point: what lies at it is in no other. */
export function addressIndexesAt(geodata: Geodata, point: Coordinate): AddressIndex[] {
  return geodata
    .at(point, ADDRESSES_LAYER)
    .slice(0, MOST_BUILDS)
    .map((source) => indexOf(geodata, source));
}

/** Builds that hold addresses of one of the areas, such as "US-NY" (country and state). */
export async function addressIndexesFor(geodata: Geodata, areas: readonly string[]): Promise<AddressIndex[]> {
  const indexes = geodata.with(ADDRESSES_LAYER).map((source) => indexOf(geodata, source));
  const coverages = await Promise.all(indexes.map((index) => index.coverage()));
  return indexes.filter((_, i) => areas.some((area) => coverages[i].has(area))).slice(0, MOST_BUILDS);
}

/** Number of addresses by area, such as "US-NY", of all builds that are live. */
export async function addressCounts(geodata: Geodata): Promise<Map<string, number>> {
  const sum = new Map<string, number>();
  const sources = geodata.with(ADDRESSES_LAYER);
  const all = await Promise.all(sources.map((source) => indexOf(geodata, source).coverage()));
  for (const coverage of all) {
    for (const [area, count] of coverage) sum.set(area, (sum.get(area) ?? 0) + count);
  }
  return sum;
}

function indexOf(geodata: Geodata, source: BuildSource): AddressIndex {
  return new AddressIndex(doingWithout(source, ADDRESSES_LAYER, geodata.leftOut));
}
