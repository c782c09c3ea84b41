/**
 * What a parameter means, for those whose schema does not say it by itself: the same name means the same at every endpoint, but for the
 * few that are told with their endpoint (`endpoint.name`). test/http/reference.test.ts finds what has no text, and texts nobody needs.
 */
const TEXTS: Readonly<Record<string, string>> = {
  // Positions and travel
  near: "Position to search around: `latitude,longitude` as decimal degrees.",
  coordinates: "Position: `latitude,longitude` as decimal degrees. Spaces around the numbers are ignored.",
  latitude: "Degrees north of the equator.",
  longitude: "Degrees east of Greenwich.",
  origin: "Start: `latitude,longitude` as decimal degrees.",
  destination: "End: `latitude,longitude` as decimal degrees.",
  avoid: "What to keep away from where there is another way, comma separated.",
  geometry:
    "In which form lines are answered: GeoJSON, or an encoded polyline of 5 or 6 decimals. Absent: see the default.",
  "importGeofences.geometry": "Of a single GeoJSON Feature: its Point or Polygon.",
  "distance.geometry": "In which form the way is answered, inside each mode; none unless asked for.",
  "optimize.geometry": "In which form the legs are answered; none unless asked for.",
  units: "Feet and miles, or metres and kilometres; of speeds, too.",
  bbox: "The part of the world that must be in view: `minLat,minLon,maxLat,maxLon`.",
  center:
    "The middle of the map: `latitude,longitude`. May be left out where markers, a path or `bbox` say what is in view.",
  roadAttributes: "What is told of each road, comma separated.",
  // Searching
  query: "Beginning of an address or name, as typed so far. Only spaces count as missing.",
  country: "Only in these countries: 2-letter codes, comma separated.",
  countryCode: "Only in these countries: 2-letter codes, comma separated.",
  lang: "The language of names and sentences.",
  layers: "Which kinds of result, comma separated; `coarse` and `fine` stand for several.",
  "uploadMapStyle.layers": "The layers of the style, as MapLibre reads them; other sources than ours are left out.",
  limit: "Maximum number of results.",
  categories: "Slugs of categories, comma separated; needed where there are no `chains`.",
  chains: "Slugs of chains, or your own ids of them, comma separated; needed where there are no `categories`.",
  iataCode: "An airport by its three letters; nothing else is needed beside it.",
  includeGeometry: "`false` leaves out the shapes; needed for more than 100 geofences.",
  tags: "Only geofences with one of these tags, comma separated.",
  city: "Name of the city.",
  // Lists
  createdAfter: "Only what was made after this time (ISO 8601).",
  createdBefore:
    "Only what was made before this time (ISO 8601); the time of a page's last row leads to the next page.",
  updatedAfter: "Only what was changed after this time (ISO 8601).",
  updatedBefore:
    "Only what was changed before this time (ISO 8601); the time of a page's last row leads to the next page.",
  confidence: "Only events at least this sure: 1 low, 2 medium, 3 high.",
  sortBy: "By which time the newest come first.",
  kinds: "Which kinds, comma separated; all unless some are named.",
  from: "From this time on (ISO 8601).",
  to: "Up to this time (ISO 8601).",
  at: "At what time (ISO 8601).",
  format: "In which form the answer comes.",
  // Names of things
  tag: "The group it belongs to, a word of yours.",
  externalId: "Your own id of it; with the tag it names one and no other.",
  "createTrip.externalId": "Your own id of the trip.",
  "listTrips.externalId": "Only trips with one of these ids of yours, comma separated.",
  "exportTrips.externalId": "Only trips with one of these ids of yours, comma separated.",
  userId: "Your own id of the user; no name, address or number of a person.",
  userIds: "For these users alone: their userIds or deviceIds.",
  deviceId: "Id of the device.",
  installId: "Id of the app's installation; counts as deviceId where there is none.",
  destinationGeofenceTag: "Tag of the geofence where the trip ends.",
  destinationGeofenceExternalId: "externalId of the geofence where the trip ends.",
  messageId: "Id of the message, as `webhook-id` and the list of dead letters tell it.",
  kind: "Which key: `testPublishable`, `testSecret`, `livePublishable` or `liveSecret`.",
  "createGeocodeJob.kind": "What each row asks for.",
  name: "Its name.",
  "logConversion.name": "What happened, in a word of yours: it becomes the event's type.",
  description: "A name for people, shown in the dashboard.",
  metadata: "Your own keys with texts, numbers or booleans.",
  type: "Of which kind it is.",
  // Devices
  deviceType: "`iOS`, `Android` or `Web`.",
  deviceOS: "The device's operating system and its version.",
  deviceMake: "Who made the device.",
  deviceModel: "The device's model.",
  sdkVersion: "Version of the SDK that sends this.",
  foreground: "Is the app in the foreground?",
  stopped: "Is the device at rest?",
  replayed: "Is this a point that was kept while there was no network?",
  replays: "The updates, each with its own `updatedAt`: bodies of `POST /v1/track`.",
  updatedAt: "When the device was there (ISO 8601); absent: now.",
  locationAuthorization: "Which permission the app has for the location.",
  locationAccuracyAuthorization: "Whether the app may know the location exactly.",
  device_id: "Id of the device, as Traccar Client sends it.",
  logs: "Lines of the SDK's own log.",
  xPlatformType: "The framework the SDK is wrapped for: `ReactNative`, `Flutter`, …",
  appId: "Id of the app in its store.",
  appName: "Name of the app.",
  appVersion: "Version of the app.",
  appBuild: "Number of the app's build.",
  expectedCountryCode: "The country in which the device should be; elsewhere it does not pass.",
  expectedStateCode: "The state in which the device should be; elsewhere it does not pass.",
  reason: "Why it is asked, in a word of yours; the token repeats it.",
  transactionId: "Your own id of what this is asked for; answer and token repeat it.",
  usage: "On what occasion the SDK asks.",
  // Geofences, beacons and trips
  stopDetection: "Does only somebody enter who stops there, or has the app in the foreground?",
  operatingHours: 'When it is open, by weekday: `{"Mon": [["09:00", "17:00"]]}`. Outside these hours nobody enters.',
  disableAfter: "From when on nobody enters any more (ISO 8601).",
  deleteAfter: "When it is to be deleted (ISO 8601).",
  ip: "Addresses of networks, kept for you; they decide nothing.",
  enabled: "`false` keeps it, and lets it do nothing.",
  scheduledArrivalAt: "When it should arrive (ISO 8601); an ETA behind it makes the trip delayed.",
  status: "The status of the trip.",
  "listTrips.status": "Only trips of these statuses, comma separated.",
  "exportTrips.status": "Only trips of these statuses, comma separated.",
  bypassed: "Passes every check, whatever fails.",
  blocked: "Stays where it was, whatever it sends.",
  createdAt: "When it happened (ISO 8601); absent: now.",
  verification: "1: it was true; −1: it was not; 0: nobody knows.",
  // Files
  csv: "The file as text, with a row of headers.",
  filename: "Name of the file, for the history.",
  dryRun: "Tells what the import would do, and changes nothing.",
  features:
    "The features of a GeoJSON FeatureCollection, each a Point (with a radius among its properties) or a Polygon.",
  properties: "Of a single GeoJSON Feature: the geofence's fields.",
  crs: "Of GeoJSON: left out, or WGS 84; anything else is refused.",
  rows: "What is asked, row by row.",
  // A fleet, as VROOM describes it
  vehicles: "The vehicles, with start, end, capacity, skills, hours and breaks.",
  jobs: "Work at one place each.",
  shipments: "What is fetched at one place and brought to another.",
  options: "`g: true` answers the lines of the routes, too.",
  // Settings
  beacons: "By which UUIDs and UIDs alone the SDKs listen for beacons.",
  chainMappings: "Your own ids of chains, by their slugs.",
  chainMetadata: "Your own keys and values of chains, by their slugs.",
  geocoding: "Which layers forward geocoding searches by default.",
  nearbyChains: "Chains whose nearness makes events, and how near.",
  placeFilters: "Which chains and categories count as places at all.",
  retention: "For how long what is kept.",
  tracking: "What an update of a location does.",
  monthlyQuota: "Calls a month; `null`: as many as are made.",
  rateLimits: "Calls a second by endpoint, in place of the usual limits.",
  // Maps
  fontstack: "Names of fonts, comma separated, as a style names them.",
  range: "A range of 256 characters: `0-255.pbf`, `256-511.pbf`, …",
  sprite: "Name of the sprite with its ending: `….json`, `….png`, `…@2x.json`, `…@2x.png`.",
  style:
    "Name of a style: `radar-default-v1`, `radar-light-v1`, `radar-dark-v1`, `grayscale`, `white`, `black`, or one you have uploaded.",
  x: "Column of the tile, from the west.",
  y: "Row of the tile, from the north, with or without its ending (`.mvt`, `.png`).",
  z: "Zoom of the tile.",
  version: "8, MapLibre's version of the format.",
  // The dashboard
  url: "Name of an uploaded picture, with or without `.png`.",
  email: "Address of the member.",
  role: "What the member may do: `read`, `write`, `admin` or `owner`.",
  token: "The part of the link that opens once.",
  credential: "What the browser answers to the options, as WebAuthn has it.",
};

/** Of whom the `:id`, `:name` or `:token` of a path is, by the path's beginning; the longest that fits counts. */
const IDS: Readonly<Record<string, string>> = {
  "/v1/geocode/jobs": "`_id` of the job.",
  "/v1/route/jobs": "`_id` of the job.",
  "/maps/markers": "Name of an uploaded icon, or of one of the default style (`bus`, `museum`, …).",
  "/v1/places": "`_id` of the place, as searches, contexts and events tell it.",
  "/v1/addresses": "`_id` of the address, as geocoding tells it.",
  "/v1/geofences": "`_id` of the geofence.",
  "/v1/imports": "`_id` of the import.",
  "/v1/beacons": "`_id` of the beacon.",
  "/v1/users": "The user's `_id`, `userId` or `deviceId`.",
  "/v1/trips": "The trip's `_id` or `externalId`.",
  "/v1/events": "`_id` of the event.",
  "/v1/webhooks": "`_id` of the webhook.",
  "/v1/shares": "The token of the link; to end it, its `_id`.",
  "/v1/maps/icons": "Name of the icon, as `markers=icon:…` uses it.",
  "/v1/maps/styles": "Name of the style, as `style=…` uses it.",
  "/dashboard/api/geodata": "Name of the import.",
  "/dashboard/api/members": "Id of the member.",
  "/dashboard/api/passkeys": "Id of the passkey.",
  "/dashboard/api": "Its id, as the list tells it.",
};

/** The text for a parameter of a path. */
export function pathParameterText(path: string, name: string): string | undefined {
  if (name === "legId") return "`_id` of the leg, as the trip shows it.";
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

/** The same schema, where each of its fields has a description, which states the field's bounds. */
export function describedSchema(endpoint: string, schema: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Fields).map(([name, field]) => {
    const text = field.description ?? TEXTS[`${endpoint}.${name}`] ?? TEXTS[name];
    return [name, withBounds(text === undefined ? field : { ...field, description: text })] as const;
  });
  return { ...schema, ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}) };
}

type Field = Record<string, unknown>;

/** Larger bounds are those of what a number can be, and say nothing. */
const MAX_STATED = 1e15;

/** The field, and the fields in it, with their bounds in the description where it does not state them. */
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

/** The numbers that a description has to state: the least and the greatest value, and the greatest number of items. */
export function boundsOf({ minimum, exclusiveMinimum, maximum, maxItems }: Field) {
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

/** Does a text state all bounds of its field, in digits? "10,000" is 10000. */
export function statesBounds(text: string, field: Field): boolean {
  const numbers = new Set((text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number));
  return Object.values(boundsOf(field)).every((bound) => bound === undefined || numbers.has(bound));
}
