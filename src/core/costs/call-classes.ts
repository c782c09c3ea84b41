import type { Usage } from "./prices.ts";

/** What one call uses, of what the platform bills. Absent: nothing. */
export type CallUsage = Partial<Omit<Usage, "plan" | "requests" | "logs">> & { cpu: number };

/** A call asks its project's rate limiter, an object in memory, for about 10 ms [GB s of 128 MB]. */
const LIMITED = { objectRequests: 1, objectDuration: 0.00128 };

/**
 * Usage per call by class. `track` is what `npm run bench -- cost` counts over a month of simulated devices (stores, alarms, reads of
 * geofences, webhooks' events included); CPU of the others is that of
 * `npm run bench -- call-costs` (2026-11-26, two cores), or of a real city where a bench has one (routes, isochrone, static-map). Rows are
 * those of the statements; tiles of geodata are read from R2 where the isolate's cache does not have them: one in four lookups, and one for
 * each other search or tile.
 */
export const CALL_CLASSES = {
  track: {
    cpu: 1.05,
    objectRequests: 2.2,
    objectDuration: 0.0067,
    objectReads: 2.72,
    objectRows: 1.1,
    databaseReads: 13.9,
    databaseRows: 1.19,
  },
  /** Configuration, health, logs. */
  light: { ...LIMITED, cpu: 0.4 },
  /** Geocoding, places, regions, distances and addresses. */
  lookup: { ...LIMITED, cpu: 1, bucketReads: 0.25 },
  /** Several lookups, or many rows of one. */
  batch: { ...LIMITED, cpu: 60, bucketReads: 12 },
  /** Lists and single records of the project. */
  records: { ...LIMITED, cpu: 2.5, databaseReads: 220 },
  /** A change of a record: with its geofences, webhooks or users as objects. */
  change: {
    cpu: 2.5,
    objectRequests: 3,
    objectDuration: 0.02,
    objectReads: 10,
    objectRows: 3,
    databaseReads: 10,
    databaseRows: 6,
  },
  directions: { ...LIMITED, cpu: 5, bucketReads: 1 },
  /** Matrices, matched traces and orders of a few stops. */
  matrix: { ...LIMITED, cpu: 5, bucketReads: 1 },
  isochrone: { ...LIMITED, cpu: 30, bucketReads: 2 },
  /** A fleet, or a job of many rows: seconds of computing. */
  job: { cpu: 3_000, objectRequests: 20, objectDuration: 2, objectRows: 40, bucketReads: 40, bucketWrites: 2 },
  /** Vector tiles, styles, glyphs, sprites. */
  tile: { ...LIMITED, cpu: 0.6, bucketReads: 1 },
  /** A drawn map: static, or a raster tile. */
  picture: { ...LIMITED, cpu: 40, bucketReads: 2 },
  /** A file of many rows. */
  export: { ...LIMITED, cpu: 200, databaseReads: 20_000, bucketReads: 20 },
} as const satisfies Record<string, CallUsage>;

export type CallClass = keyof typeof CALL_CLASSES;

/** Endpoints by class; a name that begins with list, get, search and so on needs no line. */
const NAMED: Partial<Record<CallClass, string>> = {
  track: "track replayTrack ingestOverland ingestOwnTracks ingestTraccar ingestTraccarQuery",
  light: "config postConfig logs health ping signMap syncRegion getAsset revealRisk autocompleteClick computing",
  lookup:
    "context forwardGeocode reverseGeocode ipGeocode autocomplete searchPlaces getPlace getAddress validateAddress distance elevation",
  batch: "geocodeBatch",
  directions: "directions tripRoute routeGraph",
  matrix: "matrix match optimize",
  isochrone: "isochrone",
  job: "optimizeFleet createGeocodeJob createMatchJob createFleetJob",
  tile: "mapTile mapTileJson rasterTileJson mapStyle mapGlyphs mapSprite mapMarker shareMapStyle shareMapTile shareMapGlyphs shareMapSprite",
  picture: "staticMap postStaticMap rasterTile",
  export: "exportUser exportUsers exportEvents exportGeofences exportTrips getGeocodeJobResult getRouteJobResult",
};
const CLASS_OF = new Map(
  Object.entries(NAMED).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as CallClass] as const)),
);
const READS = /^(list|get|search|geofenceUsers|explain|live|webhookDeliveries|preview)/;

/** The class of an endpoint, by its name in the statistics; what is neither listed nor a read changes something. */
export function classOf(endpoint: string): CallClass {
  return CLASS_OF.get(endpoint) ?? (READS.test(endpoint) ? "records" : "change");
}
