import { expect } from "vitest";
import { decodeEach, memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { CATEGORY_SLUGS } from "../../../src/core/places/categories.ts";
import type { Place } from "../../../src/core/places/place.ts";
import { PlaceIndex, type PlaceSearch } from "../../../src/core/places/place-index.ts";
import { random } from "../../../src/demo/world/random.ts";
import { atByBruteForce, nearByBruteForce } from "./brute-force.ts";
import type { ImportedPlaces } from "./import-places.ts";

/** Points around places (so that something is near) and anywhere in the box of all of them. */
export function probes(places: readonly Place[], count: number, seed: number): Coordinate[] {
  const draw = random("probes", seed);
  const latitudes = places.map(({ location }) => location.latitude);
  const longitudes = places.map(({ location }) => location.longitude);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? destination(draw.pick(places).location, draw.between(0, 360), draw.between(0, 300))
      : { latitude: draw.between(south - 0.01, north + 0.01), longitude: draw.between(west - 0.01, east + 0.01) },
  );
}

export function searches(places: readonly Place[], count: number): PlaceSearch[] {
  const draw = random("searches", places.length);
  const slugs = [...CATEGORY_SLUGS];
  const chains = [...new Set(places.flatMap(({ chain }) => (chain ? [chain.slug] : [])))];
  return Array.from({ length: count }, (_, i) => {
    const search: PlaceSearch = { radius: draw.pick([50, 400, 1000, 3000, 10_000]), limit: draw.pick([1, 10, 100]) };
    if (i % 4 === 1) search.categories = [draw.pick(slugs), draw.pick(slugs)];
    if (i % 4 === 2 && chains.length > 0) search.chains = new Set([draw.pick(chains), draw.pick(chains)]);
    if (i % 4 === 3) search.chainFilter = (slug) => slug.length % 2 === 0;
    if (i % 8 === 5) search.chains = new Set(chains.slice(0, 5));
    return search;
  });
}

/** Asks the index and brute force the same `count` questions; how much was found. */
export async function compare({ objects, places }: Pick<ImportedPlaces, "objects" | "places">, count: number) {
  const index = new PlaceIndex(decodeEach(memorySource(objects)));
  const points = probes(places, count, 7);
  const asked = searches(places, count);
  const answers = { found: 0, at: 0 };
  for (let i = 0; i < count; i++) {
    const near = await index.near(points[i], asked[i]);
    expect(near).toEqual(nearByBruteForce(places, points[i], asked[i]));
    const at = await index.at(points[i]);
    expect(at?.id).toBe(atByBruteForce(places, points[i])?.id);
    answers.found += near.length;
    if (at) answers.at++;
  }
  return answers;
}
