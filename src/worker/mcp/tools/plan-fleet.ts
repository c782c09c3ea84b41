import { z } from "zod";
import { postJson, ToolError } from "../base/api.ts";
import { type Located, locate, where } from "../base/places.ts";
import { listOf, resultOf, round1, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "Expected a time of the day such as 09:30." })
  .describe("time of the day, such as 09:30");
const skills = z
  .array(z.string().min(1).max(64))
  .max(10)
  .optional()
  .describe("only vehicles with all of these serve it");

const vehicle = z.object({
  name: z.string().min(1).max(100),
  start: where,
  end: where.optional().describe("default: the start"),
  mode: z.enum(["car", "truck", "foot", "bike", "motorbike"]).default("car"),
  capacity: z
    .number()
    .int()
    .min(0)
    .max(1e9)
    .optional()
    .describe("in the unit of the stops' amounts; default: unlimited"),
  earliest: clock.optional(),
  latest: clock.optional(),
  skills: skills.describe("what this vehicle can do"),
});

const stop = z.object({
  name: z.string().min(1).max(100),
  place: where,
  pickup: where.optional().describe("where the load is collected first, if not at the vehicle's start"),
  amount: z.number().int().min(0).max(1e9).optional(),
  serviceMinutes: z.number().min(0).max(1440).default(0),
  earliest: clock.optional(),
  latest: clock.optional(),
  priority: z.number().int().min(0).max(100).optional(),
  skills,
});

type Vehicle = z.output<typeof vehicle>;
type Stop = z.output<typeof stop>;

interface Plan {
  summary: { duration: number; waiting_time: number; service: number };
  unassigned: { id: number; reason?: string }[];
  routes: {
    vehicle: number;
    duration: number;
    steps: { type: string; id?: number; arrival: number; waiting_time: number; service: number }[];
  }[];
}

export const planFleet = tool({
  name: "plan_fleet",
  title: "Plan a fleet",
  description:
    "Plans which vehicle visits which stops in which order, with capacities, opening times and skills, and minimizes the travel time. Also sorts the stops of a single vehicle.",
  input: z.object({
    vehicles: z.array(vehicle).min(1).max(20),
    stops: z.array(stop).min(1).max(100),
    seed: z.number().int().min(0).max(4_294_967_295).default(1).describe("another number may give another plan"),
  }),
  async run({ vehicles, stops, seed }, api) {
    const named = [
      ...vehicles.map((one, i) => [`vehicles ${i + 1}, start`, one.start] as const),
      ...vehicles.map((one, i) => [`vehicles ${i + 1}, end`, one.end ?? one.start] as const),
      ...stops.map((one, i) => [`stops ${i + 1}`, one.place] as const),
      ...stops.flatMap((one, i) => (one.pickup === undefined ? [] : [[`stops ${i + 1}, pickup`, one.pickup] as const])),
    ];
    const places = await locate(api, named);
    const [starts, ends, at] = [0, vehicles.length, 2 * vehicles.length].map((from) => places.slice(from));
    const pickups = places.slice(2 * vehicles.length + stops.length);
    const numbers = skillNumbers([...vehicles, ...stops]);
    const tasks = taskList(stops, at, pickups, numbers);
    const plan = await postJson<Plan>(api, "/v1/route/optimize", {
      vehicles: vehicles.map((one, i) => ({
        id: i + 1,
        profile: one.mode,
        start: lonLat(starts[i]),
        end: lonLat(ends[i]),
        ...(one.capacity !== undefined && { capacity: [one.capacity] }),
        ...(one.skills && { skills: one.skills.map((name) => numbers.get(name)) }),
        ...windowOf(one, "time_window"),
      })),
      ...tasks,
      options: { seed, x: 2 },
    });
    return planResult(plan, vehicles, stops, at);
  },
});

/** VROOM's skills are numbers. */
function skillNumbers(all: readonly (Vehicle | Stop)[]): Map<string, number> {
  return new Map([...new Set(all.flatMap(({ skills = [] }) => skills))].map((name, i) => [name, i + 1]));
}

/** The stops as VROOM's jobs, and those with a pickup as shipments; ids are numbers of stops. */
function taskList(
  stops: readonly Stop[],
  at: readonly Located[],
  pickups: readonly Located[],
  numbers: ReadonlyMap<string, number>,
) {
  const jobs: object[] = [];
  const shipments: object[] = [];
  for (const [i, one] of stops.entries()) {
    const id = i + 1;
    const shared = {
      ...(one.priority !== undefined && { priority: one.priority }),
      ...(one.skills && { skills: one.skills.map((name) => numbers.get(name)) }),
    };
    const stop = { id, location: lonLat(at[i]), service: one.serviceMinutes * 60, ...windowOf(one, "time_windows") };
    if (one.pickup === undefined)
      jobs.push({ ...stop, ...shared, ...(one.amount !== undefined && { delivery: [one.amount] }) });
    else
      shipments.push({
        pickup: { id, location: lonLat(pickups[shipments.length]) },
        delivery: stop,
        ...shared,
        ...(one.amount !== undefined && { amount: [one.amount] }),
      });
  }
  return { jobs, shipments };
}

const lonLat = ({ longitude, latitude }: Located) => [longitude, latitude];
const END_OF_DAY = 24 * 3600;

/** @throws ToolError if it is empty */
function windowOf({ name, earliest, latest }: Vehicle | Stop, as: "time_window" | "time_windows") {
  if (earliest === undefined && latest === undefined) return {};
  const window = [earliest ? secondsOf(earliest) : 0, latest ? secondsOf(latest) : END_OF_DAY];
  if (window[0] > window[1]) throw new ToolError(`${JSON.stringify(name)}: earliest must not be after latest.`);
  return { [as]: as === "time_window" ? window : [window] };
}

const secondsOf = (clock: string) => Number(clock.slice(0, 2)) * 3600 + Number(clock.slice(3)) * 60;
const clockOf = (seconds: number) => {
  const minutes = Math.round(seconds / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
};

function planResult(plan: Plan, vehicles: readonly Vehicle[], stops: readonly Stop[], at: readonly Located[]) {
  const hasClock = [...vehicles, ...stops].some(({ earliest, latest }) => earliest ?? latest);
  const routes = plan.routes.map(({ vehicle, duration, steps }) => ({
    vehicle: vehicles[vehicle - 1].name,
    drivingMinutes: round1(duration / 60),
    stops: steps
      .filter(({ type }) => type !== "start" && type !== "end")
      .map(({ type, id = 0, arrival, waiting_time }) => ({
        name: stops[id - 1]?.name,
        ...(type === "pickup" && { pickup: true }),
        ...(hasClock ? { arrival: clockOf(arrival) } : { afterMinutes: round1(arrival / 60) }),
        ...(waiting_time > 0 && { waitMinutes: round1(waiting_time / 60) }),
        latitude: round6(at[id - 1]?.latitude ?? 0),
        longitude: round6(at[id - 1]?.longitude ?? 0),
      })),
  }));
  const unassigned = plan.unassigned.map(({ id, reason }) => ({ name: stops[id - 1]?.name, reason }));
  const { items, ...rest } = listOf(routes, () => "Plan fewer stops per call to see every route.");
  const used = plan.routes.length;
  const served = stops.length - new Set(plan.unassigned.map(({ id }) => id)).size;
  const summary = `${served} of ${stops.length} stops are planned on ${used} vehicle${used === 1 ? "" : "s"}, ${round1(plan.summary.duration / 60)} minutes of driving in total.${
    unassigned.length > 0 ? " unassigned: stops that do not fit, with the reason." : ""
  }`;
  return resultOf(summary, { routes: items, ...rest, ...(unassigned.length > 0 && { unassigned }) });
}
