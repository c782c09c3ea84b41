import type { Model } from "../../../core/fleet/model.ts";
import type { PlannedRoute, PlannedStep, Reason } from "../../../core/fleet/plan.ts";
import type { FleetAnswer } from "../../wire/routes/fleet-answer-shape.ts";
import type { FleetBody } from "../../wire/routes/fleet-body.ts";
import type { FleetPlace, FleetQuestion, FleetStopName } from "./fleet-problem.ts";

type Totals = Omit<FleetAnswer["summary"], "routes" | "unassigned">;

export function fleetAnswer(
  body: FleetBody,
  query: FleetQuestion,
  model: Model,
  planned: readonly PlannedRoute[],
  undone: readonly { task: number; reason: Reason }[],
): FleetAnswer {
  const routes = planned.map((route) => routeOf(body, query, model, route));
  const unassigned = undone.flatMap(({ task, reason }) =>
    Array.from({ length: model.nodesOf[task] }, (_, i) => ({
      ...named(query.stops[model.firstNode[task] + i]),
      reason,
    })),
  );
  const summary = routes.reduce<Totals>((sum, route) => added(sum, route), noTotals(model.dimensions));
  return {
    code: 0,
    summary: { ...summary, routes: routes.length, unassigned: unassigned.length },
    unassigned,
    routes,
  };
}

function routeOf(body: FleetBody, { stops, ends }: FleetQuestion, model: Model, route: PlannedRoute) {
  const vehicle = body.vehicles[route.vehicle];
  const { dimensions, problem } = model;
  const sum = noTotals(dimensions);
  for (const { node, setup, service, waiting } of route.steps) {
    sum.setup += setup;
    sum.service += service;
    sum.waiting_time += waiting;
    if (node === undefined) continue;
    const task = problem.tasks[model.taskOf[node]];
    // Once per task: the second stop of a shipment delivers the load of the first.
    if (node !== model.firstNode[model.taskOf[node]]) continue;
    sum.priority += task.priority;
    const isShipment = task.stops.length === 2;
    for (let d = 0; d < dimensions; d++) {
      sum.pickup[d] += task.pickup[d] ?? 0;
      sum.delivery[d] += (isShipment ? task.pickup[d] : task.delivery[d]) ?? 0;
    }
  }
  return {
    ...sum,
    amount: [...sum.delivery],
    cost: Math.round(route.cost),
    duration: Math.round(route.duration),
    distance: Math.round(route.distance),
    vehicle: vehicle.id,
    ...(vehicle.description ? { description: vehicle.description } : {}),
    steps: route.steps
      .filter(({ type }) =>
        type === "start" ? isSaid(ends[route.vehicle].start) : type !== "end" || isSaid(ends[route.vehicle].end),
      )
      .map((step) => ({
        ...nameOf(step),
        arrival: Math.round(step.arrival),
        setup: step.setup,
        service: step.service,
        waiting_time: Math.round(step.waiting),
        duration: Math.round(step.duration),
        distance: Math.round(step.distance),
        load: step.load,
        violations: [],
      })),
  };

  function nameOf({ type, node, rest }: PlannedStep) {
    if (node !== undefined) return named(stops[node]);
    if (type === "start") return { type, ...placed(ends[route.vehicle].start) };
    if (rest === undefined) return { type: "end" as const, ...placed(ends[route.vehicle].end) };
    const { id, description } = breaksInOrder(vehicle)[rest];
    return { type: "break" as const, id, ...(description ? { description } : {}) };
  }
}

/** In the solver's format. */
function breaksInOrder({ breaks }: FleetBody["vehicles"][number]) {
  const first = (rest: NonNullable<typeof breaks>[number]) =>
    Math.min(...(rest.time_windows ?? []).map(([from]) => from));
  const start = (rest: NonNullable<typeof breaks>[number]) => (rest.time_windows?.length ? first(rest) : 0);
  return [...(breaks ?? [])].sort((a, b) => start(a) - start(b));
}

const isSaid = ({ location, index }: FleetPlace) => location !== undefined || index !== undefined;

const placed = ({ location, index }: FleetPlace) => ({
  ...(location ? { location } : {}),
  ...(index === undefined ? {} : { location_index: index }),
});

const named = ({ id, type, description, ...place }: FleetStopName) => ({
  id,
  type,
  ...placed(place),
  ...(description ? { description } : {}),
});

function noTotals(dimensions: number): Totals {
  const none = () => new Array<number>(dimensions).fill(0);
  return {
    cost: 0,
    setup: 0,
    service: 0,
    duration: 0,
    waiting_time: 0,
    priority: 0,
    distance: 0,
    delivery: none(),
    amount: none(),
    pickup: none(),
    violations: [],
  };
}

function added(sum: Totals, route: Totals): Totals {
  const plus = (a: number[], b: number[]) => a.map((value, d) => value + b[d]);
  return {
    cost: sum.cost + route.cost,
    setup: sum.setup + route.setup,
    service: sum.service + route.service,
    duration: sum.duration + route.duration,
    waiting_time: sum.waiting_time + route.waiting_time,
    priority: sum.priority + route.priority,
    distance: sum.distance + route.distance,
    delivery: plus(sum.delivery, route.delivery),
    amount: plus(sum.amount, route.amount),
    pickup: plus(sum.pickup, route.pickup),
    violations: [],
  };
}
