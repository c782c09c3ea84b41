import { z } from "zod";
import type { Shown } from "../../../core/engagement/send.ts";
import { shownNotifications } from "../../../core/engagement/shown.ts";
import { decodeLine, encodeLine, isEncodedLine } from "../../../core/geo/shapes/polyline.ts";
import { thinned } from "../../../core/geo/thinned.ts";
import { knownAltitude } from "../../../core/ingest/no-fix.ts";
import { signalOf } from "../../../core/tracking/beacons.ts";
import { MAX_ORDERS } from "../../../core/tracking/orders.ts";
import { isDeviceTime } from "../../../core/tracking/replay-times.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import { BEACON_TYPES } from "../../../core/tracking/types/surroundings.ts";
import { ORDER_STATUSES, type TripOptions } from "../../../core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { MAX_ROUTE_POINTS } from "../../answers/track/planned-route.ts";
import {
  dictionary,
  FARTHEST,
  flag,
  json,
  moment,
  number,
  oneOf,
  optionalList,
  optionalText,
  pathText,
  text,
  YEAR_MS,
} from "../../wire/input/fields.ts";
import { standingIn } from "../../wire/input/validate.ts";
import { locationOf } from "../geocode/geocode-ip.ts";
import { MAX_NEARBY } from "../geofences/nearby.ts";
import { spokenFor } from "../serve/callers/speaker.ts";
import type { Call } from "../serve/endpoint.ts";
import { heldFields } from "./anonymous.ts";
import { legsField } from "./leg-body.ts";
import { verifiedFields } from "./verified.ts";

/** The maximum time of a Date [ms since 1970]. */
const LAST_MS = 8_640_000_000_000_000;
/** Maximum number of a user's tags. */
const MAX_USER_TAGS = 100;
/** Maximum beacons of one update; no device ranges more at the same time. */
const MAX_BEACONS = 200;

/** A null from a client is treated as absent, here for nested objects. */
export function dropNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

const TRIP_MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;

const ORDERS_RULE = `Must be a list of up to ${MAX_ORDERS} orders.`;
const ordersField = json(
  z
    .array(
      z.preprocess(
        dropNulls,
        z.object(
          {
            id: text(),
            guid: optionalText(),
            handoffMode: optionalText(64),
            fireBeforeMinutes: number({ min: 0, max: 1440 }).optional(),
            status: oneOf(ORDER_STATUSES).optional(),
          },
          { error: "Must be an order." },
        ),
      ),
      { error: ORDERS_RULE },
    )
    .max(MAX_ORDERS, { error: ORDERS_RULE }),
).meta({
  description:
    "each {id, guid, handoffMode, fireBeforeMinutes}: fired at this ETA (default: approachingThreshold), at the latest on arrival. In PATCH, known ids are changed and others added; status fired, canceled or completed",
});

const LINE_RULE =
  "Must be an encoded polyline with 5 decimals (`geometry=polyline5`) of at least two points; empty: the route that the server finds.";
/** A line to follow; longer ones lose the points that change their shape least, because each update stores it. */
const lineField = z
  .string({ error: LINE_RULE })
  .max(100_000, { error: LINE_RULE })
  .transform((encoded, context) => {
    const line = isEncodedLine(encoded) ? decodeLine(encoded, 5) : [];
    const isOnEarth = line.every(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
    if (encoded === "" || (isOnEarth && line.length > 1)) return encodeLine(thinned(line, MAX_ROUTE_POINTS), 5);
    context.addIssue({ code: "custom", message: LINE_RULE });
    return z.NEVER;
  })
  .meta({
    description:
      "encoded polyline with 5 decimals: the route that the user is to take, for `user.left_route`, from where the user first is on it; default: the route that the server finds. Returned by `GET /v1/trips/:id/route`",
  });

/** The fields of a trip, in POST /v1/trips and in an update. */
export const tripFields = {
  destinationGeofenceTag: optionalText(),
  destinationGeofenceExternalId: optionalText(),
  mode: oneOf(TRIP_MODES).optional().meta({ description: "default car" }),
  metadata: dictionary(16).optional(),
  approachingThreshold: number({ min: 0, max: 1440 })
    .optional()
    .meta({ description: "ETA in minutes at which the trip is approaching; default: that of the geofence" }),
  routeTolerance: number({ min: 0, max: 10_000 }).optional().meta({
    description:
      "meters from the planned route, for `user.left_route`; 0: not watched; default: `tracking.routeTolerance`",
  }),
  plannedRoute: lineField.optional(),
  scheduledArrivalAt: moment().optional(),
  legs: legsField.optional(),
  orders: ordersField.optional(),
};

const tripOptions = z.preprocess(dropNulls, z.object({ externalId: pathText(), ...tripFields }));

const identifier = z.preprocess((value) => (typeof value === "number" ? String(value) : value), z.string().max(64));
const ranged = z.object({
  type: z.string().toLowerCase().pipe(z.enum(BEACON_TYPES)),
  uuid: identifier.optional(),
  major: identifier.optional(),
  minor: identifier.optional(),
  uid: identifier.optional(),
  instance: identifier.optional(),
});

const BEACONS_RULE = "Must be a list of beacons.";
/** A ranged beacon, for the reference. Beacons are checked one by one: an invalid one is omitted. */
const RANGED_BEACON = {
  type: "object",
  properties: {
    type: { type: "string", enum: ["ibeacon", "eddystone"] },
    ...Object.fromEntries(
      ["uuid", "major", "minor", "uid", "instance"].map((name) => [name, { type: ["string", "number"] }]),
    ),
  },
} as const;

const fields = z.object({
  deviceId: text().meta({ description: "Device ID" }),
  userId: optionalText().meta({ description: "Stable unique ID; no personal data" }),
  latitude: number({ min: -90, max: 90 }),
  longitude: number({ min: -180, max: 180 }),
  accuracy: number({ above: 0, max: FARTHEST }).meta({ description: "meters" }),
  foreground: flag().optional(),
  stopped: flag().optional(),
  description: optionalText(1024),
  metadata: dictionary(32).optional(),
  deviceType: oneOf(["iOS", "Android", "Web"]).optional(),
  updatedAt: moment().optional().meta({
    description:
      "a time before 2000, more than five minutes ahead, or not later than that of the last update is replaced by the time of arrival: the position counts as the current one. Send late positions to `/v1/track/replay`, where they never move the user back",
  }),
  updatedAtMsDiff: number({ min: -YEAR_MS, max: 10 * YEAR_MS })
    .optional()
    .meta({
      description:
        "milliseconds before now; for clients without a trusted clock. Wins over `updatedAtMs`, except in replays",
    }),
  updatedAtMs: number({ min: 0, max: LAST_MS })
    .optional()
    .meta({ description: "milliseconds since 1970, as SDKs buffer updates. Wins over `updatedAt`" }),
  replayed: flag().optional(),
  deviceOS: optionalText(),
  deviceMake: optionalText(),
  deviceModel: optionalText(),
  installId: optionalText(),
  sdkVersion: optionalText(),
  source: optionalText().meta({ description: "what woke the SDK" }),
  locationAuthorization: optionalText(),
  locationAccuracyAuthorization: optionalText(),
  altitude: number({ min: -100_000, max: 1_000_000 }).optional().meta({ description: "meters; exactly -1 = unknown" }),
  verticalAccuracy: z
    .unknown()
    .optional()
    .meta({ type: "number", description: "meters; negative: the altitude is unknown" }),
  speed: number({ min: -1, max: 100_000 }).optional().meta({ description: "meters per second; negative = unknown" }),
  course: number({ min: -360, max: 360 }).optional().meta({ description: "degrees from north; negative = unknown" }),
  barometricAltitude: number({ min: -100_000, max: 1_000_000 })
    .optional()
    .meta({ description: "meters, from the barometer" }),
  activityType: optionalText().meta({
    description: "activity from the device's motion sensors, such as `foot` or `car`",
  }),
  userTags: optionalList({ max: MAX_USER_TAGS }).meta({ description: "the user's tags; replaces those stored" }),
  anonymous: flag().optional().meta({ description: "true: nothing is stored" }),
  ...heldFields,
  beacons: json(z.array(z.unknown().meta(RANGED_BEACON), { error: BEACONS_RULE }))
    .optional()
    .meta({
      description: "all beacons in range now, {type, uuid, major, minor} or {type, uid, instance}; absent: not in use",
    }),
  tripOptions: json(tripOptions).optional().meta({
    description: "the device's trip: started if it is pending, created if its externalId does not exist",
  }),
  nearbyGeofences: flag().optional().meta({ description: "true: `nearbyGeofences` holds the nearest geofences" }),
  nearbyGeofencesLimit: number({ min: 0, max: MAX_NEARBY, integer: true })
    .optional()
    .meta({ description: "how many of them; default 10, also for 0, which Android sends if it is not set" }),
  notificationDiff: z
    .preprocess(
      (value) => (Array.isArray(value) ? value : undefined),
      z.array(z.unknown().meta({ type: "object" })).optional(),
    )
    .optional()
    .meta({ description: "notifications of campaigns that the phone has shown since its last update (iOS)" }),
  mocked: flag().optional().meta({ description: "the client detected a simulated location" }),
  compromised: flag().optional().meta({ description: "the client detected a tampered device" }),
  sharing: flag().optional().meta({ description: "the client detected screen sharing" }),
  verified: flag().optional().meta({
    description: "the update came through verified tracking: it is checked for fraud, and the response is signed",
  }),
  ...verifiedFields,
});

export const trackBody = standingIn(fields, "installId", "deviceId");

export type TrackBody = z.output<typeof trackBody>;

/**
 * The time [ms] that a client sends for an update, even an impossible one. In a replay, a time relative to the start of
 * the device (`updatedAtMsDiff`) is less reliable than a clock time: the device may have restarted since.
 */
export function claimedTime(
  { updatedAt, updatedAtMs, updatedAtMsDiff }: Pick<TrackBody, "updatedAt" | "updatedAtMs" | "updatedAtMsDiff">,
  replayed: boolean,
  now: number,
): number | undefined {
  const counted = updatedAtMsDiff === undefined ? undefined : now - updatedAtMsDiff;
  return (replayed ? (updatedAtMs ?? counted) : (counted ?? updatedAtMs)) ?? updatedAt;
}

/** A checked body as an update of src/core/tracking; with claims only if the project runs fraud checks. */
export function toUpdate(
  body: TrackBody,
  { caller, ip, now, request }: Pick<Call, "caller" | "ip" | "now" | "request">,
  { fraud }: Pick<TrackingSettings, "fraud">,
): LocationUpdate {
  const {
    updatedAtMsDiff,
    updatedAtMs,
    latitude,
    longitude,
    mocked,
    compromised,
    sharing,
    verified,
    tripOptions,
    ...rest
  } = body;
  const time = claimedTime(body, body.replayed ?? false, now);
  // Fields about the response, not the user, are not part of the update.
  const {
    anonymous,
    geofenceIds,
    placeId,
    regionIds,
    beaconIds,
    nearbyGeofences,
    nearbyGeofencesLimit,
    verticalAccuracy,
    notificationDiff,
    expectedCountryCode,
    expectedStateCode,
    reason,
    transactionId,
    ...known
  } = rest;
  const { beacons, ...device } = known;
  return {
    ...device,
    userId: spokenFor(caller, device.userId, device.deviceId),
    updatedAt: time !== undefined && isDeviceTime(time, now) ? time : undefined,
    location: { latitude, longitude },
    ...unknownFigures(device, verticalAccuracy),
    replayed: rest.replayed ?? false,
    ...(beacons && { beacons: signalsOf(beacons) }),
    ...(tripOptions && { tripOptions: tripOptions as TripOptions }),
    ...(fraud && { claims: { mocked, compromised, sharing, verified, proxy: locationOf(request).proxy } }),
    ip,
    receivedAt: now,
  };
}

/** Figures that the device marked as unknown (iOS by -1), now absent. Usually there are none. */
function unknownFigures(
  { speed, course, altitude, barometricAltitude }: Partial<TrackBody>,
  verticalAccuracy: unknown,
) {
  return {
    ...(speed !== undefined && speed < 0 && { speed: undefined }),
    ...(course !== undefined && course < 0 && { course: undefined }),
    ...(altitude !== undefined && { altitude: knownAltitude(altitude, verticalAccuracy) }),
    ...(barometricAltitude === -1 && { barometricAltitude: undefined }),
  };
}

/** The fields of an update for campaigns. */
export function engagementOf({
  nearbyGeofences,
  notificationDiff,
}: Pick<TrackBody, "nearbyGeofences" | "notificationDiff">): { wantsFences?: boolean; shown?: Shown[] } {
  const shown = notificationDiff ? shownNotifications(notificationDiff) : [];
  return { ...(nearbyGeofences && { wantsFences: true }), ...(shown.length > 0 && { shown }) };
}

/** The signals of the ranged beacons; entries of unknown kinds are skipped. */
function signalsOf(beacons: readonly unknown[]): string[] {
  const signals = new Set<string>();
  for (const beacon of beacons.slice(0, MAX_BEACONS)) {
    const { data } = ranged.safeParse(dropNulls(beacon));
    if (data) signals.add(signalOf(data));
  }
  return [...signals];
}
