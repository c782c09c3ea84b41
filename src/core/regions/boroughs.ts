import type { NamedRegion, PointRegions } from "./region.ts";

/** The five boroughs of New York are its counties, by their FIPS numbers; no map draws them a second time. */
const NEW_YORK: Readonly<Record<string, string>> = {
  "36005": "Bronx",
  "36047": "Brooklyn",
  "36061": "Manhattan",
  "36081": "Queens",
  "36085": "Staten Island",
};

/** The borough of a point: from the data, else implied by its county. */
export function boroughOf({ borough, county }: PointRegions): NamedRegion | undefined {
  if (borough || !county || !Object.hasOwn(NEW_YORK, county.code)) return borough;
  return { code: "", name: NEW_YORK[county.code] };
}

/**
 * Returns whether a borough is written next to the city in an address. A borough that only the county implies is part
 * of New York, but not of other names that people write as the city: "Queens Village, NY".
 */
export function isWrittenBeside({ borough, county }: PointRegions, name: string, city: string): boolean {
  const isImplied = borough === undefined && county !== undefined && NEW_YORK[county.code] === name;
  return !isImplied || /^New York(?: City)?$/.test(city);
}
