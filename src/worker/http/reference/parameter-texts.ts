/**
 * Descriptions of parameters whose schema has none. A name has the same meaning at every endpoint, except for the
 * few listed with their endpoint (`endpoint.name`). test/worker/http/reference/reference.test.ts finds missing and unused texts.
 */
const TEXTS: Readonly<Record<string, string>> = {
  // Positions and travel
  near: "Position to search around: `latitude,longitude` as decimal degrees.",
  coordinates: "Position: `latitude,longitude` as decimal degrees. Spaces around the numbers are ignored.",
  latitude: "Degrees north of the equator.",
  longitude: "Degrees east of Greenwich.",
  origin: "Start: `latitude,longitude` as decimal degrees.",
  destination: "End: `latitude,longitude` as decimal degrees.",
  avoid: "Road types to avoid if there is another route, comma separated.",
  geometry: "Geometry format: GeoJSON, or an encoded polyline with 5 or 6 decimals. Absent: see the default.",
  "importGeofences.geometry": "Of a single GeoJSON Feature: its Point or Polygon.",
  "distance.geometry": "Geometry format of the route in each mode; absent: no geometry.",
  "optimize.geometry": "Geometry format of the legs; absent: no geometry.",
  units: "Unit system: feet and miles, or meters and kilometers; also for speeds.",
  bbox: "Area that must be visible: `minLat,minLon,maxLat,maxLon`.",
  center: "Center of the map: `latitude,longitude`. Optional if markers, a path or `bbox` are set.",
  roadAttributes: "Attributes to return for each road, comma separated.",
  // Searching
  query: "Partial address or place name. A string of spaces is treated as missing.",
  country: "Limits results to these countries: 2-letter codes, comma separated.",
  countryCode: "Limits results to these countries: 2-letter codes, comma separated.",
  lang: "Language of names and instructions.",
  layers: "Layers of the results, comma separated; `coarse` and `fine` each stand for several.",
  "uploadMapStyle.layers": "Layers of the style in MapLibre's format; layers with other sources are omitted.",
  limit: "Maximum number of results.",
  categories: "Slugs of categories, comma separated; required without `chains`.",
  chains: "Slugs of chains, or your own ids for them, comma separated; required without `categories`.",
  iataCode: "Three-letter airport code; no other parameter is required with it.",
  includeGeometry: "`false` omits the shapes; required for more than 100 geofences.",
  tags: "Only geofences with one of these tags, comma separated.",
  city: "Name of the city.",
  // Lists
  createdAfter: "Only items created after this time (ISO 8601).",
  createdBefore:
    "Only items created before this time (ISO 8601); use the time of a page's last row to get the next page.",
  updatedAfter: "Only items updated after this time (ISO 8601).",
  updatedBefore:
    "Only items updated before this time (ISO 8601); use the time of a page's last row to get the next page.",
  confidence: "Minimum confidence of events: 1 low, 2 medium, 3 high.",
  sortBy: "Time to sort by, newest first.",
  kinds: "Kinds to return, comma separated; default: all.",
  from: "Start time (ISO 8601).",
  to: "End time (ISO 8601).",
  at: "Time (ISO 8601).",
  format: "Response format.",
  // Names of things
  tag: "Group that it belongs to; you choose the name.",
  externalId: "Your own id; unique together with the tag.",
  "createTrip.externalId": "Your own id for the trip.",
  "listTrips.externalId": "Only trips with one of these externalIds, comma separated.",
  "exportTrips.externalId": "Only trips with one of these externalIds, comma separated.",
  userId: "Your own id for the user; don't use a person's name, address or phone number.",
  userIds: "Only for these users: userIds or deviceIds.",
  segments: "Only for users in one of these segments: their externalIds.",
  deviceId: "Id of the device.",
  installId: "Id of the app's installation; used if deviceId is absent.",
  destinationGeofenceTag: "Tag of the geofence where the trip ends.",
  destinationGeofenceExternalId: "externalId of the geofence where the trip ends.",
  messageId: "Id of the message: `webhook-id`, or from the list of dead letters.",
  kind: "Kind of key: `testPublishable`, `testSecret`, `livePublishable` or `liveSecret`.",
  "createGeocodeJob.kind": "Type of request in each row.",
  name: "Name.",
  "logConversion.name": "Name of the conversion, which becomes the event's type.",
  description: "Display name in the dashboard.",
  metadata: "Your own keys with string, number or boolean values.",
  type: "Type.",
  // Devices
  deviceType: "`iOS`, `Android` or `Web`.",
  deviceOS: "The device's operating system and its version.",
  deviceMake: "Manufacturer of the device.",
  deviceModel: "The device's model.",
  sdkVersion: "Version of the SDK that sends this.",
  foreground: "Whether the app is in the foreground.",
  stopped: "Whether the device is stationary.",
  replayed: "Whether this update was stored while the device was offline.",
  replays: "The updates, each with its own `updatedAt`: bodies of `POST /v1/track`.",
  updatedAt: "Time of the location (ISO 8601); absent: now.",
  locationAuthorization: "Location permission of the app.",
  locationAccuracyAuthorization: "Whether the app has access to the precise location.",
  device_id: "Id of the device, as Traccar Client sends it.",
  logs: "Lines of the SDK's own log.",
  xPlatformType: "The framework the SDK is wrapped for: `ReactNative`, `Flutter`, …",
  appId: "Id of the app in its store.",
  appName: "Name of the app.",
  appVersion: "Version of the app.",
  appBuild: "Build number of the app.",
  expectedCountryCode: "Country in which the device must be to pass.",
  expectedStateCode: "State in which the device must be to pass.",
  reason: "Your own reason for the check; included in the token.",
  transactionId: "Your own transaction id; included in the response and the token.",
  usage: "Why the SDK requests its settings.",
  // Geofences, beacons and trips
  stopDetection: "If true, only stopped devices or devices with the app in the foreground enter.",
  operatingHours: 'Opening hours by weekday: `{"Mon": [["09:00", "17:00"]]}`. No user enters outside these hours.',
  disableAfter: "Disables the geofence at this time (ISO 8601).",
  deleteAfter: "Deletes the geofence at this time (ISO 8601).",
  ip: "IP addresses, stored for your own use; they have no effect.",
  enabled: "`false` stores it but disables it.",
  scheduledArrivalAt: "Planned arrival time (ISO 8601); a trip with a later ETA is delayed.",
  status: "Status of the trip.",
  "listTrips.status": "Only trips of these statuses, comma separated.",
  "exportTrips.status": "Only trips of these statuses, comma separated.",
  bypassed: "Whether the user passes all fraud checks.",
  blocked: "Whether the user's updates are ignored.",
  createdAt: "Time of the conversion (ISO 8601); absent: now.",
  verification: "1: true; −1: false; 0: unknown.",
  // Files
  csv: "CSV file as a string, with a header row.",
  filename: "Name of the file, for the history.",
  dryRun: "Reports the result of the import without changing anything.",
  features:
    "The features of a GeoJSON FeatureCollection, each a Point (with a radius among its properties) or a Polygon.",
  properties: "Of a single GeoJSON Feature: the geofence's fields.",
  crs: "Of GeoJSON: omitted or WGS 84; any other value is rejected.",
  rows: "Requests, one per row.",
  // A fleet, as VROOM describes it
  vehicles: "The vehicles, with start, end, capacity, skills, hours and breaks.",
  jobs: "Tasks at one location each.",
  shipments: "Tasks with a pickup and a delivery.",
  options: "`g: true` also returns the geometry of the routes.",
  // Settings
  beacons: "UUIDs and UIDs to which the SDKs limit beacon ranging.",
  chainMappings: "Your own ids for chains, by slug.",
  chainMetadata: "Your own metadata for chains, by slug.",
  geocoding: "Default layers of forward geocoding.",
  nearbyChains: "Chains that generate events when near, and the distance.",
  placeFilters: "Chains and categories that are used as places.",
  retention: "Retention periods by kind of data.",
  tracking: "Effects of a location update.",
  monthlyQuota: "Calls per month; `null`: unlimited.",
  rateLimits: "Calls per second by endpoint, instead of the default limits.",
  // Maps
  fontstack: "Names of fonts, comma separated, as in a style.",
  range: "A range of 256 characters: `0-255.pbf`, `256-511.pbf`, …",
  sprite: "Name of the sprite with its ending: `….json`, `….png`, `…@2x.json`, `…@2x.png`.",
  style:
    "Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded.",
  x: "Column of the tile, from the west.",
  y: "Row of the tile, from the north, with or without its ending (`.mvt`, `.png`).",
  z: "Zoom of the tile.",
  version: "8, MapLibre's version of the format.",
  // The dashboard
  url: "Name of an uploaded image, with or without `.png`, or the URL of a campaign's image.",
  email: "Email address of the member.",
  role: "Role of the member: `read`, `write`, `admin` or `owner`.",
  token: "Token from the sign-in link.",
  credential: "Response of the browser to the options, as in WebAuthn.",
};

/** Descriptions of `:id`, `:name` or `:token` in a path, by path prefix; the longest matching prefix wins. */
const IDS: Readonly<Record<string, string>> = {
  "/v1/geocode/jobs": "`_id` of the job.",
  "/v1/route/jobs": "`_id` of the job.",
  "/maps/markers": "Name of an uploaded icon, or of one of the default style (`bus`, `museum`, …).",
  "/v1/places": "`_id` of the place, from searches, contexts and events.",
  "/v1/addresses": "`_id` of the address, from geocoding.",
  "/v1/geofences": "`_id` of the geofence.",
  "/v1/imports": "`_id` of the import.",
  "/v1/beacons": "`_id` of the beacon.",
  "/v1/campaigns": "`_id` of the campaign.",
  "/v1/segments": "`_id` or `externalId` of the segment.",
  "/v1/users": "The user's `_id`, `userId` or `deviceId`.",
  "/v1/trips": "The trip's `_id` or `externalId`.",
  "/v1/events": "`_id` of the event.",
  "/v1/webhooks": "`_id` of the webhook.",
  "/v1/shares": "Token of the link; to revoke it, its `_id`.",
  "/v1/maps/icons": "Name of the icon, as `markers=icon:…` uses it.",
  "/v1/maps/styles": "Name of the style, as `style=…` uses it.",
  "/dashboard/api/geodata": "Name of the import.",
  "/dashboard/api/members": "Id of the member.",
  "/dashboard/api/passkeys": "Id of the passkey.",
  "/dashboard/api": "Id from the list.",
};

/** Returns the description of a path parameter. */
export function pathParameterText(path: string, name: string): string | undefined {
  if (name === "legId") return "`_id` of the leg, from the trip.";
  if (name === "shareId" || (name === "share" && path.includes("shares"))) return "`_id` of the link.";
  if (name === "id" || name === "name" || name === "token") {
    const begin = Object.keys(IDS)
      .filter((one) => path.startsWith(one))
      .sort((a, b) => b.length - a.length)[0];
    if (begin) return IDS[begin];
  }
  return TEXTS[name];
}

type Fields = Record<string, Record<string, unknown>>;

/** Returns the schema with a description, including bounds, for each field. */
export function describedSchema(endpoint: string, schema: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Fields).map(([name, field]) => {
    const text = field.description ?? TEXTS[`${endpoint}.${name}`] ?? TEXTS[name];
    return [name, withBounds(text === undefined ? field : { ...field, description: text })] as const;
  });
  return { ...schema, ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}) };
}

type Field = Record<string, unknown>;

/** Larger bounds are the limits of the number type and are not stated. */
const MAX_STATED = 1e15;

/** Adds the bounds to the descriptions of the field and its inner fields if they are missing. */
function withBounds(field: Field): Field {
  const properties = field.properties as Fields | undefined;
  const inner: Field = {
    ...field,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withBounds(one)])),
    }),
    ...(isField(field.items) && { items: withBounds(field.items) }),
    ...(Array.isArray(field.anyOf) && { anyOf: field.anyOf.map((one) => (isField(one) ? withBounds(one) : one)) }),
  };
  const text = typeof field.description === "string" ? field.description.trim() : "";
  const bounds = boundsText(field);
  if (bounds === undefined || statesBounds(text, field)) return inner;
  return { ...inner, description: text === "" ? bounds : `${text}${/[.!?:]$/.test(text) ? "" : "."} ${bounds}` };
}

const isField = (value: unknown): value is Field =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the bounds that a description has to state: minimum, maximum and maximum number of items. */
function boundsOf({ minimum, exclusiveMinimum, maximum, maxItems }: Field) {
  const stated = (bound: unknown) => (typeof bound === "number" && Math.abs(bound) < MAX_STATED ? bound : undefined);
  return { min: stated(minimum), above: stated(exclusiveMinimum), max: stated(maximum), items: stated(maxItems) };
}

function boundsText(field: Field): string | undefined {
  const { min, above, max, items } = boundsOf(field);
  const least = above !== undefined ? `Greater than ${above}` : min !== undefined ? `At least ${min}` : undefined;
  if (above === undefined && min !== undefined && max !== undefined) return `${min} to ${max}.`;
  if (least !== undefined && max !== undefined) return `${least}, up to ${max}.`;
  if (max !== undefined) return `Up to ${max}.`;
  return least !== undefined ? `${least}.` : items !== undefined ? `Up to ${items} items.` : undefined;
}

/** Whether a text states all bounds of its field in digits. "10,000" is 10000. */
function statesBounds(text: string, field: Field): boolean {
  const numbers = new Set((text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number));
  return Object.values(boundsOf(field)).every((bound) => bound === undefined || numbers.has(bound));
}
