import type { Coordinate } from "../geo/coordinate.ts";
import type { Confidence } from "./types/event.ts";
import type { FenceShape } from "./types/fence.ts";
import { shareInside } from "./types/shape.ts";

/** Rounding error of distances on the sphere [m]: a circle that touches the edge from inside is inside. */
const ROUNDING = 0.001;

/** 3 = the complete accuracy circle is where the event says, 2 = at least half of it, 1 = less. */
export function confidenceOfShare(share: number): Confidence {
  return share >= 1 ? 3 : share >= 0.5 ? 2 : 1;
}

/** Confidence of an entry or a dwell; `distance` is the fix's signed distance to the shape's edge [m]. */
export function confidenceInside(
  shape: FenceShape,
  location: Coordinate,
  accuracy: number,
  distance: number,
): Confidence {
  if (distance <= ROUNDING - accuracy) return 3;
  // The edge crosses the circle, so it is not completely inside, even if the sampled share of a polygon is 1.
  return shareInside(shape, location, accuracy) >= 0.5 ? 2 : 1;
}

/** Confidence of an exit, from the share of the circle outside. */
export function confidenceOutside(
  shape: FenceShape,
  location: Coordinate,
  accuracy: number,
  distance: number,
): Confidence {
  if (distance >= accuracy - ROUNDING) return 3;
  return shareInside(shape, location, accuracy) <= 0.5 ? 2 : 1;
}

/** For events without an edge to measure against (regions, nearby chains): depends only on the accuracy [m]. */
export function confidenceOfAccuracy(accuracy: number): Confidence {
  return accuracy <= 100 ? 3 : accuracy <= 1000 ? 2 : 1;
}
