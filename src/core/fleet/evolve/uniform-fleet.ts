import { type Model, NEVER } from "../model.ts";

/** Neighbors of a stop that moves are tried with. */
const MAX_NEIGHBORS = 25;
/** Weights of waiting and of being late in the nearness of two stops, relative to a second of driving (Vidal et al. 2013). */
const WAITING = 0.2;
const LATENESS = 1;

/**
 * A problem of like vehicles and stops with one window each, as columns: the place 0 ≤ i < stops is a stop, the place `stops` is
 * the depot, where routes begin and end.
 */
export interface UniformFleet {
  stops: number;
  vehicles: number;
  dimensions: number;
  /** Row by row over `stops` + 1 places. */
  cost: Float64Array;
  duration: Float64Array;
  /** By place; for the depot, the hours of a vehicle. */
  opens: Float64Array;
  closes: Float64Array;
  service: Float64Array;
  /** By stop and dimension. */
  load: Float64Array;
  capacity: Float64Array;
  /** The nearest other stops in space and time. Sorted on demand, because sorting all together would block the isolate. */
  near(stop: number): Int32Array;
}

/** Returns the problem in this form if it has only what the form can state; otherwise undefined. */
export function uniformFleet(model: Model): UniformFleet | undefined {
  const { nodes, dimensions, classes, problem } = model;
  if (classes.length !== 1 || nodes < 2 || model.hasSetups) return undefined;
  const [{ vehicle, size, able, start, end, capacity, hours }] = classes;
  const { breaks, maxTasks, maxTravelTime, maxDistance } = vehicle;
  if (hours || breaks.length > 0 || maxTasks < nodes || maxTravelTime < NEVER || maxDistance < NEVER) return undefined;
  if (able.includes(0) || model.windows.some((windows) => windows !== undefined)) return undefined;
  if (problem.tasks.some(({ stops }) => stops.length > 1)) return undefined;
  const load = new Float64Array(nodes * dimensions);
  for (let d = 0; d < dimensions; d++) {
    let [out, back] = [0, 0];
    problem.tasks.forEach(({ delivery, pickup }, stop) => {
      load[stop * dimensions + d] = (delivery[d] ?? 0) + (pickup[d] ?? 0);
      out += delivery[d] ?? 0;
      back += pickup[d] ?? 0;
    });
    // What is delivered makes space for what is picked up: the highest load is then not a sum.
    if (out > 0 && back > 0) return undefined;
  }
  const places = nodes + 1;
  const cost = new Float64Array(places * places);
  const duration = new Float64Array(places * places);
  for (let i = 0; i < places; i++) {
    for (let j = 0; j < places; j++) {
      const from = i === nodes ? start : model.location[i];
      const to = j === nodes ? end : model.location[j];
      if (i === nodes && j === nodes) continue;
      cost[i * places + j] = classes[0].cost[from * size + to];
      duration[i * places + j] = classes[0].duration[from * size + to];
      if (duration[i * places + j] >= NEVER) return undefined;
    }
  }
  const fleet = {
    stops: nodes,
    vehicles: problem.vehicles.length,
    dimensions,
    cost,
    duration,
    opens: Float64Array.of(...model.opens, vehicle.window[0]),
    closes: Float64Array.of(...model.closes, vehicle.window[1]),
    service: Float64Array.of(...model.service, 0),
    load,
    capacity,
  };
  return { ...fleet, near: neighborsOf(fleet) };
}

function neighborsOf({
  stops,
  cost,
  duration,
  opens,
  closes,
  service,
}: Omit<UniformFleet, "near">): UniformFleet["near"] {
  const places = stops + 1;
  // The cost of a second of driving, on average: windows are in seconds, nearness is in costs.
  let [costs, seconds] = [0, 0];
  for (let i = 0; i < cost.length; i++) {
    costs += cost[i];
    seconds += duration[i];
  }
  const rate = seconds > 0 ? costs / seconds : 0;
  const inTurn = (i: number, j: number) => {
    const drive = service[i] + duration[i * places + j];
    const waits = Math.max(0, opens[j] - drive - closes[i]);
    const isLateBy = Math.max(0, opens[i] + drive - closes[j]);
    return cost[i * places + j] + rate * (WAITING * waits + LATENESS * isLateBy);
  };
  const known: Int32Array[] = [];
  return (stop) => {
    if (known[stop]) return known[stop];
    const distance = Float64Array.from({ length: stops }, (_, j) => Math.min(inTurn(stop, j), inTurn(j, stop)));
    const others = Array.from({ length: stops }, (_, j) => j).filter((j) => j !== stop);
    known[stop] = Int32Array.from(others.sort((a, b) => distance[a] - distance[b] || a - b).slice(0, MAX_NEIGHBORS));
    return known[stop];
  };
}
