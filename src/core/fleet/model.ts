import { HourlyTravel } from "./hours.ts";
import type { FleetProblem, FleetStop, FleetTask, FleetVehicle, Span, TravelGrid, TravelMatrix } from "./problem.ts";
import { NEVER, NO_WAY } from "./times.ts";

export { NEVER } from "./times.ts";

/** Row by row over `size` locations; the last is nowhere, where an open route begins and ends. */
interface Ways {
  size: number;
  /** If it depends on the time of departure: the shortest. */
  duration: Float64Array;
  /** If it depends on the time of departure: the longest. */
  distance: Float64Array;
  cost: Float64Array;
  /**
   * Duration and cost transposed: each row holds the routes *to* a location, so that all routes of one location are
   * contiguous.
   */
  durationTo: Float64Array;
  costTo: Float64Array;
  /** If durations depend on the time of departure. */
  hours: HourlyTravel | undefined;
}

/** Vehicles that differ only in their name share a class: one empty vehicle represents all empty ones. */
export interface VehicleClass extends Ways {
  vehicle: FleetVehicle;
  start: number;
  end: number;
  capacity: Float64Array;
  /** By task: whether a vehicle has its skills. */
  able: Uint8Array;
}

/** The problem as columns by node. A node is a stop of a task; the nodes of a task are adjacent. */
export interface Model {
  problem: FleetProblem;
  nodes: number;
  dimensions: number;
  classes: VehicleClass[];
  /** By vehicle. */
  classOf: Int32Array;
  /** By task: its first node, and how many it has. */
  firstNode: Int32Array;
  nodesOf: Int32Array;
  /** By node. */
  taskOf: Int32Array;
  /** The other node of a shipment, or -1. */
  partner: Int32Array;
  location: Int32Array;
  setup: Float64Array;
  /** Whether any node needs a setup. */
  hasSetups: boolean;
  service: Float64Array;
  opens: Float64Array;
  closes: Float64Array;
  /** Where a node has more than one window; otherwise undefined. */
  windows: (readonly Span[] | undefined)[];
  /** By node and dimension: load from the start until here, and the change of load here. */
  fromStart: Float64Array;
  change: Float64Array;
  /**
   * All nodes, the nearest to this one first. Sorted on demand, because sorting all of them together would block the
   * isolate.
   */
  nearTo(node: number): Int32Array;
  /** By task: the cost of leaving it unassigned. */
  worth: Float64Array;
}

export function modelOf(problem: FleetProblem): Model {
  const { tasks, vehicles, dimensions } = problem;
  const stops: FleetStop[] = tasks.flatMap((task): readonly FleetStop[] => task.stops);
  const nodes = stops.length;
  const firstNode = new Int32Array(tasks.length);
  const taskOf = new Int32Array(nodes);
  const partner = new Int32Array(nodes).fill(-1);
  const fromStart = new Float64Array(nodes * dimensions);
  const change = new Float64Array(nodes * dimensions);
  let node = 0;
  tasks.forEach((task, index) => {
    firstNode[index] = node;
    for (let d = 0; d < dimensions; d++) {
      const [out, back] = [task.delivery[d] ?? 0, task.pickup[d] ?? 0];
      if (task.stops.length === 1) {
        fromStart[node * dimensions + d] = out;
        change[node * dimensions + d] = back - out;
      } else {
        change[node * dimensions + d] = back;
        change[(node + 1) * dimensions + d] = -back;
      }
    }
    if (task.stops.length === 2) {
      partner[node] = node + 1;
      partner[node + 1] = node;
    }
    for (let i = 0; i < task.stops.length; i++) taskOf[node++] = index;
  });
  const { classes, classOf } = classesOf(problem);
  const location = Int32Array.from(stops, (stop) => stop.location);
  return {
    problem,
    nodes,
    dimensions,
    classes,
    classOf,
    firstNode,
    nodesOf: Int32Array.from(tasks, (task) => task.stops.length),
    taskOf,
    partner,
    location,
    setup: Float64Array.from(stops, (stop) => stop.setup),
    hasSetups: stops.some(({ setup }) => setup > 0),
    service: Float64Array.from(stops, (stop) => stop.service),
    opens: Float64Array.from(stops, ({ windows }) => windows[0]?.[0] ?? 0),
    closes: Float64Array.from(stops, ({ windows }) => windows[windows.length - 1]?.[1] ?? NEVER),
    windows: stops.map(({ windows }) => (windows.length > 1 ? windows : undefined)),
    fromStart,
    change,
    nearTo: vehicles.length > 0 ? neighbours(location, classes[0]) : () => new Int32Array(0),
    worth: Float64Array.from(tasks, ({ priority }) => priority * (tasks.length + 1) + 1),
  };
}

/** Time at which work at a node begins for a vehicle that arrives at `time`; NEVER after its last window. */
export function beginAt(model: Model, node: number, time: number): number {
  const windows = model.windows[node];
  if (!windows) {
    if (time > model.closes[node]) return NEVER;
    return time > model.opens[node] ? time : model.opens[node];
  }
  for (const [from, to] of windows) if (time <= to) return time > from ? time : from;
  return NEVER;
}

/** The latest moment within the node's windows that is not after `time`; -NEVER before its first. */
export function beginBefore(model: Model, node: number, time: number): number {
  const windows = model.windows[node];
  if (!windows) {
    if (time < model.opens[node]) return -NEVER;
    return time < model.closes[node] ? time : model.closes[node];
  }
  for (let i = windows.length - 1; i >= 0; i--) if (time >= windows[i][0]) return Math.min(time, windows[i][1]);
  return -NEVER;
}

function classesOf({ vehicles, tasks, matrices, dimensions }: FleetProblem) {
  const classes: VehicleClass[] = [];
  const byKey = new Map<string, number>();
  const waysOf = new Map<string, Ways>();
  const classOf = Int32Array.from(vehicles, (vehicle) => {
    const key = JSON.stringify({ ...vehicle, skills: [...vehicle.skills].sort((a, b) => a - b) });
    const known = byKey.get(key);
    if (known !== undefined) return known;
    byKey.set(key, classes.length);
    classes.push(classFor(vehicle, tasks));
    return classes.length - 1;
  });
  return { classes, classOf };

  function classFor(vehicle: FleetVehicle, all: readonly FleetTask[]): VehicleClass {
    const matrix = matrices[vehicle.matrix];
    const { perHour, perKm } = vehicle.costs;
    // Many vehicles differ only in what they carry.
    const key = [vehicle.matrix, vehicle.speedFactor, perHour, perKm].join();
    const ways = waysOf.get(key) ?? waysFor(matrix, vehicle);
    waysOf.set(key, ways);
    return {
      ...ways,
      vehicle,
      start: vehicle.start ?? matrix.size,
      end: vehicle.end ?? matrix.size,
      capacity: Float64Array.from({ length: dimensions }, (_, d) => vehicle.capacity?.[d] ?? NEVER),
      able: Uint8Array.from(all, ({ skills }) => (skills.every((skill) => vehicle.skills.has(skill)) ? 1 : 0)),
    };
  }
}

function waysFor(matrix: TravelMatrix, { speedFactor, costs: { perHour, perKm } }: FleetVehicle): Ways {
  const size = matrix.size + 1;
  const [duration, distance, cost, durationTo, costTo] = Array.from({ length: 5 }, () => new Float64Array(size * size));
  const spans = matrix.hours ?? [];
  const grids = new Map<TravelGrid, TravelGrid>();
  for (const { grid } of spans)
    if (!grids.has(grid))
      grids.set(grid, { duration: new Float64Array(size * size), distance: new Float64Array(size * size) });
  for (let from = 0; from < matrix.size; from++) {
    for (let to = 0; to < matrix.size; to++) {
      const [at, read] = [from * size + to, from * matrix.size + to];
      const inSeconds = (time: number) => (time < Number.POSITIVE_INFINITY ? Math.round(time / speedFactor) : NO_WAY);
      let [mean, passable] = [0, 0];
      duration[at] = grids.size > 0 ? NO_WAY : inSeconds(matrix.duration[read]);
      distance[at] = grids.size > 0 ? 0 : matrix.distance[read];
      for (const [grid, own] of grids) {
        const time = inSeconds(grid.duration[read]);
        own.duration[at] = time;
        own.distance[at] = grid.distance[read];
        if (time >= NO_WAY) continue;
        mean += time;
        passable++;
        duration[at] = Math.min(duration[at], time);
        distance[at] = Math.max(distance[at], grid.distance[read]);
      }
      mean = passable > 0 ? mean / passable : duration[at];
      if (duration[at] >= NO_WAY) distance[at] = NO_WAY;
      const own = matrix.cost?.[read];
      cost[at] = duration[at] >= NO_WAY ? NO_WAY : (own ?? (mean * perHour) / 3600 + (distance[at] * perKm) / 1000);
      durationTo[to * size + from] = duration[at];
      costTo[to * size + from] = cost[at];
    }
  }
  const ownSpans = spans.map(({ begins, grid }) => ({ begins, ...(grids.get(grid) as TravelGrid) }));
  const hours = ownSpans.length > 0 ? new HourlyTravel(ownSpans) : undefined;
  return { size, duration, distance, cost, durationTo, costTo, hours };
}

/** Time at which a vehicle arrives that leaves for a place at `leave`. `way`: index in the rows of its class. */
export function arriveAt({ hours, duration }: VehicleClass, way: number, leave: number): number {
  return hours ? hours.arrive(way, leave) : leave + duration[way];
}

/** The latest time to leave for a place and arrive by `due`. */
export function leaveBefore({ hours, duration }: VehicleClass, way: number, due: number): number {
  return hours ? hours.leaveBefore(way, due) : due - duration[way];
}

/** Nearest by the cost of the route there and back. */
function neighbours(location: Int32Array, { size, cost, costTo }: VehicleClass): Model["nearTo"] {
  const known: Int32Array[] = [];
  return (node) => {
    const row = location[node] * size;
    known[node] ??= Int32Array.from(location.keys()).sort((a, b) => {
      const [one, two] = [row + location[a], row + location[b]];
      return cost[one] + costTo[one] - cost[two] - costTo[two] || a - b;
    });
    return known[node];
  };
}
