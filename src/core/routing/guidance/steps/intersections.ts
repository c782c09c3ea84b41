import type { Coordinate } from "../../../geo/coordinate.ts";
import type { Intersection, Junction, LegPath, Road, Step } from "../types.ts";

/**
 * The junctions of a step, that of its maneuver first; where a leg begins or ends, the only road is the one traveled.
 * @param path as trimmed by `trimEnds`
 */
export function intersectionsOf(step: Step, { pieces, junctions }: LegPath): Intersection[] {
  const { maneuver, lanes, span = [0, -1] } = step;
  const [first, last] = span;
  if (maneuver.type === "arrive") {
    const back = (maneuver.bearingBefore + 180) % 360;
    return [{ ...endOf(maneuver.location, back, pieces[pieces.length - 1].road), in: 0 }];
  }
  const passed: Intersection[] = [];
  if (maneuver.type === "depart") {
    passed.push({ ...endOf(maneuver.location, maneuver.bearingAfter, pieces[first].road), out: 0 });
  } else passed.push({ ...seen(junctions[first - 1], pieces[first].road), ...(lanes && { lanes }) });
  for (let i = first; i < last; i++) passed.push(seen(junctions[i], pieces[i + 1].road));
  return passed;
}

const endOf = (location: Coordinate, bearing: number, road: Road): Intersection => ({
  location,
  bearings: [Math.round(bearing) % 360],
  entry: [true],
  road,
});

function seen({ location, roads, arrival, departure }: Junction, road: Road): Intersection {
  const bearings = roads.map(({ bearing }) => Math.round(bearing) % 360);
  const order = roads.map((_, i) => i).sort((a, b) => bearings[a] - bearings[b] || a - b);
  return {
    location,
    bearings: order.map((i) => bearings[i]),
    entry: order.map((i) => roads[i].entry),
    in: order.indexOf(arrival),
    out: order.indexOf(departure),
    road,
  };
}
