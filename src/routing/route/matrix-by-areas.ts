import type { AvoidedAreas } from "../areas/avoided-areas.ts";
import type { MatrixCell } from "../matrix/matrix.ts";
import type { RoadStore } from "../store/road-store.ts";
import type { Snap } from "../store/snap.ts";
import { hourlyMatrix } from "./hourly-matrix.ts";
import type { PathOptions } from "./path-search.ts";

/** The matrix between points on roads; undefined where there is no path. */
export async function matrixByAreas(
  store: RoadStore,
  options: PathOptions,
  origins: readonly (readonly Snap[])[],
  destinations: readonly (readonly Snap[])[],
): Promise<(MatrixCell | undefined)[][]> {
  const rows: (MatrixCell | undefined)[][] = origins.map(() => destinations.map(() => undefined));
  const { areas } = options;
  // The closed roads depend on the areas of both ends; usually that is the same for all.
  for (const [startAreas, some] of byAreas(origins, areas)) {
    for (const [endAreas, others] of byAreas(destinations, areas)) {
      const cells = await hourlyMatrix(store, options, areas?.closure(startAreas | endAreas), {
        origins: some.map((i) => origins[i]),
        destinations: others.map((j) => destinations[j]),
      });
      some.forEach((i, row) => {
        others.forEach((j, column) => {
          rows[i][j] = cells[row][column];
        });
      });
    }
  }
  return rows;
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
