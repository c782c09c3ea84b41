import { type Schedule, schedule } from "./break-schedule.ts";
import type { Model } from "./model.ts";
import { NEVER } from "./model.ts";
import type { Assignment } from "./search.ts";
import { Tour } from "./tour.ts";

/** A step of a route: `node` for a stop, `rest` for a break (by index). */
export interface PlannedStep {
  type: "start" | "stop" | "break" | "end";
  node?: number;
  rest?: number;
  location?: number;
  arrival: number;
  waiting: number;
  setup: number;
  service: number;
  /** Driven since the start [s], [m]. */
  duration: number;
  distance: number;
  /** On board when the step is done. */
  load: number[];
}

export interface PlannedRoute {
  vehicle: number;
  cost: number;
  duration: number;
  distance: number;
  steps: PlannedStep[];
}

/** Why a task is undone: the best that can be said of any vehicle. */
export type Reason = "skills" | "capacity" | "unreachable" | "timeWindows" | "limits" | "fleet";
const REASONS: readonly Reason[] = ["skills", "capacity", "unreachable", "timeWindows", "limits", "fleet"];

/** When each vehicle is where. It sets out as late as it can without coming home any later. */
export function planOf(model: Model, { routes }: Assignment): PlannedRoute[] {
  const planned: PlannedRoute[] = [];
  routes.forEach((nodes, vehicle) => {
    if (nodes.length > 0) planned.push(routeOf(model, vehicle, nodes));
  });
  return planned;
}

function routeOf(model: Model, vehicle: number, nodes: Int32Array): PlannedRoute {
  const tour = new Tour(model, vehicle);
  if (!tour.set(nodes)) throw new Error(`vehicle ${vehicle} cannot do what it was given`);
  const { type } = tour;
  const at = (departure: number) => schedule(model, type, nodes, nodes.length, tour.load, departure);
  const [departure, times] = latestDeparture(at, type.vehicle.window[0]);
  const { dimensions } = model;
  const loadAt = (place: number) => Array.from(tour.load.subarray(place * dimensions, (place + 1) * dimensions));
  const open = { waiting: 0, setup: 0, service: 0 };
  const steps: PlannedStep[] = [
    {
      type: "start",
      location: type.vehicle.start,
      arrival: departure,
      ...open,
      duration: 0,
      distance: 0,
      load: loadAt(0),
    },
  ];
  let [driven, metres, rest] = [0, 0, 0];
  for (let k = 0; k <= nodes.length; k++) {
    const [drive, way] = [times.drives[k], times.distances[k]];
    for (; times.breaks[rest]?.before === k; rest++) {
      const { arrives, begins, driven: part } = times.breaks[rest];
      steps.push({
        type: "break",
        rest,
        arrival: arrives,
        waiting: begins - arrives,
        setup: 0,
        service: type.vehicle.breaks[rest].service,
        duration: driven + part,
        distance: metres + (drive > 0 ? Math.round((way * part) / drive) : 0),
        load: loadAt(k),
      });
    }
    driven += drive;
    metres += way;
    const place = { arrival: times.arrives[k], duration: driven, distance: metres };
    if (k === nodes.length) {
      steps.push({ type: "end", location: type.vehicle.end, ...place, ...open, load: loadAt(k) });
      break;
    }
    const node = nodes[k];
    const setup = tour.before(k) === tour.after(k) ? 0 : model.setup[node];
    const waiting = times.begins[k] - times.arrives[k];
    const location = model.location[node];
    const service = model.service[node];
    steps.push({ type: "stop", node, location, ...place, waiting, setup, service, load: loadAt(k + 1) });
  }
  return { vehicle, cost: costOf(tour, driven, metres), duration: driven, distance: metres, steps };
}

/** If durations depend on the hour: of this drive; the search compares means. */
function costOf({ type, cost }: Tour, duration: number, distance: number): number {
  const { fixed, perHour, perKm } = type.vehicle.costs;
  return type.hours ? fixed + (duration * perHour) / 3600 + (distance * perKm) / 1000 : cost;
}

/**
 * Found by bisection: a later departure never leads to an earlier return. Whole seconds. If durations depend on the hour, a later
 * departure into rush hour is no better.
 */
function latestDeparture(at: (departure: number) => Schedule | undefined, earliest: number): [number, Schedule] {
  const home = (times: Schedule) => times.arrives[times.arrives.length - 1];
  const driving = (times: Schedule) => times.drives.reduce((sum, drive) => sum + drive, 0);
  let best = at(earliest);
  if (!best) throw new Error("a route without a schedule");
  let low = earliest;
  let high = home(best);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const times = at(middle);
    if (times && home(times) <= home(best) && driving(times) <= driving(best)) [low, best] = [middle, times];
    else high = middle;
  }
  return [low, best];
}

/** Returns why a task is unassigned. `fleet`: a vehicle could do it if it had no other tasks. */
export function reasonFor(model: Model, task: number): Reason {
  let most = 0;
  const first = model.firstNode[task];
  const nodes = Array.from({ length: model.nodesOf[task] }, (_, i) => first + i);
  const seen = new Set<number>();
  for (let vehicle = 0; vehicle < model.classOf.length; vehicle++) {
    if (seen.has(model.classOf[vehicle])) continue;
    seen.add(model.classOf[vehicle]);
    const tour = new Tour(model, vehicle);
    if (tour.type.able[task] === 1) most = Math.max(most, REASONS.indexOf(alone(tour, nodes)));
  }
  return REASONS[most];
}

function alone(tour: Tour, nodes: number[]): Reason {
  const isAble = tour.set(nodes);
  if (!tour.fits) return "capacity";
  if (tour.travelTime >= NEVER) return "unreachable";
  if (!tour.isInTime) return "timeWindows";
  return isAble ? "fleet" : "limits";
}
