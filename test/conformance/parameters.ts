/**
 * The parameters of the specification's endpoints and their descriptions: test/worker/http/conformance/conformance.test.ts checks each with the
 * Worker, and docs/conformance.md has a row for it.
 */
export interface Parameter {
  name: string;
  /** Description, in our words. */
  says: string;
  required?: boolean;
  /** Values that must be accepted, including the bounds. */
  takes?: readonly unknown[];
  /** Values that must be rejected with a 400 that names the parameter. */
  refuses?: readonly unknown[];
  /** Default value: sending it returns the same response as omitting the parameter. */
  default?: unknown;
  /** Other parameters to send, if this one works only with them. */
  beside?: Readonly<Record<string, unknown>>;
}

export interface ParameterTable {
  endpoint: string;
  method: "GET" | "POST";
  path: string;
  /** The required parameters only. */
  least: Readonly<Record<string, unknown>>;
  parameters: readonly Parameter[];
}

/** Meridale and North Meridale of the demo world. */
const [WEST, EAST, NEAR] = ["48.985,-111.23", "49.015,-111.17", "48.99,-111.2"];
const MODES = ["car", "truck", "foot", "bike"];
const LAYERS = ["place", "address", "postalCode", "locality", "county", "state", "country", "coarse", "fine"];
const LANGUAGES = ["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"];
const NO_POINT = ["91,0", "0,181", "here", "1", "0x30,-0x6f", "4 8.99,-111.2", "48.99,- 111.2"];
const GEOMETRIES = ["linestring", "polyline5", "polyline6"];
const DEPARTURE = ["2026-11-23T08:00:00.000Z", "2026-11-23T08:00:00-07:00"];

const coordinates = (says: string, name = "coordinates"): Parameter => ({
  name,
  says: `${says}, as latitude,longitude`,
  required: true,
  takes: ["90,180", "-90,-180"],
  refuses: NO_POINT,
});
const layers: Parameter = {
  name: "layers",
  says: "comma-separated layers; default: address and coarse",
  takes: [...LAYERS, "address, coarse"],
  refuses: ["street"],
};
const lang = (values = LANGUAGES): Parameter => ({
  name: "lang",
  says: `${values.length} languages; default: en`,
  takes: values,
  refuses: ["xx"],
  default: "en",
});
const countries = (name: string): Parameter => ({
  name,
  says: "comma-separated 2-letter country codes",
  takes: ["US", "US,CA"],
});
const limit = (max: number, defaultLimit: number): Parameter => ({
  name: "limit",
  says: `1 to ${max}; default: ${defaultLimit}`,
  takes: [1, max],
  refuses: [0, max + 1, "many"],
  default: defaultLimit,
});
const units: Parameter = {
  name: "units",
  says: "metric or imperial; default: imperial",
  takes: ["metric", "imperial"],
  refuses: ["furlongs"],
  default: "imperial",
};
const mode = (more: Partial<Parameter> = {}): Parameter => ({
  name: "mode",
  says: "car, truck, foot or bike",
  takes: MODES,
  refuses: ["fly"],
  ...more,
});
const avoid = (...values: string[]): Parameter => ({
  name: "avoid",
  says: `comma-separated list of ${values.join(", ")}; default: none`,
  takes: [...values, values.join(",")],
  refuses: ["hills"],
});
const geometry = (more: Partial<Parameter> = {}): Parameter => ({
  name: "geometry",
  says: "linestring, polyline5 or polyline6; default: none",
  takes: GEOMETRIES,
  refuses: ["wkt"],
  ...more,
});
const departureTime: Parameter = {
  name: "departureTime",
  says: "departure time for traffic, ISO 8601; default: now",
  takes: DEPARTURE,
  refuses: ["soon"],
};
const metadata = (name: string): Parameter => ({
  name: `${name}[key]`,
  says: `filters by ${name === "metadata" ? "metadata" : "the chain's metadata"}; the type is inferred`,
  takes: ["true", "5", "blue"],
});

export const PARAMETERS: readonly ParameterTable[] = [
  {
    endpoint: "track",
    method: "POST",
    path: "/v1/track",
    least: { deviceId: "d", latitude: 48.99, longitude: -111.2, accuracy: 10 },
    parameters: [
      { name: "deviceId", says: "device ID", required: true, takes: ["phone-1"] },
      { name: "userId", says: "user ID, stable and unique", takes: ["ann"] },
      { name: "latitude", says: "-90 to 90", required: true, takes: [-90, 90], refuses: [-90.1, 90.1, "north"] },
      { name: "longitude", says: "-180 to 180", required: true, takes: [-180, 180], refuses: [-180.1, 180.1] },
      {
        name: "accuracy",
        says: "meters, greater than 0",
        required: true,
        takes: [0.1, 65],
        refuses: [0, -1, "good"],
      },
      {
        name: "foreground",
        says: "true in the foreground, false in the background",
        takes: [true, false],
        refuses: ["maybe"],
      },
      { name: "stopped", says: "true if stopped, false if moving", takes: [true, false], refuses: ["maybe"] },
      { name: "description", says: "shown in the dashboard", takes: ["Ann's phone"] },
      {
        name: "metadata",
        says: "up to 32 keys; strings, numbers, booleans",
        takes: [{ a: "x", b: 1, c: true }, keys(32)],
        refuses: [keys(33), [1]],
      },
      { name: "deviceType", says: "iOS, Android or Web", takes: ["iOS", "Android", "Web"] },
      {
        name: "updatedAt",
        says: "time of the update, ISO 8601; default: the server's time",
        takes: ["2026-01-01T00:00:00.000Z"],
        refuses: ["yesterday"],
      },
      { name: "replayed", says: "true or false; default: false", takes: [true, false], refuses: ["maybe"] },
      { name: "deviceOS", says: "the device's operating system", takes: ["18.1"] },
      { name: "deviceMake", says: "the device's maker", takes: ["Fairphone"] },
      { name: "deviceModel", says: "the device's model", takes: ["FP5"] },
    ],
  },
  {
    endpoint: "context",
    method: "GET",
    path: "/v1/context",
    least: { coordinates: NEAR },
    parameters: [coordinates("the location"), { name: "userId", says: "user ID", takes: ["ann"] }],
  },
  {
    endpoint: "createBeacon",
    method: "POST",
    path: "/v1/beacons",
    least: {
      description: "Door",
      type: "ibeacon",
      uuid: "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e10",
      major: "1",
      minor: "1",
      coordinates: [-111.2, 48.99],
      enabled: true,
    },
    parameters: [
      {
        name: "type",
        says: "ibeacon or eddystone",
        required: true,
        takes: ["ibeacon", "eddystone"],
        refuses: ["wifi"],
      },
      { name: "uuid", says: "iBeacon identifier", required: true },
      { name: "major", says: "iBeacon identifier", required: true },
      { name: "minor", says: "iBeacon identifier", required: true },
      { name: "uid", says: "Eddystone identifier" },
      { name: "instance", says: "Eddystone identifier" },
      { name: "description", says: "the display name", required: true },
      { name: "tag", says: "the group of the beacon" },
      { name: "externalId", says: "the ID in the caller's database" },
      {
        name: "coordinates",
        says: "the approximate location, as [longitude, latitude]",
        required: true,
        takes: [
          [180, 90],
          [-180, -90],
        ],
        refuses: ["-111.2,48.99", [1], [-111.2, 90.1], [180.1, 0]],
      },
      {
        name: "enabled",
        says: "whether the beacon generates events",
        required: true,
        takes: [true, false],
        refuses: ["maybe"],
      },
      {
        name: "metadata",
        says: "up to 16 keys; strings, numbers, booleans",
        takes: [{ a: "x", b: 1, c: true }, keys(16)],
        refuses: [keys(17), [1]],
      },
    ],
  },
  {
    endpoint: "forwardGeocode",
    method: "GET",
    path: "/v1/geocode/forward",
    least: { query: "Meridale" },
    parameters: [
      { name: "query", says: "the address", required: true, takes: ["100 Main Street, Meridale"], refuses: [" "] },
      { ...layers, default: "address,coarse" },
      { ...countries("country"), refuses: ["USA"] },
      lang(),
    ],
  },
  {
    endpoint: "reverseGeocode",
    method: "GET",
    path: "/v1/geocode/reverse",
    least: { coordinates: NEAR },
    parameters: [coordinates("the position"), layers],
  },
  { endpoint: "ipGeocode", method: "GET", path: "/v1/geocode/ip", least: {}, parameters: [] },
  {
    endpoint: "autocomplete",
    method: "GET",
    path: "/v1/search/autocomplete",
    least: { query: "merid" },
    parameters: [
      {
        name: "query",
        says: "the beginning of an address or name",
        required: true,
        takes: ["me", "100 main"],
        refuses: [" "],
      },
      {
        name: "near",
        says: "search center, as latitude,longitude; default: the location of the connection",
        takes: [NEAR],
        refuses: NO_POINT,
      },
      layers,
      limit(100, 10),
      countries("countryCode"),
      lang(),
    ],
  },
  {
    endpoint: "searchUsers",
    method: "GET",
    path: "/v1/search/users",
    least: { near: NEAR },
    parameters: [
      coordinates("search center", "near"),
      {
        name: "radius",
        says: "100 to 10000 m; default: 1000",
        takes: [100, 10_000],
        refuses: [99, 10_001],
        default: 1000,
      },
      mode({ says: "car, truck, foot or bike; makes the radius minutes of travel", beside: { radius: 5 } }),
      metadata("metadata"),
      limit(100, 10),
    ],
  },
  {
    endpoint: "searchGeofences",
    method: "GET",
    path: "/v1/search/geofences",
    least: { near: NEAR },
    parameters: [
      coordinates("search center", "near"),
      {
        name: "limit",
        says: "1 to 1000, over 100 only without geometry; default: 100",
        takes: [1, 100],
        refuses: [0, 101, 1001],
        default: 100,
      },
      { name: "radius", says: "meters", takes: [50, 5000], refuses: [-1, "far"] },
      { name: "tags", says: "comma-separated tags", takes: ["shop", "shop,office"] },
      metadata("metadata"),
      {
        name: "includeGeometry",
        says: "true or false; default: true",
        takes: [true, false],
        refuses: ["maybe"],
        default: true,
      },
    ],
  },
  {
    endpoint: "searchPlaces",
    method: "GET",
    path: "/v1/search/places",
    least: { near: NEAR, categories: "food-beverage" },
    parameters: [
      {
        name: "chains",
        says: "comma-separated chain slugs or mapped ids",
        takes: ["gridline-grocers", "gridline-grocers,azimuth-mobile", "G7"],
      },
      {
        name: "categories",
        says: "comma-separated; required without chains",
        takes: ["food-beverage", "food-beverage,shopping-retail"],
      },
      {
        name: "iataCode",
        says: "3-letter airport code; requires no other parameter",
        takes: ["QMZ"],
        refuses: ["QMZZ"],
      },
      metadata("chainMetadata"),
      coordinates("search center", "near"),
      { name: "radius", says: "1 to 10000 m; default: 1000", takes: [1, 10_000], refuses: [0, 10_001], default: 1000 },
      limit(100, 10),
    ],
  },
  {
    endpoint: "validateAddress",
    method: "GET",
    path: "/v1/addresses/validate",
    least: {
      city: "Meridale",
      stateCode: "MT",
      postalCode: "59999",
      countryCode: "US",
      number: "100",
      street: "Main Street",
    },
    parameters: [
      { name: "city", says: "city name", required: true, takes: ["Meridale"] },
      {
        name: "stateCode",
        says: "2-letter state or province code",
        required: true,
        takes: ["MT", "mt"],
        refuses: ["ZZ"],
      },
      {
        name: "postalCode",
        says: "postal or ZIP code, with or without plus-4",
        required: true,
        refuses: [" ", "1234"],
        takes: ["59999", "59999-1234"],
      },
      { name: "countryCode", says: "2-letter country code: US or CA", required: true, takes: ["US"], refuses: ["DE"] },
      {
        name: "number",
        says: "building or PO box number; required with street if there is no addressLabel",
        required: true,
        takes: ["100"],
      },
      {
        name: "street",
        says: "street name; required with number if there is no addressLabel",
        required: true,
        takes: ["Main Street"],
      },
      { name: "unit", says: "apartment or suite", takes: ["4B"] },
      { name: "addressLabel", says: "first address line, instead of number and street", takes: ["100 Main Street"] },
    ],
  },
  {
    endpoint: "distance",
    method: "GET",
    path: "/v1/route/distance",
    least: { origin: WEST, destination: EAST, modes: "car" },
    parameters: [
      { ...coordinates("start", "origin"), takes: [WEST] },
      { ...coordinates("end", "destination"), takes: [EAST] },
      {
        name: "modes",
        says: "comma-separated list of car, truck, foot, bike",
        required: true,
        takes: [...MODES, MODES.join(",")],
        refuses: ["fly"],
      },
      units,
      avoid("tolls", "highways", "ferries", "borderCrossings"),
      geometry(),
      departureTime,
    ],
  },
  {
    endpoint: "matrix",
    method: "GET",
    path: "/v1/route/matrix",
    least: { origins: `${WEST}|${NEAR}`, destinations: EAST, mode: "car" },
    parameters: [
      {
        name: "origins",
        says: "coordinates, separated by pipes",
        required: true,
        takes: [WEST, `${WEST}|${EAST}`],
        refuses: NO_POINT,
      },
      {
        name: "destinations",
        says: "coordinates, separated by pipes",
        required: true,
        takes: [EAST, `${WEST}|${EAST}`],
        refuses: NO_POINT,
      },
      mode({ required: true }),
      units,
      avoid("tolls", "highways", "ferries"),
      departureTime,
    ],
  },
  {
    endpoint: "match",
    method: "POST",
    path: "/v1/route/match",
    least: { path: [0, 1, 2].map((i) => ({ coordinates: `48.99,${-111.2 + i * 0.0005}` })) },
    parameters: [
      {
        name: "path",
        says: "objects with coordinates, and optional createdAt and accuracy",
        required: true,
        takes: [
          [0, 1].map((i) => ({
            coordinates: `48.99,${-111.2 + i * 0.0005}`,
            createdAt: `2026-11-22T08:00:0${i}.000Z`,
            accuracy: 8,
          })),
        ],
        refuses: ["48.99,-111.2"],
      },
      mode({ default: "car", says: "car, truck, foot or bike; default: car" }),
      {
        name: "roadAttributes",
        says: "comma-separated list of speedLimit, names, roadClass",
        takes: ["speedLimit", "names", "roadClass", "speedLimit,names,roadClass"],
        refuses: ["color"],
      },
      units,
      geometry({ says: "linestring, polyline5 or polyline6; default: polyline6", default: "polyline6" }),
    ],
  },
  {
    endpoint: "directions",
    method: "GET",
    path: "/v1/route/directions",
    least: { locations: `${WEST}|${EAST}` },
    parameters: [
      {
        name: "locations",
        says: "2 to 25 coordinates, separated by pipes",
        required: true,
        takes: [`${WEST}|${EAST}`, Array(25).fill(WEST).join("|")],
        refuses: [Array(26).fill(WEST).join("|")],
      },
      mode({ default: "car", says: "car, truck, foot or bike; default: car" }),
      units,
      avoid("tolls", "highways", "ferries", "borderCrossings"),
      geometry({ says: "linestring, polyline5 or polyline6; default: polyline6", default: "polyline6" }),
      departureTime,
      {
        name: "heading",
        says: "initial heading, degrees from north; default: any",
        takes: [0, 90, 180, 270],
        refuses: ["north"],
      },
      {
        name: "alternatives",
        says: "alternative routes, between two locations only; default: false",
        takes: [true, false],
        refuses: ["maybe"],
        default: false,
      },
      lang(["de", "en", "es", "fr", "ja", "ko", "pt", "ru"]),
    ],
  },
  {
    endpoint: "optimize",
    method: "GET",
    path: "/v1/route/optimize",
    least: { locations: `${WEST}|${NEAR}|${EAST}` },
    parameters: [
      {
        name: "locations",
        says: "up to 10 coordinates, separated by pipes, from origin to destination",
        required: true,
        takes: [`${WEST}|${EAST}`, Array(10).fill(WEST).join("|")],
        refuses: [Array(11).fill(WEST).join("|")],
      },
      mode({ default: "car", says: "car, truck, foot or bike; default: car" }),
      units,
      geometry(),
      departureTime,
    ],
  },
  {
    endpoint: "staticMap",
    method: "GET",
    path: "/maps/static",
    least: { width: 120, height: 100, center: NEAR, zoom: 14 },
    parameters: [
      { name: "width", says: "image width in pixels", required: true, takes: [100, 300], refuses: ["wide"] },
      { name: "height", says: "image height in pixels", required: true, takes: [100, 200], refuses: ["high"] },
      { name: "center", says: "latitude,longitude", required: true, takes: [NEAR], refuses: NO_POINT },
      { name: "zoom", says: "zoom level", required: true, takes: [1, 14.5], refuses: ["near"] },
      { name: "style", says: "style name", takes: ["radar-light-v1"], refuses: ["radar-pink-v1"] },
      {
        name: "scale",
        says: "size multiplier for the same area and zoom",
        takes: [1, 2],
        refuses: [0, "large"],
        default: 1,
      },
      {
        name: "markers",
        says: "styles, then coordinates",
        takes: ["color:red|48.99,-111.2"],
        refuses: ["size:huge|1,2"],
      },
      {
        name: "path",
        says: "styles, then coordinates or an encoded polyline",
        takes: ["width:5|48.99,-111.2|48.98,-111.19"],
        refuses: ["width:wide|1,2|3,4"],
      },
    ],
  },
];

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
}
