import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import type { Mode } from "../../../src/core/routing/graph/modes.ts";
import { bestOrder, optimize, optimizeOrder } from "../../../src/core/routing/route/optimize.ts";
import { NoRoad, Router } from "../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { writeRoads } from "../../../src/importer/layers/roads/write/write-roads.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../support/night.ts";
import { randomTown, seeded } from "./graph/random-town.ts";
import { buildRoads } from "./graph/road-build.ts";
import { hourlyTown } from "./hours/hourly-town.ts";
import { build, type Scenario } from "./scenario.ts";
import { pointMaker } from "./search/compare.ts";

/** Every order there is, one after the other. */
function byBruteForce(weights: readonly (readonly number[])[]): number {
  const last = weights.length - 1;
  let best = Number.POSITIVE_INFINITY;
  const visit = (at: number, left: number[], sum: number) => {
    if (left.length === 0) best = Math.min(best, sum + weights[at][last]);
    for (const to of left) {
      visit(
        to,
        left.filter((other) => other !== to),
        sum + weights[at][to],
      );
    }
  };
  visit(
    0,
    weights.slice(1, -1).map((_, i) => i + 1),
    0,
  );
  return best;
}

const weightOf = (weights: readonly (readonly number[])[], order: readonly number[]) =>
  order.slice(1).reduce((sum, to, i) => sum + weights[order[i]][to], 0);

describe("the best order", () => {
  it("is as light as the best of all orders, for every number of stops", () => {
    const random = seeded(1);
    for (let count = 2; count <= 8; count++) {
      for (let round = 0; round < samples(12, 40); round++) {
        const weights = Array.from({ length: count }, () =>
          Array.from({ length: count }, () =>
            random() < 0.15 ? Number.POSITIVE_INFINITY : Math.floor(random() * 1000),
          ),
        );
        const order = bestOrder(weights);
        const best = byBruteForce(weights);
        if (!order) {
          expect(best).toBe(Number.POSITIVE_INFINITY);
          continue;
        }
        expect([...order].sort((a, b) => a - b)).toEqual(weights.map((_, i) => i));
        expect([order[0], order[count - 1]]).toEqual([0, count - 1]);
        expect(weightOf(weights, order)).toBe(best);
      }
    }
  });

  it("is the best of all orders over the roads of a town", async () => {
    const objects = new Map<string, Uint8Array>();
    const graph = buildGraph(randomTown(30, 12));
    await writeRoads(graph, (key, bytes) => {
      objects.set(key, bytes);
    });
    const router = (await Router.open(memorySource(objects)))!;
    const point = pointMaker({ graph }, 3);
    for (let count = 4; count <= 8; count++) {
      const locations = Array.from({ length: count }, point);
      const cells = await router.matrix(locations, locations, { mode: "foot" });
      const weights = cells.map((row) => row.map((cell) => cell?.weight ?? Number.POSITIVE_INFINITY));
      const best = byBruteForce(weights);
      const found = await optimize(router, locations, { mode: "foot" });
      if (!found) expect(best).toBe(Number.POSITIVE_INFINITY);
      else {
        expect(weightOf(weights, found.order)).toBe(best);
        expect(found.duration).toBeCloseTo(
          found.legs.reduce((sum, { duration }) => sum + duration, 0),
          6,
        );
      }
    }
  });
});

/** A town with streets that nothing joins to it, some of them in a row, and places next to these. */
async function townWithIslands(seed: number) {
  const random = seeded(seed);
  const islands: OsmElement[] = [];
  const places: Coordinate[] = [];
  for (let i = 0; i < 30; i++) {
    const [latitude, longitude] = [41 + random() * 0.022, -8 + random() * 0.028];
    const ids = [0, 1, 2].map((k) => 1_000_000 + i * 3 + k);
    ids.forEach((id, k) => {
      islands.push({ type: "node", id, latitude, longitude: longitude + k * 0.0002, tags: {} });
      places.push({ latitude: latitude + 0.00001, longitude: longitude + k * 0.0002 + 0.0001 * random() });
    });
    islands.push({ type: "way", id: 1_000_000 + i, refs: ids, tags: { highway: "residential" } });
  }
  const graph = buildGraph([...randomTown(24, seed), ...islands]);
  const objects = new Map<string, Uint8Array>();
  await writeRoads(graph, (key, bytes) => {
    objects.set(key, bytes);
  });
  const point = pointMaker({ graph }, seed);
  const router = (await Router.open(memorySource(objects)))!;
  return { router, random, place: () => (random() < 0.4 ? places[Math.floor(random() * places.length)] : point()) };
}

describe("a trip with stops on islands of roads", () => {
  it("leaves each stop where it arrived, in the best order of these legs, with and without lines", async () => {
    let moved = 0;
    for (const seed of [31, 32]) {
      const { router, random, place } = await townWithIslands(seed);
      for (let i = 0; i < 60; i++) {
        const locations = Array.from({ length: 2 + Math.floor(random() * 5) }, place);
        const mode = (["car", "foot", "bike"] as const)[i % 3];
        const found = await optimize(router, locations, { mode });
        const light = await optimizeOrder(router, locations, { mode });
        expect(light?.order).toEqual(found?.order);
        if (!found || !light) continue;
        expect(light.duration).toBeCloseTo(found.duration, 1);
        const stops: Coordinate[] = [found.legs[0].start.location];
        for (const [k, { start, end }] of found.legs.entries()) {
          expect(start.location).toEqual(stops[k]);
          stops.push(end.location);
          expect([light.legs[k].start.location, light.legs[k].end.location]).toEqual([start.location, end.location]);
        }
        // No other order of the same stops takes less time.
        const byLocation = locations.map((_, at) => stops[found.order.indexOf(at)]);
        const snaps = await router.snapAll(locations, { mode });
        if (byLocation.some((stop, at) => stop.latitude !== snaps[at].nearest[0].location.latitude)) moved++;
        const cells = await router.matrix(byLocation, byLocation, { mode });
        const weights = cells.map((row) => row.map((cell) => cell?.weight ?? Number.POSITIVE_INFINITY));
        expect(weightOf(weights, found.order)).toBeLessThanOrEqual(byBruteForce(weights));
      }
    }
    expect(moved).toBeGreaterThan(20);
  });
});

describe("a trip during which restrictions begin and end", () => {
  it("has the legs of single routes at their times, and searches again only what differs", async () => {
    const { router, build: town } = await buildRoads(buildGraph(hourlyTown(samples(24, 34), 3)), [8, 32, 128, 512]);
    const point = pointMaker(town, 5);
    let [legs, later, searched] = [0, 0, 0];
    const connection = router.connection.bind(router);
    router.connection = (...asked) => {
      searched++;
      return connection(...asked);
    };
    for (let i = 0; i < samples(50, 600); i++) {
      const locations = Array.from({ length: 5 }, point);
      // Within minutes of an hour at which something changes, or in the midst of nothing.
      const departure = { day: 2, minute: [420, 540, 660, 960, 1320, 800][i % 6] - (i % 9) };
      const options = { mode: (["car", "truck"] as const)[i % 2], departure };
      const found = await optimize(router, locations, options);
      const light = await optimizeOrder(router, locations, options);
      expect(light?.order).toEqual(found?.order);
      if (!found || !light) continue;
      const cells = await router.squareMatrix(await router.snapAll(locations, options), options);
      for (const [k, { duration }] of light.legs.entries()) {
        legs++;
        expect(duration, `trip ${i}, leg ${k}`).toBeCloseTo(found.legs[k].duration, 1);
        const { duration: first = 0 } = cells[light.order[k]][light.order[k + 1]] ?? {};
        if (Math.abs(duration - first) > 0.05) later++;
      }
    }
    // Some legs differ from those at the departure. In a town in which every sixth road has conditions, half are not searched.
    expect(later).toBeGreaterThan(5);
    expect(searched).toBeLessThan(0.6 * legs);
  });
});

interface Trip extends Scenario {
  what: string;
  go: string;
  order: string;
  mode?: Mode;
}

const LINE = "a--b--c--d--e--f";
const RING = `
  a----b----c
  |         |
  h         d
  |         |
  g----f----e
`;
const COMB = `
  a--b--c--d
  |  |  |  |
  e  f  g  h
`;
const RING_ONEWAY = { abcdefgha: "oneway=yes" };

/** `go`: locations as asked. `order`: as visited. */
const TRIPS: readonly Trip[] = [
  { what: "goes straight when there is nothing between", map: LINE, ways: { abcdef: "" }, go: "a f", order: "a f" },
  { what: "has one stop in its only place", map: LINE, ways: { abcdef: "" }, go: "a f c", order: "a f c" },
  {
    what: "visits stops along a street as they come",
    map: LINE,
    ways: { abcdef: "" },
    go: "a d b e c f",
    order: "a b c d e f",
  },
  { what: "runs a street backwards too", map: LINE, ways: { abcdef: "" }, go: "f b d a", order: "f d b a" },
  {
    what: "goes on past the end of the trip and comes back where it must",
    map: LINE,
    ways: { abcdef: "" },
    go: "b f a d",
    order: "b a f d",
  },
  {
    what: "follows a one-way ring in its direction",
    map: RING,
    ways: RING_ONEWAY,
    go: "a g c e a",
    order: "a c e g a",
  },
  {
    what: "follows a one-way ring from anywhere",
    map: RING,
    ways: RING_ONEWAY,
    go: "e b h d",
    order: "e h b d",
  },
  {
    what: "walks against a one-way ring",
    map: RING,
    ways: RING_ONEWAY,
    go: "a d f h",
    order: "a d f h",
    mode: "foot",
  },
  {
    what: "walks the short way round although the ring is one-way",
    map: RING,
    ways: RING_ONEWAY,
    go: "a g h f",
    order: "a h g f",
    mode: "foot",
  },
  {
    what: "visits the dead ends of a comb one after the other",
    map: COMB,
    ways: { abcd: "", ae: "", bf: "", cg: "", dh: "" },
    go: "e g f h",
    order: "e f g h",
  },
  {
    what: "comes home from a round trip by the rest of the ring",
    map: RING,
    ways: RING_ONEWAY,
    go: "c b g e c",
    order: "c e g b c",
  },
  {
    what: "prefers the motorway round the town to the shorter alleys",
    map: `
      a-----b
      |     |
      c-----d
      |     |
      e-----f
    `,
    ways: {
      ab: "highway=motorway oneway=no",
      bd: "highway=motorway oneway=no",
      df: "highway=motorway oneway=no",
      ac: "highway=service",
      ce: "highway=service",
      cd: "highway=service",
      ef: "highway=service",
    },
    go: "a c f b",
    order: "a c f b",
  },
  {
    what: "takes a stop that lies twice on the list twice in a row",
    map: LINE,
    ways: { abcdef: "" },
    go: "a c e c f",
    order: "a c c e f",
  },
  {
    what: "turns where a turn is forbidden only by going round",
    map: `
      a--b--c
         |  |
         d--e
    `,
    ways: { abc: "", bd: "", ce: "", de: "" },
    turns: { "abc b bd": "no_right_turn" },
    go: "a d c e",
    order: "a c d e",
  },
  {
    what: "visits both banks of a river over its only bridge once",
    map: `
      a--b--c
         |
      d--e--f
    `,
    ways: { abc: "", be: "", def: "" },
    go: "a d c f",
    order: "a c d f",
  },
  {
    what: "does the eight stops of a ladder in the best of 40,320 orders",
    map: `
      a--b--c--d--e
      |  |  |  |  |
      f--g--h--i--j
    `,
    ways: { abcde: "", fghij: "", af: "", bg: "", ch: "", di: "", ej: "" },
    go: "a j b i c h d g e f",
    order: "a b c d e j i h g f",
  },
];

describe("a trip", () => {
  it.each(TRIPS)("$what", async ({ go, order, mode = "car", ...scenario }) => {
    const world = await build(scenario);
    const places = go.split(" ");
    const found = await optimize(
      world.router,
      places.map((place) => world.at(place)),
      { mode },
    );
    expect(found?.order.map((i) => places[i]).join(" ")).toBe(order);
    expect(found?.legs).toHaveLength(places.length - 1);
  });

  it.each(TRIPS)("takes as long, from and to the same places, when nobody asks for its lines: $what", async (trip) => {
    const { go, mode = "car", ...scenario } = trip;
    const world = await build(scenario);
    const stops = go.split(" ").map((place) => world.at(place));
    const [light, whole] = await Promise.all([
      optimizeOrder(world.router, stops, { mode }),
      optimize(world.router, stops, { mode }),
    ]);
    expect(light?.order).toEqual(whole?.order);
    expect(light?.duration).toBeCloseTo(whole?.duration ?? Number.NaN, 1);
    const places = (of: typeof light | typeof whole) =>
      of?.legs.map(({ start, end }) => [start.location, end.location]);
    expect(places(light)).toEqual(places(whole));
    for (const [i, { duration }] of (light?.legs ?? []).entries())
      expect(duration).toBeCloseTo(whole?.legs[i].duration ?? Number.NaN, 1);
  });

  it("does not exist where the roads do not connect its stops", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    const at = (places: string) => [...places].map((place) => world.at(place));
    expect(await optimize(world.router, at("acbd"), { mode: "car" })).toBeUndefined();
    expect(await optimize(world.router, at("ac"), { mode: "car" })).toBeUndefined();
  });

  it("throws when a stop has no road near, naming the stop as it was given", async () => {
    const world = await build({ map: LINE, ways: { abcdef: "" } });
    const stops = [world.at("a"), world.at("d"), { latitude: 40, longitude: 10 }, world.at("f")];
    const trip = optimize(world.router, stops, { mode: "car" });
    await expect(trip).rejects.toBeInstanceOf(NoRoad);
    await expect(trip).rejects.toMatchObject({ index: 2 });
  });
});
