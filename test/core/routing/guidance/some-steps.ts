import type { Maneuver, Step } from "../../../../src/core/routing/guidance/types.ts";

/** A step as guidance makes it, on Main Street, 300 m long. */
export function step(maneuver: Partial<Maneuver>, rest: Partial<Step> = {}): Step {
  const location = { latitude: 1, longitude: 1 };
  return {
    maneuver: { type: "turn", location, bearingBefore: 0, bearingAfter: 0, ...maneuver },
    distance: 300,
    duration: 30,
    geometry: [location, location],
    name: "Main Street",
    ref: "",
    class: "primary",
    mode: "driving",
    drivingSide: "right",
    ...rest,
  };
}
