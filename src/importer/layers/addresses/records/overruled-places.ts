import type { Collected, PlacedEntry } from "../../../../core/geocoding/index/collector.ts";
import {
  type ComparedPlace,
  comparedName,
  isSamePlace,
  SAME_PLACE_METERS,
} from "../../../../core/places/same-place.ts";

/** Slightly more than the reach [degrees of latitude]. */
const REACH = (SAME_PLACE_METERS + 1) / 111_000;

interface Compared extends ComparedPlace {
  confidence: number;
}

/**
 * The content of a bucket without places of a source that a surer one has as well, as in the layer `places`
 * (places/merge-places.ts). Categories are unknown here: any two places may be of one kind.
 */
export function withoutOverruled(collected: Collected): Collected {
  const { entries } = collected;
  if (entries.every(({ confidence }) => confidence === undefined)) return collected;
  const places = entries
    .filter(({ kind }) => kind === "place")
    .map((entry) => ({ entry, compared: comparedOf(entry) }))
    .sort((a, b) => a.entry.latitude - b.entry.latitude);
  const gone = new Set<PlacedEntry>();
  for (const [i, { entry, compared }] of places.entries())
    if (entry.confidence !== undefined && isOverruled(places, i, compared)) gone.add(entry);
  return { ...collected, entries: entries.filter((entry) => !gone.has(entry)) };
}

function isOverruled(places: readonly { compared: Compared }[], i: number, one: Compared): boolean {
  for (const step of [-1, 1]) {
    for (let at = i + step; at >= 0 && at < places.length; at += step) {
      const { compared: other } = places[at];
      if (Math.abs(other.location.latitude - one.location.latitude) > REACH) break;
      const isSurer =
        other.confidence > one.confidence ||
        (other.confidence === one.confidence && other.location.longitude < one.location.longitude);
      if (isSurer && isSamePlace(one, other)) return true;
    }
  }
  return false;
}

function comparedOf({ name, names = [], latitude, longitude, confidence = 255 }: PlacedEntry): Compared {
  return {
    location: { latitude, longitude },
    names: [...new Set([name, ...names.map(([, other]) => other)])].map(comparedName),
    chain: undefined,
    groups: ["any"],
    confidence,
  };
}
