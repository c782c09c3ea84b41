import { isInBounds } from "../../geo/builds/manifest.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placesNear } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import type { CategoryQuery } from "../../places/category-words.ts";
import { type WireAddress, wirePlaceAnswer } from "../../wire/address.ts";
import type { Asked } from "./asked.ts";
import { namedPlace } from "./named-place.ts";

/** Search radius for kinds of places around a town or a caller [m]. */
const KIND_REACH = 10_000;

/** Places of a kind around the named town, or around the caller. */
export async function placesOfKind(
  geodata: Geodata,
  { slugs, reference }: CategoryQuery,
  asked: Asked,
): Promise<WireAddress[]> {
  const { language, now, limit, bounds, countries } = asked;
  const near = reference === "" ? asked.near : await whereIs(geodata, reference, asked);
  if (!near) return [];
  const found = await placesNear(geodata, near, { radius: KIND_REACH, limit, categories: slugs });
  const inside = found.filter(
    ({ place: { location } }) => !bounds || isInBounds(bounds, location.latitude, location.longitude),
  );
  const answers = await Promise.all(
    inside.map(async ({ place, distance }) => {
      const regions = await everyRegionAt(geodata, place.location);
      return { ...wirePlaceAnswer(place, regions, language, now, distance), matched: [] };
    }),
  );
  return answers.filter(({ countryCode = "" }) => !countries || countries.includes(countryCode));
}

/** Position of a named town, street or place; undefined unless the match is certain. */
async function whereIs(geodata: Geodata, reference: string, asked: Asked): Promise<Coordinate | undefined> {
  const found = await namedPlace(geodata, reference, asked);
  return found && found.confidence !== "fallback" ? found.location : undefined;
}
