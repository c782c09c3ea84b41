import type { AvoidedAreas } from "../areas/avoided-areas.ts";
import type { MatrixCell } from "../matrix/matrix.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";
import { hourlyMatrix } from "./hourly-matrix.ts";
import type { PathOptions } from "./path-search.ts";

/** So many searches reuse the cliques of search cells with closed roads. */
const MANY_SEARCHES = 6;

/** The matrix between points on roads; undefined where there is no path. */
export async function matrixByAreas(
  store: RoadStore,
  options: PathOptions,
  origins: readonly (readonly Snap[])[],
  destinations: readonly (readonly Snap[])[],
): Promise<(MatrixCell | undefined)[][]> {
  const rows: (MatrixCell | undefined)[][] = origins.map(() => destinations.map(() => undefined));
  const { areas } = options;
  // The closed roads depend on the areas of both ends together; usually that is the same for all.
  const [from, to] = [byAreas(origins, areas), byAreas(destinations, areas)];
  const unions = new Set([...from.keys()].flatMap((start) => [...to.keys()].map((end) => start | end)));
  for (const open of unions) {
    const some = partnersOf(from, to, open);
    const others = partnersOf(to, from, open);
    const often = some.length + others.length >= MANY_SEARCHES;
    const cells = await hourlyMatrix(store, options, areas?.closure(open, often), {
      origins: some.map(([i]) => origins[i]),
      destinations: others.map(([j]) => destinations[j]),
    });
    some.forEach(([i, start], row) => {
      others.forEach(([j, end], column) => {
        if ((start | end) === open) rows[i][j] = cells[row][column];
      });
    });
  }
  return rows;
}

/** The points of one side, with their areas, that make this union with some point of the other side. */
function partnersOf(
  side: ReadonlyMap<number, readonly number[]>,
  other: ReadonlyMap<number, readonly number[]>,
  union: number,
): [point: number, areas: number][] {
  return [...side].flatMap(([areas, points]) =>
    [...other.keys()].some((bits) => (areas | bits) === union)
      ? points.map((point): [number, number] => [point, areas])
      : [],
  );
}

/** Groups points by the areas that they are in. */
function byAreas(points: readonly (readonly Snap[])[], areas: AvoidedAreas | undefined): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  points.forEach((snaps, i) => {
    const around = areas?.around(snaps) ?? 0;
    const group = groups.get(around);
    if (group) group.push(i);
    else groups.set(around, [i]);
  });
  return groups;
}
