import { modelOf, NEVER } from "../../../src/core/fleet/model.ts";
import type { FleetProblem, FleetTask } from "../../../src/core/fleet/problem.ts";

/** Published distances have decimals, the solver's seconds have none. */
export const SCALE = 1000;
/** Far more than any distance: fewer vehicles come first, as in the published tables. */
const PER_VEHICLE = 1e7;

/** A stop of a published instance; the depot is the first. Whole numbers, as in the files. */
export interface Stop {
  id: number;
  x: number;
  y: number;
  demand: number;
  from: number;
  to: number;
  service: number;
  /** Of a shipment: where it is brought, as an index; 0 for none. */
  broughtTo: number;
}

export interface Instance {
  vehicles: number;
  capacity: number;
  stops: Stop[];
  isPaired: boolean;
}

/** Solomon's files have a heading and seven columns; those of Li & Lim a first line, and two more that name the other stop. */
export function readInstance(text: string): Instance {
  const rows = text
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length > 1 && row.every(Number.isFinite));
  const [[vehicles, capacity], ...places] = rows;
  const stops = places.map(([id, x, y, demand, from, to, service, , broughtTo = 0]) => ({
    id,
    x,
    y,
    demand,
    from,
    to,
    service,
    broughtTo,
  }));
  return { vehicles, capacity, stops, isPaired: places[places.length - 1].length === 9 };
}

/** The same instance as the solver takes it: fewest vehicles first, then the least way, which is as long as it takes. */
export function modelOfInstance({ vehicles, capacity, stops, isPaired }: Instance) {
  const stopOf = ({ from, to, service }: Stop, location: number) => ({
    location,
    setup: 0,
    service: service * SCALE,
    windows: [[from * SCALE, to * SCALE] as const],
  });
  const rest = { skills: [], priority: 0 };
  const tasks = stops.slice(1).flatMap((stop, i): FleetTask[] => {
    const one = stopOf(stop, i + 1);
    if (!isPaired) return [{ stops: [one], delivery: [stop.demand], pickup: [0], ...rest }];
    if (stop.broughtTo === 0) return [];
    const other = stopOf(stops[stop.broughtTo], stop.broughtTo);
    return [{ stops: [one, other], delivery: [0], pickup: [stop.demand], ...rest }];
  });
  const [home] = stops;
  const options = { capacity, window: [home.from * SCALE, home.to * SCALE] as const, fixed: PER_VEHICLE };
  return modelOf(
    problemOf(
      stops.map(({ x, y }) => [x * SCALE, y * SCALE]),
      tasks,
      vehicles,
      options,
    ),
  );
}

/** Vehicles that are all alike, at the first place; a second per unit on the plane. */
export function problemOf(
  places: readonly (readonly number[])[],
  tasks: FleetTask[],
  vehicles: number,
  { capacity, window, fixed }: { capacity: number; window: readonly [number, number]; fixed: number },
): FleetProblem {
  const size = places.length;
  const duration = new Float64Array(size * size);
  places.forEach(([x, y], i) => {
    places.forEach(([a, b], j) => {
      duration[i * size + j] = Math.hypot(a - x, b - y);
    });
  });
  const vehicle = {
    matrix: 0,
    speedFactor: 1,
    start: 0,
    end: 0,
    capacity: [capacity],
    skills: new Set<number>(),
    window,
    breaks: [],
    maxTasks: NEVER,
    maxTravelTime: NEVER,
    maxDistance: NEVER,
    costs: { fixed, perHour: 3600, perKm: 0 },
  };
  const matrices = [{ size, duration, distance: duration }];
  return { matrices, vehicles: Array.from({ length: vehicles }, () => vehicle), tasks, dimensions: 1 };
}

/** What a ways' rounding to thousandths may add up to along a route. */
const ROUNDING = 0.1;

/**
 * What is wrong with these routes (of indices of stops), and what they are: by the instance alone, and nothing of the solver's.
 * Distances are Euclidean and not rounded.
 */
export function judge({ capacity, stops, isPaired, vehicles }: Instance, routes: readonly (readonly number[])[]) {
  const faults: string[] = [];
  const visits = new Int32Array(stops.length);
  const [home] = stops;
  let distance = 0;
  const used = routes.filter(({ length }) => length > 0);
  if (used.length > vehicles) faults.push(`${used.length} vehicles of ${vehicles}`);
  for (const route of used) {
    let [time, at] = [home.from, home];
    let load = isPaired ? 0 : route.reduce((sum, stop) => sum + stops[stop].demand, 0);
    if (load > capacity) faults.push(`${load} on board at the start`);
    const fetched = new Set<number>();
    for (const stop of [...route, 0]) {
      const next = stops[stop];
      const way = Math.hypot(next.x - at.x, next.y - at.y);
      distance += way;
      time = Math.max(time + way, next.from);
      if (time > next.to + ROUNDING) faults.push(`stop ${next.id} is reached at ${time}, after ${next.to}`);
      time += next.service;
      at = next;
      if (stop === 0) continue;
      visits[stop]++;
      if (!isPaired) continue;
      load += next.demand;
      if (load > capacity) faults.push(`${load} on board behind stop ${next.id}`);
      if (next.broughtTo > 0) fetched.add(next.broughtTo);
      else if (!fetched.has(stop)) faults.push(`stop ${next.id} is brought what nobody has fetched`);
    }
    for (const stop of fetched) if (!route.includes(stop)) faults.push(`stop ${stops[stop].id} is left on board`);
    load = 0;
  }
  for (let stop = 1; stop < stops.length; stop++) {
    if (visits[stop] !== 1) faults.push(`stop ${stops[stop].id} is visited ${visits[stop]} times`);
  }
  return { vehicles: used.length, distance, faults };
}
