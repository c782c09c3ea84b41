import type { Junction, JunctionRoad } from "../types.ts";
import { deviation, GROUP } from "./angles.ts";

/**
 * A divided road begins or ends where its two one-way halves meet; to a driver they are one road, halfway between them
 * (the idea is OSRM's, BSD-2-Clause, guidance/mergable_road_detector.cpp; without geometry beyond the junction the
 * halves are recognized by name, class and an angle below 60°).
 *
 *                  ╱──▶── Main
 *     Main ───────●                    seen as     Main ─────●───── Main
 *                  ╲──◀── Main
 */
export interface Halves {
  /** Index of the half that stands for the whole road, and of the one that is left out. */
  seen: number;
  hidden: number;
  /** Bearing of the whole road, midway between its halves. */
  bearing: number;
}

const NONE: readonly Halves[] = [];

/** The divided roads at a junction. The outgoing half is the one seen, unless the path arrives on the incoming one. */
export function dividedRoads(junction: Junction): readonly Halves[] {
  const { roads, arrival } = junction;
  if (roads.length < 3) return NONE;
  let found = NONE;
  for (let a = 0; a < roads.length; a++) {
    if (roads[a].leaves || !roads[a].road.oneway) continue;
    const b = otherHalf(roads, a);
    if (b < 0 || found.some(({ seen, hidden }) => seen === b || hidden === b)) continue;
    const [seen, hidden] = a === arrival ? [a, b] : [b, a];
    found = [...found, { seen, hidden, bearing: middle(roads[a].bearing, roads[b].bearing) }];
  }
  return found.length < roads.length - 1 ? found : NONE;
}

/** The outgoing half for an incoming one; -1 if there is none, or more than one. */
function otherHalf(roads: readonly JunctionRoad[], index: number): number {
  const { road, bearing } = roads[index];
  if (road.name === "" || road.roundabout || road.link) return -1;
  let half = -1;
  for (let i = 0; i < roads.length; i++) {
    const other = roads[i];
    if (i === index || !other.leaves || !other.road.oneway || other.road.roundabout) continue;
    if (other.road.name !== road.name || other.road.class !== road.class || other.road.link !== road.link) continue;
    if (other.road.mode !== road.mode || deviation(other.bearing, bearing) > GROUP) continue;
    if (half >= 0) return -1;
    half = i;
  }
  // There must be no other road between the halves.
  const apart = half < 0 ? 0 : deviation(roads[half].bearing, bearing);
  for (let i = 0; i < roads.length && half >= 0; i++) {
    if (i === index || i === half) continue;
    const inside = deviation(roads[i].bearing, bearing) + deviation(roads[i].bearing, roads[half].bearing);
    if (inside < apart + 1e-6) return -1;
  }
  return half;
}

function middle(a: number, b: number): number {
  const difference = ((b - a + 540) % 360) - 180;
  return (a + difference / 2 + 360) % 360;
}
