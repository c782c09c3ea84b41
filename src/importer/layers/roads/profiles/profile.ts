import {
  AVOID_BITS,
  BIKE,
  CAR,
  type EdgeProfile,
  FOOT,
  type Limited,
  type Passage,
  TRAVEL,
  TRUCK,
} from "../../../../core/routing/graph/modes.ts";
import { defaultPassage } from "../../../../core/routing/graph/vehicle.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { ferryBoarding } from "./ferries.ts";
import { bikePassages } from "./profile-bike.ts";
import { carPassages } from "./profile-car.ts";
import { footPassages } from "./profile-foot.ts";
import { truckPassages } from "./profile-truck.ts";
import type { Rules } from "./rules.ts";
import type { LimitedRules } from "./vehicle-limits.ts";

/** Could any mode use a way with these tags? A cheap first look: most ways of an extract are no roads. */
export function mayBeRoad(tags: Tags): boolean {
  return (
    tags.highway !== undefined ||
    tags.route !== undefined ||
    tags.man_made === "pier" ||
    tags.railway !== undefined ||
    tags.public_transport === "platform" ||
    tags.amenity === "parking" ||
    tags.amenity === "parking_entrance" ||
    tags.leisure === "track" ||
    tags.bridge === "movable"
  );
}

/** The rules of all modes for a way, in the order of MODES; `ofTruck`: the tags for trucks. */
export function rulesOfModes(tags: Tags, ofTruck = tags): Rules[] {
  const rules: Rules[] = [];
  rules[CAR] = carPassages(tags);
  rules[TRUCK] = truckPassages(ofTruck);
  rules[FOOT] = footPassages(tags);
  rules[BIKE] = bikePassages(tags);
  return rules;
}

const FORBIDDEN: Passage = {
  speed: 0,
  preference: 100,
  travel: TRAVEL.normal,
  restricted: false,
  private: false,
  avoid: 0,
};

/**
 * One direction of a way for all modes. `length` [m] is the way's whole length, for durations given by the map.
 */
export function edgeProfile(
  tags: Tags,
  rules: readonly Rules[],
  direction: "forward" | "backward",
  length: number,
  leftHand: boolean,
  border: boolean,
  limitedRules?: readonly (LimitedRules | undefined)[],
): EdgeProfile {
  const passageOf = (rule: Rules, mode: number): Passage => {
    const own = rule[direction];
    if (!own) return FORBIDDEN;
    const speed = rule.duration ? (length / rule.duration) * 3.6 : own.speed;
    return {
      speed: Math.max(1, Math.min(65535, Math.round(speed * 10))),
      preference: Math.max(1, Math.min(255, Math.round(own.preference * 100))),
      travel: own.travel,
      restricted: own.restricted,
      private: own.private,
      avoid: avoidBitsOf(tags, mode, direction, own.travel) | (border ? AVOID_BITS.borderCrossings : 0),
    };
  };
  const boarding = tags.route === "ferry" ? ferryBoarding(tags, length) : 0;
  const profile = { passages: rules.map(passageOf), leftHand, ...(boarding > 0 && { boarding }) };
  const limited = limitedRules?.map((own, mode): Limited | undefined =>
    own?.open[direction] && own.limits[direction].length > 0
      ? { open: passageOf(own.open, mode), limits: own.limits[direction] }
      : undefined,
  );
  return limited?.some((own) => own !== undefined) ? withLimits(profile, limited) : profile;
}

/** A profile with limits, and the passages of the default vehicles. */
export function withLimits(profile: EdgeProfile, limited: EdgeProfile["limited"]): EdgeProfile {
  const made = { ...profile, limited };
  return { ...made, passages: profile.passages.map((_, mode) => defaultPassage(made, mode)) };
}

function avoidBitsOf(tags: Tags, mode: number, direction: string, travel: Passage["travel"]): number {
  let bits = 0;
  if (travel === TRAVEL.ferry) bits |= AVOID_BITS.ferries;
  if (mode === CAR || mode === TRUCK) {
    const { highway } = tags;
    if (highway === "motorway" || highway === "motorway_link" || tags.motorroad === "yes") bits |= AVOID_BITS.highways;
    const own = mode === TRUCK ? tags["toll:hgv"] : (tags["toll:motorcar"] ?? tags["toll:motor_vehicle"]);
    if ((own ?? tags[`toll:${direction}`] ?? tags.toll) === "yes") bits |= AVOID_BITS.tolls;
  }
  return bits;
}
