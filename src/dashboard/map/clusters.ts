import { type Bounds, boundsOf } from "./position.ts";

/** Size of the cells that positions are gathered in [°]: a town and its surroundings. */
const CELL_DEGREES = 0.5;
const CELLS_AROUND = 360 / CELL_DEGREES;
/** Up to this size a map shows all positions [°]. */
const MAX_SPAN_DEGREES = 20;

/**
 * The box that a map of positions opens with: all of them, or the largest cluster if they are far apart. A single position at 0° N 0° E
 * then does not make the map show the Atlantic.
 */
export function viewOf(pairs: readonly (readonly number[])[]): Bounds | undefined {
  const all = boundsOf(pairs);
  if (!all || (all[2] - all[0] <= MAX_SPAN_DEGREES && all[3] - all[1] <= MAX_SPAN_DEGREES)) return all;
  return boundsOf(largestCluster(pairs));
}

/** The positions of the neighboring cells that together hold the most of them. Linear in the number of positions. */
export function largestCluster(pairs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const cells = new Map<string, (readonly number[])[]>();
  for (const pair of pairs) {
    const key = keyOf(cellOf(pair));
    const cell = cells.get(key);
    if (cell) cell.push(pair);
    else cells.set(key, [pair]);
  }
  let largest: readonly (readonly number[])[] = [];
  for (const first of [...cells.keys()]) {
    const cluster: (readonly number[])[] = [];
    const waiting = [first];
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const cell = cells.get(key);
      if (!cell) continue;
      cells.delete(key);
      for (const pair of cell) cluster.push(pair);
      const [x, y] = cellOf(cell[0]);
      for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) waiting.push(keyOf([x + dx, y + dy]));
    }
    if (cluster.length > largest.length) largest = cluster;
  }
  return largest;
}

const cellOf = ([longitude, latitude]: readonly number[]): [x: number, y: number] => [
  Math.floor((longitude + 180) / CELL_DEGREES),
  Math.floor(latitude / CELL_DEGREES),
];

/** Cells on both sides of the 180th meridian are neighbors. */
const keyOf = ([x, y]: readonly number[]) => `${(x + CELLS_AROUND) % CELLS_AROUND} ${y}`;
