import type { Found, Layer } from "../../../core/geocoding/search/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { searchWithAirports } from "./airports.ts";
import type { Asked } from "./asked.ts";

export const ANY_LAYER: ReadonlySet<Layer> = new Set(["locality", "county", "state", "postalCode", "address", "place"]);

/** The best result for a town, street or place that another query names: "PXM7+4Q New York", "coffee near Union Square". */
export async function namedPlace(geodata: Geodata, name: string, asked: Asked): Promise<Found | undefined> {
  const [found] = await placesNamed(geodata, name, { ...asked, limit: 1 }, ANY_LAYER);
  return found;
}

/** The results for such a name in some layers, the best first. */
export function placesNamed(
  geodata: Geodata,
  name: string,
  asked: Asked,
  layers: ReadonlySet<Layer>,
): Promise<Found[]> {
  return searchWithAirports(geodata, name, { ...asked, layers, open: false, bounds: undefined });
}
