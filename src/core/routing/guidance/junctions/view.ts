import type { Junction, JunctionRoad, Road } from "../types.ts";
import { bend, reverse, turnAngle } from "./angles.ts";
import { dividedRoads, type Halves } from "./divided.ts";

/** A road of a junction, as seen by an arriving traveler. */
export interface Branch {
  road: Road;
  bearing: number;
  /** See `turnAngle`; 0 for the arrival road. */
  angle: number;
  entry: boolean;
  leaves: boolean;
  edge: number;
}

/** A junction, as seen by an arriving traveler. */
export interface View {
  junction: Junction;
  /** The arrival road, in the direction of travel. */
  via: Road;
  /** First the arrival road, then the others from sharp right to sharp left (by rising angle). */
  branches: Branch[];
  /** Index in `branches` of the road the path leaves on; 0 for a U-turn, -1 when unknown. */
  out: number;
  /** Distance to the next junction of the path [m], if known. */
  ahead?: number;
}

export function viewOf(junction: Junction, via: Road): View {
  const { roads, arrival, departure } = junction;
  const divided = dividedRoads(junction);
  const before = reverse(seenBearing(junction, divided, arrival));
  const branches = [branchOf(roads[arrival], 0)];
  for (const { seen, hidden } of divided) {
    // A U-turn on a divided road leads onto its other half.
    if (seen === arrival && roads[hidden].entry) branches[0].entry = true;
  }
  let last: Branch | undefined;
  for (let i = 0; i < roads.length; i++) {
    if (i === arrival || isHidden(divided, i)) continue;
    // Angle 0 stands for the arrival road alone; another road in exactly its direction is a sharp left turn.
    const branch = branchOf(roads[i], turnAngle(before, seenBearing(junction, divided, i)) || 359.9);
    if (i === departure) last = branch;
    let at = branches.length;
    branches.push(branch);
    for (; at > 1 && branches[at - 1].angle > branch.angle; at--) branches[at] = branches[at - 1];
    branches[at] = branch;
  }
  const out = departure < 0 ? -1 : last ? branches.indexOf(last) : 0;
  return { junction, via, branches, out };
}

/** A view computed on first use: silently passed junctions rarely need it. */
export class LazyView implements View {
  readonly junction: Junction;
  readonly via: Road;
  ahead: number;
  #view: View | undefined;

  constructor(junction: Junction, via: Road, ahead: number) {
    this.junction = junction;
    this.via = via;
    this.ahead = ahead;
  }

  get branches(): Branch[] {
    this.#view ??= viewOf(this.junction, this.via);
    return this.#view.branches;
  }

  get out(): number {
    this.#view ??= viewOf(this.junction, this.via);
    return this.#view.out;
  }
}

/** Where the halves of a divided road meet this close ahead, drivers already see one road [m]. */
const SEEN_AHEAD = 30;

/**
 * Where the path leaves on one half of a divided road whose halves meet just ahead, the driver steers for the middle:
 * the angle of the branch is corrected by the difference between the bearing of the half and that of the whole road.
 *
 *        │                       │
 *       ╱ ╲  ◀── next            │
 *      │   │          seen as    │
 *      │   │╲                    ╲
 *          ▲ ╲ turn                ╲
 */
export function steerForWhole(view: View, next: Junction | undefined): void {
  const branch = view.branches[view.out];
  if (!next || !branch || view.out < 1 || view.branches.length < 3 || (view.ahead ?? Infinity) > SEEN_AHEAD) return;
  const half = dividedRoads(next).find(({ seen }) => seen === next.arrival);
  if (!half) return;
  const offset = half.bearing - next.roads[next.arrival].bearing;
  const [before, after] = [view.branches[view.out - 1], view.branches[view.out + 1]];
  const angle = (((branch.angle - offset) % 360) + 360) % 360;
  // The corrected branch must stay between its neighbors.
  if (angle > before.angle && (!after || angle < after.angle)) branch.angle = angle;
}

function branchOf({ road, bearing, entry, leaves, edge }: JunctionRoad, angle: number): Branch {
  return { road, bearing, angle, entry, leaves, edge };
}

function seenBearing({ roads }: Junction, divided: readonly Halves[], index: number): number {
  for (const { seen, bearing } of divided) if (seen === index) return bearing;
  return roads[index].bearing;
}

function isHidden(divided: readonly Halves[], index: number): boolean {
  for (const { hidden } of divided) if (hidden === index) return true;
  return false;
}

export function bearingBefore({ junction }: View): number {
  return reverse(junction.arrivalBearing ?? junction.roads[junction.arrival].bearing);
}

export function bearingAfter({ junction }: View): number {
  return junction.departureBearing ?? junction.roads[Math.max(0, junction.departure)].bearing;
}

/** How many roads may be entered. */
export function choices({ junction }: View): number {
  let count = 0;
  for (const road of junction.roads) if (road.entry) count++;
  return count;
}

/** Index of the branch nearest to straight on, of those that `admits` accepts; -1 if there is none. */
export function straightmost(view: View, admits: (branch: Branch) => boolean = () => true): number {
  let best = -1;
  for (let i = 1; i < view.branches.length; i++) {
    const branch = view.branches[i];
    if (admits(branch) && (best < 0 || bend(branch.angle) < bend(view.branches[best].angle))) best = i;
  }
  return best;
}
