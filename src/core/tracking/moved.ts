import { distance } from "../geo/distance.ts";
import type { Anchor } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/**
 * A phone's accuracy is the radius of a circle that contains it two times out of three (Android, Location.getAccuracy:
 * 68 %). With normally distributed errors, twice that radius contains it 99 times out of 100.
 */
const SURELY = 2;

/**
 * Has the device certainly moved since the anchor? Not while both fixes may be of the same spot. A device that reports
 * that it is not stopped is trusted.
 */
export function moved(anchor: Anchor, update: LocationUpdate): boolean {
  return (
    update.stopped === false ||
    distance(anchor.location, update.location) > SURELY * (anchor.accuracy + update.accuracy)
  );
}

/** Is the device certainly more than `metres` meters away from the anchor? */
export function isBeyond(metres: number, anchor: Anchor, update: LocationUpdate): boolean {
  return distance(anchor.location, update.location) > metres + SURELY * (anchor.accuracy + update.accuracy);
}

/** A fix with at most this share of the anchor's accuracy radius corrects it, even if the device is stationary. */
const MUCH_BETTER = 0.5;

export function corrects(anchor: Anchor, update: LocationUpdate): boolean {
  return update.accuracy <= anchor.accuracy * MUCH_BETTER;
}

/**
 * A fix up to this much worse than the anchor still matches it. Less than 1 / MUCH_BETTER: a stationary device that is
 * corrected out of a fence and then back in needs ever better fixes, so this soon ends.
 */
const HARDLY_WORSE = 1.5;

export function matches(anchor: Anchor, update: LocationUpdate): boolean {
  return update.accuracy <= anchor.accuracy * HARDLY_WORSE;
}

export function anchorOf(update: LocationUpdate): Anchor {
  return { location: update.location, accuracy: update.accuracy };
}

/**
 * Has the user stopped here, or is the app in use? Places, and geofences with stop detection, are only entered then.
 */
export function isSettled(update: LocationUpdate): boolean {
  return update.stopped === true || update.foreground === true;
}
