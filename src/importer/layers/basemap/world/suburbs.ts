import { type City, distanceTo } from "../../../world/cities.ts";

/** People per km² of a large city; West End is within Vancouver by it, and Westminster within London. */
const DENSITY = 4000;
/** The share of a city's radius within which a smaller town is a part of it. */
const INNER = 0.6;
/** Limits of cities are drawn differently: towns farther from the center have a name of their own [m]. */
const MAX_REACH = 5000;
/** A city has so many times the people of its suburb. */
const FACTOR = 5;
/** [degrees of latitude] */
const REACH = MAX_REACH / 111_195;
/** Wider than the reach up to a latitude of 63° [degrees]. */
const CELL = 0.1;

/** The towns that are parts of a much larger one: they are named below it. `towns`: at least of `least` people. */
export function suburbsOf(towns: readonly City[], least: number): ReadonlySet<City> {
  const cells = new Map<number, City[]>();
  const cellOf = (latitude: number, longitude: number) =>
    Math.floor(latitude / CELL) * 10_000 + Math.floor(longitude / CELL);
  for (const city of towns) {
    if (city.population < FACTOR * least) continue;
    // It is found from all cells that it can reach.
    const [up, side] = [REACH, REACH / Math.cos((city.latitude * Math.PI) / 180)];
    const around = [-1, 0, 1].flatMap((dy) =>
      [-1, 0, 1].map((dx) => cellOf(city.latitude + dy * up, city.longitude + dx * side)),
    );
    for (const cell of new Set(around)) cells.set(cell, [...(cells.get(cell) ?? []), city]);
  }
  const isWithin = (larger: City, { country, population, latitude, longitude }: City) =>
    larger.country === country &&
    larger.population >= FACTOR * population &&
    distanceTo(larger, latitude, longitude) <= reachOf(larger);
  return new Set(
    towns.filter(
      (city) =>
        city.rank === "other" &&
        (cells.get(cellOf(city.latitude, city.longitude)) ?? []).some((larger) => isWithin(larger, city)),
    ),
  );
}

const reachOf = ({ population }: City) => Math.min(MAX_REACH, INNER * 1000 * Math.sqrt(population / DENSITY / Math.PI));
