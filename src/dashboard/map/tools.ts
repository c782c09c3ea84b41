import type { Coordinate } from "../../geo/coordinate.ts";
import { parseCoordinate } from "../../geo/coordinate.ts";
import { type ShownRequest, withQuery } from "./request-text.ts";

/**
 * The explorers: what is asked of the viewer, which request it becomes, and what of the answer can be drawn. A tool is a value;
 * the page that shows it knows none of them by name.
 */
export type Values = Readonly<Record<string, string>>;

export interface ToolField {
  /** As the API calls it. */
  name: string;
  label: string;
  /** place: "lat,lon"; places: several, with bars; both can be clicked on the map. */
  kind: "text" | "place" | "places" | "choice" | "number" | "flag" | "time";
  options?: readonly string[];
  usual?: string;
  hint?: string;
  required?: boolean;
}

export interface Drawn {
  /** Numbered in their order. */
  points: Coordinate[];
  lines: { pairs: number[][]; look: "route" | "faint" | "walked" }[];
  areas: { rings: number[][][]; name?: string }[];
  /** One line for each thing found. */
  lineup: { title: string; detail?: string; at?: Coordinate }[];
  /** What to say above it. */
  summary: string;
}

export interface Tool {
  id: string;
  title: string;
  about: string;
  fields: readonly ToolField[];
  request(values: Values): ShownRequest;
  /** JSON → what is drawn; absent where the answer is a picture. */
  draw?(answer: never, values: Values): Drawn;
  /** It writes something for a moment, which takes the role "write". */
  writes?: boolean;
}

const MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;
const mode: ToolField = { name: "mode", label: "By", kind: "choice", options: MODES, usual: "car" };
const units: ToolField = {
  name: "units",
  label: "Units",
  kind: "choice",
  options: ["metric", "imperial"],
  usual: "metric",
};
const departureTime: ToolField = { name: "departureTime", label: "Departure", kind: "time", hint: "empty: now" };
const avoid: ToolField = {
  ...{ name: "avoid", label: "Avoid", kind: "text" },
  hint: "tolls, highways, ferries, borderCrossings; with commas",
};
const layers: ToolField = {
  ...{ name: "layers", label: "Layers", kind: "text" },
  hint: "address, place, locality, postalCode …; with commas, empty: all",
};
const LANGUAGE = { name: "lang", label: "Language", kind: "text", hint: "such as de" } as const;

interface Address {
  latitude: number;
  longitude: number;
  formattedAddress: string;
  layer: string;
  confidence?: string;
  distance?: number;
}
interface Quantity {
  value: number;
  text: string;
}
interface Connection {
  distance: Quantity;
  duration: Quantity;
}
interface Line {
  type: "LineString";
  coordinates: number[][];
}

const NOTHING: Drawn = { points: [], lines: [], areas: [], lineup: [], summary: "" };

function drawAddresses({ addresses }: { addresses: Address[] }): Drawn {
  return {
    ...NOTHING,
    points: addresses.map(({ latitude, longitude }) => ({ latitude, longitude })),
    lineup: addresses.map(({ formattedAddress, layer, confidence, distance, latitude, longitude }) => ({
      title: formattedAddress,
      detail: [layer, confidence, distance === undefined ? "" : `${Math.round(distance)} m`]
        .filter(Boolean)
        .join(" · "),
      at: { latitude, longitude },
    })),
    summary: addresses.length === 0 ? "Nothing found in the imported data." : `${addresses.length} found`,
  };
}

const get = (path: string, values: Values, more: Record<string, string> = {}): ShownRequest => ({
  method: "GET",
  path: withQuery(path, { ...values, ...more }),
  level: "publishable",
});

/** Kept only for as long as it takes to read its area; should the page be closed meanwhile, it deletes itself [ms]. */
const ISOCHRONE_LIVES_MS = 5 * 60_000;

export const TOOLS: readonly Tool[] = [
  {
    ...{ id: "geocode", title: "Geocode", about: "A complete address as text to coordinates." },
    fields: [
      { name: "query", label: "Address", kind: "text", required: true },
      { name: "country", label: "Countries", kind: "text", hint: "codes with commas: US,CA" },
      layers,
      LANGUAGE,
    ],
    request: (values) => get("/v1/geocode/forward", values),
    draw: drawAddresses,
  },
  {
    ...{ id: "reverse", title: "Reverse geocode", about: "Coordinates to the nearest address and the regions around." },
    fields: [{ name: "coordinates", label: "Position", kind: "place", required: true }, layers, LANGUAGE],
    request: (values) => get("/v1/geocode/reverse", values),
    draw: drawAddresses,
  },
  {
    ...{ id: "autocomplete", title: "Autocomplete", about: "What begins as typed so far, by relevance and nearness." },
    fields: [
      { name: "query", label: "Typed so far", kind: "text", required: true },
      { name: "near", label: "Near", kind: "place" },
      { name: "limit", label: "Most", kind: "number", usual: "10" },
      layers,
      { name: "countryCode", label: "Countries", kind: "text", hint: "codes with commas" },
    ],
    request: (values) => get("/v1/search/autocomplete", values),
    draw: drawAddresses,
  },
  {
    ...{ id: "validate", title: "Validate address", about: "A postal address of the US or Canada, standardised." },
    fields: [
      { name: "addressLabel", label: "First line", kind: "text", hint: "20 Jay St Apt 4B", required: true },
      { name: "city", label: "City", kind: "text", required: true },
      { name: "stateCode", label: "State", kind: "text", required: true },
      { name: "postalCode", label: "Postal code", kind: "text", required: true },
      { name: "countryCode", label: "Country", kind: "choice", options: ["US", "CA"], usual: "US" },
    ],
    request: (values) => get("/v1/addresses/validate", values),
    draw: ({ address, result }: { address: { formattedAddress: string }; result: { verificationStatus: string } }) => ({
      ...NOTHING,
      lineup: [{ title: address.formattedAddress, detail: result.verificationStatus }],
      summary: result.verificationStatus,
    }),
  },
  {
    ...{ id: "distance", title: "Distance", about: "Between two points: straight, and by each mode of travel." },
    fields: [
      { name: "origin", label: "From", kind: "place", required: true },
      { name: "destination", label: "To", kind: "place", required: true },
      { name: "modes", label: "By", kind: "text", usual: "car,foot,bike", hint: MODES.join(", ") },
      units,
      avoid,
      departureTime,
    ],
    request: (values) => get("/v1/route/distance", values, { geometry: "linestring" }),
    draw: (answer: { routes: Record<string, Partial<Connection> & { geometry?: Line }> }, { origin, destination }) => {
      const entries = Object.entries(answer.routes);
      return {
        ...NOTHING,
        points: pointsOf(`${origin}|${destination}`),
        lines: entries.flatMap(([, { geometry }]) =>
          geometry ? [{ pairs: geometry.coordinates, look: "route" as const }] : [],
        ),
        lineup: entries.map(([title, { distance, duration }]) => ({
          title: title === "geodesic" ? "straight" : title,
          detail: [distance?.text, duration?.text].filter(Boolean).join(" · "),
        })),
        summary: entries.length > 1 ? "" : "No route; see the answer for the reason.",
      };
    },
  },
  {
    ...{ id: "matrix", title: "Matrix", about: "From every origin to every destination." },
    fields: [
      { name: "origins", label: "From", kind: "places", required: true },
      { name: "destinations", label: "To", kind: "places", required: true },
      mode,
      units,
      avoid,
      departureTime,
    ],
    request: (values) => get("/v1/route/matrix", values),
    draw: (
      answer: { matrix: (Connection & { originIndex: number; destinationIndex: number; estimated?: boolean })[][] },
      values,
    ) => {
      const [from, to] = [pointsOf(values.origins), pointsOf(values.destinations)];
      return {
        ...NOTHING,
        points: [...from, ...to],
        lines: from.flatMap((a) =>
          to.map((b) => ({
            pairs: [
              [a.longitude, a.latitude],
              [b.longitude, b.latitude],
            ],
            look: "faint" as const,
          })),
        ),
        lineup: answer.matrix.flat().map(({ originIndex, destinationIndex, distance, duration, estimated }) => ({
          title: `${originIndex + 1} → ${from.length + destinationIndex + 1}`,
          detail: `${distance.text} · ${duration.text}${estimated ? " · estimated" : ""}`,
        })),
        summary: `${from.length} × ${to.length}`,
      };
    },
  },
  {
    ...{
      id: "directions",
      title: "Directions",
      about: "The quickest route through locations in their order, turn by turn.",
    },
    fields: [
      { name: "locations", label: "Through", kind: "places", required: true, hint: "2 to 25" },
      mode,
      units,
      avoid,
      { name: "alternatives", label: "Alternatives", kind: "flag", hint: "between two locations" },
      LANGUAGE,
      departureTime,
    ],
    request: (values) => get("/v1/route/directions", values, { geometry: "linestring" }),
    draw: (
      {
        routes,
      }: {
        routes: (Connection & {
          geometry: Line;
          legs: { steps: (Connection & { instructions: string; start_location: Coordinate })[] }[];
        })[];
      },
      values,
    ) => ({
      ...NOTHING,
      points: pointsOf(values.locations),
      lines: routes
        .map(({ geometry }, i) => ({
          pairs: geometry.coordinates,
          look: i === 0 ? ("route" as const) : ("faint" as const),
        }))
        .reverse(),
      lineup: (routes[0]?.legs ?? []).flatMap(({ steps }) =>
        steps.map(({ instructions, distance, start_location }) => ({
          title: instructions,
          detail: distance.text,
          at: start_location,
        })),
      ),
      summary:
        routes.length === 0
          ? "The roads do not connect these locations."
          : `${routes[0].distance.text}, ${routes[0].duration.text}`,
    }),
  },
  {
    ...{ id: "match", title: "Match", about: "Snaps a trace to the roads most likely travelled." },
    fields: [
      { name: "path", label: "Trace", kind: "places", required: true, hint: "2 to 1,000 points" },
      mode,
      { name: "roadAttributes", label: "Attributes", kind: "text", hint: "speedLimit, names, roadClass" },
      units,
    ],
    request: ({ path, ...values }) => ({
      method: "POST",
      path: "/v1/route/match",
      level: "publishable",
      body: {
        path: path.split("|").map((coordinates) => ({ coordinates })),
        ...filled(values),
        geometry: "linestring",
      },
    }),
    draw: (
      { geometry, distance, matchedPath }: { geometry: Line; distance: Quantity; matchedPath: Coordinate[] },
      { path },
    ) => ({
      ...NOTHING,
      points: pointsOf(path),
      lines: [{ pairs: geometry.coordinates, look: "walked" }],
      summary: matchedPath.length === 0 ? "No road fits." : `${matchedPath.length} points matched, ${distance.text}`,
    }),
  },
  {
    ...{ id: "optimize", title: "Optimise", about: "The quickest order of up to 10 locations; first and last stay." },
    fields: [{ name: "locations", label: "Locations", kind: "places", required: true }, mode, units, departureTime],
    request: (values) => get("/v1/route/optimize", values, { geometry: "linestring" }),
    draw: (
      answer: {
        route?: Connection & { legs: (Connection & { startIndex: number; endIndex: number; geometry?: Line })[] };
        unavailable?: string;
      },
      values,
    ) => {
      const { route, unavailable = "" } = answer;
      const all = pointsOf(values.locations);
      const order = route ? [route.legs[0]?.startIndex ?? 0, ...route.legs.map(({ endIndex }) => endIndex)] : [];
      return {
        ...NOTHING,
        points: route ? order.map((i) => all[i]) : all,
        lines: (route?.legs ?? []).flatMap(({ geometry }) =>
          geometry ? [{ pairs: geometry.coordinates, look: "route" as const }] : [],
        ),
        lineup: (route?.legs ?? []).map(({ startIndex, endIndex, distance, duration }, i) => ({
          title: `${i + 1}. location ${startIndex + 1} → ${endIndex + 1}`,
          detail: `${distance.text} · ${duration.text}`,
        })),
        summary: route ? `${route.distance.text}, ${route.duration.text}` : unavailable,
      };
    },
  },
  {
    ...{ id: "isochrone", title: "Isochrone", writes: true },
    about: "The area within minutes of travel. It is made as a disabled geofence, read, and deleted at once.",
    fields: [
      { name: "coordinates", label: "From", kind: "place", required: true },
      { name: "radius", label: "Minutes", kind: "number", usual: "10" },
      { name: "mode", label: "By", kind: "choice", options: ["car", "truck", "foot", "bike"], usual: "car" },
    ],
    request: ({ coordinates, radius, mode }) => {
      const at = parseCoordinate(coordinates);
      return {
        method: "POST",
        path: "/v1/geofences",
        level: "secret",
        body: {
          description: "Isochrone of the tools page",
          type: "isochrone",
          coordinates: at ? [at.longitude, at.latitude] : coordinates,
          radius: Number(radius || 10),
          mode: mode || "car",
          enabled: false,
          deleteAfter: new Date(Date.now() + ISOCHRONE_LIVES_MS).toISOString(),
        },
      };
    },
    draw: (
      { geofence }: { geofence: { geometry: { coordinates: number[][][] } } },
      { coordinates, radius = "10" },
    ) => ({
      ...NOTHING,
      points: pointsOf(coordinates),
      areas: [{ rings: geofence.geometry.coordinates, name: `${radius || 10} min` }],
      summary: `${geofence.geometry.coordinates[0].length - 1} corners`,
    }),
  },
  {
    ...{ id: "static", title: "Static map", about: "A map as a picture, for a mail or a page." },
    fields: [
      { name: "center", label: "Centre", kind: "place" },
      { name: "zoom", label: "Zoom", kind: "number", usual: "14" },
      { name: "width", label: "Width", kind: "number", usual: "600" },
      { name: "height", label: "Height", kind: "number", usual: "400" },
      { name: "scale", label: "Scale", kind: "choice", options: ["1", "2", "3"], usual: "1" },
      {
        name: "style",
        label: "Style",
        kind: "text",
        usual: "radar-default-v1",
        hint: "radar-light-v1, radar-dark-v1, or an id",
      },
      { name: "markers", label: "Markers", kind: "places" },
      { name: "path", label: "Path", kind: "places" },
      { name: "format", label: "Format", kind: "choice", options: ["png", "svg"], usual: "png" },
    ],
    request: (values) => get("/maps/static", values),
  },
];

const filled = (values: Values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/** "lat,lon|lat,lon" → positions; what is none is left out. */
export function pointsOf(text = ""): Coordinate[] {
  return text.split("|").flatMap((part) => parseCoordinate(part) ?? []);
}

/** What is missing or wrong before anything is sent, by the names of fields. */
export function faultsOf({ fields }: Tool, values: Values): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { name, kind, required } of fields) {
    const value = values[name] ?? "";
    if (value.trim() === "") {
      if (required) faults[name] = "Required.";
    } else if (kind === "place" && !parseCoordinate(value)) faults[name] = 'Expected "latitude,longitude".';
    else if (kind === "places" && value.split("|").some((part) => !parseCoordinate(part)))
      faults[name] = 'Expected "latitude,longitude" with | between.';
    else if (kind === "number" && !Number.isFinite(Number(value))) faults[name] = "Expected a number.";
  }
  return faults;
}
