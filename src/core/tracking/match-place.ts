import { distance } from "../geo/distance.ts";
import { staying, waitingToLeave } from "./exit-delay.ts";
import { isSettled, moved } from "./moved.ts";
import type { Trace } from "./trace/decision.ts";
import { leftPlaceRule, settledRule } from "./trace/place-rules.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { PlacePresence, UserState } from "./types/state.ts";
import type { Place, Surroundings } from "./types/surroundings.ts";
import type { LocationUpdate } from "./types/update.ts";

/** A place reaches this far beyond its footprint [m]: the lookup offers places up to here. */
const PLACE_MARGIN = 75;

export interface PlaceStep {
  exit?: PlacePresence;
  entry?: Place;
  /** The project has disabled places: the place is forgotten without an event. */
  silent: boolean;
  /** The visit goes on: its presence, whose exit waits since now, or no longer. */
  keep?: PlacePresence;
}

/**
 * The place that the update enters, and the one that it leaves. A place is only entered by a device that is stopped or
 * in the foreground, so that driving past is not a visit. Leaving has hysteresis: the device must be more than
 * `accuracy` beyond the place's reach, or have moved since its entry and settled in another place. The distance to the
 * place is known even without geodata (beyond the edge of an import, or after it was removed), so it can be left there
 * too.
 */
export function matchPlace(
  state: UserState,
  update: LocationUpdate,
  { place }: Surroundings,
  settings: TrackingSettings,
  at: number,
  trace?: Trace,
): PlaceStep | undefined {
  const held = state.place;
  if (!settings.places) return held && { exit: held, silent: true };
  if (update.accuracy > settings.accuracyLimit) return undefined;
  if (held && held.place._id === place?._id) return kept(held, staying(held));
  const entry = place && isSettled(update) ? place : undefined;
  if (place) trace?.(settledRule(place, update, entry !== undefined));
  if (!held) return entry && { entry, silent: false };
  const apart = distance(update.location, held.place.location);
  const left = apart > placeReach(held.place) + update.accuracy;
  trace?.(leftPlaceRule(held, apart, placeReach(held.place), update, left));
  if (!left && !(entry && moved(held.anchor, update))) return kept(held, staying(held));
  const waiting = settings.exitDelay ? waitingToLeave(held, at, settings) : undefined;
  return waiting ? kept(held, waiting) : { exit: held, entry, silent: false };
}

function kept(held: PlacePresence, keep: PlacePresence): PlaceStep | undefined {
  return held.leaving === keep.leaving ? undefined : { silent: true, keep };
}

/** The reach of a place from its location [m]. */
export function placeReach({ footprint = 0 }: Pick<Place, "footprint">): number {
  return footprint + PLACE_MARGIN;
}
