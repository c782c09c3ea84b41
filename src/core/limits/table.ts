/**
 * Calls per second for one scope (project × live/test) and endpoint, from the specification's Limits table; 10 if it
 * has no entry. Track and IP geocode are counted per device instead. A project's settings may override each.
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
  // Not in the specification: reads the same data as a place search, and as a validation.
  getPlace: 150,
  getAddress: 100,
  distance: 100,
  // Not in the specification: reads up to 512 tiles of the ground.
  elevation: 20,
  matrix: 20,
  match: 10,
  directions: 10,
  optimize: 10,
  // Not in the specification: a fleet takes seconds of computing.
  optimizeFleet: 2,
  // Not in the specification: costs as much as a matrix.
  isochrone: 10,
  // Not in the specification: counted row by row, including those of jobs.
  geocodeBatch: 1000,
  // Not in the specification: an interactive map requests dozens of tiles together.
  mapStyle: 50,
  mapTileJson: 50,
  mapTile: 500,
  rasterTileJson: 50,
  rasterTile: 500,
  mapGlyphs: 200,
  mapSprite: 100,
  mapMarker: 100,
} as const satisfies Record<string, number>;

/** Default if the specification has no limit. */
const DEFAULT_RATE_LIMIT = 10;

/** Endpoints with the default limit. With them the table contains every name that a project's own limits may use. */
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
  ...["createCampaign", "listCampaigns", "getCampaign", "updateCampaign", "deleteCampaign", "explainCampaign"],
  ...["createSegment", "listSegments", "getSegment", "updateSegment", "deleteSegment", "listSegmentUsers"],
  ...["createMeeting", "listMeetings", "getMeeting", "updateMeeting", "deleteMeeting"],
  ...["previewSegment", "health", "routeGraph"],
  ...["listUserJourneys", "getJourneyStats"],
  ...["getStats", "getEtaStats", "live", "listUserUpdates", "explainEvent", "explain", "listLiveGeodata"],
  ...["importGeofences", "listGeofenceImports", "getGeofenceImport"],
  ...["shareTrip", "listTripShares", "revokeTripShare"],
  ...["exportUser", "exportUsers", "exportEvents", "exportGeofences", "exportTrips"],
  ...["testWebhook", "webhookDeliveries", "listDeadLetters", "replayDeadLetters", "replayDeadLetter"],
];

/** Counted per device, not per scope [calls/s]: IP geocode per device or address; track together with replays. */
const DEVICE_RATES = { track: 1, ipGeocode: 10 } as const;
export const TRACK_RATE_PER_DEVICE = DEVICE_RATES.track;
export const IP_GEOCODE_RATE_PER_DEVICE = DEVICE_RATES.ipGeocode;

/**
 * Rate at which an app may send buffered positions [calls/s and device]: some empty their queue one by one, as fast as
 * the server responds.
 */
export const INGEST_RATE_PER_DEVICE = 20;

/**
 * What one publishable key may add [per hour]: anyone with the app has the key. Secret keys, which are on servers, have no
 * such limit. Megabytes count what is stored of users, events and trips; positions of known users are never affected.
 */
export const CREATION_LIMITS = {
  newUsers: 10_000,
  newTrips: 10_000,
  /** Conversions, and events that phones generated without a network. */
  newEvents: 20_000,
  newMegabytes: 500,
  /** Of one device. */
  newMegabytesPerDevice: 50,
} as const;
export type Creation = keyof typeof CREATION_LIMITS;
export const BYTES_PER_MEGABYTE = 1_000_000;

/** The limit of what requests with a publishable key, or of a member, compute: its name beside those of endpoints. */
export const COMPUTING = "computing";
/**
 * Milliseconds of computing per second, half of a core: about a thousand units of `Pace` each. An account holds ten seconds' worth.
 * Requests of a few milliseconds are never rejected by it. Secret keys, which are on servers, have no such limit.
 */
const COMPUTING_MS = 500;

/** The period of a limit. */
export function periodOf(name: string): "second" | "hour" {
  return Object.hasOwn(CREATION_LIMITS, name) ? "hour" : "second";
}

/** All endpoints with a project limit, and other limits, by name. */
export const LIMITED_ENDPOINTS: readonly string[] = [
  ...Object.keys(CREATION_LIMITS),
  COMPUTING,
  ...Object.keys(DEVICE_RATES),
  ...Object.keys(RATE_LIMITS),
  ...AT_DEFAULT,
].sort();

/** Open endpoints: calls per second and address. The two documents are large, and read by people. */
const ADDRESS_RATES: Readonly<Record<string, number>> = {
  ping: 100,
  jwks: 100,
  protectedResource: 100,
  authorizationServer: 100,
  mcp: 100,
  openapi: 20,
  docs: 20,
  signIn: 5,
  passkeySignInOptions: 5,
  passkeySignIn: 5,
  // The map of a shared trip requests the tiles of a window together, as other maps do.
  shareMapStyle: 10,
  shareMapTile: 100,
  shareMapGlyphs: 50,
  shareMapSprite: 20,
};

export function addressRateOf(endpoint: string): number {
  return ADDRESS_RATES[endpoint] ?? DEFAULT_RATE_LIMIT;
}

const ALL_RATES: Readonly<Record<string, number>> = {
  ...DEVICE_RATES,
  ...RATE_LIMITS,
  ...CREATION_LIMITS,
  [COMPUTING]: COMPUTING_MS,
};

/** The limit of an endpoint [calls/s], of created objects [per hour], or of computing [ms/s], after the project's overrides. */
export function rateLimitOf(endpoint: string, overrides: Readonly<Record<string, number>> = {}): number {
  return overrides[endpoint] ?? ALL_RATES[endpoint] ?? DEFAULT_RATE_LIMIT;
}
