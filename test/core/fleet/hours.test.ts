import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { solve } from "../../../src/core/fleet/evolve/solve.ts";
import { HourlyTravel } from "../../../src/core/fleet/hours.ts";
import { modelOf, NEVER } from "../../../src/core/fleet/model.ts";
import { type PlannedRoute, planOf } from "../../../src/core/fleet/plan.ts";
import type { FleetBreak, FleetTask, TravelMatrix } from "../../../src/core/fleet/problem.ts";
import { NO_WAY } from "../../../src/core/fleet/times.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { later } from "../../../src/core/routing/graph/traffic.ts";
import type { Router } from "../../../src/core/routing/route/router.ts";
import { random } from "../../../src/demo/world/random.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { OperatorSpeeds } from "../../../src/importer/layers/roads/profiles/apply-speeds.ts";
import { readSpeedFile } from "../../../src/importer/layers/roads/profiles/speed-file.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { fleetMatrix } from "../../../src/worker/answers/routes/fleet-matrix.ts";
import { fleetQuestion } from "../../../src/worker/answers/routes/fleet-problem.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { fleetBody } from "../../../src/worker/wire/routes/fleet-body.ts";
import { samples } from "../../support/night.ts";
import { buildRoads } from "../routing/graph/road-build.ts";
import { pointMaker } from "../routing/search/compare.ts";

const HOUR = 3600;

describe("travel that depends on the hour", () => {
  it("never arrives earlier by leaving later, and its latest departure is the last that arrives in time", () => {
    const draw = random("hours").next;
    for (let round = 0; round < 30; round++) {
      let begins = 0;
      const spans = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => {
        begins += 20 + Math.floor(draw() * 60);
        const duration = draw() < 0.2 ? NO_WAY : 5 + Math.floor(draw() * 70);
        return { begins, duration: Float64Array.of(duration), distance: Float64Array.of(1) };
      });
      const travel = new HourlyTravel(spans);
      const arrivals = Array.from({ length: 400 }, (_, leave) => travel.arrive(0, leave));
      for (let leave = 0; leave < 400; leave++) {
        const { departure, duration } = travel.drive(0, leave);
        if (leave > 0) expect(arrivals[leave]).toBeGreaterThanOrEqual(arrivals[leave - 1]);
        // Later than the drive itself only where an earlier departure arrives then.
        if (duration < NO_WAY) expect(arrivals[leave]).toBeGreaterThanOrEqual(departure + duration);
        expect(departure).toBeGreaterThanOrEqual(leave);
      }
      for (let due = 100; due < 300; due += 7) {
        const leave = travel.leaveBefore(0, due);
        if (leave <= -NEVER) {
          expect(arrivals[0]).toBeGreaterThan(due);
          continue;
        }
        expect(travel.arrive(0, leave)).toBeLessThanOrEqual(due);
        // A second before the next span may be missed, and waiting there is not worth it.
        if (leave >= 0 && leave < 397) expect(arrivals[leave + 2]).toBeGreaterThan(due);
      }
    }
  });
});

interface Job {
  location: number;
  service: number;
  window: readonly [number, number];
}

const HOURS = [6 * HOUR, 13 * HOUR] as const;

/** A fleet at location 0. */
function plannedWith(matrix: TravelMatrix, jobs: readonly Job[], vehicles: number, breaks: FleetBreak[] = []) {
  const model = modelOf({
    matrices: [matrix],
    vehicles: Array.from({ length: vehicles }, () => ({
      matrix: 0,
      speedFactor: 1,
      start: 0,
      end: 0,
      skills: new Set<number>(),
      window: HOURS,
      breaks,
      maxTasks: NEVER,
      maxTravelTime: NEVER,
      maxDistance: NEVER,
      costs: { fixed: 0, perHour: 3600, perKm: 0 },
    })),
    tasks: jobs.map(
      ({ location, service, window }): FleetTask => ({
        stops: [{ location, setup: 0, service, windows: [window] }],
        delivery: [],
        pickup: [],
        skills: [],
        priority: 0,
      }),
    ),
    dimensions: 0,
  });
  return solve(model, { seed: 1, effort: 15_000, pace: unpaced() }).then((found) => planOf(model, found));
}

/** Drives a plan: each leg takes as long as it takes when the vehicle leaves. @returns the broken windows */
async function replayed(
  plan: readonly PlannedRoute[],
  jobs: readonly Job[],
  drive: (from: number, to: number, leave: number) => Promise<number> | number,
): Promise<string[]> {
  const broken: string[] = [];
  for (const { steps } of plan) {
    let [time, at] = [steps[0].arrival, 0];
    for (const { type, node, arrival } of steps) {
      if (type === "start") continue;
      if (type === "break") throw new Error("breaks are not driven here");
      const to = node === undefined ? 0 : jobs[node].location;
      time += to === at ? 0 : await drive(at, to, time);
      at = to;
      if (time > arrival) broken.push(`at ${to} at ${time}, not ${arrival}`);
      if (node === undefined) {
        if (time > HOURS[1]) broken.push(`back at ${time}`);
        continue;
      }
      const { window, service } = jobs[node];
      if (time > window[1]) broken.push(`at ${to} at ${time}, after ${window[1]}`);
      time = Math.max(time, window[0]) + service;
    }
  }
  return broken;
}

/** Jobs at these locations, of which the windows are an hour. */
const jobsAt = (locations: readonly number[], draw: () => number): Job[] =>
  locations.map((location) => {
    const from = HOURS[0] + Math.floor(draw() * 5 * HOUR);
    return { location, service: Math.floor(draw() * 300), window: [from, from + HOUR / 2] as const };
  });

describe("the plan of a fleet by the hour", () => {
  it("is driven in time, where a plan for all hours is late", async () => {
    let lateWithout = 0;
    for (let round = 0; round < samples(3, 40); round++) {
      const draw = random(`rush ${round}`).next;
      const size = 9;
      const gridOf = (slower: number) => {
        const duration = Float64Array.from({ length: size ** 2 }, (_, i) =>
          i % (size + 1) === 0 ? 0 : Math.ceil((200 + draw() * 700) * slower),
        );
        return { duration, distance: duration };
      };
      const [free, jam] = [gridOf(1), gridOf(2.5)];
      // A way that is closed in the rush.
      jam.duration[5] = Number.POSITIVE_INFINITY;
      const spans = [0, 7, 9, 11, 12].map((hour, i) => ({ begins: hour * HOUR, grid: i % 2 === 0 ? free : jam }));
      const jobs = jobsAt([1, 2, 3, 4, 5, 6, 7, 8], draw);
      const drive = (from: number, to: number, leave: number) => {
        let [at, departure] = [spans.findLastIndex(({ begins }) => begins <= leave), leave];
        while (spans[at].grid.duration[from * size + to] === Number.POSITIVE_INFINITY) departure = spans[++at].begins;
        return departure - leave + spans[at].grid.duration[from * size + to];
      };
      const plan = await plannedWith({ size, ...free, hours: spans }, jobs, 3);
      expect(await replayed(plan, jobs, drive), `round ${round}`).toEqual([]);
      expect(plan.length).toBeGreaterThan(0);
      if ((await replayed(await plannedWith({ size, ...free }, jobs, 3), jobs, drive)).length > 0) lateWithout++;
      const rest: FleetBreak = { windows: [[8 * HOUR, 10 * HOUR]], service: 900 };
      for (const { steps } of await plannedWith({ size, ...free, hours: spans }, jobs, 3, [rest])) {
        expect(steps.filter(({ type }) => type === "break")).toHaveLength(1);
        for (const { node, arrival, waiting } of steps)
          if (node !== undefined) expect(arrival + waiting).toBeLessThanOrEqual(jobs[node].window[1]);
        expect(steps.at(-1)?.arrival).toBeLessThanOrEqual(HOURS[1]);
      }
    }
    expect(lateWithout).toBeGreaterThan(0);
  });

  it("is driven in time along the roads of a town with a rush hour", async () => {
    const town = streets(10);
    const { router, build } = await buildRoads(buildGraph(town, { speeds: await slowFromSevenToNine(town) }));
    expect(router.store.manifest.windows).toHaveLength(1);
    const clock = (second: number) => later({ day: 1, minute: 0 }, second);
    const drive = async (from: Coordinate, to: Coordinate, leave: number) =>
      (await router.route([from, to], { mode: "car", departure: clock(leave) }))?.duration ?? Number.NaN;
    const point = pointMaker(build, 5);
    let lateWithout = 0;
    for (let round = 0; round < samples(3, 20); round++) {
      const draw = random(`town ${round}`).next;
      const places = await connected(router, point, 8);
      const matrix = await fleetMatrix(router, places, { mode: "car" }, clock, HOURS);
      expect(matrix.hours?.map(({ begins }) => begins)).toEqual([6 * HOUR, 7 * HOUR, 9 * HOUR]);
      // Tight windows: the vehicle needs all of the time between two of them, without traffic.
      const jobs = jobsAt([1, 2, 3, 4, 5, 6, 7], draw).map((job, i) => {
        const from = 7 * HOUR + 300 + i * 150;
        return { ...job, service: 20, window: [from, from + 60] as const };
      });
      const late = async (one: TravelMatrix) =>
        replayed(await plannedWith(one, jobs, 2), jobs, (from, to, leave) => drive(places[from], places[to], leave));
      expect(await late(matrix), `round ${round}`).toEqual([]);
      const { hours: _, ...free } = matrix;
      if ((await late(free)).length > 0) lateWithout++;
    }
    expect(lateWithout).toBeGreaterThan(0);
  });
});

/** Streets in both directions, 300 m apart. */
function streets(size: number): OsmElement[] {
  const along = Array.from({ length: size }, (_, i) => i);
  const id = (row: number, column: number) => row * size + column + 1;
  const tags = { highway: "residential" };
  return [
    ...along.flatMap((row) =>
      along.map((column): OsmElement => {
        return {
          type: "node",
          id: id(row, column),
          latitude: 49 + row * 0.003,
          longitude: 8 + column * 0.004,
          tags: {},
        };
      }),
    ),
    ...along.flatMap((i): OsmElement[] => [
      { type: "way", id: 1000 + i, refs: along.map((column) => id(i, column)), tags },
      { type: "way", id: 2000 + i, refs: along.map((row) => id(row, i)), tags },
    ]),
  ];
}

/** Places with routes from the first to each and back. */
async function connected(router: Router, point: () => Coordinate, count: number): Promise<Coordinate[]> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const places = [point()];
    for (let i = 0; i < 4 * count && places.length < count; i++) {
      const place = point();
      const route = await router.route([places[0], place, places[0]], { mode: "car" }).catch(() => undefined);
      if (route) places.push(place);
    }
    if (places.length === count) return places;
  }
  throw new Error("a town without a center");
}

/** Half of all ways is slow in the rush. */
async function slowFromSevenToNine(town: readonly OsmElement[]): Promise<OperatorSpeeds> {
  const draw = random("slow").next;
  const lines = ["way_id,direction,from_node,to_node,days,hours,speed"];
  for (const { type, id } of town) if (type === "way" && draw() < 0.5) lines.push(`${id},,,,Mo-Fr,07:00-09:00,4`);
  const folder = await mkdtemp(join(tmpdir(), "rush-"));
  const path = join(folder, "speeds.csv");
  await writeFile(path, lines.join("\n"));
  const speeds = new OperatorSpeeds(await readSpeedFile(path, () => {}));
  await rm(folder, { recursive: true });
  return speeds;
}

describe("vehicles with sizes", () => {
  const question = (vehicles: object[], rest: object = {}) =>
    fleetQuestion(
      validate(fleetBody, {
        vehicles: vehicles.map((vehicle, i) => ({ id: i, start: [8, 49], ...vehicle })),
        jobs: [{ id: 1, location: [8.01, 49] }],
        ...rest,
      }),
    );
  const matrices = { car: { durations: [[0]] } };
  const paramOf = (ask: () => unknown): unknown => {
    try {
      ask();
    } catch (error) {
      return (error as { param?: unknown }).param;
    }
    return undefined;
  };

  it("share a matrix if their roads are the same", () => {
    const { asked, problem } = question([
      {},
      { vehicle: { height: 3.8, weight: 12 } },
      { profile: "truck", vehicle: { height: 3.8, weight: 12 } },
      { vehicle: { weight: 12, height: 3.8 } },
      { vehicle: { hazmat: true } },
    ]);
    expect(asked.map(({ mode, vehicle }) => [mode, vehicle])).toEqual([
      ["car", undefined],
      ["car", { height: 3.8, weight: 12 }],
      ["truck", { height: 3.8, weight: 12 }],
      ["car", { hazmat: 0 }],
    ]);
    expect(problem([]).vehicles.map(({ matrix }) => matrix)).toEqual([0, 1, 2, 1, 3]);
  });

  it.each([
    [[{}, { vehicle: { height: -1 } }], {}, "vehicles[1][vehicle][height]"],
    [[{ vehicle: { heigth: 3 } }], {}, "vehicles[0][vehicle]"],
    [[{ vehicle: "tall" }], {}, "vehicles[0][vehicle]"],
    [[{}, { profile: "foot", vehicle: { height: 3 } }], {}, "vehicles[1][vehicle]"],
    [[{ start_index: 0, vehicle: { height: 3 } }], { matrices }, "vehicles[0][vehicle]"],
    [Array.from({ length: 7 }, (_, i) => ({ vehicle: { height: 3 + i / 10 } })), {}, "vehicles[6][vehicle]"],
    [[{ start_index: 0 }], { matrices, departureTime: "2026-11-26T00:00:00Z" }, "departureTime"],
    [[{}], { departureTime: "soon" }, "departureTime"],
  ])("%j with %j are an error of %s", (vehicles, rest, param) => {
    expect(paramOf(() => question(vehicles, rest))).toBe(param);
  });
});
