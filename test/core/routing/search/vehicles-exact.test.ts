import { describe, expect, it, vi } from "vitest";
import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { buildArcs } from "../../../../src/core/routing/graph/arcs.ts";
import { MODES, type Mode } from "../../../../src/core/routing/graph/modes.ts";
import { tileKey } from "../../../../src/core/routing/graph/pack.ts";
import type { Vehicle } from "../../../../src/core/routing/graph/vehicle.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import { type RouteOptions, Router } from "../../../../src/core/routing/route/router.ts";
import { endsOf, startsOf } from "../../../../src/core/routing/search/end-points.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../../support/night.ts";
import { randomTown, seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { pointMaker } from "./compare.ts";
import { Dijkstra } from "./dijkstra.ts";

const LIMITS: readonly Tags[] = [
  { maxheight: "3.2" },
  { maxheight: "3.9" },
  { maxheight: "4.3" },
  { maxwidth: "2.3" },
  { maxlength: "10" },
  { maxweight: "3.5" },
  { maxweight: "7.5" },
  { maxweight: "38" },
  { maxaxleload: "8" },
  { "hazmat:C": "no" },
  { trailer: "no" },
  { "maxspeed:trailer": "30" },
  { "hgv:conditional": "delivery @ (weight>12)" },
  { "maxspeed:hgv:conditional": "20 @ (weight>7.5)" },
];

/** A random town in which a share of the ways has a random limit. */
function townWithLimits(size: number, seed: number, share: number): OsmElement[] {
  const random = seeded(seed + 1000);
  const town = randomTown(size, seed).map((element): OsmElement => {
    if (element.type !== "way" || random() > share) return element;
    return { ...element, tags: { ...element.tags, ...LIMITS[Math.floor(random() * LIMITS.length)] } };
  });
  return [...town, ...zoneAround(41 + size * 0.0003, -8 + size * 0.0004, size * 0.0004)];
}

/** A low-emission zone, a square. */
function zoneAround(latitude: number, longitude: number, side: number): OsmElement[] {
  const nodes = [0, 1, 2, 3].map(
    (corner): OsmElement => ({
      type: "node",
      id: 1_000_001 + corner,
      latitude: latitude + (corner < 2 ? 0 : side),
      longitude: longitude + (corner % 3 === 0 ? 0 : side),
      tags: {},
    }),
  );
  const refs = [...nodes, nodes[0]].map(({ id }) => id);
  return [...nodes, { type: "way", id: 1_000_001, refs, tags: { boundary: "low_emission_zone", name: "Centre" } }];
}

function vehicleMaker(seed: number): () => Vehicle {
  const random = seeded(seed);
  const some = (from: number, to: number) => from + Math.floor(random() * (to - from) * 10) / 10;
  const maybe = <T>(share: number, make: () => T) => (random() < share ? make() : undefined);
  return () => {
    const made = {
      height: maybe(0.5, () => some(2, 5)),
      width: maybe(0.3, () => some(1.5, 3)),
      length: maybe(0.3, () => some(4, 20)),
      weight: maybe(0.5, () => some(1, 44)),
      axleLoad: maybe(0.3, () => some(3, 12)),
      hazmat: maybe(0.2, () => Math.floor(random() * 4)),
      trailer: maybe(0.3, () => true),
      maxSpeed: maybe(0.4, () => Math.floor(some(10, 100))),
    };
    return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
  };
}

/** The graph as a vehicle sees it, in one part and without an overlay. */
function graphFor(build: RoadsBuild, router: Router, options: RouteOptions): RoadsBuild {
  const { mode, variant } = router.metric(options);
  if (!variant) return build;
  const topology = {
    ...build.part.topology,
    profiles: build.part.topology.profiles.map((profile) => ({
      ...profile,
      passages: profile.passages.map((own, i) => (i === mode ? variant.passage(profile, mode) : own)),
    })),
  };
  const arcs = build.arcs.map((own, i) => (i === mode ? buildArcs(topology, mode) : own));
  return { ...build, part: { ...build.part, topology }, arcs };
}

describe("a route of a vehicle", () => {
  it.each([
    { size: 14, seed: 31, levels: undefined, share: 0.3 },
    { size: 40, seed: 32, levels: [6, 20, 60, 180, 540], share: 0.15 },
  ])("is the one that Dijkstra finds, in a town of $size × $size", { timeout: 120_000 }, async (town) => {
    const { size, seed, levels, share } = town;
    const { router, build } = await buildRoads(buildGraph(townWithLimits(size, seed, share)), levels);
    if (levels) expect(router.store.manifest.levels).toBe(4);
    const point = pointMaker(build, seed);
    const vehicleOf = vehicleMaker(seed);
    let differing = 0;
    for (let i = 0; i < samples(12, 200); i++) {
      const vehicle = vehicleOf();
      const mode: Mode = i % 2 === 0 ? "truck" : "car";
      const avoid = i % 3 === 0 ? (["tolls"] as const) : [];
      const zones = i % 5 === 4 ? ("all" as const) : [];
      const options = { mode, avoid, vehicle, zones };
      const dijkstra = new Dijkstra(graphFor(build, router, options));
      const points = Array.from({ length: 4 }, point);
      const what = JSON.stringify({ ...options, i });
      for (let k = 1; k < points.length; k++) await comparePair(points[k - 1], points[k], options, dijkstra, what);
      await compareTimes(points, options, what);
    }
    expect(differing).toBeGreaterThan(samples(3, 50));

    async function comparePair(
      from: Coordinate,
      to: Coordinate,
      options: RouteOptions,
      dijkstra: Dijkstra,
      what: string,
    ): Promise<void> {
      const metric = router.metric(options);
      const snaps = await router.snapAll([from, to], options);
      const roads = snaps.map(({ nearest }) => ({ nearest, mainland: nearest }));
      if (roads.some(({ nearest }) => nearest.length === 0)) return;
      const starts = await startsOf(router.store, roads[0].nearest);
      const ends = await endsOf(router.store, roads[1].nearest);
      const expected = dijkstra.weight({ mode: metric.mode, avoid: metric.avoid }, starts, ends);
      const route = await router.routeThrough(roads, options);
      expect(route?.legs[0].weight, what).toBe(expected);
      const usual = await router.routeThrough(roads, { ...options, vehicle: undefined });
      if (usual?.legs[0].weight !== expected) differing++;
    }

    /** Matrix, distance and reach agree with the route. */
    async function compareTimes(points: readonly Coordinate[], options: RouteOptions, what: string): Promise<void> {
      const snaps = await router.snapAll(points, options);
      if (snaps.some(({ nearest }) => nearest.length === 0 || nearest[0].island)) return;
      const matrix = await router.matrix(points, points, options);
      const times = await reach(router, points[0], points, { ...options, within: 100_000 });
      for (let k = 1; k < points.length; k++) {
        const route = await router.route([points[0], points[k]], options);
        expect(matrix[0][k]?.weight, what).toBe(route?.legs[0].weight);
        const distance = await router.distance(points[0], points[k], options);
        if (!route) expect(distance, what).toBeUndefined();
        else {
          expect(distance?.duration, what).toBeCloseTo(route.duration, 5);
          expect(times[k], what).toBeCloseTo(route.duration, 5);
        }
      }
    }
  });

  it("is searched inside cells at first, and computes their cliques for the third time", async () => {
    const { router } = await buildRoads(buildGraph(townWithLimits(20, 35, 0.2)), [16, 64, 256]);
    const make = vi.spyOn(router.store.variants, "make");
    const options = { mode: "truck", vehicle: { height: 2, weight: 3, maxSpeed: 70 } } as const;
    const corners = [0.0005, 0.019].map((off) => ({ latitude: 41 + off, longitude: -8 + off * 1.3 }));
    const computed: number[] = [];
    const weights = new Set<number | undefined>();
    for (let i = 0; i < 4; i++) {
      make.mockClear();
      weights.add((await router.route(corners, options))?.legs[0].weight);
      computed.push(make.mock.calls.length);
    }
    make.mockRestore();
    expect(weights.size).toBe(1);
    expect(computed.slice(0, 2)).toEqual([0, 0]);
    expect(computed[2]).toBeGreaterThan(0);
    expect(computed[3]).toBe(0);
  });

  it("leads around what cannot be read", { timeout: 60_000 }, async () => {
    const { objects, build } = await buildRoads(buildGraph(townWithLimits(40, 34, 0.05)), [6, 20, 60, 180, 540]);
    const point = pointMaker(build, 6);
    const vehicle = { height: 2.5, maxSpeed: 30 };
    let found = 0;
    for (let i = 0; i < samples(5, 60); i++) {
      const pair = [point(), point()];
      const whole = (await Router.open(memorySource(objects)))!;
      const best = await whole.route(pair, { mode: "car", vehicle });
      const middle = best?.legs[0].edges[best.legs[0].edges.length >> 1].view.tile.index ?? -1;
      const damaged = new Map(objects);
      damaged.delete(tileKey(middle));
      const router = (await Router.open(memorySource(damaged)))!;
      const detour = await router.route(pair, { mode: "car", vehicle });
      if (!best || !detour) continue;
      found++;
      expect(detour.legs[0].weight).toBeGreaterThanOrEqual(best.legs[0].weight);
      expect(detour.legs[0].edges.map(({ view }) => view.tile.index)).not.toContain(middle);
    }
    expect(found).toBeGreaterThan(0);
  });

  it("has alternatives that the vehicle may take", { timeout: 60_000 }, async () => {
    const { router, build } = await buildRoads(buildGraph(townWithLimits(30, 33, 0.2)), [16, 64, 256]);
    const point = pointMaker(build, 5);
    const vehicle = { height: 4.2, weight: 10, trailer: true };
    const variant = router.metric({ mode: "truck", vehicle }).variant!;
    let several = 0;
    for (let i = 0; i < samples(10, 60); i++) {
      const routes = await router.routeWithAlternatives(point(), point(), { mode: "truck", vehicle });
      if (routes.length > 1) several++;
      for (const { legs } of routes) {
        for (const { view, edge } of legs[0].edges)
          expect(variant.passage(view.tile.profileOf(edge), MODES.indexOf("truck")).speed).toBeGreaterThan(0);
      }
    }
    expect(several).toBeGreaterThan(0);
  });
});
