import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { distance } from "../../../core/geo/distance.ts";
import { round6 } from "../base/result.ts";

/** A place of the API, as far as tools use it. */
export interface WirePlace {
  name: string;
  categories?: string[];
  location: { coordinates: [number, number] };
  address?: { formattedAddress?: string };
  chain?: { name: string };
}

/** A place in a line of a result, with its distance from a position. */
export function placeLine({ name, categories, location, address, chain }: WirePlace, from: Coordinate) {
  const [longitude, latitude] = location.coordinates;
  return {
    name,
    ...(chain && { chain: chain.name }),
    ...(categories && { categories }),
    ...(address?.formattedAddress && { address: address.formattedAddress }),
    latitude: round6(latitude),
    longitude: round6(longitude),
    metres: Math.round(distance(from, { latitude, longitude })),
  };
}
