import type { RegionShape } from "../../core/regions/region-shape.ts";
import { countryShapes, localLanguage } from "./countries.ts";
import type { MapNames } from "./map-names.ts";
import { aroundPlace, shapeFinder } from "./shape-finder.ts";
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

let countries: ((place: Corner) => RegionShape | undefined) | undefined;

/** Directions, and how far islands lie around the middle of their group [degrees]. */
const AROUND = [0, 0.3, 0.7, 1.2, 2];

/** The country at a place, or near it where that is in the sea. */
export const countryAround = (place: Corner): string | undefined => aroundPlace(place, AROUND, countryAt);

/** The country whose outline, with its lakes, holds a place. */
function countryAt(place: Corner): string | undefined {
  countries ??= shapeFinder(countryShapes(), true);
  return countries(place)?.code;
}
