import { csvRow } from "./write-csv.ts";

/**
 * The columns of exported tables: one column for each commonly used field; lists and dictionaries are JSON in one
 * column. A name with dots is a path in the API object ("user.deviceId"); `latitude` and `longitude` are from its
 * `location`. For all fields, use NDJSON.
 */
const DEVICE = ["deviceType", "deviceMake", "deviceModel", "deviceOS", "sdkVersion"] as const;
const POSITION = ["latitude", "longitude", "locationAccuracy"] as const;

export const USER_COLUMNS: readonly string[] = [
  ...["_id", "userId", "deviceId", "description", "createdAt", "updatedAt", ...POSITION],
  ...["speed", "course", "altitude", "stopped", "foreground", "geofences", "place._id", "place.name"],
  ...["country.code", "state.code", "dma.code", "postalCode.code", "trip.externalId", "trip.status", "fraud.passed"],
  ...["segments", ...DEVICE, "ip", "metadata"],
];

export const EVENT_COLUMNS: readonly string[] = [
  ...["_id", "type", "createdAt", "actualCreatedAt", "user._id", "user.userId", "user.deviceId", ...POSITION],
  ...["confidence", "duration", "geofence._id", "geofence.tag", "geofence.externalId", "geofence.description"],
  ...["place._id", "place.name", "place.chain.slug", "region.type", "region.code", "region.name"],
  ...["beacon._id", "beacon.tag", "beacon.externalId", "beacon.description"],
  ...["trip._id", "trip.externalId", "trip.status", "fraud.passed", "verification", "replayed", "custom"],
  ...["foreground", "stopped", ...DEVICE, "metadata"],
  // Newer columns come last, because people read the others by their position.
  ...["driving.speedKmh", "driving.limitKmh", "driving.road"],
  ...["meeting.name", "otherUser.userId", "otherUser.deviceId", "otherUser.distance"],
  ...["driving.topSpeedKmh", "driving.distanceFromRoute", "meeting._id", "otherUser.age"],
];

export const UPDATE_COLUMNS: readonly string[] = [
  ...["at", "receivedAt", "latitude", "longitude", "accuracy", "altitude", "speed", "course", "stopped", "foreground"],
  ...["replayed", "source", "counted", "events"],
];

export const TRIP_COLUMNS: readonly string[] = [
  ...["_id", "externalId", "status", "mode", "userId", "user._id", "user.deviceId", "createdAt", "updatedAt"],
  ...["startedAt", "approachingAt", "arrivedAt", "endedAt", "scheduledArrivalAt", "delay.scheduledArrivalTimeDelay"],
  ...["eta.duration", "eta.distance", "destinationGeofenceTag", "destinationGeofenceExternalId"],
  ...["destinationLatitude", "destinationLongitude", "approachingThreshold", "metadata"],
];

export const JOURNEY_COLUMNS: readonly string[] = [
  ...["userId", "deviceId", "type", "startedAt", "endedAt", "duration", "latitude", "longitude"],
  ...[
    "address.formattedAddress",
    "geofences",
    "places",
    "ongoing",
    "distance",
    "matched",
    "averageSpeed",
    "topSpeed",
    "gaps",
  ],
];

export const JOURNEY_STATS_COLUMNS: readonly string[] = [
  ...[
    "day",
    "user._id",
    "user.userId",
    "user.deviceId",
    "stops",
    "journeys",
    "distance",
    "moving",
    "standing",
    "topSpeed",
    "excesses",
    "speeding",
    "user.description",
  ],
];

/** The table row of an API object. */
export function tableRow(columns: readonly string[], wire: object): string {
  return csvRow(columns.map((column) => valueAt(wire, column)));
}

function valueAt(wire: object, column: string): unknown {
  if (column === "latitude") return position(wire, "location")?.[1];
  if (column === "longitude") return position(wire, "location")?.[0];
  if (column === "destinationLatitude") return position(wire, "destinationLocation")?.[1];
  if (column === "destinationLongitude") return position(wire, "destinationLocation")?.[0];
  let value: unknown = wire;
  for (const name of column.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function position(wire: object, field: string): readonly unknown[] | undefined {
  const point = (wire as Record<string, { coordinates?: readonly unknown[] } | undefined>)[field];
  return point?.coordinates;
}
