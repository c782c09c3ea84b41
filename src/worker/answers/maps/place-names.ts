import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { LANGUAGES } from "../../../core/geocoding/entry/entry.ts";
import type { Geodata } from "../../geodata/live.ts";
import { invalid } from "../../platform/errors.ts";
import { ALL_LAYERS } from "../../wire/geocode/geocode-fields.ts";
import type { Spot } from "../../wire/maps/static-map-fields.ts";
import { answersTo } from "../geocode/answers.ts";

/** Each needs a search. */
const MAX_NAMES = 10;

/** Names of places on a map, looked up as forward geocoding does. */
interface PlaceNames {
  /** Position of a name; undefined if nothing has it. */
  of(name: string): Coordinate | undefined;
  /** @throws ApiError 400 for an unknown name */
  center(spot: Spot | undefined): Coordinate | undefined;
}

/**
 * Looks up the place names of a map. Only full matches are used: a map of the town around a street that does not exist would
 * mislead the reader.
 */
export async function lookUpNames(
  geodata: Geodata,
  center: Spot | undefined,
  markers: readonly string[],
  { language, now, pace }: { language: string | undefined; now: number; pace: Pace },
): Promise<PlaceNames> {
  const centerName = center && "name" in center ? [center.name] : [];
  const names = [...new Set([...centerName, ...markers])];
  if (names.length > MAX_NAMES)
    throw invalid("markers", `Up to ${MAX_NAMES} different place names; specify the others as "latitude,longitude".`);
  const found = new Map<string, Coordinate>();
  // One after the other: they share the request's budget.
  for (const name of names) {
    const [best] = await answersTo(geodata, name, {
      layers: ALL_LAYERS,
      limit: 1,
      open: false,
      language: LANGUAGES.find((known) => known === language?.slice(0, 2)) ?? "en",
      pace,
      now,
    });
    if (best && best.confidence !== "fallback") found.set(name, { latitude: best.latitude, longitude: best.longitude });
  }
  return {
    of: (name) => found.get(name),
    center(spot) {
      if (!spot || !("name" in spot)) return spot;
      const place = found.get(spot.name);
      if (!place) throw invalid("center", "No place of this name was found.");
      return place;
    },
  };
}
