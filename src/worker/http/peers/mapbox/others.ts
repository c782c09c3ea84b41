import { z } from "zod";
import { parseDecimals } from "../../../../core/geo/decimal.ts";
import { reachableAreas } from "../../../answers/routes/reachable-areas.ts";
import { invalid, required } from "../../../platform/errors.ts";
import { flag, number } from "../../../wire/input/fields.ts";
import { profileOf } from "../../../wire/routes/route-fields.ts";
import { endpoint } from "../../serve/endpoint.ts";
import { coordinatesOf } from "../osrm/coordinates.ts";
import { approachFields, indexesOf, pointsOf, routeFormFields } from "../osrm/fields.ts";
import { json, trafficOf } from "../osrm/osrm.ts";
import { MAX_TABLE_COORDINATES, tableFields, tableOf, writeTable } from "../osrm/table.ts";
import { MAX_TRIP, osrmTrip, tripFields } from "../osrm/trip.ts";
import { guidedForm, mapboxRoute, tellingOf, withoutExits } from "./guided-form.ts";
import {
  departField,
  departureAt,
  guidanceFields,
  MAPBOX,
  mapboxAnnotations,
  mapboxIgnored,
  mapboxMode,
} from "./mapbox.ts";

export const mapboxMatrix = endpoint({
  ...MAPBOX,
  name: "mapboxMatrix",
  countedAs: "matrix",
  method: "GET",
  path: "/mapbox/directions-matrix/v1/:owner/:profile/:coordinates",
  summary: "Returns the duration or distance of the routes between coordinates, as Mapbox Matrix v1 does.",
  query: z.strictObject({ ...tableFields, depart_at: departField(), ...mapboxIgnored }),
  async handle(call) {
    const { params, query } = call;
    const points = pointsOf(coordinatesOf(params.coordinates, 1, MAX_TABLE_COORDINATES), query);
    const sources = indexesOf("sources", query.sources, points.length);
    const question = {
      points,
      sources,
      destinations: indexesOf("destinations", query.destinations, points.length),
      options: { mode: profileOf(mapboxMode(params.owner, params.profile)) },
      departureTime: departureAt(points[sources[0]], query.depart_at),
      traffic: trafficOf(params.profile),
    };
    return json(writeTable(await tableOf(call, question), query, question));
  },
});

export const mapboxTrips = endpoint({
  ...MAPBOX,
  name: "mapboxTrips",
  countedAs: "optimize",
  method: "GET",
  path: "/mapbox/optimized-trips/v1/:owner/:profile/:coordinates",
  summary:
    "Returns the fastest order of up to 9 coordinates and the route through them, as Mapbox Optimization v1 does.",
  query: z.strictObject({
    ...routeFormFields,
    annotations: mapboxAnnotations(),
    ...tripFields,
    ...approachFields,
    ...guidanceFields,
    distributions: z.string().optional().meta({ description: "rejected: use `POST /vroom` with shipments" }),
    ...mapboxIgnored,
  }),
  async handle(call) {
    const { params, query } = call;
    if (query.distributions) throw invalid("distributions", "This parameter is not supported. Use POST /vroom.");
    const mode = mapboxMode(params.owner, params.profile);
    const asked = {
      form: guidedForm(query),
      locations: pointsOf(coordinatesOf(params.coordinates, 2, MAX_TRIP), query),
      mode,
      options: { mode: profileOf(mode) },
      telling: query.steps ? tellingOf(query) : undefined,
      ...(!query.roundabout_exits && { change: withoutExits }),
    };
    const { trips, segments, ...answer } = await osrmTrip(call, asked, query);
    return json({ ...answer, trips: trips.map((trip) => mapboxRoute(trip, query, query.annotations, segments)) });
  },
});

const MAX_CONTOURS = 5;

function contoursField(least: number, most: number, unit: string) {
  const rule = `Expected 1 to ${MAX_CONTOURS} numbers of ${unit} from ${least} to ${most}, separated by commas.`;
  return z
    .string({ error: rule })
    .transform((value, context): number[] => {
      const values = parseDecimals(value, MAX_CONTOURS);
      const isValid = values.length <= MAX_CONTOURS && values.every((one) => one >= least && one <= most);
      if (isValid && new Set(values).size === values.length) return values;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: rule });
}

/** From the smallest to the largest, as they are drawn. */
const COLORS = ["bf4040", "b86e2e", "a6a626", "40bf40", "4040bf"];
const COLORS_RULE = "Expected one color of six hexadecimal digits for each contour, separated by commas.";

type Ring = readonly (readonly number[])[];

/** The outlines of an area, as areas or as lines; plain where there is only one. */
function shapeOf(polygons: readonly (readonly Ring[])[], asPolygons: boolean) {
  if (asPolygons) {
    if (polygons.length === 1) return { type: "Polygon", coordinates: polygons[0] };
    return { type: "MultiPolygon", coordinates: polygons };
  }
  const rings = polygons.flat();
  return rings.length === 1
    ? { type: "LineString", coordinates: rings[0] }
    : { type: "MultiLineString", coordinates: rings };
}

export const mapboxIsochrone = endpoint({
  ...MAPBOX,
  name: "mapboxIsochrone",
  countedAs: "isochrone",
  method: "GET",
  path: "/mapbox/isochrone/v1/:owner/:profile/:coordinates",
  summary: "Returns the areas reachable from a point within a travel time or distance, as Mapbox Isochrone v1 does.",
  query: z.strictObject({
    contours_minutes: contoursField(1, 60, "minutes"),
    contours_meters: contoursField(50, 100_000, "meters"),
    contours_colors: z
      .string({ error: COLORS_RULE })
      .regex(/^[0-9a-f]{6}(,[0-9a-f]{6}){0,4}$/i, { error: COLORS_RULE })
      .optional()
      .meta({ description: COLORS_RULE }),
    polygons: flag().default(false).meta({ description: "areas; default: lines" }),
    denoise: number({ min: 0, max: 1 }).default(1).meta({
      description: "0 to 1: holes smaller than this share of the largest part are left out",
    }),
    generalize: number({ min: 0, max: 1000 }).optional().meta({
      description: "how far the outline may move outward to become simpler, 0 to 1000 [m]",
    }),
    depart_at: departField(),
    ...mapboxIgnored,
  }),
  async handle(call) {
    const { params, query } = call;
    const { contours_minutes: minutes, contours_meters: meters, generalize: generalise, denoise } = query;
    const mode = mapboxMode(params.owner, params.profile);
    const [origin] = coordinatesOf(params.coordinates, 1, 1);
    if (minutes && meters) throw invalid("contours_meters", "Set contours_minutes or contours_meters, not both.");
    const contours = minutes ?? meters;
    if (!contours) throw required("contours_minutes", "Or contours_meters.");
    const byLength = minutes === undefined;
    const colors = query.contours_colors?.split(",") ?? COLORS;
    if (query.contours_colors && colors.length !== contours.length) throw invalid("contours_colors", COLORS_RULE);
    const perUnit = byLength ? 1 : 60;
    const limits = contours.map((limit) => limit * perUnit);
    const departureTime = departureAt(origin, query.depart_at);
    const question = { origin, mode, departureTime, byLength, limits, denoise, generalise };
    const found = await reachableAreas(call, question, byLength ? "contours_meters" : "contours_minutes");
    if (found.length === 0) throw invalid("coordinates", "No road is within reach.");
    const features = found.map(({ limit, polygons }) => {
      const color = `#${colors[limits.indexOf(limit)]}`;
      const metric = byLength ? "distance" : "time";
      return {
        type: "Feature",
        properties: {
          contour: limit / perUnit,
          metric,
          color,
          opacity: 0.33,
          fill: color,
          "fill-color": color,
          "fill-opacity": 0.33,
          fillColor: color,
          fillOpacity: 0.33,
        },
        geometry: shapeOf(polygons, query.polygons),
      };
    });
    return json({ type: "FeatureCollection", features });
  },
});
