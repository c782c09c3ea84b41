import type { Coordinate } from "../../core/geo/coordinate.ts";
import { type City, distanceTo } from "./cities.ts";

/**
 * Returns what estimates the people of an area by its middle and its width, the side of a square as large as it [km]: those of the
 * settlements of its country (any, if it is in none) in a circle of this size.
 */
export function peopleFinder(
  cities: readonly City[],
): (middle: Coordinate, widthKm: number, country: string) => number {
  const rowsOf = (some: readonly City[]) => Map.groupBy(some, ({ latitude }) => Math.floor(latitude));
  const anywhere = rowsOf(cities);
  const countries = new Map([...Map.groupBy(cities, ({ country }) => country)].map(([of, some]) => [of, rowsOf(some)]));
  return ({ latitude, longitude }, widthKm, country) => {
    const rows = country === "" ? anywhere : countries.get(country);
    const reach = (1000 * widthKm) / Math.sqrt(Math.PI);
    const degrees = reach / 111_195;
    let people = 0;
    for (let row = Math.floor(latitude - degrees); row <= Math.floor(latitude + degrees); row++)
      for (const city of rows?.get(row) ?? [])
        if (distanceTo(city, latitude, longitude) <= reach) people += city.population;
    return people;
  };
}
