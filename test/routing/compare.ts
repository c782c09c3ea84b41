import type { Coordinate } from "../../src/geo/coordinate.ts";
import type { RoadsBuild } from "../../src/importer/roads/write-roads.ts";
import { endsOf, startsOf } from "../../src/routing/end-points.ts";
import { AVOID_BITS, type Avoid, MODES } from "../../src/routing/modes.ts";
import { OverlayWindow } from "../../src/routing/overlay.ts";
import { assemblePath, type Path } from "../../src/routing/path.ts";
import type { Router } from "../../src/routing/router.ts";
import { search } from "../../src/routing/search.ts";
import { snap } from "../../src/routing/snap.ts";
import { unpack } from "../../src/routing/unpack.ts";
import { Dijkstra } from "./dijkstra.ts";
import { seeded } from "./random-town.ts";

export interface Comparison {
  pairs: number;
  /** Weights unlike Dijkstra's. */
  wrong: string[];
  /** Paths whose edges and turns do not sum to what was told. */
  brokenSums: string[];
  unreachable: number;
}

export const avoidsOf = (bits: number) =>
  (Object.keys(AVOID_BITS) as Avoid[]).filter((name) => (bits & AVOID_BITS[name]) !== 0);

/** Seeded points within some 100 m of junctions of the graph. */
export function pointMaker({ layout }: RoadsBuild, seed: number): () => Coordinate {
  const random = seeded(seed);
  const { graph } = layout;
  return () => {
    const node = Math.floor(random() * graph.nodeCount);
    return {
      latitude: graph.nodeLatitude[node] / 1e6 + (random() - 0.5) * 0.002,
      longitude: graph.nodeLongitude[node] / 1e6 + (random() - 0.5) * 0.002,
    };
  };
}

/** `pairs` random pairs for every mode and avoid set: the overlay's weights against Dijkstra's, and its paths' sums. */
export async function compare(router: Router, build: RoadsBuild, pairs: number, seed: number): Promise<Comparison> {
  const dijkstra = new Dijkstra(build);
  const point = pointMaker(build, seed);
  const result: Comparison = { pairs: 0, wrong: [], brokenSums: [], unreachable: 0 };
  const { store } = router;
  for (let mode = 0; mode < MODES.length; mode++) {
    for (let avoid = 0; avoid < 16; avoid++) {
      for (let i = 0; i < pairs; i++) {
        const [from, to] = [await snap(store, point(), { mode }), await snap(store, point(), { mode })];
        const starts = await startsOf(store, from.nearest);
        const ends = await endsOf(store, to.nearest);
        const window = new OverlayWindow(store, { mode, avoid });
        await window.load([...starts, ...ends].map(({ tile }) => tile));
        const found = search(window, starts, ends);
        const expected = dijkstra.weight(mode, avoid, starts, ends);
        const what = `${MODES[mode]}, avoid ${avoidsOf(avoid).join("+") || "nothing"}, pair ${i}`;
        result.pairs++;
        if (found?.weight !== expected) result.wrong.push(`${what}: ${found?.weight}, Dijkstra ${expected}`);
        if (!found) {
          result.unreachable++;
          continue;
        }
        const path = assemblePath(found, await unpack(window, found));
        const sum = weightOf(path);
        if (sum !== found.weight) result.brokenSums.push(`${what}: edges sum to ${sum}, told ${found.weight}`);
      }
    }
  }
  return result;
}

/** Adds up a path anew from its edges and turns [0.1 s], and makes sure that each turn is an open one. */
function weightOf({ edges, turns }: Path): number {
  let sum = 0;
  edges.forEach(({ view, edge, from, to }, i) => {
    const whole = view.weight[edge];
    if (i === 0) {
      sum += Math.round(whole * (to - from));
      return;
    }
    const turn = turns[i - 1];
    const { arcs } = turn.view;
    let cost = Number.NaN;
    for (let arc = arcs.first[turn.from]; arc < arcs.first[turn.from + 1]; arc++) {
      if (arcs.to[arc] === turn.to) cost = arcs.turnWeight[arc];
    }
    sum += cost + whole - Math.round(whole * (1 - to));
  });
  return sum;
}
