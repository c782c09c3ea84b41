import { TRAVEL } from "../../../../core/routing/graph/modes.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type AccessWords, resolveAccess } from "./access-value.ts";
import { ferrySpeed } from "./ferries.ts";
import { LEGAL_LIMIT } from "./legal-limits.ts";
import { CLOSED, type Rule, type Rules } from "./rules.ts";
import {
  CAR_DEFAULT_SPEED,
  CAR_SERVICE_PREFERENCE,
  CAR_SIZE,
  CAR_SMOOTHNESS_SPEEDS,
  CAR_SPEEDS,
  CAR_SURFACE_SPEEDS,
  CAR_TRACKTYPE_SPEEDS,
  LIMIT_SHARE,
  MOVABLE_BRIDGE_SPEED,
  SHUTTLE_TRAIN_SPEED,
} from "./tables.ts";
import { type Direction, directedValue, parseDuration, parseLength, parseSpeed, parseWeight } from "./tag-values.ts";

/** Properties of a motor vehicle. */
export interface MotorVehicle {
  /** Keys for this vehicle, the most specific first. */
  accessKeys: readonly string[];
  size: { height: number; width: number; length: number; weight: number };
  topSpeed: number;
}

export const CAR_KEYS = ["motorcar", "motor_vehicle", "vehicle", "access"];

export const CAR_VEHICLE: MotorVehicle = {
  accessKeys: CAR_KEYS,
  size: CAR_SIZE,
  topSpeed: Number.POSITIVE_INFINITY,
};

/** Values that let in those who have business there. */
export const RESTRICTING = new Set([
  "private",
  "delivery",
  "destination",
  "customers",
  "permit",
  "residents",
  "unknown",
]);

export const MOTOR_ACCESS: AccessWords = {
  permitting: new Set(["yes", "motorcar", "motor_vehicle", "vehicle", "permissive", "designated", "hov"]),
  restricting: RESTRICTING,
  forbidding: new Set([
    ...["no", "agricultural", "forestry", "emergency", "emergency_vehicle", "psv", "bus", "minibus", "taxi"],
    ...["share_taxi", "foot", "restricted", "military", "official"],
    ...["customers", "private", "delivery", "destination", "permit", "residents"],
  ]),
};

const UNFINISHED = new Set(["no", "widening", "minor"]);

export function carPassages(tags: Tags): Rules {
  return motorPassages(tags, CAR_VEHICLE);
}

/** The rules of OSRM's car profile, for any motor vehicle. */
export function motorPassages(tags: Tags, vehicle: MotorVehicle): Rules {
  const route = tags.route === "ferry" ? ferrySpeed(tags) : tags.route === "shuttle_train" ? SHUTTLE_TRAIN_SPEED : 0;
  const movable = tags.bridge === "movable" && tags["capacity:car"] !== "0";
  if (!tags.highway && !route) return CLOSED;
  if (isBlockedWay(tags) || tags.service === "emergency_access") return CLOSED;
  const oneway = motorOneway(tags);
  const duration = route || movable ? parseDuration(tags.duration) : undefined;
  const rule = (direction: Direction): Rule | undefined => {
    if (oneway !== undefined && oneway !== direction) return undefined;
    if (!fits(tags, vehicle, direction)) return undefined;
    const access = resolveAccess(directedValue(tags, vehicle.accessKeys, direction), MOTOR_ACCESS);
    const ordinary = tags.highway !== undefined && CAR_SPEEDS[tags.highway] !== undefined;
    const restricted = ordinary && access !== undefined && RESTRICTING.has(access);
    if (access !== undefined && MOTOR_ACCESS.forbidding.has(access) && !restricted) return undefined;
    let speed = route || (movable ? MOVABLE_BRIDGE_SPEED : CAR_SPEEDS[tags.highway]);
    if (speed === undefined) {
      // A way of another kind (track, cycleway …) carries cars only where a tag says so.
      if (access === undefined) return undefined;
      speed = CAR_DEFAULT_SPEED;
    }
    const limit = limitOf(tags, direction);
    if (limit !== undefined && limit > 0) speed = limit * LIMIT_SHARE;
    else if (tags[LEGAL_LIMIT] !== undefined && !route)
      speed = Math.min(speed, Number(tags[LEGAL_LIMIT]) * LIMIT_SHARE);
    speed = Math.min(speed, vehicle.topSpeed, groundSpeed(tags));
    if (speed <= 0) return undefined;
    const hov = tags.hov === "designated" || allDesignated(directedValue(tags, ["hov:lanes"], direction));
    return {
      speed,
      travel: tags.route === "ferry" ? TRAVEL.ferry : route ? TRAVEL.train : TRAVEL.normal,
      preference: 1,
      restricted: restricted || hov,
      private: tags.highway === "service" && access === "private",
    };
  };
  const forward = rule("forward");
  const backward = rule("backward");
  const preference = motorPreference(tags, forward !== undefined && backward !== undefined);
  if (forward) forward.preference = Math.min(preference, tags.priority === "backward" ? YIELDING : 1);
  if (backward) backward.preference = Math.min(preference, tags.priority === "forward" ? YIELDING : 1);
  return { forward, backward, duration };
}

/** A narrow passage where the other direction goes first. */
const YIELDING = 0.7;

/**
 * The limit that is driven up to [km/h]. A ramp is bent: where the map says that it has none ("none", "DE:motorway"), no one drives it as fast
 * as the road it leaves, so the speed of its class is used. A number is used as it is.
 */
function limitOf(tags: Tags, direction: Direction): number | undefined {
  const text = directedValue(tags, LIMIT_KEYS, direction);
  return tags.highway?.endsWith("_link") && !/\d/.test(text ?? "") ? undefined : parseSpeed(text);
}

const LIMIT_KEYS = ["maxspeed:advisory", "maxspeed", "source:maxspeed", "maxspeed:type", "zone:maxspeed"];

/**
 * Ways closed to motor vehicles whatever their access tags say: under construction, impassable, areas, alternating
 * one-ways.
 */
function isBlockedWay(tags: Tags): boolean {
  const { highway } = tags;
  if (tags.area === "yes" || highway === "steps" || highway === "construction" || highway === "proposed") return true;
  if (tags.railway === "construction") return true;
  if (tags.construction !== undefined && !UNFINISHED.has(tags.construction)) return true;
  return tags.impassable === "yes" || tags.status === "impassable" || tags.oneway === "reversible";
}

/** The only direction that traffic may take, or undefined for both. */
function motorOneway(tags: Tags): Direction | undefined {
  const oneway = onewayTag(tags);
  if (oneway === "-1") return "backward";
  if (oneway === "yes" || oneway === "1" || oneway === "true") return "forward";
  const implied = tags.highway === "motorway" || tags.junction === "roundabout" || tags.junction === "circular";
  return implied && oneway !== "no" ? "forward" : undefined;
}

const onewayTag = (tags: Tags): string | undefined =>
  tags["oneway:motorcar"] ?? tags["oneway:motor_vehicle"] ?? tags["oneway:vehicle"] ?? tags.oneway;

function fits(tags: Tags, { size }: MotorVehicle, direction: Direction): boolean {
  const below = (value: number | undefined, need: number) => value !== undefined && value < need;
  if (below(parseLength(directedValue(tags, ["maxheight:physical", "maxheight"], direction)), size.height))
    return false;
  const width = parseLength(directedValue(tags, ["maxwidth:physical", "maxwidth", "width", "est_width"], direction));
  if (width !== undefined && width <= size.width) return false;
  if (below(parseLength(directedValue(tags, ["maxlength"], direction)), size.length)) return false;
  return !below(parseWeight(directedValue(tags, ["maxweightrating", "maxweight"], direction)), size.weight);
}

function groundSpeed(tags: Tags): number {
  const none = Number.POSITIVE_INFINITY;
  return Math.min(
    CAR_SURFACE_SPEEDS[tags.surface] ?? none,
    CAR_TRACKTYPE_SPEEDS[tags.tracktype] ?? none,
    CAR_SMOOTHNESS_SPEEDS[tags.smoothness] ?? none,
  );
}

function motorPreference(tags: Tags, bothWays: boolean): number {
  const alternating = onewayTag(tags) === "alternating" ? 0.4 : 1;
  const sideRoad = tags.side_road === "yes" || tags.side_road === "rotary" ? 0.8 : 1;
  const narrow = bothWays ? narrowness(tags) : 1;
  return Math.min(CAR_SERVICE_PREFERENCE[tags.service] ?? 1, narrow, alternating, sideRoad);
}

/** Where both directions share a road without markings, or one too narrow for two cars. */
function narrowness(tags: Tags): number {
  if (Number.parseInt(tags.lanes ?? "", 10) <= 1) return 0.5;
  const width = parseLength(tags.width);
  const step =
    width === undefined ? undefined : WIDTH_STEPS.find(({ upTo, open }) => (open ? width < upTo : width <= upTo));
  return step?.factor ?? (tags.lane_markings === "no" ? 0.75 : 1);
}

const WIDTH_STEPS = [
  { upTo: 3, open: false, factor: 0.5 },
  { upTo: 4, open: true, factor: 0.6 },
  { upTo: 5, open: true, factor: 0.75 },
  { upTo: 6, open: true, factor: 0.8 },
];

function allDesignated(lanes: string | undefined): boolean {
  return lanes?.split("|").every((lane) => lane === "designated") ?? false;
}
