import { isInBounds } from "../../../core/geo/builds/manifest.ts";
import type { Found } from "../../../core/geocoding/search/search.ts";
import { CONTINUED } from "../../../core/geocoding/search/spans.ts";
import { isNamedAfter, type Town } from "../../../core/geocoding/search/towns.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import type { CategoryQuery } from "../../../core/places/category-words.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placesNear } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { type WireAddress, wirePlaceAnswer } from "../../wire/address.ts";
import type { Asked } from "./asked.ts";
import { ANY_LAYER, placesNamed } from "./named-place.ts";

/** Search radius for kinds of places around a town or a caller [m]. */
const KIND_REACH = 10_000;

/** Places of a kind, and the named location where there are none. */
interface PlacesOfKind {
  places: WireAddress[];
  /** The town, street or place that the text names. */
  reference?: Found;
}

/**
 * Places of a kind around the named town, or around the caller: first those in the town, then others near it, which are
 * only `fallback`.
 */
export async function placesOfKind(geodata: Geodata, query: CategoryQuery, asked: Asked): Promise<PlacesOfKind> {
  const { language, now, limit, bounds, countries } = asked;
  const reference = query.reference === "" ? undefined : await whereIs(geodata, query, asked);
  const near = query.reference === "" ? asked.near : reference?.location;
  if (!near) return { places: [] };
  const town = reference?.town;
  // Many of the nearest places may be in the towns around it.
  const count = town ? 2 * limit + MIN_AROUND : limit;
  const found = await placesNear(geodata, near, { radius: KIND_REACH, limit: count, categories: query.slugs });
  const inside = found.filter(
    ({ place: { location } }) => !bounds || isInBounds(bounds, location.latitude, location.longitude),
  );
  const area = town && (await everyRegionAt(geodata, near)).locality;
  const all = await Promise.all(
    inside.map(async ({ place, distance }) => {
      const regions = await everyRegionAt(geodata, place.location);
      const answer = { ...wirePlaceAnswer(place, regions, language, now, distance), matched: [] };
      if (!town || isInTown(town, area?.name, place.address?.city, regions.locality?.name, distance)) return answer;
      return { ...answer, confidence: "fallback" as const };
    }),
  );
  const places = all.filter(({ countryCode = "" }) => !countries || countries.includes(countryCode));
  const isOutside = ({ confidence }: WireAddress) => confidence === "fallback";
  const sorted = [...places.filter((one) => !isOutside(one)), ...places.filter(isOutside)];
  return { places: sorted.slice(0, limit), reference };
}

/** Places around a town that are compared with it, in addition to twice the limit. */
const MIN_AROUND = 10;

/**
 * Returns whether a place is in a town: by its own address, by the borders of the town if data has them, and else by its
 * distance.
 * @param area the name of the region at the town's center
 * @param around the name of the region at the place
 */
function isInTown(
  town: Pick<Town, "names" | "reach">,
  area: string | undefined,
  city: string | undefined,
  around: string | undefined,
  distance: number,
): boolean {
  if (city && isNamedAfter(town, city)) return true;
  if (around !== undefined && area !== undefined && isNamedAfter(town, area)) return around === area;
  if (city || around !== undefined) return around !== undefined && isNamedAfter(town, around);
  // Its farthest addresses are probably not in all directions.
  return distance <= town.reach / 2;
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
      const found = await placesNamed(geodata, name, { ...asked, limit: MAX_NAMESAKES }, layers);
      const named = found[0]?.confidence === "fallback" ? found.find((one) => isShortFor(name, one)) : found[0];
      if (named) return named;
    }
  }
  return undefined;
}

/** Results for a town's name that are compared with it. */
const MAX_NAMESAKES = 5;

/** Returns whether the name is the beginning of a town's: Krems of Krems an der Donau, but not of Krems II. */
function isShortFor(name: string, { kind, name: whole }: Found): boolean {
  const [own, all] = [tokensOf(name), tokensOf(whole)];
  return kind === "locality" && own.every((word, i) => word === all[i]) && CONTINUED.has(all[own.length]);
}
