import { TRAVEL } from "../../routing/modes.ts";
import type { Tags } from "../osm/element.ts";
import { CLOSED, type Rule, type Rules } from "./profile.ts";
import { FERRY_SPEED, FOOT_SPEEDS, FOOT_SURFACE_FACTORS, MOVABLE_BRIDGE_SPEED, WALKING_SPEED } from "./tables.ts";
import { type Direction, directedValue, parseDuration } from "./tag-values.ts";

export const FOOT_KEYS = ["foot", "access"];
export const FOOT_FORBIDDING = new Set(["no", "agricultural", "forestry", "private", "delivery"]);
const PERMITTING = new Set(["yes", "foot", "permissive", "designated"]);

/** The rules of OSRM's foot profile. */
export function footPassages(tags: Tags): Rules {
  if (tags.impassable === "yes" || tags.status === "impassable") return CLOSED;
  if (tags.highway === "proposed" || tags.proposed !== undefined) return CLOSED;
  const ferry = tags.route === "ferry";
  const movable = tags.bridge === "movable";
  const known = footSpeed(tags);
  const oneway = footOneway(tags);
  const surface = FOOT_SURFACE_FACTORS[tags.surface] ?? 1;
  const rule = (direction: Direction): Rule | undefined => {
    if (oneway !== undefined && oneway !== direction) return undefined;
    const access = directedValue(tags, FOOT_KEYS, direction);
    if (access !== undefined && FOOT_FORBIDDING.has(access)) return undefined;
    let speed = ferry ? FERRY_SPEED : movable ? MOVABLE_BRIDGE_SPEED : known;
    if (speed === undefined) {
      if (access === undefined || tags.route !== undefined) return undefined;
      if (!PERMITTING.has(access) && access === undefined) return undefined;
      speed = WALKING_SPEED;
    }
    return {
      speed: speed * surface,
      travel: ferry ? TRAVEL.ferry : TRAVEL.normal,
      preference: 1,
      restricted: false,
      private: false,
    };
  };
  const duration = ferry || movable ? parseDuration(tags.duration) : undefined;
  return { forward: rule("forward"), backward: rule("backward"), duration };
}

function footSpeed(tags: Tags): number | undefined {
  if (tags.highway !== undefined && FOOT_SPEEDS[tags.highway] !== undefined) return FOOT_SPEEDS[tags.highway];
  if (tags.railway === "platform" || tags.public_transport === "platform") return WALKING_SPEED;
  if (tags.amenity === "parking" || tags.amenity === "parking_entrance") return WALKING_SPEED;
  return tags.man_made === "pier" || tags.leisure === "track" ? WALKING_SPEED : undefined;
}

/** Walkers heed `oneway:foot` alone. */
function footOneway(tags: Tags): Direction | undefined {
  const oneway = tags["oneway:foot"];
  if (oneway === "-1") return "backward";
  return oneway === "yes" || oneway === "1" || oneway === "true" ? "forward" : undefined;
}
