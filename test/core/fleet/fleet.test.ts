import { describe, expect, it } from "vitest";
import { type Halfway, solve, solveStep } from "../../../src/core/fleet/evolve/solve.ts";
import { modelOf } from "../../../src/core/fleet/model.ts";
import { Tour } from "../../../src/core/fleet/tour.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { bestOrder } from "../../../src/core/routing/route/optimize.ts";
import { random } from "../../../src/demo/world/random.ts";
import { fleetQuestion } from "../../../src/worker/answers/routes/fleet-problem.ts";
import { fleetBody } from "../../../src/worker/wire/routes/fleet-body.ts";
import { samples } from "../../support/night.ts";
import { type Body, faultsOf, type Plan, plan } from "./check-plan.ts";

/** Places on a plane; a second per unit. */
function matrixOf(places: readonly (readonly [number, number])[]) {
  return places.map(([x, y]) => places.map(([a, b]) => Math.round(Math.hypot(a - x, b - y))));
}

/** A road along which place i lies at i × 100 s. */
const ROAD = { car: { durations: matrixOf(Array.from({ length: 10 }, (_, i) => [i * 100, 0] as const)) } };
const job = (id: number, at = id, rest: object = {}) => ({ id, location_index: at, ...rest });
const van = (id: number, rest: object = {}) => ({ id, start_index: 0, end_index: 0, ...rest });
const stops = ({ routes }: Plan, vehicle = 1) =>
  routes
    .find((route) => route.vehicle === vehicle)
    ?.steps.map(({ type, id }) => (id === undefined ? type : `${type} ${id}`));
const reasons = ({ unassigned }: Plan) => unassigned.map(({ type, id, reason }) => `${type} ${id}: ${reason}`);

describe("a fleet's plan", () => {
  it("reads a vehicle's window also from a list of one, as other versions of VROOM write it, and refuses more", async () => {
    const body = (rest: object): Body => ({ vehicles: [van(1, rest)], jobs: [job(1)], matrices: ROAD });
    const listed = await plan(body({ time_windows: [[500, 900]] }));
    expect(listed.routes).toEqual((await plan(body({ time_window: [500, 900] }))).routes);
    expect(listed.routes[0].steps[0].arrival).toBe(500);
    expect(reasons(await plan(body({ time_windows: [[50, 100]] })))).toHaveLength(1);
    const two = {
      time_windows: [
        [0, 1],
        [5, 6],
      ],
    };
    expect(fleetBody.safeParse(body(two)).error?.issues[0].path).toEqual(["vehicles", 0, "time_windows"]);
  });

  it("can be computed in steps, each of which can be repeated from the stored state of the last one", async () => {
    const draw = random("steps").next;
    const places = Array.from({ length: 41 }, () => [draw() * 1000, draw() * 1000] as const);
    const body = fleetBody.parse({
      vehicles: Array.from({ length: 5 }, (_, i) => van(i + 1, { capacity: [10] })),
      jobs: Array.from({ length: 40 }, (_, i) => job(i + 1, i + 1, { delivery: [1] })),
      matrices: { car: { durations: matrixOf(places) } },
    });
    const model = modelOf(fleetQuestion(body).problem([]));
    const options = { seed: 7, effort: samples(30_000, 100_000), pace: unpaced() };
    const cost = ({ routes }: Halfway) =>
      routes.reduce((sum, nodes, i) => {
        const tour = new Tour(model, i);
        tour.set(nodes);
        return sum + tour.cost;
      }, 0);
    let state: Halfway | undefined;
    const costs: number[] = [];
    for (const until of [0.25, 0.5, 0.75, 1]) {
      const step: Halfway = await solveStep(model, options, state && JSON.parse(JSON.stringify(state)), until);
      const again = await solveStep(model, options, state, until);
      expect(again).toEqual(step);
      expect(step.routes.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i));
      costs.push(cost(step));
      state = step;
    }
    expect(costs).toEqual([...costs].sort((a, b) => b - a));
    const { routes, undone } = await solve(model, options);
    const atOnce = cost({ routes: routes.map((nodes) => [...nodes]), undone, share: 1 });
    expect(costs[3]).toBeLessThan(atOnce * 1.02);
  });

  it("ends early where a problem is small, with the best plan", async () => {
    const body = fleetBody.parse({
      vehicles: [van(1)],
      jobs: [job(1, 3), job(2, 5)],
      matrices: ROAD,
    });
    const model = modelOf(fleetQuestion(body).problem([]));
    const pace = unpaced();
    const { routes } = await solve(model, { seed: 1, effort: 10_000_000, pace });
    expect([...routes[0]].sort()).toEqual([0, 1]);
    expect(pace.spent).toBeGreaterThan(0);
    expect(pace.spent).toBeLessThan(50_000);
  });

  it("visits the stops of one vehicle in the best order there is", async () => {
    const draw = random("one vehicle").next;
    for (let town = 0; town < 5; town++) {
      const places = Array.from({ length: 9 }, () => [draw() * 1000, draw() * 1000] as const);
      const durations = matrixOf([...places, places[0]]);
      const answer = await plan({
        vehicles: [van(1)],
        jobs: Array.from({ length: 8 }, (_, i) => job(i + 1)),
        matrices: { car: { durations: matrixOf(places) } },
      });
      const best = bestOrder(durations) ?? [];
      const least = best.slice(1).reduce((sum, place, i) => sum + durations[best[i]][place], 0);
      expect(answer.summary.duration).toBe(least);
    }
  });

  it("needs no more vehicles than carry everything, where each costs something by being used", async () => {
    const corners = [
      [0, 900],
      [900, 0],
      [0, -900],
      [-900, 0],
    ] as const;
    const places = [
      [0, 0],
      ...corners.flatMap(([x, y]) => Array.from({ length: 5 }, (_, i) => [x + i, y] as const)),
    ] as const;
    const jobs = Array.from({ length: 20 }, (_, i) => job(i + 1, i + 1, { delivery: [1] }));
    const vehicles = Array.from({ length: 7 }, (_, i) => van(i + 1, { capacity: [5], costs: { fixed: 100_000 } }));
    const body: Body = { vehicles, jobs, matrices: { car: { durations: matrixOf(places) } } };
    const answer = await plan(body, 30_000);
    expect(faultsOf(body, answer)).toEqual([]);
    expect(answer.summary).toMatchObject({ routes: 4, unassigned: 0, delivery: [20] });
    expect(answer.summary.duration).toBeLessThan(4 * 1820);
  });

  it("fetches a shipment before it is brought, and never has more on board than fits", async () => {
    const shipments = [1, 2, 3].map((id) => ({
      pickup: { id, location_index: id },
      delivery: { id, location_index: 9 - id },
      amount: [2],
    }));
    const body: Body = { vehicles: [van(1, { capacity: [4] })], shipments, matrices: ROAD };
    const answer = await plan(body);
    expect(faultsOf(body, answer)).toEqual([]);
    expect(answer.unassigned).toEqual([]);
  });

  it("takes a break while it drives, where no stop has time for it", async () => {
    const breaks = [{ id: 7, time_windows: [[150, 250]] as [number, number][], service: 60 }];
    const body: Body = { vehicles: [van(1, { time_window: [0, 2000], breaks })], jobs: [job(9)], matrices: ROAD };
    const answer = await plan(body);
    expect(faultsOf(body, answer)).toEqual([]);
    expect(stops(answer)).toEqual(["start", "break 7", "job 9", "end"]);
    expect(answer.routes[0].steps[3].arrival - answer.routes[0].steps[0].arrival).toBe(1860);
  });

  it("departs so late that no vehicle waits, and returns no later", async () => {
    const body: Body = { vehicles: [van(1)], jobs: [job(5, 5, { time_windows: [[3000, 4000]] })], matrices: ROAD };
    const { routes } = await plan(body);
    expect(routes[0].steps.map(({ arrival, waiting_time }) => [arrival, waiting_time])).toEqual([
      [2500, 0],
      [3000, 0],
      [3500, 0],
    ]);
  });

  it("pays the setup of a place once for all that is done there", async () => {
    const jobs = [job(1, 4, { setup: 100, service: 10 }), job(2, 4, { setup: 100, service: 10 })];
    const answer = await plan({ vehicles: [van(1)], jobs, matrices: ROAD });
    expect([answer.summary.setup, answer.summary.service]).toEqual([100, 20]);
  });

  it("does the tasks of the highest priority if not all can be done", async () => {
    const jobs = [job(1), job(2, 2, { priority: 10 }), job(3)];
    const answer = await plan({ vehicles: [van(1, { max_tasks: 1 })], jobs, matrices: ROAD });
    expect(stops(answer)).toEqual(["start", "job 2", "end"]);
    expect(reasons(answer)).toEqual(["job 1: fleet", "job 3: fleet"]);
  });

  it("returns the reason for each task that no vehicle does", async () => {
    const durations = ROAD.car.durations.map((row, i) => row.map((time, j) => ((i === 9) !== (j === 9) ? null : time)));
    const jobs = [
      job(1, 1, { skills: [4] }),
      job(2, 2, { delivery: [9] }),
      job(3, 3, { time_windows: [[0, 100]] }),
      job(4, 8),
      job(5, 9),
      job(6, 1),
    ];
    const vehicles = [van(1, { capacity: [5], max_travel_time: 1000 })];
    expect(reasons(await plan({ vehicles, jobs, matrices: { car: { durations } } }))).toEqual([
      "job 1: skills",
      "job 2: capacity",
      "job 3: timeWindows",
      "job 4: limits",
      "job 5: unreachable",
    ]);
  });

  it("begins and ends wherever the stops are, where a vehicle has no start or no end", async () => {
    const answer = await plan({ vehicles: [{ id: 1, end_index: 0 }], jobs: [job(3), job(6)], matrices: ROAD });
    expect(stops(answer)).toEqual(["job 6", "job 3", "end"]);
    expect(answer.summary.duration).toBe(600);
  });

  it("is the same for the same seed", async () => {
    const body = fleet("seeded");
    expect(await plan(body)).toEqual(await plan(body));
  });

  it("breaks no rule, whatever is asked", async () => {
    for (let town = 0; town < 25; town++) {
      const body = fleet(`town ${town}`);
      expect(faultsOf(body, await plan(body, 8_000))).toEqual([]);
    }
  });
});

/** Jobs and shipments with everything that can be asked of a vehicle. */
function fleet(seed: string): Body {
  const draw = random(seed).next;
  const upTo = (most: number) => Math.floor(draw() * most);
  const maybe = <T>(value: T): T | undefined => (draw() < 0.4 ? value : undefined);
  const places = Array.from({ length: 12 }, () => [upTo(600), upTo(600)] as const);
  // Not the same both ways, and a detour may be quicker than the way.
  const durations = matrixOf(places).map((row) => row.map((time) => time + upTo(80)));
  const windows = (): [number, number][] => {
    const from = upTo(3000);
    return draw() < 0.7
      ? [[from, from + 200 + upTo(1500)]]
      : [
          [from, from + 300],
          [from + 900, from + 1500],
        ];
  };
  const stop = (id: number) => ({
    id,
    location_index: 1 + upTo(11),
    service: upTo(60),
    setup: upTo(3) * 20,
    time_windows: maybe(windows()),
  });
  const skills = () => maybe([upTo(2)]);
  return {
    vehicles: Array.from({ length: 3 }, (_, i) => ({
      id: i + 1,
      start_index: 0,
      end_index: maybe(0),
      capacity: [4 + upTo(4), 20],
      skills: [upTo(2), 5],
      time_window: maybe([0, 3000 + upTo(3000)] as [number, number]),
      breaks: maybe([{ id: 1, service: 100 + upTo(200), time_windows: windows(), max_load: maybe([3, 20]) }]),
      speed_factor: maybe(1.5),
      max_tasks: maybe(5 + upTo(5)),
      max_travel_time: maybe(1500 + upTo(1500)),
      costs: maybe({ fixed: 500, per_hour: 1800, per_km: 10 }),
    })),
    jobs: Array.from({ length: 9 }, (_, i) => ({
      ...stop(i + 1),
      delivery: maybe([1, upTo(5)]),
      pickup: maybe([1, upTo(5)]),
      skills: skills(),
      priority: upTo(3),
    })),
    shipments: Array.from({ length: 5 }, (_, i) => ({
      pickup: stop(i + 1),
      delivery: stop(i + 1),
      amount: [1 + upTo(2), upTo(4)],
      skills: skills(),
    })),
    matrices: { car: { durations, distances: durations } },
  };
}
