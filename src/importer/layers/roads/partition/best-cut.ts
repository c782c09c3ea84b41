/** A cut that was found: roads over it, and nodes on the source's side. */
export interface Cut {
  flow: number;
  size: number;
}

/** Share of the nodes at either end of a direction between which the smallest cut is sought. */
const END_SHARE = 0.25;

export const endsOf = (size: number) => Math.max(1, Math.floor(size * END_SHARE));

/**
 * The best of the cuts of a cell in several directions, weighed by balance: how many nodes are on its source's side, 0
 * when none divides the cell. `keep` is called for each that is better than those before.
 */
export function bestCut(
  size: number,
  directions: number,
  between: (direction: number, limit: number) => Cut | undefined,
  keep: () => void,
): number {
  let best = Number.POSITIVE_INFINITY;
  let bestSize = 0;
  for (let direction = 0; direction < directions; direction++) {
    // A cut of half the best score or more cannot win, however even its halves are.
    const found = between(direction, Math.ceil(best / 2) - 1);
    if (!found) continue;
    const balance = Math.min(found.size, size - found.size) / size;
    const score = found.flow / Math.max(balance, 0.01);
    if (score >= best) continue;
    best = score;
    bestSize = found.size;
    keep();
  }
  return bestSize > 0 && bestSize < size ? bestSize : 0;
}

/** Puts the nodes of order[low … high − 1] that are on the source's side first; both sides keep their order. */
export function splitBySide(
  order: Int32Array,
  low: number,
  high: number,
  isSource: (node: number) => boolean,
  scratch: Int32Array,
): void {
  let write = low;
  let rest = low;
  for (let i = low; i < high; i++) {
    if (isSource(order[i])) order[write++] = order[i];
    else scratch[rest++] = order[i];
  }
  order.set(scratch.subarray(low, rest), write);
}
