import { z } from "zod";
import { distance as metresBetween } from "../../../core/geo/distance.ts";
import { distanceQuantity } from "../../../core/geo/units.ts";
import { currentLeg, MAX_LEGS, withLegEtas } from "../../../core/tracking/legs.ts";
import { isRouteOf } from "../../../core/tracking/steps/follow-route.ts";
import { isUnderWay, type TripChange } from "../../../core/tracking/trips.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { TRIP_STATUSES, type Trip } from "../../../core/tracking/types/trip.ts";
import type { EtaAsker } from "../../answers/learn/eta-corrector.ts";
import { deleteTrip, insertTrip, listTrips, TRIP_ORDERS, tripPoints } from "../../db/customers/trips.ts";
import { recordsOfUser } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { etaTo } from "../../objects/tracker/eta.ts";
import { findDestination, newTrip } from "../../objects/tracker/new-trip.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { eventShape } from "../../wire/event.ts";
import {
  datetime,
  flag,
  oneOf,
  optionalList,
  optionalListOf,
  optionalText,
  pageLimit,
  pathText,
} from "../../wire/input/fields.ts";
import { metadataShape, wireMetadata } from "../../wire/metadata.ts";
import { pointShape } from "../../wire/point.ts";
import { quantityShape } from "../../wire/quantities.ts";
import { tripShape, wireTrip } from "../../wire/trip.ts";
import { noteTrips } from "../serve/callers/caller.ts";
import { knows, spokenFor } from "../serve/callers/speaker.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";
import { legsAsked } from "../track/leg-body.ts";
import { tripFields } from "../track/track-body.ts";
import { mayAdd, noteAdded } from "../track/track-request.ts";
import { applyChange, existingTrip, OWNER_RULE, ownerFields, tripToChange } from "./change-trip.ts";

const chapter = "Trips";
const withEvents = z.object({ trip: tripShape, events: z.array(eventShape) });
/** The user of a new trip. */
const traveller = () =>
  z.object({ _id: z.string(), userId: z.string().optional(), deviceId: z.string(), metadata: metadataShape() });
/** As in the SDKs' fixtures: a new trip has no locations, and its user is next to it. */
const created = z.object({
  trip: tripShape.extend({
    locations: z.array(z.unknown().meta({ type: "object" })).meta({ description: "none yet" }),
    user: traveller().optional(),
  }),
  user: traveller()
    .optional()
    .meta({ description: "if the user exists and the caller has proved that it knows the user" }),
  events: z.array(eventShape),
});
/** Maximum points in a list, and in one trip. */
const MAX_POINTS = 50_000;

export const createTrip = endpoint({
  name: "createTrip",
  method: "POST",
  path: "/v1/trips",
  level: "publishable",
  chapter,
  summary: "Creates a trip. It starts with the user's next location update.",
  description:
    "409 while a trip with this externalId is active. A user has one active trip at a time: the oldest starts first, and the next one when it has ended. " +
    `With \`legs\` (up to ${MAX_LEGS}) it has several destinations in order; each leg has its own status and ETA, and the trip's status is started until its last leg is approaching or arrived. A leg is completed when the device leaves its stop.`,
  body: z.object({ externalId: pathText(), userId: optionalText(), ...tripFields }),
  response: created,
  errors: [409],
  async handle(call) {
    const { body, caller, env, now } = call;
    const { scope, live } = caller;
    const userId = spokenFor(caller, body.userId);
    const legs = body.legs && (await legsAsked(call, body.legs));
    if (!legs) await destinationOf(env, scope, body, now);
    await mayAdd(call, "newTrips");
    const fresh = await newTrip(env, { scope, live, update: { receivedAt: now, userId } }, body, legs);
    // The geofence was deleted after it was looked up.
    if (!fresh) throw unknownDestination();
    // The ETA reveals the user's distance, so only callers who have proved that they know the user get it.
    const user = knows(caller, userId) ? await lastSeen(env, scope, userId) : undefined;
    const made = user ? await withFirstEta(env, fresh, user, now, caller) : fresh;
    const shown = wireTrip(made);
    if (!(await insertTrip(env.DB, scope, made))) {
      throw new ApiError(409, "A trip with this externalId is active.");
    }
    noteAdded(caller, { added: JSON.stringify(made).length });
    noteTrips(scope);
    if (userId !== undefined) await notifyTrackers(env, scope, userId);
    const traveller = user && {
      _id: user._id,
      userId: user.userId,
      deviceId: user.deviceId,
      metadata: wireMetadata(user.metadata) ?? {},
    };
    return {
      trip: { ...shown, locations: [], ...(traveller && { user: traveller }) },
      ...(traveller && { user: traveller }),
      events: [],
    };
  },
});

/** The user in its tracker's state, at its last location. */
async function lastSeen(env: Env, scope: number, userId: string | undefined): Promise<UserState | undefined> {
  if (userId === undefined) return undefined;
  const [newest] = await recordsOfUser(env.DB, scope, userId);
  return newest && (await deviceTrackerOf(env, scope, newest.deviceId).user(newest.id));
}

/** A trip with its ETAs from its user's last location, if its destination is known. */
async function withFirstEta(
  env: Env,
  trip: Trip,
  user: UserState,
  now: number,
  caller: EtaAsker["caller"],
): Promise<Trip> {
  const { destination, mode } = trip;
  const leg = currentLeg(trip);
  const goal = leg?.destination.location ?? destination?.location;
  if (!goal) return trip;
  const eta = await etaTo(env, user.location, goal, mode, caller);
  return leg ? withLegEtas(trip, { [leg._id]: eta }, now) : { ...trip, eta: { ...eta, at: now } };
}

/** Tells the trackers of a user to check for trips at the next update. */
async function notifyTrackers(env: Env, scope: number, userId: string): Promise<void> {
  const records = await recordsOfUser(env.DB, scope, userId);
  await Promise.all(records.map(({ deviceId }) => deviceTrackerOf(env, scope, deviceId).lookForTrips(userId)));
}

/** The destination in a body; 400 for an unknown geofence. */
async function destinationOf(
  env: Env,
  scope: number,
  body: { destinationGeofenceTag?: string; destinationGeofenceExternalId?: string },
  now: number,
) {
  const { destinationGeofenceTag: tag, destinationGeofenceExternalId: externalId } = body;
  if (tag === undefined && externalId === undefined) return undefined;
  if (tag === undefined) throw invalid("destinationGeofenceTag", "Required with destinationGeofenceExternalId.");
  if (externalId === undefined) throw invalid("destinationGeofenceExternalId", "Required with destinationGeofenceTag.");
  const found = await findDestination(env, scope, tag, externalId, now);
  if (!found) throw unknownDestination();
  return found;
}

const unknownDestination = () => invalid("destinationGeofenceExternalId", "No geofence has this tag and externalId.");

const SETTABLE = ["started", "approaching", "arrived", "completed", "canceled"] as const;

export const updateTrip = endpoint({
  name: "updateTrip",
  method: "PATCH",
  path: "/v1/trips/:id/update",
  // The path that SDKs before 3.2 use.
  aliases: ["/v1/trips/:id"],
  level: "publishable",
  chapter,
  summary: "Changes a trip's status or details; by _id or externalId.",
  description: `completed and canceled end the trip. A trip without a device is started by its user's most recent device. 409 if the trip has ended with another status. ${OWNER_RULE}`,
  body: z
    .object({
      status: oneOf(SETTABLE).optional(),
      ...tripFields,
      ...ownerFields,
      endedAt: datetime().optional().meta({
        description: "when the trip ended, if that was earlier: with completed or canceled, and a secret key",
      }),
    })
    .omit({ legs: true }),
  response: withEvents,
  errors: [404, 409],
  async handle(call) {
    const { body, params, caller, env, now } = call;
    const { scope } = caller;
    const { trip, showTrip, showEvent } = await tripToChange(call, params.id, body);
    const { status, metadata, mode, approachingThreshold, scheduledArrivalAt, orders, endedAt } = body;
    if (endedAt !== undefined) mustEndEarlier(call, status, endedAt);
    if (!isUnderWay(trip.status)) {
      if (status === trip.status) return { trip: writeRow(call, "trips", trip, showTrip), events: [] };
      throw new ApiError(409, `The trip is ${trip.status}.`);
    }
    // The legs of a trip have destinations of their own.
    const found = trip.legs ? undefined : await destinationOf(env, scope, body, now);
    const change: TripChange = {
      status,
      metadata,
      mode,
      routeTolerance: body.routeTolerance,
      plannedRoute: body.plannedRoute,
      scheduledArrivalAt,
      orders,
      endedAt,
      approachingThreshold: approachingThreshold ?? found?.approachingThreshold,
      destination: found?.destination,
    };
    const done = await applyChange(call, trip, change);
    return { trip: showTrip(done.trip), events: done.events.map(showEvent) };
  },
});

/** @throws ApiError 400 for an end that a server may not set later; the tracker knows the trip's last update */
function mustEndEarlier({ caller, now }: Pick<Call, "caller" | "now">, status: string | undefined, endedAt: number) {
  if (!caller.secret) throw invalid("endedAt", "Requires a secret key.");
  if (status !== "completed" && status !== "canceled")
    throw invalid("endedAt", "Requires status completed or canceled.");
  if (endedAt > now) throw invalid("endedAt", "Later than now.");
}

const pointsShape = z.array(z.object({ location: pointShape, locationAccuracy: z.number(), createdAt: z.string() }));

/** The filters of lists and exports of trips. */
export const tripFilterFields = {
  status: optionalListOf(TRIP_STATUSES),
  externalId: optionalList(),
  userId: optionalText(),
  destinationGeofenceTag: optionalText(),
  destinationGeofenceExternalId: optionalText(),
  createdBefore: datetime().optional(),
  createdAfter: datetime().optional(),
  delayed: flag()
    .optional()
    .meta({ description: "true: only trips later than scheduledArrivalAt, now or on arrival; false: only others" }),
};

export const listAllTrips = endpoint({
  name: "listTrips",
  method: "GET",
  path: "/v1/trips",
  level: "secret",
  chapter,
  summary: "Lists trips, newest first.",
  query: z.object({
    limit: pageLimit(500),
    ...tripFilterFields,
    sortBy: oneOf(TRIP_ORDERS).default("createdAt"),
    includeLocations: flag()
      .default(false)
      .meta({ description: `at most ${MAX_POINTS} over all trips` }),
  }),
  response: z.object({ trips: z.array(tripShape.extend({ locations: pointsShape.optional() })) }),
  async handle(call) {
    const { query, caller, env } = call;
    await settleWrites(env);
    const { docs, hasMore } = await listTrips(env.DB, caller.scope, query);
    const trips = writeRows(call, "trips", docs, (doc) => wireTrip(JSON.parse(doc) as Trip));
    if (!query.includeLocations) return { meta: { hasMore }, trips };
    const ids = trips.map(({ _id }) => _id);
    const points = Map.groupBy(await tripPoints(env.DB, caller.scope, ids, MAX_POINTS), ({ trip }) => trip);
    return {
      meta: { hasMore },
      trips: trips.map((trip) => ({
        ...trip,
        locations: writeRows(call, "locations", points.get(trip._id) ?? [], wirePoint),
      })),
    };
  },
});

export const getTrip = endpoint({
  name: "getTrip",
  method: "GET",
  path: "/v1/trips/:id",
  level: "secret",
  chapter,
  summary: "Returns a trip by _id or externalId; the newest if several have the externalId.",
  response: z.object({ trip: tripShape }),
  errors: [404],
  async handle(call) {
    const { params, caller, env } = call;
    return { trip: writeRow(call, "trips", await existingTrip(env, caller.scope, params.id), wireTrip) };
  },
});

export const getTripRoute = endpoint({
  name: "tripRoute",
  method: "GET",
  path: "/v1/trips/:id/route",
  level: "secret",
  chapter,
  summary: "Returns the path of a trip so far, its length, and its planned route.",
  query: z.object({ units: oneOf(["metric", "imperial"]).default("imperial") }),
  response: z.object({
    route: z.object({
      locations: pointsShape,
      geometry: z
        .object({ type: z.literal("LineString"), coordinates: z.array(z.tuple([z.number(), z.number()])) })
        .optional()
        .meta({ description: "if it has at least two locations" }),
      planned: z.string().optional().meta({
        description:
          "encoded polyline, 5 decimals: `plannedRoute` of the trip, or the route that the server planned, while the trip is active and its user is compared with it",
      }),
      detour: z.string().optional().meta({ description: "the same, from where the user left the planned route" }),
      distance: quantityShape.meta({ description: "sum of the straight lines between the locations" }),
    }),
  }),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env } = call;
    const trip = await existingTrip(env, caller.scope, params.id);
    const points = await tripPoints(env.DB, caller.scope, [trip._id], MAX_POINTS);
    const coordinates = points.map(({ longitude, latitude }) => [longitude, latitude] as [number, number]);
    const geometry = coordinates.length > 1 ? { type: "LineString" as const, coordinates } : undefined;
    let metres = 0;
    for (let i = 1; i < points.length; i++) metres += metresBetween(points[i - 1], points[i]);
    const distance = distanceQuantity(metres, query.units);
    const planned = await plannedOf(call, trip);
    return { route: { ...planned, locations: writeRows(call, "locations", points, wirePoint), geometry, distance } };
  },
});

/** The planned route of an active trip, and the one from where its user left it. */
async function plannedOf({ env, caller }: Call, trip: Trip) {
  const { deviceId, user, routeTolerance, plannedRoute } = trip;
  const given = plannedRoute ? { planned: plannedRoute } : {};
  const isWatched = (routeTolerance ?? caller.settings.tracking?.routeTolerance ?? 0) > 0;
  if (!isWatched || deviceId === undefined || user === undefined) return given;
  const route = (await deviceTrackerOf(env, caller.scope, deviceId).user(user))?.route;
  return route && isRouteOf(route, trip)
    ? { planned: route.line, ...(route.detour && { detour: route.detour }) }
    : given;
}

function wirePoint({ at, latitude, longitude, accuracy }: Awaited<ReturnType<typeof tripPoints>>[number]) {
  return {
    location: { type: "Point" as const, coordinates: [longitude, latitude] as [number, number] },
    locationAccuracy: accuracy,
    createdAt: wireDate(at),
  };
}

export const removeTrip = endpoint({
  name: "deleteTrip",
  method: "DELETE",
  path: "/v1/trips/:id",
  level: "secret",
  chapter,
  summary: "Deletes a trip and its locations. Its user is then on no trip; no event is generated.",
  errors: [404],
  async handle({ params, caller, env }) {
    const { scope } = caller;
    const { _id, deviceId } = await existingTrip(env, scope, params.id);
    if (deviceId !== undefined) await deviceTrackerOf(env, scope, deviceId).forgetTrip(scope, _id);
    await deleteTrip(env.DB, scope, _id);
    return {};
  },
});
