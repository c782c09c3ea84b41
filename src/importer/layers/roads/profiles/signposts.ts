import type { NodeRecord, RoadSigns } from "../../../../core/routing/graph/road-record.ts";
import type { ExitSign } from "../../../../core/routing/guidance/types.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type Direction, directed } from "./tag-values.ts";

/**
 * Texts of the signs over a road, in one direction. `plain`: whether a tag without a direction means this one.
 * Only on a one-way does it say which of the two it means.
 *
 *     destination=Porto;Braga  destination:ref=A 3      what most signs say
 *     destination:street=Main Street                    where the sign names no town; a town goes before it
 *     destination:ref:to=I 95                           a road that this one leads to, where it names none itself
 *     destination:lanes=Porto|Porto;Braga|Braga         over the lanes before a junction: see `lanesSign`
 */
export function signpost(tags: Tags, direction: Direction, plain: boolean): RoadSigns {
  const read = (...keys: string[]) => {
    for (const key of keys) {
      const value = tags[directed(key, direction)] || (plain ? tags[key] : undefined);
      if (value) return value;
    }
    return undefined;
  };
  const destination = read("destination", "destination:street", "destination:street:to");
  const destinationRef = read("destination:ref", "destination:ref:to");
  const destinationLanes = read("destination:lanes");
  const destinationRefLanes = read("destination:ref:lanes");
  const exitRef = tags[directed("junction:ref", direction)] || tags["junction:ref"];
  return {
    ...(destination && { destination }),
    ...(destinationRef && { destinationRef }),
    ...(destinationLanes && { destinationLanes }),
    ...(destinationRefLanes && { destinationRefLanes }),
    ...(exitRef && { exitRef }),
  };
}

/** Lanes that carry only buses, taxis or bikes. */
const NOT_FOR_CARS = ["vehicle:lanes", "motor_vehicle:lanes", "access:lanes"];
const FOR_BUSES = ["bus:lanes", "psv:lanes"];

/**
 * The markings of the lanes for all traffic in one direction, leftmost first: lanes only for buses are left out, whether
 * the tags have a value for each lane or only their number (`lanes:psv=1`: an unmarked lane at the right or left).
 */
export function turnLanesOf(tags: Tags, direction: Direction, plain: boolean): string | undefined {
  const read = (key: string) => tags[directed(key, direction)] ?? (plain ? tags[key] : undefined);
  const marked = read("turn:lanes");
  if (!marked) return undefined;
  const lanes = marked.split("|");
  const values = (keys: string[]) => keys.map((key) => (read(key) ?? "").split("|"));
  const closed = values(NOT_FOR_CARS).filter((list) => list.length === lanes.length);
  const reserved = values(FOR_BUSES).filter((list) => list.length === lanes.length);
  const open = lanes.filter(
    (_, lane) => !closed.some((list) => list[lane] === "no") && !reserved.some((list) => list[lane] === "designated"),
  );
  if (open.length < lanes.length) return open.length > 0 ? open.join("|") : undefined;
  const buses = Number.parseInt(read("lanes:psv") ?? read("lanes:bus") ?? "", 10);
  for (let left = buses; left > 0 && lanes.length > 1; left--) {
    if (isUnmarked(lanes[lanes.length - 1])) lanes.pop();
    else if (isUnmarked(lanes[0])) lanes.shift();
  }
  return lanes.join("|");
}

const isUnmarked = (lane: string) => lane === "" || lane === "none";

/**
 * The sign at the node of an exit. Some countries wrote the sign there before ramps had `destination`:
 * `exit_to=US 1 North;Baltimore`, and `exit_to:left`, `ref:right` where two exits leave at one place.
 */
export function exitOf(tags: Tags): NodeRecord {
  const whole = exitSign(tags, "");
  const left = exitSign(tags, ":left");
  const right = exitSign(tags, ":right");
  return {
    ...(whole.ref && { exitRef: whole.ref }),
    ...(tags.name && { exitName: tags.name }),
    ...(whole.to && { exitTo: whole.to }),
    ...((left.ref || left.to) && { exitLeft: left }),
    ...((right.ref || right.to) && { exitRight: right }),
  };
}

function exitSign(tags: Tags, side: string): ExitSign {
  const ref = tags[`ref${side}`];
  // "to Baltimore", "toward Baltimore": the sentence has its own words for that.
  const to = (tags[`exit_to${side}`] ?? "")
    .split(";")
    .map((part) => part.trim().replace(/^to(wards?)?:?\s+/i, ""))
    .filter((part) => part !== "")
    .join(";");
  return { ...(ref && { ref }), ...(to && { to }) };
}
