/** The response fields of the specification with their types: test/worker/http/conformance/conformance.test.ts checks each. */
export interface AnswerFields {
  name: string;
  /** Key of the recorded response. */
  answer: string;
  fields: readonly { path: string; type: string }[];
}

/** Parses "live: boolean" to a field; several names can share a type: "a, b: string". */
function fields(text: string, below = ""): { path: string; type: string }[] {
  return text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [names, type] = part.split(":").map((half) => half.trim());
      return names.split(",").map((name) => ({ path: `${below}${name.trim()}`, type }));
    });
}

const USER = `
  _id: string; live: boolean; userId, deviceId, description: string; metadata: dictionary; location: Point;
  locationAccuracy: number; foreground, stopped: boolean; deviceType: string; createdAt, updatedAt: datetime;
  geofences: list; geofences.tag, geofences.externalId, geofences.description: string; geofences.metadata: dictionary;
  trip, place: dictionary; country.code, country.name, country.flag, state.code, state.name: string;
  postalCode.code, postalCode.name: string; beacons: list; beacons.type, beacons.uuid: string;
  beacons.major, beacons.minor, beacons.description, beacons.tag, beacons.externalId: string; beacons.enabled: boolean;
  fraud: dictionary; fraud.verified, fraud.passed, fraud.bypassed, fraud.blocked, fraud.mocked, fraud.jumped: boolean;
  fraud.compromised, fraud.inaccurate, fraud.proxy, fraud.sharing: boolean;
  fraud.lastMockedAt, fraud.lastJumpedAt, fraud.lastCompromisedAt, fraud.lastInaccurateAt: datetime or null;
  fraud.lastProxyAt, fraud.lastSharingAt: datetime or null; ip: string; segments: list;
  segments.description, segments.externalId: string; topChains: list;
  topChains.name, topChains.slug, topChains.externalId: string`;

const EVENT = `
  _id, type: string; createdAt: datetime; live: boolean; user._id, user.userId, user.deviceId: string; user.metadata: dictionary;
  geofence.tag, geofence.externalId, geofence.description: string; geofence.metadata, place: dictionary; location: Point;
  locationAccuracy, confidence: number`;

const PLACE = `
  name: string; chain.name, chain.slug, chain.externalId: string; chain.metadata: dictionary; categories: list; location: Point`;

const ADDRESS = `
  latitude, longitude: number; geometry: Point; country, countryCode, countryFlag, county, city, number, postalCode: string;
  stateCode, state, street, layer, formattedAddress, addressLabel: string; timeZone.id, timeZone.name, timeZone.code: string;
  timeZone.currentTime: datetime; timeZone.utcOffset, timeZone.dstOffset: number`;

const STEP = `
  distance, duration: quantity; start_location, end_location: dictionary; bearing_before, bearing_after: number;
  instructions, banner_instructions, voice_instructions: string; geometry: dictionary; mode, manuever, street_name: string`;

const LEG = "startLocation, endLocation: dictionary; duration, distance: quantity; geometry: dictionary";

export const ANSWER_FIELDS: readonly AnswerFields[] = [
  { name: "a user", answer: "track", fields: fields(USER, "user.") },
  { name: "an event", answer: "event", fields: fields(EVENT, "events.") },
  { name: "a place", answer: "searchPlaces", fields: fields(PLACE, "places.") },
  {
    name: "a geofence of a search",
    answer: "searchGeofences",
    fields: fields(
      "_id: string; createdAt: datetime; live: boolean; tag, externalId, description: string; metadata: dictionary; geometryCenter: Point; geometry: dictionary",
      "geofences.",
    ),
  },
  {
    name: "a context",
    answer: "context",
    fields: fields(
      "geofences: list; place: dictionary; country.code, country.name, country.flag, state.code, state.name, postalCode.code: string",
      "context.",
    ),
  },
  {
    name: "a beacon",
    answer: "beacon",
    fields: fields(
      "type, uuid, major, minor, description, tag, externalId: string; geometry: Point; enabled: boolean; metadata: dictionary",
      "beacon.",
    ),
  },
  {
    name: "an Eddystone beacon",
    answer: "eddystone",
    fields: fields("type, uid, instance: string", "beacon."),
  },
  {
    name: "an address of a forward geocode",
    answer: "forwardGeocode",
    fields: fields(`${ADDRESS}; confidence: string`, "addresses."),
  },
  {
    name: "an address of a reverse geocode",
    answer: "reverseGeocode",
    fields: fields(`${ADDRESS}; distance: number`, "addresses."),
  },
  {
    name: "an address of an autocomplete",
    answer: "autocomplete",
    fields: fields(
      "latitude, longitude, distance: number; layer, formattedAddress, addressLabel: string",
      "addresses.",
    ),
  },
  {
    name: "a place of an autocomplete",
    answer: "autocompletePlace",
    fields: fields("placeLabel: string", "addresses."),
  },
  {
    name: "an IP geocode",
    answer: "ipGeocode",
    fields: fields(
      "proxy: boolean; ip: string; address.latitude, address.longitude: number; address.geometry: dictionary; address.country, address.countryCode, address.countryFlag: string",
    ),
  },
  {
    name: "a validated address",
    answer: "validateAddress",
    fields: fields(
      "address.addressLabel, address.number, address.street, address.city, address.stateCode, address.postalCode, address.county, address.countryCode, address.formattedAddress, address.metadata.recordType, result.verificationStatus: string",
    ),
  },
  {
    name: "a distance",
    answer: "distance",
    fields: fields("geodesic.distance, car.distance, car.duration: quantity; car.geometry.polyline: string", "routes."),
  },
  {
    name: "a matrix",
    answer: "matrix",
    fields: fields(
      "origins.latitude, origins.longitude, destinations.latitude, destinations.longitude: number; matrix: list",
    ),
  },
  {
    name: "a cell of a matrix",
    answer: "cell",
    fields: fields("distance, duration: quantity; originIndex, destinationIndex: number"),
  },
  {
    name: "a match",
    answer: "match",
    fields: fields(
      `matchedPath.latitude, matchedPath.longitude, matchedPath.originalIndex: number; roadAttributes.roadClass: string;
       roadAttributes.speedLimit: quantity; roadAttributes.names: list; roadAttributes.startLocation: dictionary;
       roadAttributes.endLocation: dictionary; roadAttributes.originalIndex: number; geometry: dictionary; distance: quantity`,
    ),
  },
  {
    name: "a route of directions",
    answer: "directions",
    fields: fields("duration, distance: quantity; legs: list; geometry.polyline: string", "routes."),
  },
  { name: "a leg of directions", answer: "directions", fields: fields(`${LEG}; steps: list`, "routes.legs.") },
  { name: "a step of directions", answer: "directions", fields: fields(STEP, "routes.legs.steps.") },
  {
    name: "an optimized route",
    answer: "optimize",
    fields: [
      ...fields("distance, duration: quantity; legs: list", "route."),
      ...fields(`${LEG}; startIndex, endIndex: number`, "route.legs."),
    ],
  },
];
