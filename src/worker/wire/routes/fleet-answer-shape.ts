import { z } from "zod";
import type { Reason } from "../../../core/fleet/plan.ts";

/** The output of VROOM, with `reason` for what is unassigned. Times are integer seconds, as in VROOM. */
const position = z.array(z.number()).meta({ description: "[longitude, latitude]" });
const violations = z.array(z.string()).meta({ description: "always empty: no limit is broken" });
const amounts = z.array(z.number());
const totals = {
  cost: z.number(),
  delivery: amounts,
  amount: amounts,
  pickup: amounts,
  setup: z.number(),
  service: z.number(),
  duration: z.number().meta({ description: "driving alone [s]" }),
  waiting_time: z.number(),
  priority: z.number(),
  distance: z.number().meta({ description: "meters" }),
  violations,
};
const REASONS = ["skills", "capacity", "unreachable", "timeWindows", "limits", "fleet"] as const satisfies Reason[];

export const fleetAnswerShape = z.object({
  code: z.number().meta({ description: "0, the success code of VROOM" }),
  summary: z.object({ ...totals, routes: z.number(), unassigned: z.number() }),
  unassigned: z.array(
    z.object({
      id: z.number(),
      type: z.enum(["job", "pickup", "delivery"]),
      location: position.optional(),
      location_index: z.number().optional(),
      description: z.string().optional(),
      reason: z.enum(REASONS).meta({
        description:
          "why it is unassigned: no vehicle has the skills, the capacity, a route (outside the areas to avoid), a feasible time window, or time within its breaks and limits; `fleet`: a vehicle could do it, but not with its other tasks",
      }),
    }),
  ),
  routes: z.array(
    z.object({
      ...totals,
      vehicle: z.number(),
      description: z.string().optional(),
      geometry: z.string().optional().meta({ description: "polyline of 5 digits, with `options.g`" }),
      steps: z.array(
        z.object({
          type: z.enum(["start", "job", "pickup", "delivery", "break", "end"]),
          id: z.number().optional(),
          description: z.string().optional(),
          location: position.optional(),
          location_index: z.number().optional(),
          arrival: z.number(),
          setup: z.number(),
          service: z.number(),
          waiting_time: z.number(),
          duration: z.number().meta({ description: "travel time since the start [s]" }),
          distance: z.number().meta({ description: "distance since the start [m]" }),
          load: amounts,
          violations,
        }),
      ),
    }),
  ),
  unavailable: z.string().optional().meta({ description: "why no plan was found" }),
});

/** The response to a fleet problem. */
export type FleetAnswer = z.input<typeof fleetAnswerShape>;
