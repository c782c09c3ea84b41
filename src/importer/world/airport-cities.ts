import { distance } from "../../geo/distance.ts";
import type { AirportCity } from "../../geocoding/index/airport-cities.ts";
import { tokensOf } from "../../geocoding/words/normalise.ts";
import { type City, urbanWeights } from "./cities.ts";
import type { airportsWithService } from "./lists.ts";

/** An airport belongs to a city within this distance [m]. */
const REACH = 70_000;
/** Smaller urban areas have no airport of another name [people]. */
const MIN_PEOPLE = 50_000;
/** Even at the airport's gate, a small town is not the city that it serves [m]. */
const NEAREST = 10_000;
/** The least size of an airport that belongs to a city by its position: medium. */
const MIN_SIZE = 2;

type Airport = ReturnType<typeof airportsWithService>[number];

/**
 * The airports of each city that do not have its name. An airport belongs to the city that attracts it most: by people, and by
 * the inverse square of the distance, so that Narita belongs to Tokyo.
 */
export function airportCities(airports: readonly Airport[], cities: readonly City[]): AirportCity[] {
  const weights = urbanWeights(cities);
  const large = cities.map((city, i) => ({ city, weight: weights[i] })).filter(({ weight }) => weight >= MIN_PEOPLE);
  const codes = new Map<City, string[]>();
  for (const airport of airports) {
    if (airport.size < MIN_SIZE) continue;
    let [best, most] = [undefined as City | undefined, 0];
    for (const { city, weight } of large) {
      if (city.country !== airport.country || Math.abs(city.latitude - airport.latitude) > 1) continue;
      const away = distance(city, airport);
      const pull = away > REACH ? 0 : weight / (away + NEAREST) ** 2;
      if (pull > most) [best, most] = [city, pull];
    }
    const words = new Set(tokensOf(airport.name));
    if (best && !tokensOf(best.name).every((word) => words.has(word)))
      codes.set(best, [...(codes.get(best) ?? []), airport.iata]);
  }
  return [...codes].map(([{ latitude, longitude }, own]) => ({ latitude, longitude, codes: own }));
}
