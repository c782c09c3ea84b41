/**
 * Calls per second for one scope (project × live/test) and endpoint, as the specification's Limits table gives them;
 * 10 where it gives none. Track and IP geocode are counted per device instead. A project's settings may override each.
 */
const RATE_LIMITS = {
  context: 10,
  forwardGeocode: 10,
  reverseGeocode: 10,
  autocomplete: 10,
  searchUsers: 100,
  searchGeofences: 100,
  searchPlaces: 150,
  validateAddress: 100,
  // Ours: one read of the same data as a search of places, and as a validation.
  getPlace: 150,
  getAddress: 100,
  distance: 100,
  matrix: 20,
  match: 10,
  directions: 10,
  optimize: 10,
  // Ours: a whole fleet is seconds of computing.
  optimizeFleet: 2,
  // Ours, like a matrix in what it costs.
  isochrone: 10,
  // Ours: counted row by row, those of jobs included.
  geocodeBatch: 1000,
  // Ours: a map on a screen asks for dozens of tiles at once.
  mapStyle: 50,
  mapTileJson: 50,
  mapTile: 500,
  rasterTileJson: 50,
  rasterTile: 500,
  mapGlyphs: 200,
  mapSprite: 100,
  mapMarker: 100,
} as const satisfies Record<string, number>;

/** Where the specification gives no limit. */
const DEFAULT_RATE_LIMIT = 10;

/** Endpoints held to the default. With them the table knows every name that a project's own limits may speak of. */
const AT_DEFAULT = [
  ...[
    "autocompleteClick",
    "createGeocodeJob",
    "listGeocodeJobs",
    "getGeocodeJob",
    "getGeocodeJobResult",
    "cancelGeocodeJob",
    "deleteGeocodeJob",
    "createMatchJob",
    "createFleetJob",
    "listRouteJobs",
    "getRouteJob",
    "getRouteJobResult",
    "cancelRouteJob",
    "deleteRouteJob",
    "searchBeacons",
    "staticMap",
    "postStaticMap",
    "signMap",
    "syncRegion",
    "config",
    "logs",
    "getSettings",
    "patchSettings",
  ],
  ...[
    "uploadMapIcon",
    "listMapIcons",
    "deleteMapIcon",
    "uploadMapStyle",
    "listMapStyles",
    "getMapStyle",
    "deleteMapStyle",
  ],
  ...["createGeofence", "listGeofences", "geofenceUsersById", "geofenceUsers", "upsertGeofence", "getGeofence"],
  ...["deleteGeofence", "updateGeofence", "getGeofenceById", "deleteGeofenceById"],
  ...["createBeacon", "listBeacons", "upsertBeacon", "getBeacon", "deleteBeacon", "updateBeacon", "getBeaconById"],
  ...["deleteBeaconById", "importBeacons", "listBeaconImports", "getBeaconImport"],
  ...["listUsers", "getUser", "deleteUser", "setUserFraud", "setUserSegments"],
  ...["createTrip", "updateTrip", "listTrips", "getTrip", "tripRoute", "deleteTrip"],
  ...["setTripLegs", "updateTripLeg", "getAsset", "postConfig", "revealRisk"],
  ...["logConversion", "verifyEvent", "listEvents", "getEvent", "deleteEvent"],
  ...["createWebhook", "listWebhooks", "getWebhook", "updateWebhook", "deleteWebhook", "rotateWebhookSecret"],
  ...["health"],
  ...["getStats", "live", "listUserUpdates", "explainEvent", "explain", "listLiveGeodata"],
  ...["importGeofences", "listGeofenceImports", "getGeofenceImport"],
  ...["shareTrip", "listTripShares", "revokeTripShare"],
  ...["exportUser", "exportUsers", "exportEvents", "exportGeofences", "exportTrips"],
  ...["testWebhook", "webhookDeliveries", "listDeadLetters", "replayDeadLetters", "replayDeadLetter"],
];

/** Counted per device, not per scope [calls/s]: IP geocode per device or address; track together with replays. */
export const DEVICE_RATES = { track: 1, ipGeocode: 10 } as const;
export const TRACK_RATE_PER_DEVICE = DEVICE_RATES.track;
export const IP_GEOCODE_RATE_PER_DEVICE = DEVICE_RATES.ipGeocode;

/**
 * How often an app may come with positions it had kept [calls/s and device]: some empty their queue one by one, as fast as they are
 * answered.
 */
export const INGEST_RATE_PER_DEVICE = 20;

/**
 * What one publishable key may create [per hour]: anyone who has the app has the key. Known users and trips are never affected. Secret keys, which are on
 * servers, have no such limit.
 */
export const CREATION_LIMITS = { newUsers: 10_000, newTrips: 10_000 } as const;

/** The time that a limit counts in. */
export function periodOf(name: string): "second" | "hour" {
  return Object.hasOwn(CREATION_LIMITS, name) ? "hour" : "second";
}

/** Every endpoint that has a limit of its project, and what else is limited, by name. */
export const LIMITED_ENDPOINTS: readonly string[] = [
  ...Object.keys(CREATION_LIMITS),
  ...Object.keys(DEVICE_RATES),
  ...Object.keys(RATE_LIMITS),
  ...AT_DEFAULT,
].sort();

/** Open endpoints: calls per second and address. The two documents are large, and read by people. */
const ADDRESS_RATES: Readonly<Record<string, number>> = {
  ping: 100,
  jwks: 100,
  openapi: 20,
  docs: 20,
  signIn: 5,
  passkeySignInOptions: 5,
  passkeySignIn: 5,
};

export function addressRateOf(endpoint: string): number {
  return ADDRESS_RATES[endpoint] ?? DEFAULT_RATE_LIMIT;
}

const ALL_RATES: Readonly<Record<string, number>> = { ...DEVICE_RATES, ...RATE_LIMITS, ...CREATION_LIMITS };

/** The limit of an endpoint [calls/s], or of what is created [per hour], after the project's overrides. */
export function rateLimitOf(endpoint: string, overrides: Readonly<Record<string, number>> = {}): number {
  return overrides[endpoint] ?? ALL_RATES[endpoint] ?? DEFAULT_RATE_LIMIT;
}
