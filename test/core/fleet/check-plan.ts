import type { z } from "zod";
import { solve } from "../../../src/core/fleet/evolve/solve.ts";
import { modelOf } from "../../../src/core/fleet/model.ts";
import { planOf, reasonFor } from "../../../src/core/fleet/plan.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { fleetAnswer } from "../../../src/worker/answers/routes/fleet-answer.ts";
import { fleetQuestion } from "../../../src/worker/answers/routes/fleet-problem.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import type { fleetAnswerShape } from "../../../src/worker/wire/routes/fleet-answer-shape.ts";
import { fleetBody } from "../../../src/worker/wire/routes/fleet-body.ts";

export type Body = z.input<typeof fleetBody>;
export type Plan = z.input<typeof fleetAnswerShape>;
type Step = Plan["routes"][number]["steps"][number];
type Spans = [number, number][] | null | undefined;

/** What the endpoint answers for a body with matrices of its own. */
export async function plan(input: Body, effort = 20_000, solver = solve): Promise<Plan> {
  const body = validate(fleetBody, input as Record<string, unknown>);
  const question = fleetQuestion(body);
  const model = modelOf(question.problem([]));
  const found = await solver(model, { seed: body.options.seed, effort, pace: unpaced() });
  const undone = found.undone.map((task) => ({ task, reason: reasonFor(model, task) }));
  return fleetAnswer(body, question, model, planOf(model, found), undone);
}

/**
 * Everything that is wrong with a plan: read off what was asked and what was answered alone, step by step, with nothing of the solver's.
 */
export function faultsOf(input: Body, answer: Plan): string[] {
  const faults: string[] = [];
  const wrong = (what: string) => faults.push(what);
  const body = structuredClone(input) as Body;
  const seen = new Map<string, number>();
  const count = (step: { type: string; id?: number }) => {
    const key = `${step.type} ${step.id}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  };
  for (const entry of answer.unassigned) count(entry);
  for (const route of answer.routes) {
    const vehicle = body.vehicles.find(({ id }) => id === route.vehicle);
    if (!vehicle) return [`there is no vehicle ${route.vehicle}`];
    checkRoute(vehicle as unknown as Vehicle, route);
    for (const step of route.steps) count(step);
  }
  const expected = [
    ...(body.jobs ?? []).map(({ id }) => `job ${id}`),
    ...(body.shipments ?? []).flatMap(({ pickup, delivery }) => [`pickup ${pickup.id}`, `delivery ${delivery.id}`]),
  ];
  for (const key of expected) if (seen.get(key) !== 1) wrong(`${key} is there ${seen.get(key) ?? 0} times`);
  const sum = (of: (route: Plan["routes"][number]) => number) =>
    answer.routes.reduce((total, one) => total + of(one), 0);
  if (answer.summary.cost !== sum(({ cost }) => cost)) wrong("the costs do not add up");
  if (answer.summary.unassigned !== answer.unassigned.length) wrong("what is unassigned is miscounted");
  return faults;

  interface Vehicle {
    id: number;
    profile?: string;
    start_index?: number;
    end_index?: number;
    capacity?: number[];
    skills?: number[];
    time_window?: [number, number];
    breaks?: { id: number; service?: number; time_windows?: Spans; max_load?: number[] }[];
    speed_factor?: number;
    max_tasks?: number;
    max_travel_time?: number;
    max_distance?: number;
    costs?: { fixed?: number; per_hour?: number; per_km?: number };
  }

  function taskOf(step: Step) {
    const job = body.jobs?.find(({ id }) => step.type === "job" && id === step.id);
    if (job)
      return { stop: job, skills: job.skills, change: change(job.pickup, job.delivery), out: job.delivery ?? [] };
    for (const { pickup, delivery, amount, skills } of body.shipments ?? []) {
      if (step.type === "pickup" && pickup.id === step.id)
        return { stop: pickup, skills, change: amount ?? [], out: [] };
      if (step.type === "delivery" && delivery.id === step.id)
        return { stop: delivery, skills, change: change([], amount), out: [] };
    }
    return undefined;
  }

  function checkRoute(vehicle: Vehicle, route: Plan["routes"][number]): void {
    const name = `vehicle ${vehicle.id}`;
    const grids = body.matrices?.[vehicle.profile ?? "car"];
    const size = vehicle.capacity?.length ?? 0;
    const load = new Array<number>(size).fill(0);
    for (const step of route.steps)
      taskOf(step)?.out.forEach((value, d) => {
        load[d] += value as number;
      });
    let here = vehicle.start_index;
    let [ready, drive, metres, tasks, cost] = [route.steps[0].arrival, 0, 0, 0, vehicle.costs?.fixed ?? 0];
    // Driven since the last stop, for breaks that interrupt a drive.
    let part = 0;
    const onBoard = new Set<number>();
    const taken: number[] = [];
    for (const step of route.steps) {
      const at = `${name}, ${step.type} ${step.id ?? ""}`;
      if (vehicle.capacity?.some((most, d) => load[d] > most)) wrong(`${at}: too much on board: ${load}`);
      if (step.type === "break") {
        const rule = vehicle.breaks?.find(({ id }) => id === step.id);
        const begins = step.arrival + step.waiting_time;
        part += step.arrival - ready;
        if (step.arrival < ready) wrong(`${at}: begins before what came before has ended`);
        if (!isWithin(rule?.time_windows, begins)) wrong(`${at}: at ${begins}, outside its windows`);
        if (rule?.max_load?.some((most, d) => load[d] > most)) wrong(`${at}: with ${load} on board`);
        ready = begins + (rule?.service ?? 0);
        taken.push(step.id ?? -1);
        continue;
      }
      const task = taskOf(step);
      const there =
        step.type === "start"
          ? vehicle.start_index
          : step.type === "end"
            ? vehicle.end_index
            : (task?.stop.location_index as number | undefined);
      let way = 0;
      if (here !== undefined && there !== undefined && step.type !== "start") {
        const raw = grids?.durations[here][there];
        if (raw === null || raw === undefined) wrong(`${at}: there is no way`);
        way = Math.round((raw ?? 0) / (vehicle.speed_factor ?? 1));
        const far = grids?.distances?.[here][there] ?? 0;
        metres += far;
        cost += (way * (vehicle.costs?.per_hour ?? 3600)) / 3600 + (far * (vehicle.costs?.per_km ?? 0)) / 1000;
      }
      drive += way;
      if (step.type !== "start" && step.arrival < ready + way - part) wrong(`${at}: arrives faster than it can`);
      part = 0;
      if (step.duration !== drive) wrong(`${at}: has driven ${drive}, not ${step.duration}`);
      ready = step.arrival;
      if (task) {
        tasks++;
        const begins = step.arrival + step.waiting_time;
        if (!isWithin(task.stop.time_windows as Spans, begins)) wrong(`${at}: at ${begins}, outside its windows`);
        ready = begins + Number(task.stop.service ?? 0) + (here === there ? 0 : Number(task.stop.setup ?? 0));
        if (task.skills?.some((skill) => !vehicle.skills?.includes(skill as number)))
          wrong(`${at}: without the skills`);
        task.change.forEach((value, d) => {
          load[d] += value as number;
        });
        const pair = body.shipments?.findIndex((one) => one[step.type as "pickup" | "delivery"]?.id === step.id) ?? -1;
        if (step.type === "pickup") onBoard.add(pair);
        if (step.type === "delivery" && !onBoard.delete(pair)) wrong(`${at}: brings what it has not fetched`);
      }
      if (there !== undefined) here = there;
    }
    if (onBoard.size > 0) wrong(`${name} ends with shipments on board`);
    if (taken.length !== (vehicle.breaks?.length ?? 0)) wrong(`${name} takes ${taken.length} breaks`);
    const [opens, closes] = vehicle.time_window ?? [0, 1e15];
    if (route.steps[0].arrival < opens || ready > closes) wrong(`${name} works outside its hours`);
    if (tasks > (vehicle.max_tasks ?? 1e9)) wrong(`${name} does ${tasks} tasks`);
    if (drive > (vehicle.max_travel_time ?? 1e15)) wrong(`${name} drives ${drive} s`);
    if (metres > (vehicle.max_distance ?? 1e15)) wrong(`${name} drives ${metres} m`);
    if (!grids?.costs && Math.abs(route.cost - cost) > 1) wrong(`${name} costs ${cost}, not ${route.cost}`);
  }
}

function change(plus: readonly unknown[] | null | undefined, minus: readonly unknown[] | null | undefined): number[] {
  const length = Math.max(plus?.length ?? 0, minus?.length ?? 0);
  return Array.from({ length }, (_, d) => Number(plus?.[d] ?? 0) - Number(minus?.[d] ?? 0));
}

const isWithin = (windows: Spans, time: number) =>
  !windows || windows.length === 0 || windows.some(([from, to]) => time >= from && time <= to);
