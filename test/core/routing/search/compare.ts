import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { AVOID_BITS, type Avoid, MODES } from "../../../../src/core/routing/graph/modes.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { type EndPoint, endsOf, startsOf } from "../../../../src/core/routing/search/end-points.ts";
import { OverlayWindow } from "../../../../src/core/routing/search/overlay.ts";
import { assemblePath, type Path } from "../../../../src/core/routing/search/path.ts";
import { search } from "../../../../src/core/routing/search/search.ts";
import { unpack } from "../../../../src/core/routing/search/unpack.ts";
import type { Metric } from "../../../../src/core/routing/store/road-store.ts";
import { snap } from "../../../../src/core/routing/store/snap.ts";
import { seeded } from "../graph/random-town.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { Dijkstra } from "./dijkstra.ts";

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
export function pointMaker({ graph }: Pick<RoadsBuild, "graph">, seed: number): () => Coordinate {
  const random = seeded(seed);
  return () => {
    const node = Math.floor(random() * graph.nodeCount);
    return {
      latitude: graph.nodeLatitude[node] / 1e6 + (random() - 0.5) * 0.002,
      longitude: graph.nodeLongitude[node] / 1e6 + (random() - 0.5) * 0.002,
    };
  };
}

/** `pairs` random pairs for every mode and avoid set: the overlay's weights against Dijkstra's, and its paths' sums. */
export async function compare(
  router: Router,
  build: RoadsBuild,
  pairs: number,
  seed: number,
  bucket = 0,
): Promise<Comparison> {
  const dijkstra = new Dijkstra(build);
  const point = pointMaker(build, seed);
  const result: Comparison = { pairs: 0, wrong: [], brokenSums: [], unreachable: 0 };
  const { store } = router;
  for (let mode = 0; mode < MODES.length; mode++) {
    for (let avoid = 0; avoid < 16; avoid++) {
      const metric = { mode, avoid, bucket };
      for (let i = 0; i < pairs; i++) {
        const [from, to] = [await snap(store, point(), { mode }), await snap(store, point(), { mode })];
        const starts = await startsOf(store, from.nearest);
        const ends = await endsOf(store, to.nearest);
        const expected = dijkstra.weight(metric, starts, ends);
        await comparePair(router, metric, starts, ends, expected, result);
      }
    }
  }
  return result;
}

/**
 * `pairs` random pairs for every mode and avoid set, a hundred destinations to an origin: one tree of Dijkstra's serves them
 * all. `step` is told after every origin which share is done.
 */
export async function compareByTrees(
  router: Router,
  build: RoadsBuild,
  pairs: number,
  seed: number,
  step: (done: number, of: number, so: Comparison) => void = () => {},
): Promise<Comparison> {
  const dijkstra = new Dijkstra(build);
  const point = pointMaker(build, seed);
  const result: Comparison = { pairs: 0, wrong: [], brokenSums: [], unreachable: 0 };
  const { store } = router;
  const origins = Math.ceil(pairs / PER_ORIGIN);
  const metrics = MODES.length * 16;
  for (let metric = 0; metric < metrics; metric++) {
    const [mode, avoid] = [metric >> 4, metric & 15];
    for (let i = 0; i < origins; i++) {
      const starts = await startsOf(store, (await snap(store, point(), { mode })).nearest);
      const tree = dijkstra.tree({ mode, avoid }, starts);
      for (let k = i * PER_ORIGIN; k < Math.min(pairs, (i + 1) * PER_ORIGIN); k++) {
        const ends = await endsOf(store, (await snap(store, point(), { mode })).nearest);
        await comparePair(router, { mode, avoid }, starts, ends, tree(ends), result);
      }
      step(metric * origins + i + 1, metrics * origins, result);
    }
  }
  return result;
}

const PER_ORIGIN = 100;

async function comparePair(
  router: Router,
  metric: Metric,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  expected: number | undefined,
  result: Comparison,
): Promise<void> {
  const window = new OverlayWindow(router.store, metric);
  await window.load([...starts, ...ends].map(({ tile }) => tile));
  const found = search(window, starts, ends);
  const what = `${MODES[metric.mode]}, avoid ${avoidsOf(metric.avoid).join("+") || "nothing"}, pair ${result.pairs++}`;
  if (found?.weight !== expected) result.wrong.push(`${what}: ${found?.weight}, Dijkstra ${expected}`);
  if (!found) {
    result.unreachable++;
    return;
  }
  const path = assemblePath(found, (await unpack(window, found))!);
  const sum = sumOf(path);
  if (sum.weight !== found.weight) {
    result.brokenSums.push(`${what}: edges sum to ${sum.weight}, told ${found.weight}`);
  }
  if (Math.abs(sum.duration - path.duration) > 1e-6) {
    result.brokenSums.push(`${what}: edges and turns take ${sum.duration} s, told ${path.duration}`);
  }
}

/** Adds up a path anew from its edges and turns (weight [0.1 s], duration [s]), and makes sure that each turn is an open one. */
function sumOf({ edges, turns }: Path): { weight: number; duration: number } {
  let weight = 0;
  let duration = 0;
  edges.forEach(({ view, edge, from, to }, i) => {
    const { arcs } = view;
    const whole = view.weight[edge];
    duration += arcs.duration[edge] * (to - from);
    if (i === 0) {
      weight += Math.round(whole * (to - from));
      return;
    }
    const turn = turns[i - 1];
    let open = -1;
    for (let arc = turn.view.arcs.first[turn.from]; arc < turn.view.arcs.first[turn.from + 1]; arc++) {
      if (turn.view.arcs.to[arc] === turn.to) open = arc;
    }
    if (open < 0) throw new Error(`tile ${turn.view.tile.index}: no turn from ${turn.from} to ${turn.to}`);
    weight += turn.view.arcs.turnWeight[turn.view.arcs.turn[open]] + whole - Math.round(whole * (1 - to));
    duration += turn.view.arcs.turnDuration[turn.view.arcs.turn[open]];
  });
  return { weight, duration: duration / 10 };
}
