import { distance } from "../../core/geo/distance.ts";
import type { AirportCity } from "../../core/geocoding/index/airport-cities.ts";
import { tokensOf } from "../../core/geocoding/words/normalise.ts";
import { type City, urbanWeights } from "./cities.ts";
import type { airportsWithService } from "./lists.ts";

/** An airport belongs to a city within this distance [m]. */
const REACH = 70_000;
/** Smaller urban areas have no airport of another name [people]. */
const MIN_PEOPLE = 50_000;
/** Even at the airport's gate, a small town is not the city that it serves [m]. */
const NEAREST = 10_000;
const LARGE = 3;
const MEDIUM = 2;

type Airport = ReturnType<typeof airportsWithService>[number];

/**
 * The airports of each city that do not have its name: the large ones, or else medium ones. An airport belongs to the city that
 * attracts it most: by people, and by the inverse square of the distance, so that Narita belongs to Tokyo.
 */
export function airportCities(airports: readonly Airport[], cities: readonly City[]): AirportCity[] {
  const weights = urbanWeights(cities);
  const large = new Map<string, { city: City; weight: number }[]>();
  for (const [i, city] of cities.entries()) {
    if (weights[i] < MIN_PEOPLE) continue;
    const own = large.get(city.country);
    if (own) own.push({ city, weight: weights[i] });
    else large.set(city.country, [{ city, weight: weights[i] }]);
  }
  const owned = new Map<City, Airport[]>();
  for (const airport of airports) {
    if (airport.size < MEDIUM) continue;
    let [best, most] = [undefined as City | undefined, 0];
    for (const { city, weight } of large.get(airport.country) ?? []) {
      if (Math.abs(city.latitude - airport.latitude) > 1) continue;
      const away = distance(city, airport);
      const pull = away > REACH ? 0 : weight / (away + NEAREST) ** 2;
      if (pull > most) [best, most] = [city, pull];
    }
    if (best) owned.set(best, [...(owned.get(best) ?? []), airport]);
  }
  const out: AirportCity[] = [];
  for (const [{ name, latitude, longitude }, own] of owned) {
    const size = own.some((one) => one.size === LARGE) ? LARGE : MEDIUM;
    const hasName = (airport: Airport) => tokensOf(name).every((word) => tokensOf(airport.name).includes(word));
    // The city's own medium airport is its airport.
    if (size === MEDIUM && own.some(hasName)) continue;
    const codes = own.filter((one) => one.size === size && !hasName(one)).map(({ iata }) => iata);
    if (codes.length > 0) out.push({ latitude, longitude, codes });
  }
  return out;
}
