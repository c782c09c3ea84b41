import { distance } from "../geo/distance.ts";
import type { Anchor } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/**
 * A phone's accuracy is a radius that holds it two times out of three (Android, Location.getAccuracy: 68 %), so with
 * errors spread normally twice the radius holds it 99 times out of 100.
 */
const SURELY = 2;

/**
 * Has the device certainly moved since the anchor? Not while the two fixes may be of one place; a device that says it is
 * moving is believed.
 */
export function moved(anchor: Anchor, update: LocationUpdate): boolean {
  return (
    update.stopped === false ||
    distance(anchor.location, update.location) > SURELY * (anchor.accuracy + update.accuracy)
  );
}

/** Is the device certainly more than `metres` away from the anchor? */
export function isBeyond(metres: number, anchor: Anchor, update: LocationUpdate): boolean {
  return distance(anchor.location, update.location) > metres + SURELY * (anchor.accuracy + update.accuracy);
}

/** So much better a fix corrects the anchor even where the device stands still. */
const MUCH_BETTER = 0.5;

export function corrects(anchor: Anchor, update: LocationUpdate): boolean {
  return update.accuracy <= anchor.accuracy * MUCH_BETTER;
}

/**
 * A fix hardly worse than the anchor. Less than 1 / MUCH_BETTER, so that a standing device that is corrected out of a fence
 * and comes back in needs ever better fixes and soon rests.
 */
const HARDLY_WORSE = 1.5;

export function matches(anchor: Anchor, update: LocationUpdate): boolean {
  return update.accuracy <= anchor.accuracy * HARDLY_WORSE;
}

export function anchorOf(update: LocationUpdate): Anchor {
  return { location: update.location, accuracy: update.accuracy };
}

/** Has the user stopped here, or is the app in use? Places, and geofences with stop detection, are entered only then. */
export function isSettled(update: LocationUpdate): boolean {
  return update.stopped === true || update.foreground === true;
}
