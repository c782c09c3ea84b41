import { decodeCellList } from "../../core/geo/cells/cell-list.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { CITIES_LAYER, CITY_CELLS_KEY, cityCellsAround, cityKey, NearCities } from "../../core/regions/near-cities.ts";
import type { PointRegions } from "../../core/regions/region.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";
import { everyRegionAt } from "./regions.ts";

/** The regions of a point, with its city (`withCity`). */
export async function regionsWithCity(geodata: Geodata, point: Coordinate): Promise<PointRegions> {
  const [regions, cities] = await Promise.all([everyRegionAt(geodata, point), citiesAround(geodata, point)]);
  return withCity(regions, cities, point);
}

/**
 * The regions of a point, and its city: where no data has the area of one, the city of the world base that is near and large, marked
 * `inferred`. Nothing is inferred on the sea, and from a world base of before.
 */
export function withCity(regions: PointRegions, cities: readonly NearCities[], point: Coordinate): PointRegions {
  const { country, locality } = regions;
  if (!country || locality) return regions;
  const [best] = cities
    .flatMap((cell) => cell.strongest(point, country.code) ?? [])
    .sort((a, b) => b.strength - a.strength);
  return best ? { ...regions, locality: { code: "", name: best.name, inferred: true } } : regions;
}

/** The cities around a point. In the same round of reads as the regions, but for the first point of an isolate. */
export async function citiesAround(geodata: Geodata, point: Coordinate): Promise<NearCities[]> {
  const { world } = geodata;
  if (!world?.has(CITIES_LAYER)) return [];
  const objects = doingWithout(geodata, world, CITIES_LAYER);
  const known = await objects.cached(CITY_CELLS_KEY, decodeCellList, { required: true });
  const cells = cityCellsAround(point).filter((cell) => known?.has(cell));
  const options = { weight: ({ weight }: NearCities) => weight, required: true };
  const read = await Promise.all(
    cells.map((cell) => objects.cached(cityKey(cell), (bytes) => new NearCities(bytes), options)),
  );
  return read.filter((one) => one !== undefined);
}
