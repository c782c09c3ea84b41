import { describe, expect, it } from "vitest";
import { Descent } from "../../../src/core/fleet/evolve/descent.ts";
import { EdgeAssembly, type Individual } from "../../../src/core/fleet/evolve/edge-assembly.ts";
import { EjectionPool } from "../../../src/core/fleet/evolve/ejection-pool.ts";
import { eliminateRoutes } from "../../../src/core/fleet/evolve/eliminate-routes.ts";
import { evolve } from "../../../src/core/fleet/evolve/evolve.ts";
import { PenalizedTours } from "../../../src/core/fleet/evolve/penalized-tours.ts";
import { solve } from "../../../src/core/fleet/evolve/solve.ts";
import { type Member, noNearest, Subpopulation } from "../../../src/core/fleet/evolve/subpopulation.ts";
import { type UniformFleet, uniformFleet } from "../../../src/core/fleet/evolve/uniform-fleet.ts";
import { type Model, modelOf } from "../../../src/core/fleet/model.ts";
import { constructByRegret } from "../../../src/core/fleet/regret.ts";
import { Search } from "../../../src/core/fleet/search.ts";
import { Pace, unpaced } from "../../../src/core/geo/pace.ts";
import { random } from "../../../src/demo/world/random.ts";
import { fleetQuestion } from "../../../src/worker/answers/routes/fleet-problem.ts";
import { fleetBody } from "../../../src/worker/wire/routes/fleet-body.ts";
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

/** No detour is faster than the way itself: local search assumes it. */
function withoutDetours(body: Body): Body {
  const durations = body.matrices?.car.durations.map((row) => row.map(Number)) ?? [];
  for (const [k, onward] of durations.entries())
    for (const row of durations) for (const j of row.keys()) row[j] = Math.min(row[j], row[k] + onward[j]);
  return { ...body, matrices: { car: { durations, distances: durations } } };
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

/** The routes of the tours, if nothing but a whole number of routes without violations is in them. */
function routesOf(tours: PenalizedTours): number[][] {
  const { stops } = tours.fleet;
  return Array.from({ length: tours.routes }, (_, route) => {
    const nodes: number[] = [];
    for (let node = tours.next[tours.start(route)]; node < stops; node = tours.next[node]) nodes.push(node);
    return nodes;
  });
}

function costOf({ cost, stops }: UniformFleet, route: readonly number[]): number {
  const places = [stops, ...route, stops];
  return route.length === 0 ? 0 : places.slice(1).reduce((sum, to, i) => sum + cost[places[i] * (stops + 1) + to], 0);
}

function violations(
  { stops, duration, opens, closes, service, load, capacity, dimensions }: UniformFleet,
  route: readonly number[],
) {
  let [time, at, late, over] = [opens[stops], stops, 0, 0];
  for (const to of [...route, stops]) {
    time = Math.max(opens[to], time + duration[at * (stops + 1) + to]);
    late += Math.max(0, time - closes[to]);
    time = Math.min(time, closes[to]) + service[to];
    at = to;
  }
  for (let d = 0; d < dimensions; d++)
    over += Math.max(0, route.reduce((sum, stop) => sum + load[stop * dimensions + d], 0) - capacity[d]);
  return { late: route.length === 0 ? 0 : late, over };
}

describe("stops without a route", () => {
  it("are inserted without lateness and overload, in exchange for others if they do not fit", () => {
    let ejected = 0;
    for (let seed = 0; seed < samples(6, 60); seed++) {
      const fleet = uniform(town(`pool ${seed}`, 30, 12));
      // As few as carry all, or one less.
      const routes =
        Math.ceil(fleet.load.reduce((sum, load, i) => sum + (i % 2 === 0 ? load : 0), 0) / 14) - (seed % 2);
      const pool = new EjectionPool(fleet, routes, random(`pool ${seed}`).next);
      pool.load(new Int32Array(fleet.stops).fill(fleet.stops), [], 0);
      for (let step = 0; step < 80 && pool.waiting > 0; step++) {
        const before = pool.waiting;
        pool.step();
        if (pool.waiting >= before) ejected++;
        if (step % 10 !== 0 && pool.waiting > 0) continue;
        const planned = routesOf(pool.tours);
        expect(planned.flat().length + pool.waiting).toBe(fleet.stops);
        expect(new Set(planned.flat()).size).toBe(planned.flat().length);
        for (const route of planned) expect(violations(fleet, route)).toEqual({ late: 0, over: 0 });
      }
    }
    expect(ejected).toBeGreaterThan(20);
  });

  it("end with one vehicle less, where the plan is not tight", async () => {
    const model = modelIn(town("fewer", 30, 20, 100_000));
    const search = new Search(model, random("fewer").next, unpaced());
    // One stop each.
    search.restore({
      routes: Array.from({ length: 20 }, (_, i) => Int32Array.of(...(i < 10 ? [i, i + 20] : [i]))),
      undone: [],
    });
    const before = search.used;
    await eliminateRoutes(search, uniformFleet(model) as UniformFleet, 100_000);
    expect(search.used).toBeLessThan(before - 5);
    expect(search.undone).toEqual([]);
    expect(search.tours.every((tour) => tour.update())).toBe(true);
  });
});

describe("a local search", () => {
  it("ends where no stop can move or change places with a neighbor for less", () => {
    let compared = 0;
    for (let seed = 0; seed < samples(6, 60); seed++) {
      const draw = random(`complete ${seed}`).next;
      const fleet = uniform(withoutDetours(town(`complete ${seed}`, 24, 6)));
      const tours = new PenalizedTours(fleet, 5);
      const { next, firsts, count } = deal(fleet, 5, draw);
      tours.setPenalties({ late: 0.2 + draw() * 3, load: 5 + draw() * 50 });
      tours.load(next, firsts, count);
      const descent = new Descent(tours, draw, 0);
      // A change can make another one worthwhile that was looked at before.
      for (let last = ""; last !== String(routesOf(tours)); descent.run()) last = String(routesOf(tours));
      const routes = routesOf(tours);
      const price = (all: readonly number[][]) =>
        all.reduce((sum, route) => {
          const { late, over } = violations(fleet, route);
          return sum + costOf(fleet, route) + late * tours.penalties.late + over * tours.penalties.load;
        }, 0);
      const now = price(routes);
      for (let u = 0; u < fleet.stops; u++) {
        for (const v of fleet.near(u)) {
          const swapped = routes.map((route) => route.map((stop) => (stop === u ? v : stop === v ? u : stop)));
          const moved = routes.map((route) => {
            const without = route.filter((stop) => stop !== u);
            const at = without.indexOf(v);
            return at < 0 ? without : without.toSpliced(at + 1, 0, u);
          });
          // Neighbors in one route change places by a move.
          const isTouching = tours.next[u] === v || tours.next[v] === u;
          expect(price(moved), `${u} after ${v} in ${seed}`).toBeGreaterThan(now - 1e-3);
          if (!isTouching) expect(price(swapped), `${u} for ${v} in ${seed}`).toBeGreaterThan(now - 1e-3);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(2000);
  });
});

describe("a subpopulation", () => {
  it("keeps its best member and few copies, and prefers members that differ", () => {
    const draw = random("members").next;
    const fleet = uniform(town("members", 20, 5));
    const population = new Subpopulation(({ cost }) => cost);
    const memberOf = (individual: Individual, cost: number): Member => ({
      ...individual,
      cost,
      late: 0,
      overload: 0,
      penalized: cost,
      fitness: 0,
      differences: new Map(),
      nearest: noNearest(),
    });
    const copied = deal(fleet, 4, draw);
    for (let i = 0; i < 66; i++)
      population.add(
        memberOf(i % 2 === 0 ? copied : deal(fleet, 4, draw), i === 40 ? 1 : 100 + Math.floor(draw() * 50)),
      );
    expect(population.members.length).toBe(25);
    expect(population.members.some(({ cost }) => cost === 1)).toBe(true);
    expect(population.members.filter(({ next }) => next === copied.next).length).toBeLessThanOrEqual(1);
    population.weigh();
    const fittest = population.members.reduce((a, b) => (b.fitness < a.fitness ? b : a));
    expect(fittest.cost).toBeLessThan(125);
  });
});

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
      // Of one or two routes, cycles may leave none at the depot.
      const [a, b] = [deal(fleet, 1 + (seed % 6), draw), deal(fleet, 6 - (seed % 6), draw)];
      expect(assembly.mate(a, a)).toBe(0);
      const cycles = assembly.mate(a, b);
      expect(cycles).toBeGreaterThan(0);
      const all = Array.from({ length: cycles }, (_, i) => i);
      const half = () => all.filter(() => draw() < 0.5);
      for (const some of [...all.map((i) => [i]), half(), half(), half(), all]) {
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

  it("plans without breaking a rule, better the longer it may take", async () => {
    for (let seed = 0; seed < samples(2, 12); seed++) {
      const body = town(`plan ${seed}`, 34, 10, seed % 2 === 0 ? 100_000 : 200);
      const found = await plan(body, 150_000, populated);
      expect(faultsOf(body, found)).toEqual([]);
      expect(found.unassigned).toEqual([]);
      const first = await plan(body, 0, populated);
      expect(found.summary.cost).toBeLessThan(first.summary.cost);
      expect(found.summary.routes).toBeLessThanOrEqual(first.summary.routes);
    }
  });

  it("yields, ends at its effort, and is the same for the same seed", async () => {
    const model = modelIn(town("effort", 29, 10));
    let turns = 0;
    const pace = new Pace(
      async () => {
        turns++;
      },
      { slice: 20_000 },
    );
    const found = await solve(model, { seed: 1, effort: 1_010_000, pace });
    expect(pace.spent).toBeLessThan(1_100_000);
    expect(turns).toBeGreaterThan(40);
    expect(await solve(model, { seed: 1, effort: 1_010_000, pace: unpaced() })).toEqual(found);
  });
});

/** The population alone, without the problems' minimum of work for it. */
const populated: typeof solve = async (model, { seed, effort, pace }) => {
  const search = new Search(model, random(`population ${seed}`).next, pace);
  await constructByRegret(search);
  if (effort === 0) return search.save();
  const fleet = uniformFleet(model) as UniformFleet;
  await eliminateRoutes(search, fleet, effort / 3);
  await evolve(search, fleet, effort);
  return search.save();
};
