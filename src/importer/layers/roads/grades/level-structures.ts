/** How the ground matters for a piece of road. */
export const LIE = {
  /** It follows the ground. */
  ground: 0,
  /** A bridge, a tunnel, or a passage in a building: straight between its ends. */
  structure: 1,
  /** Lifts and escalators take the same time on every slope. */
  lift: 2,
} as const;
export type Lie = (typeof LIE)[keyof typeof LIE];

/** Rounds in which heights on a structure come closer to their final values: a chain of a hundred ways needs most of them. */
const MAX_ROUNDS = 400;
/** Heights are final when no round changes them more than this [m]. */
const SETTLED_METERS = 0.01;

interface Pieces {
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** [0.1 m] */
  length: Int32Array;
  lie: Uint8Array;
}

/**
 * Junctions where bridges or tunnels meet only each other (a bridge of several ways, a fork in a tunnel) have the height of the
 * structure, not of the ground below or above: between the ends of the structure, by the distances from them. `heights` of the junctions
 * are changed in place.
 */
export function levelStructures({ count, start, end, length, lie }: Pieces, heights: Float32Array): void {
  const onGround = new Uint8Array(heights.length);
  for (let piece = 0; piece < count; piece++) {
    if (lie[piece] === LIE.structure) continue;
    onGround[start[piece]] = 1;
    onGround[end[piece]] = 1;
  }
  const neighbors = new Map<number, [node: number, length: number][]>();
  const link = (from: number, to: number, piece: number) => {
    if (onGround[from] === 1) return;
    const known = neighbors.get(from);
    const entry: [number, number] = [to, Math.max(1, length[piece])];
    if (known) known.push(entry);
    else neighbors.set(from, [entry]);
  };
  for (let piece = 0; piece < count; piece++) {
    if (lie[piece] !== LIE.structure || start[piece] === end[piece]) continue;
    link(start[piece], end[piece], piece);
    link(end[piece], start[piece], piece);
  }
  for (const group of groupsOf(neighbors)) {
    const isAnchored = group.some((node) => neighbors.get(node)?.some(([other]) => onGround[other] === 1));
    // Without a way down, as at the edge of an extract, what is above the ends is all there is.
    const fixed = new Set(isAnchored ? [] : group.filter((node) => neighbors.get(node)?.length === 1));
    settle(
      group.filter((node) => !fixed.has(node)),
      neighbors,
      heights,
    );
  }
}

/** Connected junctions. */
function groupsOf(neighbors: ReadonlyMap<number, readonly [number, number][]>): number[][] {
  const seen = new Set<number>();
  const groups: number[][] = [];
  for (const first of neighbors.keys()) {
    if (seen.has(first)) continue;
    seen.add(first);
    const group = [first];
    for (let i = 0; i < group.length; i++) {
      for (const [other] of neighbors.get(group[i]) ?? []) {
        if (seen.has(other) || !neighbors.has(other)) continue;
        seen.add(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

/** Every height becomes the mean of its neighbors', by the inverse of the distance, until nothing changes (Gauss and Seidel). */
function settle(
  nodes: readonly number[],
  neighbors: ReadonlyMap<number, readonly [number, number][]>,
  heights: Float32Array,
): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let change = 0;
    for (const node of round % 2 === 0 ? nodes : nodes.toReversed()) {
      let sum = 0;
      let weights = 0;
      for (const [other, length] of neighbors.get(node) ?? []) {
        if (Number.isNaN(heights[other])) continue;
        sum += heights[other] / length;
        weights += 1 / length;
      }
      if (weights === 0) continue;
      const height = sum / weights;
      change = Number.isNaN(heights[node]) ? 1 : Math.max(change, Math.abs(height - heights[node]));
      heights[node] = height;
    }
    if (change < SETTLED_METERS) return;
  }
}
