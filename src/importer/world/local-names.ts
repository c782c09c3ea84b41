import { inRing } from "../../core/geo/shapes/in-ring.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import { countryShapes, localLanguage } from "./countries.ts";
import type { MapNames } from "./map-names.ts";
import type { Corner } from "./topojson.ts";

/** Local names of natural features and regions, of which the lists have the English name first. */

/**
 * The names of a feature with the local one as `name`: in the language of the countries that have more than two thirds of its places. A
 * feature of several languages (the Danube, the Brahmaputra) keeps its English name, and so does one without another name in the list.
 */
export function withLocalName(names: MapNames, places: readonly Corner[]): MapNames {
  const counts = new Map<string, number>();
  for (const place of places) {
    const country = countryAt(place);
    const language = country && localLanguage(country);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [language] = [...counts].find(([, count]) => 3 * count > 2 * total) ?? ["en"];
  const local = names[`name:${language}`];
  if (local === undefined) return names;
  const others = Object.entries(names).filter(([key, name]) => key !== "name" && name !== local);
  return { name: local, ...(names.name !== local && { "name:en": names.name }), ...Object.fromEntries(others) };
}

interface Country {
  code: string;
  box: [west: number, south: number, east: number, north: number];
  ring: RegionShape["rings"][number];
}
let countries: readonly Country[] | undefined;

/** Directions, and how far islands lie around the middle of their group [degrees]. */
const AROUND = [0, 0.3, 0.7, 1.2, 2].flatMap((far) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((turn) => [far * Math.cos((turn * Math.PI) / 4), far * Math.sin((turn * Math.PI) / 4)]),
);

/** The country at a place, or near it where that is in the sea. */
export function countryAround([longitude, latitude]: Corner): string | undefined {
  for (const [east, north] of AROUND) {
    const country = countryAt([longitude + east, latitude + north]);
    if (country !== undefined) return country;
  }
  return undefined;
}

/** The country whose outline, with its lakes, holds a place. */
function countryAt([longitude, latitude]: Corner): string | undefined {
  countries ??= countryShapes().flatMap(({ code, rings }) =>
    rings.map((ring): Country => {
      const [longitudes, latitudes] = [ring.map(([one]) => one), ring.map(([, one]) => one)];
      const box: Country["box"] = [
        Math.min(...longitudes),
        Math.min(...latitudes),
        Math.max(...longitudes),
        Math.max(...latitudes),
      ];
      return { code, box, ring };
    }),
  );
  return countries.find(
    ({ box: [west, south, east, north], ring }) =>
      longitude >= west &&
      longitude <= east &&
      latitude >= south &&
      latitude <= north &&
      inRing(ring, longitude, latitude),
  )?.code;
}
