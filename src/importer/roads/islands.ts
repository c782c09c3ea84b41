import type { Arcs } from "../../routing/arcs.ts";

/** Parts of the network with fewer edges than this count as islands beside a larger one. */
export const ISLAND_SIZE = 1000;

/** What an edge is to a mode: on the mainland, on a small island, closed. */
export const MAINLAND = 0;
export const ISLAND = 1;
export const CLOSED_EDGE = 2;

/**
 * Edges that lie in a strongly connected part too small to start a journey in: a car park cut off by the extract's
 * edge, a one-way stub. Tarjan (1972), without recursion.
 */
export function smallIslands({ first, to, duration }: Arcs): Uint8Array {
  const count = duration.length;
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const sizes: number[] = [];
  const open: number[] = [];
  const path: number[] = [];
  const next = new Int32Array(count);
  let clock = 0;
  for (let root = 0; root < count; root++) {
    if (duration[root] === 0 || order[root] >= 0) continue;
    path.push(root);
    while (path.length > 0) {
      const edge = path[path.length - 1];
      if (order[edge] < 0) {
        order[edge] = low[edge] = clock++;
        next[edge] = first[edge];
        open.push(edge);
      }
      let deeper = -1;
      while (next[edge] < first[edge + 1]) {
        const other = to[next[edge]++];
        if (order[other] < 0) {
          deeper = other;
          break;
        }
        if (component[other] < 0) low[edge] = Math.min(low[edge], order[other]);
      }
      if (deeper >= 0) {
        path.push(deeper);
        continue;
      }
      path.pop();
      if (path.length > 0) {
        const parent = path[path.length - 1];
        low[parent] = Math.min(low[parent], low[edge]);
      }
      if (low[edge] === order[edge]) {
        let size = 0;
        for (;;) {
          const member = open.pop()!;
          component[member] = sizes.length;
          size++;
          if (member === edge) break;
        }
        sizes.push(size);
      }
    }
  }
  return Uint8Array.from(component, (part) => (part < 0 ? CLOSED_EDGE : sizes[part] < ISLAND_SIZE ? ISLAND : MAINLAND));
}
