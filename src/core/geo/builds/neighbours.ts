import { METRES_PER_DEGREE, RADIANS } from "../distance.ts";
import { areasOf, type Bounds, type LiveBuild, WORLD } from "./manifest.ts";

/** Roads that were imported apart: a route goes through one build only, so it ends where its build does. */
export interface Neighbours {
  a: LiveBuild;
  b: LiveBuild;
  how: "overlap" | "touch";
}

/** Extracts of neighbors are cut along the same line, or at most this far from it [m]. */
const NEAR = 250;

/**
 * Live builds whose areas of a layer meet, by name. A build that is entirely within another is not a neighbor: requests
 * that leave it are answered from the larger build.
 */
export function neighboursIn(builds: readonly LiveBuild[], layer: string): Neighbours[] {
  const having = builds.filter(({ name, layers }) => name !== WORLD && layers[layer] !== undefined);
  return having.flatMap((a, i) =>
    having.slice(i + 1).flatMap((b): Neighbours[] => {
      const [mine, theirs] = [areasOf(a, layer), areasOf(b, layer)];
      if (holds(mine, theirs) || holds(theirs, mine)) return [];
      const meet = (reach: number) => mine.some((one) => theirs.some((other) => boundsMeet(one, other, reach)));
      return meet(-NEAR) ? [{ a, b, how: "overlap" }] : meet(NEAR) ? [{ a, b, how: "touch" }] : [];
    }),
  );
}

/** Returns whether each inner box is within an outer box. */
function holds(outer: readonly Bounds[], inner: readonly Bounds[]): boolean {
  return inner.every(([west, south, east, north]) =>
    outer.some((box) =>
      straight(box).some((part) =>
        straight([west, south, east, north]).every(
          (one) => part[0] <= one[0] && part[1] <= one[1] && part[2] >= one[2] && part[3] >= one[3],
        ),
      ),
    ),
  );
}

/** Returns whether two areas overlap when one is extended by this many meters. */
export function boundsMeet(a: Bounds, b: Bounds, metres: number): boolean {
  const high = metres / METRES_PER_DEGREE;
  const far = Math.min(85, Math.max(...[a[1], a[3], b[1], b[3]].map(Math.abs)));
  const wide = high / Math.cos(far * RADIANS);
  return straight(a).some((one) =>
    straight(b).some((two) =>
      // A box across the 180th meridian meets one on its other side.
      [-360, 0, 360].some(
        (turn) =>
          one[0] - wide <= two[2] + turn &&
          two[0] + turn <= one[2] + wide &&
          one[1] - high <= two[3] &&
          two[1] <= one[3] + high,
      ),
    ),
  );
}

/** A box across the 180th meridian as one from −180 … and one to … 180. */
function straight([west, south, east, north]: Bounds): Bounds[] {
  if (west <= east) return [[west, south, east, north]];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}
