import { z } from "zod";
import { datetime, flag, number, text } from "../input/fields.ts";
import { avoidAreasFields } from "./avoid-fields.ts";
import { vehicleField } from "./vehicle-fields.ts";

/** The body of `POST /v1/route/optimize`: the input of VROOM 1.14, with its names. */
export interface FleetBounds {
  tasks: number;
  vehicles: number;
}
export const REQUEST_BOUNDS: FleetBounds = { tasks: 200, vehicles: 20 };
/** For a job. The matrix of all locations is in memory: 20 MB for 1,100 locations. */
export const JOB_BOUNDS: FleetBounds = { tasks: 500, vehicles: 50 };
const MAX_DIMENSIONS = 8;
/** Later than any time a caller can send [s]. */
const LATEST = 1e12;

const id = () => number({ min: 0, max: Number.MAX_SAFE_INTEGER, integer: true });
const seconds = () => number({ min: 0, max: LATEST });
const PAIR_RULE = "Expected [longitude, latitude].";
const place = z.tuple([number({ min: -180, max: 180 }), number({ min: -90, max: 90 })], { error: PAIR_RULE });
const index = () => number({ min: 0, max: 100_000, integer: true });

const AMOUNT_RULE = `Expected 1 to ${MAX_DIMENSIONS} integers, one per dimension.`;
const amount = () =>
  z
    .array(number({ min: 0, max: 1e12 }), { error: AMOUNT_RULE })
    .max(MAX_DIMENSIONS, { error: AMOUNT_RULE })
    .meta({ description: "one number per dimension" });

const SPAN_RULE = "Expected [from, to] in seconds, from ≤ to.";
const span = z
  .tuple([seconds(), seconds()], { error: SPAN_RULE })
  .refine(([from, to]) => from <= to, { error: SPAN_RULE })
  .meta({ description: "[from, to] in seconds, on any clock; the same for all" });
const spans = z.array(span).max(20, { error: "At most 20 windows." });
const skills = () => z.array(id()).max(100, { error: "At most 100 skills." });
const priority = () => number({ min: 0, max: 100 });

const stop = {
  location: place.nullish(),
  location_index: index().nullish(),
  setup: seconds().default(0).meta({ description: "added if the vehicle arrives from another location [s]" }),
  service: seconds().default(0),
  time_windows: spans.nullish(),
  description: text(1000).nullish(),
};

const job = z.object({
  id: id(),
  ...stop,
  delivery: amount().nullish(),
  pickup: amount().nullish(),
  amount: amount().nullish().meta({ description: "deprecated alias of `delivery`" }),
  skills: skills().nullish(),
  priority: priority().default(0),
});

const shipment = z.object({
  pickup: z.object({ id: id(), ...stop }),
  delivery: z.object({ id: id(), ...stop }),
  amount: amount().nullish(),
  skills: skills().nullish(),
  priority: priority().default(0),
});

const rest = z.object({
  id: id(),
  time_windows: spans.nullish(),
  service: seconds().default(0),
  description: text(1000).nullish(),
  max_load: amount().nullish(),
});

const vehicle = z
  .object({
    id: id(),
    profile: text(100).default("car").meta({
      description:
        "a key of `matrices`, or car, truck, bike, foot, motorbike; names of OSRM and openrouteservice are accepted",
    }),
    vehicle: vehicleField(),
    description: text(1000).nullish(),
    start: place.nullish(),
    start_index: index().nullish(),
    end: place.nullish(),
    end_index: index().nullish(),
    capacity: amount().nullish().meta({ description: "absent: unlimited" }),
    skills: skills().nullish(),
    time_window: span.nullish(),
    time_windows: z
      .array(span)
      .length(1, { error: "Expected one window: a vehicle works from its start to its end, and pauses in `breaks`." })
      .nullish()
      .meta({ description: "the same as `time_window`, as a list of one" }),
    breaks: z.array(rest).max(5, { error: "At most 5 breaks." }).nullish(),
    speed_factor: number({ above: 0, max: 5 }).default(1),
    max_tasks: number({ min: 0, integer: true }).nullish(),
    max_travel_time: seconds().nullish(),
    max_distance: number({ min: 0 }).nullish().meta({ description: "meters" }),
    costs: z
      .object({
        fixed: number({ min: 0, max: 1e9 }).default(0),
        per_hour: number({ min: 0, max: 1e6 }).default(3600),
        per_km: number({ min: 0, max: 1e6 }).default(0),
      })
      .nullish(),
  })
  .refine((one) => one.time_window == null || one.time_windows == null, {
    error: "Set `time_window` or `time_windows`, not both.",
    path: ["time_windows"],
  });

const GRID_RULE = "Expected a square matrix of numbers; null: no route.";
const gridOf = (bounds: FleetBounds) =>
  z
    .array(z.array(z.number({ error: GRID_RULE }).min(0, { error: GRID_RULE }).nullable(), { error: GRID_RULE }), {
      error: GRID_RULE,
    })
    .min(1, { error: GRID_RULE })
    .max(2 * bounds.tasks + 2 * bounds.vehicles, { error: GRID_RULE })
    .refine((rows) => rows.every((row) => row.length === rows.length), { error: GRID_RULE });

export const fleetBodyOf = (bounds: FleetBounds) => {
  const [fewVehicles, fewJobs, fewShipments] = [
    { error: `Expected 1 to ${bounds.vehicles} vehicles.` },
    { error: `Expected at most ${bounds.tasks} jobs.` },
    { error: `Expected at most ${bounds.tasks} shipments.` },
  ];
  const grid = gridOf(bounds);
  return z.object({
    vehicles: z.array(vehicle, fewVehicles).min(1, fewVehicles).max(bounds.vehicles, fewVehicles),
    jobs: z.array(job, fewJobs).max(bounds.tasks, fewJobs).default([]),
    shipments: z.array(shipment, fewShipments).max(bounds.tasks, fewShipments).default([]),
    matrices: z
      .record(
        z.string(),
        z.object(
          { durations: grid, distances: grid.optional(), costs: grid.optional() },
          { error: "Expected durations." },
        ),
      )
      .optional()
      .meta({
        description: "by profile: custom durations [s], distances [m] and costs, instead of those of the roads",
      }),
    ...avoidAreasFields("object"),
    departureTime: datetime().optional().meta({
      description:
        "time at second 0 of the clock of all times, such as midnight; with it, the plan follows the speeds and restrictions of the hour at which each vehicle leaves a stop, as `departureTime` of routes does. Without it, durations assume no traffic. Not with `matrices`",
    }),
    options: z
      .object({
        g: flag()
          .default(false)
          .meta({ description: "return the geometry (polyline, 5 digits) and distances of each route" }),
        x: number({ min: 0, max: 5, integer: true }).default(3).meta({
          description: "search effort: about 0, 0.25, 0.5, 1, 3 or 10 seconds of CPU time",
        }),
        seed: number({ min: 0, max: 4_294_967_295, integer: true }).default(1),
      })
      .prefault({}),
  });
};

export const fleetBody = fleetBodyOf(REQUEST_BOUNDS);

export type FleetBody = z.output<typeof fleetBody>;
export type BodyVehicle = FleetBody["vehicles"][number];
export type BodyStop = FleetBody["shipments"][number]["pickup"];
