import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import type { Place } from "../../../src/core/places/place.ts";
import { type FoundPlace, NEARBY, type PlaceSearch } from "../../../src/core/places/place-index.ts";

/** What `near` must answer, by looking at every place. */
export function nearByBruteForce(places: readonly Place[], point: Coordinate, search: PlaceSearch): FoundPlace[] {
  const { radius, limit, chains, categories, chainFilter } = search;
  return places
    .map((place) => ({ place, distance: distance(point, place.location) }))
    .filter((found) => found.distance <= radius)
    .filter(({ place }) => !chains || (place.chain !== undefined && chains.has(place.chain.slug)))
    .filter(({ place }) => !categories || place.categories.some((slug) => categories.includes(slug)))
    .filter(({ place }) => !chainFilter || (place.chain !== undefined && chainFilter(place.chain.slug)))
    .sort((a, b) => a.distance - b.distance || (a.place.id < b.place.id ? -1 : 1))
    .slice(0, limit);
}

/** What `at` must answer. */
export function atByBruteForce(places: readonly Place[], point: Coordinate): Place | undefined {
  return places
    .map((place) => {
      const toCentre = distance(point, place.location);
      return { place, toCentre, outside: Math.max(0, toCentre - place.footprint) };
    })
    .filter(({ outside }) => outside <= NEARBY)
    .sort(
      (a, b) =>
        a.outside - b.outside ||
        a.place.footprint - b.place.footprint ||
        a.toCentre - b.toCentre ||
        (a.place.id < b.place.id ? -1 : 1),
    )[0]?.place;
}
