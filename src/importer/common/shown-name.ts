import { basename } from "node:path";

/** Of tables that were made of GeoJSON (sources/sources.ts). */
export const OF_GEOJSON = ".geojson.csv";

/** The name of a file as the operator knows it. */
export function shownName(path: string): string {
  const name = basename(path);
  return name.endsWith(OF_GEOJSON) ? name.slice(0, -".csv".length) : name;
}
