/** Parts of the network with fewer edges than this count as islands next to a larger one. */
export const ISLAND_SIZE = 1000;

/** An edge for mode m: bit m set, on the mainland; bit 4 + m, on a small island; neither, closed. */
export const MAINLAND_BIT = 1;
export const ISLAND_BIT = 16;

/** The edges of a piece together: the island bits of the modes that have none of them on the mainland. */
export const islandBits = (marks: number) => marks & 0xf0 & ~((marks & 0x0f) << 4);

/** A directed graph: from node n to to[i], first[n] ≤ i < first[n + 1]. */
interface Links {
  first: ArrayLike<number>;
  to: ArrayLike<number>;
}

/** Strongly connected components: they are numbered so that links lead into the same one or one with a lower number. */
export interface Components {
  /** By node; −1 for a node that is ignored. */
  component: Int32Array;
  sizes: number[];
}

/** Tarjan (1972), without recursion. `isThere`: links to other nodes are no links. */
export function stronglyConnected({ first, to }: Links, isThere: (node: number) => boolean): Components {
  const count = first.length - 1;
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const sizes: number[] = [];
  const open: number[] = [];
  const path: number[] = [];
  const next = new Int32Array(count);
  let clock = 0;
  for (let root = 0; root < count; root++) {
    if (!isThere(root) || order[root] >= 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1];
      if (order[node] < 0) {
        order[node] = low[node] = clock++;
        next[node] = first[node];
        open.push(node);
      }
      let deeper = -1;
      while (next[node] < first[node + 1]) {
        const other = to[next[node]++];
        if (!isThere(other)) continue;
        if (order[other] < 0) {
          deeper = other;
          break;
        }
        if (component[other] < 0) low[node] = Math.min(low[node], order[other]);
      }
      if (deeper >= 0) {
        path.push(deeper);
        continue;
      }
      path.pop();
      if (path.length > 0) {
        const parent = path[path.length - 1];
        low[parent] = Math.min(low[parent], low[node]);
      }
      if (low[node] !== order[node]) continue;
      let size = 0;
      for (;;) {
        const member = open.pop()!;
        component[member] = sizes.length;
        size++;
        if (member === node) break;
      }
      sizes.push(size);
    }
  }
  return { component, sizes };
}
