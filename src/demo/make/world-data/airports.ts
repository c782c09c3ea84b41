import { createRequire } from "node:module";
import { join } from "node:path";

interface Airport {
  iata: string;
  country_code: string;
  airport: string;
  latitude: number;
  longitude: number;
  type: string;
  scheduled_service: string;
}

const SIZES: Readonly<Record<string, number>> = { large_airport: 3, medium_airport: 2, small_airport: 1 };

/** airports.txt: airports with an IATA code and scheduled service, from airport-data-js. */
export async function airports(folder: string): Promise<string[]> {
  const { getAirportsByType } = createRequire(import.meta.url)(join(folder, "airport-data-js/package/lib/index.js"));
  const types: Airport[][] = await Promise.all(
    [...Object.keys(SIZES), "heliport", "seaplane_base", "closed"].map((type) => getAirportsByType(type)),
  );
  const all = types
    .flat()
    .filter(({ iata, scheduled_service: isServed }) => /^[A-Z]{3}$/.test(iata) && isServed === "TRUE");
  all.sort((a, b) => (a.iata < b.iata ? -1 : 1));
  return all.map(({ iata, country_code: country, latitude, longitude, type, airport }) =>
    [iata, country, latitude.toFixed(4), longitude.toFixed(4), SIZES[type] ?? 0, airport].join("|"),
  );
}
