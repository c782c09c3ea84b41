import { TRAVEL } from "../../../../core/routing/graph/modes.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type AccessWords, resolveAccess } from "./access-value.ts";
import { ferrySpeed } from "./ferries.ts";
import { CLOSED, type Rule, type Rules } from "./rules.ts";
import { FOOT_SCALE_FACTORS, FOOT_SPEEDS, FOOT_SURFACE_FACTORS, LIFT_SECONDS, WALKING_SPEED } from "./tables.ts";
import { type Direction, directedValue, parseDuration } from "./tag-values.ts";

export const FOOT_KEYS = ["foot", "access"];
export const FOOT_ACCESS: AccessWords = {
  permitting: new Set(["yes", "foot", "permissive", "designated"]),
  restricting: new Set(),
  forbidding: new Set(["no", "agricultural", "forestry", "private", "delivery", "use_sidepath"]),
};

/** The rules of OSRM's foot profile. */
export function footPassages(tags: Tags): Rules {
  if (tags.impassable === "yes" || tags.status === "impassable") return CLOSED;
  if (tags.highway === "proposed" || tags.motorroad === "yes") return CLOSED;
  const ferry = tags.route === "ferry";
  const known = footSpeed(tags);
  const oneway = footOneway(tags);
  const scale = footScale(tags.sac_scale);
  if (scale === undefined) return CLOSED;
  const surface = (FOOT_SURFACE_FACTORS[tags.surface] ?? 1) * scale;
  const sidewalk = hasSeparateSidewalk(tags);
  const rule = (direction: Direction): Rule | undefined => {
    if (oneway !== undefined && oneway !== direction) return undefined;
    const access = resolveAccess(directedValue(tags, FOOT_KEYS, direction), FOOT_ACCESS);
    if (access !== undefined && FOOT_ACCESS.forbidding.has(access)) return undefined;
    if (access === undefined && sidewalk) return undefined;
    const speed = ferry ? ferrySpeed(tags) : (known ?? (access === undefined ? undefined : WALKING_SPEED));
    if (speed === undefined) return undefined;
    return {
      speed: speed * surface,
      travel: ferry ? TRAVEL.ferry : TRAVEL.normal,
      preference: (HARDLY_SEEN.has(tags.trail_visibility) ? UNCLEAR : 1) * besideFastCars(tags),
      restricted: false,
      private: false,
    };
  };
  // A lift takes as long whatever the length of the line that stands for it.
  const lift = tags.highway === "elevator" ? LIFT_SECONDS : undefined;
  const duration = ferry || lift ? (parseDuration(tags.duration) ?? lift) : undefined;
  return { forward: rule("forward"), backward: rule("backward"), duration };
}

/** Paths that are hard to find, and roads with fast traffic, are used where the way around is twice as long. */
const UNCLEAR = 0.5;
const BESIDE_FAST_CARS = 0.5;
const HARDLY_SEEN = new Set(["horrible", "no"]);
export const besideFastCars = ({ highway }: Tags): number =>
  highway === "trunk" || highway === "trunk_link" ? BESIDE_FAST_CARS : 1;

/** How fast a path of this `sac_scale` is walked, of several values the hardest; undefined if walkers do not go there. */
export function footScale(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  const factors = text.split(";").map((one) => FOOT_SCALE_FACTORS[one.trim()] ?? (HARD.has(one.trim()) ? 0 : 1));
  return Math.min(...factors) || undefined;
}

/** T3 and above. */
const HARD = new Set([
  "demanding_mountain_hiking",
  "alpine_hiking",
  "demanding_alpine_hiking",
  "difficult_alpine_hiking",
]);

/** The walk next to this road is drawn as its own way. */
const hasSeparateSidewalk = (tags: Tags) =>
  ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"].some((key) => tags[key] === "separate");

function footSpeed(tags: Tags): number | undefined {
  if (tags.highway !== undefined && FOOT_SPEEDS[tags.highway] !== undefined) return FOOT_SPEEDS[tags.highway];
  if (tags.railway === "platform" || tags.public_transport === "platform") return WALKING_SPEED;
  if (tags.amenity === "parking" || tags.amenity === "parking_entrance") return WALKING_SPEED;
  return tags.man_made === "pier" || tags.leisure === "track" ? WALKING_SPEED : undefined;
}

/** Walkers heed `oneway:foot` alone, and the way an escalator or a moving walkway runs. */
function footOneway(tags: Tags): Direction | undefined {
  const oneway = tags["oneway:foot"];
  if (oneway === "-1") return "backward";
  if (oneway === "yes" || oneway === "1" || oneway === "true") return "forward";
  const { conveying } = tags;
  if (conveying !== "forward" && conveying !== "backward") return undefined;
  const moves = tags.highway === "steps" || tags.highway === "footway" || tags.highway === "corridor";
  return moves && (oneway ?? tags.oneway) !== "no" ? conveying : undefined;
}
