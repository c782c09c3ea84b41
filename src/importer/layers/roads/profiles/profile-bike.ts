import { TRAVEL } from "../../../../core/routing/graph/modes.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type AccessWords, resolveAccess } from "./access-value.ts";
import { ferrySpeed } from "./ferries.ts";
import { besideFastCars, footScale } from "./profile-foot.ts";
import { CLOSED, type Rule, type Rules } from "./rules.ts";
import {
  BIKE_PUSHING_SPEEDS,
  BIKE_SCALE_SPEEDS,
  BIKE_SMOOTHNESS_SPEEDS,
  BIKE_SPEED,
  BIKE_SPEEDS,
  BIKE_SURFACE_SPEEDS,
  MOVABLE_BRIDGE_SPEED,
  PUSHING_SPEED,
} from "./tables.ts";
import { directedValue, parseDuration, parseSpeed } from "./tag-values.ts";

export const BIKE_KEYS = ["bicycle", "vehicle", "access"];
export const BIKE_ACCESS: AccessWords = {
  permitting: new Set(["yes", "permissive", "designated"]),
  restricting: new Set(),
  forbidding: new Set(["no", "private", "agricultural", "forestry", "delivery", "use_sidepath"]),
};
const isForbidden = (access: string | undefined) => access !== undefined && BIKE_ACCESS.forbidding.has(access);
const LANES = new Set(["track", "lane", "share_busway", "sharrow", "shared", "shared_lane"]);
const CONTRAFLOW = new Set(["opposite", "opposite_lane", "opposite_track"]);
const RAILS = new Set(["train", "railway", "subway", "light_rail", "monorail", "tram"]);
const RAIL_SPEED = 10;
const PARKING_SPEED = 10;
const UNFINISHED = new Set(["no", "widening", "minor"]);

/** The rules of OSRM's bicycle profile: where riding is forbidden but walking is not, the bike is pushed. */
export function bikePassages(tags: Tags): Rules {
  const access = tags.bicycle ?? tags.vehicle ?? tags.access;
  if (isForbidden(access) || isBlockedWay(tags) || isRiddenBeside(tags)) return CLOSED;
  const { forward, backward, pushable, duration } = ridingRules(tags, access);
  const rules: Rules = { forward, backward, duration };
  applyOneway(tags, rules);
  applyCycleways(tags, rules);
  if (pushable !== undefined) pushWhereNotRidden(tags, rules, pushable);
  limitSpeeds(tags, rules);
  pushWhereRough(tags, rules);
  for (const direction of ["forward", "backward"] as const) {
    if (isForbidden(resolveAccess(directedValue(tags, BIKE_KEYS, direction), BIKE_ACCESS)))
      rules[direction] = undefined;
  }
  return rules;
}

const WELCOME = new Set(["yes", "permissive", "designated", "destination"]);

/** The cycleway next to this road is drawn as its own way, and bikes belong there. */
function isRiddenBeside(tags: Tags): boolean {
  if (WELCOME.has(tags.bicycle)) return false;
  return ["cycleway", "cycleway:both", "cycleway:left", "cycleway:right"].some((key) => tags[key] === "separate");
}

function isBlockedWay(tags: Tags): boolean {
  const { highway } = tags;
  if (highway === "construction" || highway === "proposed" || tags.railway === "construction") return true;
  if (tags.construction !== undefined && !UNFINISHED.has(tags.construction)) return true;
  return tags.impassable === "yes" || tags.status === "impassable" || tags.motorroad === "yes";
}

const ride = (speed: number, travel: Rule["travel"] = TRAVEL.normal): Rule => ({
  speed,
  travel,
  preference: 1,
  restricted: false,
  private: false,
});

/** `pushable`: may a bike be pushed here by the kind of way? undefined: nothing is pushed (ferries, trains). */
function ridingRules(tags: Tags, access: string | undefined): Rules & { pushable: boolean | undefined } {
  const both = (speed: number) => ({ forward: ride(speed), backward: ride(speed), pushable: true });
  // The bridge slows a road down; it makes none of a railway.
  const onRoad = (speed: number) =>
    tags.bridge === "movable" ? { ...both(MOVABLE_BRIDGE_SPEED), duration: parseDuration(tags.duration) } : both(speed);
  if (tags.route === "ferry") {
    const ferry = () => ride(ferrySpeed(tags), TRAVEL.ferry);
    return { forward: ferry(), backward: ferry(), pushable: undefined, duration: parseDuration(tags.duration) };
  }
  if (tags.railway === "platform" || tags.public_transport === "platform") return both(PUSHING_SPEED);
  if (RAILS.has(tags.railway) && access !== undefined && BIKE_ACCESS.permitting.has(access)) {
    const train = () => ride(RAIL_SPEED, TRAVEL.train);
    return { forward: train(), backward: train(), pushable: undefined };
  }
  if (tags.amenity === "parking" || tags.amenity === "parking_entrance") return both(PARKING_SPEED);
  const speed = BIKE_SPEEDS[tags.highway];
  if (speed !== undefined) return onRoad(speed);
  if (access !== undefined && BIKE_ACCESS.permitting.has(access)) return onRoad(BIKE_SPEED);
  return { forward: undefined, backward: undefined, pushable: false };
}

const isYes = (value: string | undefined) => value === "yes" || value === "1" || value === "true";
const isNo = (value: string | undefined) => value === "no" || value === "0" || value === "false";

const impliesOneway = (tags: Tags) =>
  tags.junction === "roundabout" || tags.junction === "circular" || tags.highway === "motorway";

/** +1 one-way along the way, −1 against it, 0 both ways. */
function onewayOf(tags: Tags): number {
  const own = tags["oneway:bicycle"];
  if (isYes(own)) return 1;
  if (isNo(own)) return 0;
  if (own === "-1" || tags.oneway === "-1") return -1;
  if (isYes(tags.oneway)) return 1;
  return impliesOneway(tags) && !isNo(tags.oneway) ? 1 : 0;
}

function applyOneway(tags: Tags, rules: Rules): void {
  const oneway = onewayOf(tags);
  if (oneway > 0) rules.backward = undefined;
  if (oneway < 0) rules.forward = undefined;
}

/** Cycle lanes open a direction that the one-way closed. */
function applyCycleways(tags: Tags, rules: Rules): void {
  const { "cycleway:left": left, "cycleway:right": right } = tags;
  const cycleway = tags.cycleway ?? tags["cycleway:both"];
  const lane = (value: string | undefined) => value !== undefined && LANES.has(value);
  const contra = (value: string | undefined) => value !== undefined && CONTRAFLOW.has(value);
  const reverse = onewayOf(tags) < 0;
  let forward = false;
  let backward = false;
  if (onewayOf(tags) === 0 && !impliesOneway(tags)) {
    forward = lane(cycleway) || lane(right) || contra(left);
    backward = lane(cycleway) || lane(left) || contra(right);
  } else if (contra(cycleway) || contra(left) || contra(right)) {
    forward = true;
    backward = true;
  } else if (lane(cycleway) || lane(left) || lane(right)) {
    forward = !reverse;
    backward = reverse;
  }
  if (forward) rules.forward = ride(BIKE_SPEEDS.cycleway);
  if (backward) rules.backward = ride(BIKE_SPEEDS.cycleway);
}

function pushWhereNotRidden(tags: Tags, rules: Rules, pushable: boolean): void {
  if (tags.foot !== "no" && !(rules.forward && rules.backward)) {
    const byKind = BIKE_PUSHING_SPEEDS[tags.highway] ?? (tags.man_made === "pier" ? PUSHING_SPEED : undefined);
    const general = byKind ?? (tags.foot === "yes" || pushable ? PUSHING_SPEED : undefined);
    const forward = general ?? (tags["foot:forward"] === "yes" ? PUSHING_SPEED : undefined);
    // No one walks the wrong way round a roundabout or along a motorway, unless it is a footway.
    const against = byKind !== undefined || !impliesOneway(tags) ? general : undefined;
    const backward = against ?? (tags["foot:backward"] === "yes" ? PUSHING_SPEED : undefined);
    if (forward !== undefined) rules.forward ??= ride(forward, TRAVEL.pushing);
    if (backward !== undefined) rules.backward ??= ride(backward, TRAVEL.pushing);
  }
  if (tags.bicycle === "dismount") {
    rules.forward = ride(PUSHING_SPEED, TRAVEL.pushing);
    rules.backward = ride(PUSHING_SPEED, TRAVEL.pushing);
  }
}

function limitSpeeds(tags: Tags, rules: Rules): void {
  const none = Number.POSITIVE_INFINITY;
  const ground = Math.min(
    BIKE_SURFACE_SPEEDS[tags.surface] ?? none,
    BIKE_SMOOTHNESS_SPEEDS[tags.smoothness] ?? none,
    BIKE_SCALE_SPEEDS[scaleOf(tags)] ?? none,
  );
  for (const direction of ["forward", "backward"] as const) {
    const rule = rules[direction];
    if (!rule) continue;
    const limit = parseSpeed(tags[`maxspeed:${direction}`]) ?? parseSpeed(tags.maxspeed) ?? 0;
    if (limit > 0) rule.speed = Math.min(rule.speed, limit);
    rule.speed = Math.min(rule.speed, ground);
    rule.preference = besideFastCars(tags);
  }
}

/** "0+", "1-" → 0, 1; of single trails. */
const scaleOf = (tags: Tags) => /^\d/.exec(tags["mtb:scale"] ?? "")?.[0] ?? "";

const PUSHED = new Set(["horrible", "very_horrible"]);
/** Slower to walk than T1: no one rides there. */
const WALKED_ALONE = 0.9;

/** Where the ground is too rough to ride, a bike is pushed if a walker gets along, and may. */
function pushWhereRough(tags: Tags, rules: Rules): void {
  if (tags.route === "ferry") return;
  const walked = tags.smoothness === "impassable" ? undefined : footScale(tags.sac_scale);
  const isRough = PUSHED.has(tags.smoothness) || Number(scaleOf(tags)) > 1 || (walked ?? 0) < WALKED_ALONE;
  if (!isRough) return;
  const isClosed = walked === undefined || tags.foot === "no";
  for (const direction of ["forward", "backward"] as const)
    if (rules[direction]) rules[direction] = isClosed ? undefined : ride(PUSHING_SPEED, TRAVEL.pushing);
}
