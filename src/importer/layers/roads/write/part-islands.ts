import type { Arcs } from "../../../../core/routing/graph/arcs.ts";
import type { Part } from "../partition/part.ts";
import { type Components, ISLAND_BIT, ISLAND_SIZE, MAINLAND_BIT, stronglyConnected } from "./islands.ts";

/**
 * Components of a part that may be one with others through its neighbours: a way leads into them from outside, and a way
 * leads on from them. Of all others a part knows the size.
 */
export interface OpenComponents {
  sizes: Int32Array;
  /** Pairs of components: from, to. */
  links: Int32Array;
  /** Pairs: an edge that comes in (the graph's number), its component. */
  entries: Int32Array;
  /** Pairs: a component, an edge of another part that a way leads on to. */
  exits: Int32Array;
  /** Pairs: an edge (the graph's number), its component; without those of components that are large enough. */
  members: Int32Array;
}

/**
 * Edges that are in a strongly connected part too small to start a journey in: a car park cut off by the extract's
 * edge, a one-way stub. Marks what the part knows for sure, and hands up the rest. An edge belongs to the part in which
 * it ends.
 */
export function partIslands({ topology, edges }: Part, arcs: Arcs, marks: Uint8Array): OpenComponents {
  const { head, tail, insideCount } = topology;
  const { first, to, duration, mode } = arcs;
  const isOwn = (edge: number) => duration[edge] > 0 && head[edge] < insideCount;
  const found = stronglyConnected({ first, to }, isOwn);
  const { component, sizes } = found;
  const isOpen = openOnes(found, arcs, isOwn, (edge) => tail[edge] >= insideCount);
  const numbers = new Int32Array(sizes.length).fill(-1);
  const open: number[] = [];
  for (let own = 0; own < sizes.length; own++) if (isOpen[own] === 1) numbers[own] = open.push(own) - 1;
  const links = new PairSet();
  const exits = new PairSet();
  const entries: number[] = [];
  const members: number[] = [];
  for (let edge = 0; edge < component.length; edge++) {
    const own = component[edge];
    if (own < 0) continue;
    const isLarge = sizes[own] >= ISLAND_SIZE;
    if (isLarge) marks[edges[edge]] |= MAINLAND_BIT << mode;
    if (isOpen[own] === 0) {
      if (!isLarge) marks[edges[edge]] |= ISLAND_BIT << mode;
      continue;
    }
    if (!isLarge) members.push(edges[edge], numbers[own]);
    if (tail[edge] >= insideCount) entries.push(edges[edge], numbers[own]);
    for (let i = first[edge]; i < first[edge + 1]; i++) {
      const next = to[i];
      if (!isOwn(next)) exits.add(numbers[own], edges[next]);
      else if (component[next] !== own && isOpen[component[next]] === 1)
        links.add(numbers[own], numbers[component[next]]);
    }
  }
  return {
    sizes: Int32Array.from(open, (own) => sizes[own]),
    links: links.pairs(),
    entries: Int32Array.from(entries),
    exits: exits.pairs(),
    members: Int32Array.from(members),
  };
}

/** By component: 1 where one can come from outside and continue to the outside. */
function openOnes(
  { component, sizes }: Components,
  { first, to }: Arcs,
  isOwn: (edge: number) => boolean,
  isEntry: (edge: number) => boolean,
): Uint8Array {
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, own) => {
    starts[own + 1] = starts[own] + size;
  });
  const byComponent = new Int32Array(starts[sizes.length]);
  const next = starts.slice();
  component.forEach((own, edge) => {
    if (own >= 0) byComponent[next[own]++] = edge;
  });
  const leadsOut = new Uint8Array(sizes.length);
  const reached = new Uint8Array(sizes.length);
  // Links lead to lower numbers: upwards every component behind is known, downwards every one before.
  for (const edge of byComponent) {
    if (isEntry(edge)) reached[component[edge]] = 1;
    for (let i = first[edge]; i < first[edge + 1]; i++) {
      if (!isOwn(to[i]) || leadsOut[component[to[i]]] === 1) leadsOut[component[edge]] = 1;
    }
  }
  for (let at = byComponent.length - 1; at >= 0; at--) {
    const edge = byComponent[at];
    if (reached[component[edge]] === 0) continue;
    for (let i = first[edge]; i < first[edge + 1]; i++) if (isOwn(to[i])) reached[component[to[i]]] = 1;
  }
  return leadsOut.map((leads, own) => leads & reached[own]);
}

/** Pairs of numbers, each pair once. */
class PairSet {
  readonly #pairs = new Map<number, Set<number>>();

  add(a: number, b: number): void {
    const others = this.#pairs.get(a);
    if (others) others.add(b);
    else this.#pairs.set(a, new Set([b]));
  }

  pairs(): Int32Array {
    return Int32Array.from([...this.#pairs].flatMap(([a, others]) => [...others].flatMap((b) => [a, b])));
  }
}

/** Settles what the parts left open for a mode. */
export function joinIslands(parts: readonly OpenComponents[], mode: number, marks: Uint8Array): void {
  const bases: number[] = [];
  let count = 0;
  for (const { sizes } of parts) {
    bases.push(count);
    count += sizes.length;
  }
  const entryOf = new Map<number, number>();
  parts.forEach(({ entries }, part) => {
    for (let i = 0; i < entries.length; i += 2) entryOf.set(entries[i], bases[part] + entries[i + 1]);
  });
  const links: number[][] = Array.from({ length: count }, () => []);
  parts.forEach((part, number) => {
    const base = bases[number];
    for (let i = 0; i < part.links.length; i += 2) links[base + part.links[i]].push(base + part.links[i + 1]);
    for (let i = 0; i < part.exits.length; i += 2) {
      const there = entryOf.get(part.exits[i + 1]);
      if (there !== undefined) links[base + part.exits[i]].push(there);
    }
  });
  const first = new Int32Array(count + 1);
  links.forEach((to, own) => {
    first[own + 1] = first[own] + to.length;
  });
  const { component, sizes } = stronglyConnected({ first, to: links.flat() }, () => true);
  const edges = new Float64Array(sizes.length);
  parts.forEach((part, number) => {
    part.sizes.forEach((size, own) => {
      edges[component[bases[number] + own]] += size;
    });
  });
  parts.forEach(({ members }, number) => {
    for (let i = 0; i < members.length; i += 2) {
      const isLarge = edges[component[bases[number] + members[i + 1]]] >= ISLAND_SIZE;
      marks[members[i]] |= (isLarge ? MAINLAND_BIT : ISLAND_BIT) << mode;
    }
  });
}
