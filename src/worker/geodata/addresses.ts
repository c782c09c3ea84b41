import type { Coordinate } from "../../core/geo/coordinate.ts";
import { AddressIndex } from "../../core/geocoding/index/address-index.ts";
import { airportsWithCode, type BaseAirport } from "../../core/geocoding/index/airport-codes.ts";
import { chooseBuilds } from "../../core/geocoding/search/choose-builds.ts";
import { STREET_REACH } from "../../core/geocoding/search/reverse.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

export const ADDRESSES_LAYER = "addresses";

/** Maximum number of builds around a point searched by one request: a bound on its work. */
const MAX_BUILDS = 8;

/**
 * The builds in which a text is searched, in turns (see searchInTurns): those around `near`, those of all builds that
 * have most of its words, and the world base data.
 */
export async function addressesToSearch(
  geodata: Geodata,
  text: string,
  { near, open }: { near?: Coordinate; open: boolean },
): Promise<AddressIndex[][]> {
  const always = near ? geodata.at(near, ADDRESSES_LAYER) : [];
  const candidates = geodata.with(ADDRESSES_LAYER).map((build) => ({ build, index: indexOf(geodata, build) }));
  const turns = (await chooseBuilds(candidates, text, { open, always })).map((turn) => turn.map(({ index }) => index));
  const { world } = geodata;
  if (!world?.has(ADDRESSES_LAYER)) return turns;
  // Each turn returns nothing outside a city that the text names, and the world base data knows most cities.
  const base = indexOf(geodata, world, { regionsOnly: true });
  const [first = [], ...later] = turns;
  return [first, ...later].map((turn) => [...turn, base]);
}

/**
 * How far beyond its area an import may have data [m]: houses and streets across its edge are kept complete, and a
 * street may continue for kilometers.
 */
const BEYOND_THE_EDGE = 5_000;

/** Builds that contain a point, then those that begin near it: no other build has anything within reach. */
export function addressIndexesAt(geodata: Geodata, point: Coordinate): AddressIndex[] {
  const holding = geodata.at(point, ADDRESSES_LAYER, STREET_REACH);
  const near = geodata.at(point, ADDRESSES_LAYER, BEYOND_THE_EDGE).filter((source) => !holding.includes(source));
  return [...holding, ...near].slice(0, MAX_BUILDS).map((source) => indexOf(geodata, source));
}

/**
 * Builds with addresses in one of the areas, such as "US-NY": of these, the ones that have most of the words of an
 * address.
 */
export async function addressIndexesFor(
  geodata: Geodata,
  areas: readonly string[],
  address: string,
): Promise<AddressIndex[]> {
  const all = geodata.with(ADDRESSES_LAYER).map((build) => ({ build, index: indexOf(geodata, build) }));
  const coverages = await Promise.all(all.map(({ index }) => index.coverage()));
  const there = all.filter((_, i) => areas.some((area) => coverages[i].has(area)));
  const [first = []] = await chooseBuilds(there, address);
  return first.map(({ index }) => index);
}

/** The names of the world base data. */
export function baseRegions(geodata: Geodata): AddressIndex | undefined {
  const { world } = geodata;
  return world?.has(ADDRESSES_LAYER) ? indexOf(geodata, world, { regionsOnly: true }) : undefined;
}

/** The airports of the world base data with an IATA code. */
export async function baseAirportsWith(geodata: Geodata, code: string): Promise<BaseAirport[]> {
  const head = await baseRegions(geodata)?.head(code.toLowerCase());
  return head ? airportsWithCode(head.names, code) : [];
}

/** Number of addresses by area, such as "US-NY", of all live builds. */
export async function addressCounts(geodata: Geodata): Promise<Map<string, number>> {
  const sum = new Map<string, number>();
  const sources = geodata.with(ADDRESSES_LAYER);
  const all = await Promise.all(sources.map((source) => indexOf(geodata, source).coverage()));
  for (const coverage of all) {
    for (const [area, count] of coverage) sum.set(area, (sum.get(area) ?? 0) + count);
  }
  return sum;
}

function indexOf(geodata: Geodata, source: BuildSource, options?: { regionsOnly: boolean }): AddressIndex {
  return new AddressIndex(doingWithout(geodata, source, ADDRESSES_LAYER), options);
}
