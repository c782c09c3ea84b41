import { z } from "zod";
import { type Coordinate, toPoint } from "../../core/geo/coordinate.ts";
import { arrivalByEta, isUnderWay } from "../../core/tracking/trips.ts";
import { TRIP_STATUSES, type Trip } from "../../core/tracking/types/trip.ts";
import type { tripShare } from "../db/schema.ts";
import { wireDate } from "./date.ts";
import { pointShape } from "./point.ts";

/** The fields that a link may show in addition to a trip's status. */
export const SHARED_FIELDS = ["location", "eta", "destination", "route"] as const;
export type SharedField = (typeof SHARED_FIELDS)[number];

/** Maximum corners of a shown track: enough for the map of a town, and a phone requests it every few seconds. */
const MAX_CORNERS = 2000;

const date = () => z.string().meta({ format: "date-time" });
const show = z.array(z.enum(SHARED_FIELDS));

export const shareShape = z.object({
  _id: z.string(),
  tripId: z.string(),
  state: z.enum(["active", "expired", "revoked"]),
  show,
  createdAt: date(),
  expiresAt: date(),
  revokedAt: date().optional(),
});

export const sharedTripShape = z.object({
  status: z.enum(TRIP_STATUSES),
  mode: z.string(),
  show,
  expiresAt: date().meta({ description: "When the link expires" }),
  startedAt: date().optional(),
  arrivedAt: date().optional(),
  endedAt: date()
    .optional()
    .meta({ description: "For completed, canceled and expired trips, which no longer include a location" }),
  updatedAt: date().meta({ description: "Time of the trip's last update" }),
  location: pointShape.optional(),
  locationAccuracy: z.number().optional().meta({ description: "Meters" }),
  locatedAt: date().optional(),
  eta: z
    .object({ duration: z.number(), distance: z.number(), arrivesAt: date() })
    .optional()
    .meta({ description: "Minutes and meters to the destination, as of updatedAt" }),
  scheduledArrivalAt: date().optional(),
  destination: z.object({ location: pointShape }).optional(),
  route: z
    .object({ type: z.literal("LineString"), coordinates: z.array(z.tuple([z.number(), z.number()])) })
    .optional()
    .meta({ description: `The track so far, with at most ${MAX_CORNERS} points` }),
});

export function wireShare(row: typeof tripShare.$inferSelect, now: number): z.input<typeof shareShape> {
  const { id, trip, shows, createdAt, expiresAt, revokedAt } = row;
  return {
    _id: id,
    tripId: trip,
    state: revokedAt !== null ? "revoked" : expiresAt <= now ? "expired" : "active",
    show: JSON.parse(shows) as SharedField[],
    createdAt: wireDate(createdAt),
    expiresAt: wireDate(expiresAt),
    revokedAt: revokedAt === null ? undefined : wireDate(revokedAt),
  };
}

interface Seen {
  shows: readonly SharedField[];
  expiresAt: number;
  point?: Coordinate & { at: number; accuracy: number };
  way?: readonly Coordinate[];
}

/**
 * A trip for people with a link: the fields that the link allows, and nothing else. All location data ends with the
 * trip, whatever the caller passes.
 */
export function wireSharedTrip(trip: Trip, { shows, expiresAt, point, way }: Seen): z.input<typeof sharedTripShape> {
  const underWay = isUnderWay(trip.status);
  const has = (field: SharedField) => shows.includes(field);
  const moving = (field: SharedField) => underWay && has(field);
  // With several legs, viewers wait for the last one.
  const goal = (trip.legs?.at(-1) ?? trip).destination?.location;
  return {
    status: trip.status,
    mode: trip.mode,
    show: [...shows],
    expiresAt: wireDate(expiresAt),
    startedAt: optional(trip.startedAt),
    arrivedAt: optional(trip.arrivedAt),
    endedAt: optional(trip.endedAt),
    updatedAt: wireDate(trip.updatedAt),
    ...(moving("location") && point
      ? { location: toPoint(point), locationAccuracy: point.accuracy, locatedAt: wireDate(point.at) }
      : {}),
    eta:
      moving("eta") && trip.eta
        ? { duration: trip.eta.duration, distance: trip.eta.distance, arrivesAt: optional(arrivalByEta(trip)) ?? "" }
        : undefined,
    scheduledArrivalAt: has("eta") ? optional(trip.scheduledArrivalAt) : undefined,
    destination: has("destination") && goal ? { location: toPoint(goal) } : undefined,
    route: moving("route") && way ? lineOf(way) : undefined,
  };
}

function optional(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : wireDate(ms);
}

/** Every nth corner of a long track, with its first and last. */
function lineOf(way: readonly Coordinate[]): z.input<typeof sharedTripShape>["route"] {
  if (way.length < 2) return undefined;
  const step = Math.ceil((way.length - 1) / (MAX_CORNERS - 1));
  const corners = way.filter((_, i) => i % step === 0 && i < way.length - 1);
  corners.push(way[way.length - 1]);
  const coordinates = corners.map(({ longitude, latitude }) => [longitude, latitude] as [number, number]);
  return { type: "LineString", coordinates };
}
