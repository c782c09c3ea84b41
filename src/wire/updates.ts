import { z } from "zod";
import { toPoint } from "../geo/coordinate.ts";
import type { Rerun } from "../tracking/history/rerun.ts";
import type { Verdict } from "../tracking/history/verdict.ts";
import type { UserState } from "../tracking/types/state.ts";
import type { LocationUpdate } from "../tracking/types/update.ts";
import { dateShape, wireDate } from "./date.ts";
import { eventShape } from "./event.ts";
import { pointShape } from "./point.ts";
import { fenceLabelShape } from "./surroundings.ts";

/** Past updates, and responses derived from them. */

export const updateShape = z.object({
  at: dateShape().meta({ description: "when the device was there" }),
  receivedAt: dateShape(),
  location: pointShape,
  accuracy: z.number().meta({ description: "metres" }),
  altitude: z.number().optional(),
  speed: z.number().optional().meta({ description: "m/s" }),
  course: z.number().optional().meta({ description: "degrees" }),
  stopped: z.boolean().optional(),
  foreground: z.boolean().optional(),
  replayed: z.boolean().optional(),
  source: z.string().optional(),
  counted: z.boolean().meta({ description: "false: older than the newest point, so it moved nothing" }),
  events: z.array(z.string()).meta({ description: "_ids of the events it made" }),
});

interface Listed {
  update: LocationUpdate;
  at: number;
  counted: boolean;
  events: readonly string[];
}

export function wireUpdate({ update, at, counted, events }: Listed): z.input<typeof updateShape> {
  return {
    at: wireDate(at),
    receivedAt: wireDate(update.receivedAt),
    location: toPoint(update.location),
    accuracy: update.accuracy,
    altitude: update.altitude,
    speed: update.speed,
    course: update.course,
    stopped: update.stopped,
    foreground: update.foreground,
    replayed: update.replayed || undefined,
    source: update.source,
    counted,
    events: [...events],
  };
}

const beforeShape = z.object({
  at: dateShape(),
  location: pointShape,
  accuracy: z.number(),
  geofences: z.array(
    z.object({
      _id: z.string(),
      tag: z.string().optional(),
      externalId: z.string().optional(),
      description: z.string().optional(),
      enteredAt: dateShape(),
      dwelled: z.boolean(),
    }),
  ),
  place: z.object({ _id: z.string(), name: z.string(), enteredAt: dateShape() }).optional(),
  trip: z.object({ _id: z.string(), externalId: z.string(), status: z.string() }).optional(),
});

export const explanationShape = z.object({
  event: eventShape.optional().meta({ description: "the event, when one is explained" }),
  geofence: fenceLabelShape.optional(),
  verdict: z.string().meta({
    description:
      "an event's type; for a geofence: entered, exited, dwelled, inside or outside (no event), ignored (the update moved nothing); unknown (the update is not kept any more), api (made by a call)",
  }),
  sentence: z.string(),
  update: updateShape.optional().meta({ description: "the update that decided" }),
  before: beforeShape.optional().meta({ description: "the user before it; absent: it was the first" }),
  steps: z
    .array(
      z.object({
        rule: z.string().meta({ description: "the setting or field that governs the decision" }),
        passed: z.boolean(),
        sentence: z.string(),
        figures: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      }),
    )
    .meta({ description: "each decision of the step, in its order" }),
  notKnown: z.array(z.string()).meta({ description: "what has changed since, or is no longer kept, in sentences" }),
});
type Explanation = z.input<typeof explanationShape>;

export function wireExplanation(
  { verdict, sentence, steps }: Verdict,
  { past, before }: Rerun,
): Omit<Explanation, "event" | "notKnown"> {
  return {
    verdict,
    sentence,
    update: wireUpdate(past),
    before: before && wireBefore(before),
    steps: steps.map(({ rule, passed, sentence, figures }) => ({ rule, passed, sentence, figures })),
  };
}

function wireBefore({
  chronology,
  location,
  locationAccuracy,
  geofences,
  place,
  trip,
}: UserState): Explanation["before"] {
  return {
    at: wireDate(chronology),
    location: toPoint(location),
    accuracy: locationAccuracy,
    geofences: Object.values(geofences).map(({ fence, enteredAt, dwelled }) => ({
      _id: fence._id,
      tag: fence.tag,
      externalId: fence.externalId,
      description: fence.description,
      enteredAt: wireDate(enteredAt),
      dwelled,
    })),
    place: place && { _id: place.place._id, name: place.place.name, enteredAt: wireDate(place.enteredAt) },
    trip: trip && { _id: trip._id, externalId: trip.externalId, status: trip.status },
  };
}
