import { describe, expect, it } from "vitest";
import { fleetQuestion } from "../../../src/answers/routes/fleet-problem.ts";
import { Pace } from "../../../src/geo/pace.ts";
import { random } from "../../../src/importer/demo/world/random.ts";
import { Descent } from "../../../src/routing/fleet/evolve/descent.ts";
import { EdgeAssembly, type Individual } from "../../../src/routing/fleet/evolve/edge-assembly.ts";
import { PenalizedTours } from "../../../src/routing/fleet/evolve/penalized-tours.ts";
import { type UniformFleet, uniformFleet } from "../../../src/routing/fleet/evolve/uniform-fleet.ts";
import { type Model, modelOf } from "../../../src/routing/fleet/model.ts";
import { solve } from "../../../src/routing/fleet/solve.ts";
import { fleetBody } from "../../../src/wire/routes/fleet-body.ts";
import { samples } from "../../support/night.ts";
import { type Body, faultsOf, plan } from "./check-plan.ts";

/** Like vehicles, jobs with windows and loads, and durations that differ by direction. */
function town(seed: string, jobs: number, vehicles: number, fixed = 0): Body {
  const draw = random(seed).next;
  const upTo = (most: number) => Math.floor(draw() * most);
  const places = Array.from({ length: jobs + 1 }, () => [upTo(600), upTo(600)] as const);
  const durations = places.map(([x, y]) =>
    places.map(([a, b]) => (x === a && y === b ? 0 : Math.round(Math.hypot(a - x, b - y)) + upTo(30))),
  );
  return {
    vehicles: Array.from({ length: vehicles }, (_, i) => ({
      id: i + 1,
      start_index: 0,
      end_index: 0,
      capacity: [14, 40],
      time_window: [0, 6000] as [number, number],
      costs: { fixed, per_hour: 3600 },
    })),
    jobs: Array.from({ length: jobs }, (_, i) => {
      const from = upTo(4000);
      return {
        id: i + 1,
        location_index: i + 1,
        service: upTo(60),
        delivery: [1 + upTo(3), 0],
        pickup: [0, upTo(4)],
        ...(draw() < 0.7 ? { time_windows: [[from, from + 600 + upTo(1200)]] as [number, number][] } : {}),
      };
    }),
    matrices: { car: { durations, distances: durations } },
  };
}

const modelIn = (body: Body): Model => modelOf(fleetQuestion(fleetBody.parse(body)).problem([]));
const uniform = (body: Body) => uniformFleet(modelIn(body)) as UniformFleet;

/** Deals stops in a random order to routes. */
function deal(fleet: UniformFleet, routes: number, draw: () => number): Individual {
  const order = Array.from({ length: fleet.stops }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const dealt: number[][] = Array.from({ length: routes }, () => []);
  for (const stop of order) dealt[Math.floor(draw() * routes)].push(stop);
  const used = dealt.filter(({ length }) => length > 0);
  const next = new Int32Array(fleet.stops).fill(fleet.stops);
  const prev = new Int32Array(fleet.stops).fill(fleet.stops);
  for (const route of used) {
    route.forEach((stop, i) => {
      if (i === 0) return;
      next[route[i - 1]] = stop;
      prev[stop] = route[i - 1];
    });
  }
  const firsts = Int32Array.from(used, (route) => route[0]);
  const lasts = Int32Array.from(used, (route) => route[route.length - 1]);
  return { next, prev, firsts, lasts, count: used.length, cost: 0 };
}

/** Cost and penalties of the tours, by walking along them. */
function walked(tours: PenalizedTours) {
  const { cost, duration, opens, closes, service, load, capacity, stops, dimensions } = tours.fleet;
  const places = stops + 1;
  let [sum, late, over] = [0, 0, 0];
  const visits = new Int32Array(stops);
  for (let route = 0; route < tours.routes; route++) {
    let [time, at] = [opens[stops], stops];
    const onBoard = new Float64Array(dimensions);
    for (let node = tours.next[tours.start(route)]; ; node = tours.next[node]) {
      const to = Math.min(node, stops);
      sum += cost[at * places + to];
      time = Math.max(opens[to], time + duration[at * places + to]);
      if (time > closes[to]) {
        late += time - closes[to];
        time = closes[to];
      }
      time += service[to];
      at = to;
      if (to === stops) break;
      visits[to]++;
      for (let d = 0; d < dimensions; d++) onBoard[d] += load[to * dimensions + d];
    }
    for (let d = 0; d < dimensions; d++) over += Math.max(0, onBoard[d] - capacity[d]);
  }
  return { sum, late, over, visits: [...visits] };
}

describe("a population of plans", () => {
  it("applies only to like vehicles and jobs with one window each", () => {
    const body = town("like", 12, 3);
    expect(uniformFleet(modelIn(body))?.stops).toBe(12);
    const [first, ...others] = body.vehicles as object[];
    const [job, ...jobs] = body.jobs as object[];
    const differing: Partial<Body>[] = [
      { vehicles: [{ ...first, capacity: [9, 9] }, ...others] as Body["vehicles"] },
      { vehicles: [first, ...others].map((one) => ({ ...one, max_tasks: 5 })) as Body["vehicles"] },
      { vehicles: [first, ...others].map((one) => ({ ...one, max_distance: 900 })) as Body["vehicles"] },
      {
        vehicles: [first, ...others].map((one) => ({
          ...one,
          breaks: [{ id: 1, service: 60, time_windows: [[100, 900]] }],
        })) as Body["vehicles"],
      },
      {
        jobs: [
          {
            ...job,
            time_windows: [
              [0, 10],
              [50, 90],
            ],
          },
          ...jobs,
        ] as Body["jobs"],
      },
      { jobs: [{ ...job, setup: 10 }, ...jobs] as Body["jobs"] },
      { jobs: [{ ...job, skills: [1] }, ...jobs] as Body["jobs"] },
      { jobs: [{ ...job, delivery: [1, 1], pickup: [1, 1] }, ...jobs] as Body["jobs"] },
    ];
    for (const change of differing) expect(uniformFleet(modelIn({ ...body, ...change }))).toBeUndefined();
  });

  it("knows cost, lateness and load of its tours after each descent, as walking along them shows", () => {
    for (let seed = 0; seed < samples(8, 60); seed++) {
      const draw = random(`descent ${seed}`).next;
      const fleet = uniform(town(`descent ${seed}`, 30, 6));
      const tours = new PenalizedTours(fleet, 6);
      const descent = new Descent(tours, draw, seed % 2 === 0 ? 0 : 300);
      const { next, firsts, count } = deal(fleet, 5, draw);
      const weighed = () => {
        const { sum, late, over, visits } = walked(tours);
        expect(visits).toEqual(visits.map(() => 1));
        expect(tours.travelCost).toBeCloseTo(sum, 6);
        const penalty = tours.penalty.reduce((all, one) => all + one, 0);
        expect(penalty).toBeCloseTo(late * tours.penalties.late + over * tours.penalties.load, 6);
        expect(tours.isFeasible).toBe(late === 0 && over === 0);
        const used = tours.count.filter((stops) => stops > 0).length;
        return sum + penalty + used * (seed % 2 === 0 ? 0 : 300);
      };
      let before = Number.POSITIVE_INFINITY;
      for (const late of [0.5, 5, 500]) {
        tours.setPenalties({ late, load: 20 * late });
        if (before === Number.POSITIVE_INFINITY) tours.load(next, firsts, count);
        before = weighed();
        descent.run();
        expect(weighed()).toBeLessThanOrEqual(before + 1e-6);
      }
      expect(tours.isFeasible).toBe(true);
    }
  });

  it("creates children that visit each stop once, by edges of their parents and links of rings", () => {
    for (let seed = 0; seed < samples(20, 200); seed++) {
      const draw = random(`cross ${seed}`).next;
      const fleet = uniform(town(`cross ${seed % 4}`, 24, 7));
      const assembly = new EdgeAssembly(fleet, 7, draw);
      const [a, b] = [deal(fleet, 3 + (seed % 4), draw), deal(fleet, 6 - (seed % 3), draw)];
      expect(assembly.mate(a, a)).toBe(0);
      const cycles = assembly.mate(a, b);
      expect(cycles).toBeGreaterThan(0);
      const all = Array.from({ length: cycles }, (_, i) => i);
      for (const some of [...all.map((i) => [i]), all]) {
        assembly.child(a, some);
        const { next, firsts, count } = assembly;
        expect(count).toBeLessThanOrEqual(7);
        const visits: number[] = [];
        for (let route = 0; route < count; route++)
          for (let stop = firsts[route]; stop < fleet.stops; stop = next[stop]) visits.push(stop);
        expect(visits.sort((x, y) => x - y)).toEqual(Array.from({ length: fleet.stops }, (_, i) => i));
        const isNew = (stop: number) => next[stop] !== a.next[stop];
        for (const stop of visits) if (isNew(stop)) expect(assembly.isChanged[stop]).toBe(1);
      }
      // All cycles together turn the first parent into the second.
      assembly.child(a, all);
      expect([...assembly.next]).toEqual([...b.next]);
    }
  });

  it("plans without breaking a rule, the same for the same seed, and better than ruin and recreate", async () => {
    for (let seed = 0; seed < samples(1, 12); seed++) {
      const body = town(`plan ${seed}`, 34, 10, seed % 2 === 0 ? 100_000 : 200);
      const found = await plan(body, 1_050_000);
      expect(faultsOf(body, found)).toEqual([]);
      expect(found.unassigned).toEqual([]);
      expect(await plan(body, 1_050_000)).toEqual(found);
      const sooner = await plan(body, 300_000);
      expect(found.summary.cost).toBeLessThanOrEqual(sooner.summary.cost);
    }
  });

  it("yields, and ends at its effort", async () => {
    const model = modelIn(town("effort", 34, 10));
    let turns = 0;
    const pace = new Pace(
      async () => {
        turns++;
      },
      { slice: 20_000 },
    );
    await solve(model, { seed: 1, effort: 1_050_000, pace });
    expect(pace.spent).toBeLessThan(1_150_000);
    expect(turns).toBeGreaterThan(40);
  });
});
