import { bend, reverse, turnAngle } from "./angles.ts";
import { dividedRoads, type Halves } from "./divided.ts";
import type { Junction, JunctionRoad, Road } from "./types.ts";

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
  const before = reverse(seenBearing(junction, divided, arrival));
  const branches = [branchOf(roads[arrival], 0)];
  for (const { seen, hidden } of divided) {
    // On a divided road one turns back onto the other half.
    if (seen === arrival && roads[hidden].entry) branches[0].entry = true;
  }
  let last: Branch | undefined;
  for (let i = 0; i < roads.length; i++) {
    if (i === arrival || isHidden(divided, i)) continue;
    // A road that runs back exactly along the arrival is a sharp turn left of it, not the arrival itself.
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

/** The same, worked out when it is first asked for: of a junction that is passed in silence it seldom is. */
export class LateView implements View {
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

/** A divided road that becomes one this near is already seen as one [m]. */
const SEEN_AHEAD = 30;

/**
 * Where the road one leaves on is a half of a divided road that becomes one just ahead, one steers for the middle: its
 * angle is turned as far as the half lies from the whole.
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
  // It stays between its neighbours.
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

/** Index of the branch nearest to straight on that `admits` lets through; -1 when there is none. */
export function straightmost(view: View, admits: (branch: Branch) => boolean = () => true): number {
  let best = -1;
  for (let i = 1; i < view.branches.length; i++) {
    const branch = view.branches[i];
    if (admits(branch) && (best < 0 || bend(branch.angle) < bend(view.branches[best].angle))) best = i;
  }
  return best;
}
