import { bend, reverse, turnAngle } from "./angles.ts";
import type { Junction, Road } from "./types.ts";

/** A road of a junction as it lies for one who arrives. */
export interface Branch {
  road: Road;
  bearing: number;
  /** See `turnAngle`; 0 for the road one arrives on. */
  angle: number;
  entry: boolean;
  leaves: boolean;
  edge: number;
}

/** A junction as one who arrives sees it. */
export interface View {
  junction: Junction;
  /** The road one arrives on, in the direction of travel. */
  via: Road;
  /** First the road one arrives on, then the others from sharp right to sharp left (by rising angle). */
  branches: Branch[];
  /** Index in `branches` of the road one leaves on; 0 for a U-turn, -1 when nobody knows. */
  out: number;
  /** Distance to the next junction of the path along the road one leaves on [m], where known. */
  ahead?: number;
}

export function viewOf(junction: Junction, via: Road): View {
  const arrival = junction.roads[junction.arrival];
  const before = reverse(arrival.bearing);
  const departure = junction.departure >= 0 ? junction.roads[junction.departure] : undefined;
  const branches = junction.roads.map((road): Branch => {
    const angle = road === arrival ? 0 : turnAngle(before, road.bearing);
    return { road: road.road, bearing: road.bearing, angle, entry: road.entry, leaves: road.leaves, edge: road.edge };
  });
  const first = branches[junction.arrival];
  const last = departure && departure !== arrival ? branches[junction.departure] : undefined;
  // A road that runs back exactly along the arrival is a sharp turn left of it, not the arrival itself.
  for (const branch of branches) if (branch !== first && branch.angle === 0) branch.angle = 359.9;
  branches.sort((a, b) => (a === first ? -1 : b === first ? 1 : a.angle - b.angle));
  return { junction, via, branches, out: departure ? (last ? branches.indexOf(last) : 0) : -1 };
}

export function bearingBefore(view: View): number {
  return reverse(view.branches[0].bearing);
}

export function bearingAfter(view: View): number {
  return view.branches[Math.max(0, view.out)].bearing;
}

/** How many roads may be entered. */
export function choices(view: View): number {
  let count = 0;
  for (const branch of view.branches) if (branch.entry) count++;
  return count;
}

/** Index of the branch nearest to straight on that `admits` lets through; -1 when there is none. */
export function straightmost(view: View, admits: (branch: Branch) => boolean = () => true): number {
  let best = -1;
  for (let i = 1; i < view.branches.length; i++) {
    const branch = view.branches[i];
    if (admits(branch) && (best < 0 || bend(branch.angle) < bend(view.branches[best].angle))) best = i;
  }
  return best;
}
