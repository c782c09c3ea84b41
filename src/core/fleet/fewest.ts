import { beginAt, type Model, NEVER } from "./model.ts";

/** From how many tasks a set of those that exclude each other is begun. */
const STARTS = 40;
/** For more tasks the sets are chosen by a simpler rule, because a good choice takes quadratic time, repeatedly. */
const MANY = 150;

/**
 * Lower bound on the number of vehicles of any plan that does all tasks, if all vehicles are of one kind; otherwise 1.
 * Either the load fills this many vehicles, or this many tasks exclude each other in pairs, so that each needs its own
 * vehicle: a vehicle that does one is too late for the other, in both orders, or cannot carry both. This avoids
 * searching for an impossible fleet.
 */
export function fewestVehicles(model: Model): number {
  if (model.classes.length !== 1 || model.nodes === 0) return 1;
  return Math.max(1, byLoad(model), byPairs(model));
}

function byLoad({ problem, dimensions, classes }: Model): number {
  let most = 1;
  for (let d = 0; d < dimensions; d++) {
    let [out, back] = [0, 0];
    for (const { stops, delivery, pickup } of problem.tasks) {
      if (stops.length > 1) continue;
      out += delivery[d] ?? 0;
      back += pickup[d] ?? 0;
    }
    const capacity = classes[0].capacity[d];
    if (capacity > 0) most = Math.max(most, Math.ceil(Math.max(out, back) / capacity));
  }
  return most;
}

/** The largest set of tasks excluding each other that a greedy search finds. */
function byPairs(model: Model): number {
  const tasks = model.nodesOf.length;
  const excludes = exclusions(model);
  const degree = new Int32Array(tasks);
  for (let a = 0; a < tasks; a++) for (let b = 0; b < tasks; b++) degree[a] += excludes[a * tasks + b];
  const order = Array.from(degree.keys()).sort((a, b) => degree[b] - degree[a]);
  let most = 1;
  for (const start of order.slice(0, STARTS)) {
    if (degree[start] < most) break;
    let open = order.filter((task) => excludes[start * tasks + task] === 1);
    let size = 1;
    while (open.length > 0) {
      // The candidate that leaves most of the others: the number of exclusions within the open set; for many tasks,
      // within all.
      let [next, leaves] = [open[0], -1];
      for (const task of tasks > MANY ? [] : open) {
        let within = 0;
        for (const other of open) within += excludes[task * tasks + other];
        if (within > leaves) [next, leaves] = [task, within];
      }
      size++;
      open = open.filter((task) => excludes[next * tasks + task] === 1);
    }
    most = Math.max(most, size);
  }
  return most;
}

/** [a × tasks + b] 1: no vehicle can do both. */
function exclusions(model: Model): Uint8Array {
  const { nodes, location, service, taskOf, partner, dimensions, fromStart, change, classes } = model;
  const [{ size, start, duration, vehicle, capacity }] = classes;
  const tasks = model.nodesOf.length;
  const excludes = new Uint8Array(tasks * tasks);
  // When one can leave a node at the earliest: straight from the start.
  const leaves = Float64Array.from(location, (here, node) => {
    const begins = beginAt(model, node, vehicle.window[0] + duration[start * size + here]);
    return begins >= NEVER ? NEVER : begins + service[node];
  });
  const comesInTime = (a: number, b: number) =>
    leaves[a] < NEVER && beginAt(model, b, leaves[a] + duration[location[a] * size + location[b]]) < NEVER;
  const fitsBeside = (a: number, b: number) => {
    if (partner[a] >= 0 || partner[b] >= 0) return true;
    for (let d = 0; d < dimensions; d++) {
      const [i, j] = [a * dimensions + d, b * dimensions + d];
      if (fromStart[i] + fromStart[j] > capacity[d]) return false;
      if (fromStart[i] + change[i] + fromStart[j] + change[j] > capacity[d]) return false;
    }
    return true;
  };
  for (let a = 0; a < nodes; a++) {
    for (let b = a + 1; b < nodes; b++) {
      const [one, two] = [taskOf[a], taskOf[b]];
      if (one === two || ((comesInTime(a, b) || comesInTime(b, a)) && fitsBeside(a, b))) continue;
      excludes[one * tasks + two] = 1;
      excludes[two * tasks + one] = 1;
    }
  }
  return excludes;
}
