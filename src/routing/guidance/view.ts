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
  const { roads } = junction;
  const divided = dividedRoads(junction);
  const perceived = roads.map(({ bearing }) => bearing);
  for (const { seen, bearing } of divided) perceived[seen] = bearing;
  const before = reverse(perceived[junction.arrival]);

  const branches: Branch[] = [];
  let first: Branch | undefined;
  let last: Branch | undefined;
  for (let i = 0; i < roads.length; i++) {
    if (divided.length > 0 && divided.some(({ hidden }) => hidden === i)) continue;
    const { road, bearing, leaves, edge } = roads[i];
    const arrives = i === junction.arrival;
    // On a divided road one turns back onto the other half.
    const back = arrives ? divided.find(({ seen }) => seen === i) : undefined;
    const entry = roads[i].entry || (back !== undefined && roads[back.hidden].entry);
    // A road that runs back exactly along the arrival is a sharp turn left of it, not the arrival itself.
    const angle = arrives ? 0 : turnAngle(before, perceived[i]) || 359.9;
    const branch: Branch = { road, bearing, angle, entry, leaves, edge };
    if (arrives) first = branch;
    else branches.push(branch);
    if (i === junction.departure && !arrives) last = branch;
  }
  if (!first) throw new Error("a junction without the road one arrives on");
  branches.sort((a, b) => a.angle - b.angle);
  branches.unshift(first);
  const out = junction.departure < 0 ? -1 : last ? branches.indexOf(last) : 0;
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
