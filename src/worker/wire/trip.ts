import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import { currentLeg } from "../../core/tracking/legs.ts";
import { delayAt } from "../../core/tracking/trips.ts";
import { ORDER_STATUSES, TRIP_STATUSES, type Trip } from "../../core/tracking/types/trip.ts";
import { dateShape, optionalDate, wireDate } from "./date.ts";
import { legShape, wireLeg } from "./leg.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";
import { pointShape } from "./point.ts";

const orderShape = z.object({
  id: z.string(),
  guid: z.string().optional(),
  handoffMode: z.string().optional(),
  fireBeforeMinutes: z.number().optional(),
  status: z.enum(ORDER_STATUSES),
  firedAt: dateShape().optional(),
  firedAttempts: z.number().optional(),
  firedReason: z
    .string()
    .optional()
    .meta({ description: "eta (`fireBeforeMinutes` was reached), arrival, or manual (by PATCH)" }),
  updatedAt: dateShape(),
});

export const tripShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  externalId: z.string(),
  metadata: metadataShape().optional(),
  mode: z.string(),
  status: z.enum(TRIP_STATUSES),
  destinationGeofenceTag: z.string().optional(),
  destinationGeofenceExternalId: z.string().optional(),
  destinationLocation: pointShape.optional(),
  approachingThreshold: z.number().optional().meta({ description: "Minutes" }),
  routeTolerance: z.number().optional().meta({ description: "Meters, if the trip has its own" }),
  scheduledArrivalAt: dateShape().optional(),
  eta: z.object({ duration: z.number(), distance: z.number(), updatedAt: dateShape().optional() }).optional().meta({
    description:
      "Minutes and meters to the destination, as of `updatedAt`, when it was computed; with several legs, to the last one",
  }),
  legs: z.array(legShape).optional().meta({ description: "Trips with several legs: the legs, in travel order" }),
  currentLeg: z.string().optional().meta({ description: "The _id of the first leg that has not ended" }),
  currentLegId: z.string().optional().meta({ description: "Same as currentLeg" }),
  delay: z.object({ delayed: z.boolean(), scheduledArrivalTimeDelay: z.number() }).optional().meta({
    description:
      "Delay in minutes relative to scheduledArrivalAt; negative if early. A trip under way is at least as late as it is now",
  }),
  orders: z.array(orderShape).optional().meta({ description: "Orders that are fired before the arrival" }),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  startedAt: dateShape().optional(),
  approachingAt: dateShape().optional(),
  arrivedAt: dateShape().optional(),
  endedAt: dateShape().optional(),
  userId: z.string().optional(),
  user: z.object({ _id: z.string(), userId: z.string().optional(), deviceId: z.string() }).optional(),
});

/** @param now the time of the delay [ms] */
export function wireTrip(trip: Trip, now = Date.now()): z.input<typeof tripShape> {
  const { destination, eta, user, deviceId } = trip;
  const delay = delayAt(trip, now);
  const leg = currentLeg(trip);
  const location = leg?.destination.location ?? destination?.location;
  return {
    _id: trip._id,
    live: trip.live,
    externalId: trip.externalId,
    metadata: wireMetadata(trip.metadata),
    mode: trip.mode,
    status: trip.status,
    destinationGeofenceTag: destination?.tag,
    destinationGeofenceExternalId: destination?.externalId,
    destinationLocation: location && toPoint(location),
    approachingThreshold: trip.approachingThreshold,
    routeTolerance: trip.routeTolerance,
    scheduledArrivalAt: optionalDate(trip.scheduledArrivalAt),
    eta: eta && { duration: eta.duration, distance: eta.distance, updatedAt: optionalDate(eta.at) },
    legs: trip.legs?.map(wireLeg),
    currentLeg: leg?._id,
    currentLegId: leg?._id,
    delay: delay === undefined ? undefined : { delayed: delay > 0, scheduledArrivalTimeDelay: delay },
    orders: trip.orders?.map((order) => ({
      ...order,
      firedAt: optionalDate(order.firedAt),
      updatedAt: wireDate(order.updatedAt),
    })),
    createdAt: wireDate(trip.createdAt),
    updatedAt: wireDate(trip.updatedAt),
    startedAt: optionalDate(trip.startedAt),
    approachingAt: optionalDate(trip.approachingAt),
    arrivedAt: optionalDate(trip.arrivedAt),
    endedAt: optionalDate(trip.endedAt),
    userId: trip.userId,
    user: user === undefined || deviceId === undefined ? undefined : { _id: user, userId: trip.userId, deviceId },
  };
}
