import { distance } from "../geo/distance.ts";
import type { Anchor, LocationUpdate } from "./types.ts";

/**
 * Has the device certainly moved since the anchor? Two fixes whose accuracy circles overlap may be of one place; a device
 * that says it is moving is believed.
 */
export function moved(anchor: Anchor, update: LocationUpdate): boolean {
  return update.stopped === false || distance(anchor.location, update.location) > anchor.accuracy + update.accuracy;
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
