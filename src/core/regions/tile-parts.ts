import { Interned } from "../geo/bytes/interned.ts";
import { FULL_TURN } from "./crossing.ts";
import type { EdgeTable } from "./region-shape.ts";
import type { Chain } from "./tile-format.ts";

/** The sets of regions that a tile uses, numbered in order of occurrence; 0 is the empty one. */
export class SetTable {
  readonly #sets = new Interned<readonly number[]>((set) => set.join(), [[]]);

  numberOf(regions: Iterable<number>): number {
    return this.#sets.add([...regions].sort((a, b) => a - b));
  }

  /** The regions that occur, in order, and the sets as positions in that list. */
  compact(): { regions: number[]; sets: number[][] } {
    const regions = [...new Set(this.#sets.values.flat())].sort((a, b) => a - b);
    const place = new Map(regions.map((region, i) => [region, i]));
    return { regions, sets: this.#sets.values.map((set) => set.map((region) => place.get(region) ?? 0)) };
  }
}

/**
 * Edges as chains: an edge shared by several regions becomes one with all of them in its set, an edge that occurs twice
 * in a region (a cut along the 180th meridian) is omitted. Adjacent edges with the same set are joined into chains in
 * order.
 */
export function chainsOf(table: EdgeTable, edges: readonly number[], sets: SetTable): Chain[] {
  const shared = new Map<string, { edge: number; regions: Set<number> }>();
  for (const edge of edges) {
    const key = edgeKey(table, edge);
    const same = shared.get(key);
    const region = table.region[edge];
    if (!same) shared.set(key, { edge, regions: new Set([region]) });
    else if (!same.regions.delete(region)) same.regions.add(region);
  }
  const chains: { set: number; xs: number[]; ys: number[] }[] = [];
  let open: { set: number; xs: number[]; ys: number[] } | undefined;
  for (const { edge, regions } of shared.values()) {
    if (regions.size === 0) continue;
    const set = sets.numberOf(regions);
    const x = table.x[edge];
    const y = table.y[edge];
    const endX = open ? open.xs[open.xs.length - 1] : 0;
    if (!open || open.set !== set || (endX - x) % FULL_TURN !== 0 || open.ys[open.ys.length - 1] !== y) {
      open = { set, xs: [x], ys: [y] };
      chains.push(open);
    }
    open.xs.push(open.xs[open.xs.length - 1] + table.dx[edge]);
    open.ys.push(y + table.dy[edge]);
  }
  return chains;
}

/** The same key for an edge and its reverse, whatever whole turn its longitudes are off by. */
function edgeKey(table: EdgeTable, edge: number): string {
  const x = table.x[edge];
  const y = table.y[edge];
  const y2 = y + table.dy[edge];
  const end = x + table.dx[edge];
  const x2 = end >= FULL_TURN / 2 ? end - FULL_TURN : end < -FULL_TURN / 2 ? end + FULL_TURN : end;
  return x < x2 || (x === x2 && y < y2) ? `${x},${y},${x2},${y2}` : `${x2},${y2},${x},${y}`;
}
