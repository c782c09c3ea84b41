import { bend, reverse, turnAngle } from "./angles.ts";
import { dividedRoads } from "./divided.ts";
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
  const { roads, arrival, departure } = junction;
  const divided = dividedRoads(junction);
  const whole = (i: number) => divided.find(({ seen }) => seen === i);
  const perceived = (i: number) => (divided.length > 0 ? whole(i)?.bearing : undefined) ?? roads[i].bearing;
  const before = reverse(perceived(arrival));

  const { road, bearing, leaves, edge } = roads[arrival];
  // On a divided road one turns back onto the other half.
  const entry = roads[arrival].entry || (divided.length > 0 && roads[whole(arrival)?.hidden ?? arrival].entry);
  const branches: Branch[] = [{ road, bearing, angle: 0, entry, leaves, edge }];
  let last: Branch | undefined;
  for (let i = 0; i < roads.length; i++) {
    if (i === arrival || divided.some(({ hidden }) => hidden === i)) continue;
    const { road, bearing, entry, leaves, edge } = roads[i];
    // A road that runs back exactly along the arrival is a sharp turn left of it, not the arrival itself.
    const branch: Branch = { road, bearing, angle: turnAngle(before, perceived(i)) || 359.9, entry, leaves, edge };
    if (i === departure) last = branch;
    let at = branches.length;
    while (at > 1 && branches[at - 1].angle > branch.angle) at--;
    branches.splice(at, 0, branch);
  }
  const out = departure < 0 ? -1 : last ? branches.indexOf(last) : 0;
  return { junction, via, branches, out };
}

export function bearingBefore(view: View): number {
  return reverse(view.branches[0].bearing);
}

export function bearingAfter({ junction }: View): number {
  return junction.roads[Math.max(0, junction.departure)].bearing;
}

/** How many roads may be entered. */
export function choices({ junction }: View): number {
  let count = 0;
  for (const road of junction.roads) if (road.entry) count++;
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
