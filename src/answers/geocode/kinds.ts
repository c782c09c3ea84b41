import { isInBounds } from "../../geo/builds/manifest.ts";
import type { Found } from "../../geocoding/search/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placesNear } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import type { CategoryQuery } from "../../places/category-words.ts";
import { type WireAddress, wirePlaceAnswer } from "../../wire/address.ts";
import type { Asked } from "./asked.ts";
import { ANY_LAYER, namedPlace } from "./named-place.ts";

/** Search radius for kinds of places around a town or a caller [m]. */
const KIND_REACH = 10_000;

/** Places of a kind, and the named location where there are none. */
interface PlacesOfKind {
  places: WireAddress[];
  /** The town, street or place that the text names. */
  reference?: Found;
}

/** Places of a kind around the named town, or around the caller: first those in the town, then by distance. */
export async function placesOfKind(geodata: Geodata, query: CategoryQuery, asked: Asked): Promise<PlacesOfKind> {
  const { language, now, limit, bounds, countries } = asked;
  const reference = query.reference === "" ? undefined : await whereIs(geodata, query, asked);
  const near = query.reference === "" ? asked.near : reference?.location;
  if (!near) return { places: [] };
  const found = await placesNear(geodata, near, { radius: KIND_REACH, limit, categories: query.slugs });
  const inside = found.filter(
    ({ place: { location } }) => !bounds || isInBounds(bounds, location.latitude, location.longitude),
  );
  const all = await Promise.all(
    inside.map(async ({ place, distance }) => {
      const regions = await everyRegionAt(geodata, place.location);
      return { ...wirePlaceAnswer(place, regions, language, now, distance), matched: [] };
    }),
  );
  const places = all.filter(({ countryCode = "" }) => !countries || countries.includes(countryCode));
  if (reference?.kind !== "locality") return { places, reference };
  const isThere = ({ city }: WireAddress) => city === reference.name || city === reference.context.city;
  return { places: [...places.filter(isThere), ...places.filter((one) => !isThere(one))], reference };
}

const TOWNS = new Set(["locality", "county", "state", "postalCode"] as const);

/** The named town, street or place; undefined unless the match is certain. */
async function whereIs(
  geodata: Geodata,
  { reference, others = [], sure }: CategoryQuery,
  asked: Asked,
): Promise<Found | undefined> {
  // "restaurante Porto" is in the town, though a place nearby is called Porto.
  for (const layers of sure ? [ANY_LAYER] : [TOWNS, ANY_LAYER]) {
    for (const name of [reference, ...others]) {
      const found = await namedPlace(geodata, name, asked, layers);
      if (found && found.confidence !== "fallback") return found;
    }
  }
  return undefined;
}
