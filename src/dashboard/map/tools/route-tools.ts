import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { getRequest, NOTHING, pointsOf, type Tool, type Values } from "./tool.ts";
import {
  avoid,
  avoidAreas,
  type Connection,
  departureTime,
  type Line,
  MODES,
  mode,
  type Quantity,
  units,
} from "./travel.ts";

/** Between places: how far, how long, which way. */

const LANGUAGE = { name: "lang", label: "Language", kind: "text", hint: "such as de" } as const;

export const ROUTE_TOOLS: readonly Tool[] = [
  {
    id: "distance",
    title: "Distance",
    about: "The distance between two points: straight line and by travel mode.",
    fields: [
      { name: "origin", label: "From", kind: "place", required: true },
      { name: "destination", label: "To", kind: "place", required: true },
      { name: "modes", label: "By", kind: "text", usual: "car,foot,bike", hint: MODES.join(", ") },
      units,
      avoid,
      ...avoidAreas,
      departureTime,
    ],
    request: (values) => getRequest("/v1/route/distance", values, { geometry: "linestring" }),
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
        summary: entries.length > 1 ? "" : "No route. See the response for the reason.",
      };
    },
  },
  {
    id: "matrix",
    title: "Matrix",
    about: "Distances and durations from every origin to every destination.",
    fields: [
      { name: "origins", label: "From", kind: "places", required: true },
      { name: "destinations", label: "To", kind: "places", required: true },
      mode,
      units,
      avoid,
      ...avoidAreas,
      departureTime,
    ],
    request: (values) => getRequest("/v1/route/matrix", values, { estimates: "true" }),
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
    ...{ id: "directions", title: "Directions", about: "The fastest route through locations in order, turn by turn." },
    fields: [
      { name: "locations", label: "Through", kind: "places", required: true, hint: "2 to 25" },
      mode,
      units,
      avoid,
      ...avoidAreas,
      { name: "alternatives", label: "Alternatives", kind: "flag", hint: "between two locations" },
      LANGUAGE,
      departureTime,
    ],
    request: (values) => getRequest("/v1/route/directions", values, { geometry: "linestring" }),
    draw: (
      {
        routes,
        unavailable,
      }: {
        unavailable?: string;
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
          ? (unavailable ?? "No road connects these locations.")
          : `${routes[0].distance.text}, ${routes[0].duration.text}`,
      ...(routes[0] && { profile: routes[0].geometry.coordinates }),
    }),
  },
  {
    id: "match",
    title: "Match",
    about: "Snaps a trace to the most likely roads.",
    fields: [
      { name: "path", label: "Trace", kind: "places", hint: "2 to 1,000 points" },
      { name: "gpx", label: "Or a GPX file", kind: "file", hint: "Drop, choose or paste a file" },
      mode,
      { name: "tidy", label: "Tidy", kind: "flag", hint: "skips points less than 10 m apart" },
      { name: "roadAttributes", label: "Attributes", kind: "text", hint: "speedLimit, speed, names, roadClass" },
      units,
    ],
    request: ({ path, gpx, ...values }) => ({
      method: "POST",
      path: "/v1/route/match",
      level: "publishable",
      body: {
        ...(gpx ? { gpx } : { path: path.split("|").map((coordinates) => ({ coordinates })) }),
        ...withoutEmpty(values),
        geometry: "linestring",
      },
    }),
    draw: (
      {
        geometry,
        distance,
        matchedPath,
        roadAttributes = [],
      }: { geometry: Line; distance: Quantity; matchedPath: Coordinate[]; roadAttributes?: MatchedPart[] },
      { path, gpx },
    ) => ({
      ...NOTHING,
      points: gpx ? [] : pointsOf(path),
      lines: [{ pairs: geometry.coordinates, look: "walked" }],
      lineup: roadAttributes.map(({ names = [], roadClass, speed, speedLimit, startLocation }) => ({
        title: names.join(", ") || roadClass || "road",
        detail: [speed?.text, speedLimit && `limit ${speedLimit.text}`].filter(Boolean).join(" · "),
        at: startLocation,
      })),
      summary:
        matchedPath.length === 0 ? "No matching road." : `${matchedPath.length} points matched, ${distance.text}`,
    }),
  },
  {
    id: "optimize",
    title: "Optimize",
    about: "The fastest order of up to 10 locations. The first and last stay in place.",
    fields: [
      { name: "locations", label: "Locations", kind: "places", required: true },
      mode,
      units,
      ...avoidAreas,
      departureTime,
    ],
    request: (values) => getRequest("/v1/route/optimize", values, { geometry: "linestring" }),
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
];

interface MatchedPart {
  names?: string[];
  roadClass?: string;
  speed?: Quantity;
  speedLimit?: Quantity;
  startLocation: Coordinate;
}

const withoutEmpty = (values: Values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
