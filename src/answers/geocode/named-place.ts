import type { Found, Layer } from "../../geocoding/search/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { searchWithAirports } from "./airports.ts";
import type { Asked } from "./asked.ts";

export const ANY_LAYER: ReadonlySet<Layer> = new Set(["locality", "county", "state", "postalCode", "address", "place"]);

/** The best result for a town, street or place that another query names: "PXM7+4Q New York", "coffee near Union Square". */
export async function namedPlace(
  geodata: Geodata,
  name: string,
  asked: Asked,
  layers: ReadonlySet<Layer> = ANY_LAYER,
): Promise<Found | undefined> {
  const options = { ...asked, layers, limit: 1, open: false, bounds: undefined };
  const [found] = await searchWithAirports(geodata, name, options);
  return found;
}
