import { z } from "zod";
import { parseDecimal } from "../../../core/geo/decimal.ts";
import { reachableAreas } from "../../answers/routes/reachable-areas.ts";
import { invalid } from "../../platform/errors.ts";
import { coordinate, number } from "../../wire/input/fields.ts";
import { avoidAreasFields, avoidZonesField } from "../../wire/routes/avoid-fields.ts";
import { avoidField, departureField, modeField } from "../../wire/routes/route-fields.ts";
import { vehicleField, vehicleFor } from "../../wire/routes/vehicle-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const MAX_CONTOURS = 5;
const MAX_MINUTES = 60;
const MAX_METRES = 100_000;

/** "5,10,15" → numbers in [least, most], each once. */
function limits(least: number, most: number, unit: string) {
  const rule = `Must be 1 to ${MAX_CONTOURS} numbers of ${unit} from ${least} to ${most}, separated by commas.`;
  return z
    .string({ error: rule })
    .transform((text, context): number[] => {
      const values = [...new Set(text.split(",").map(parseDecimal))];
      if (values.length <= MAX_CONTOURS && values.every((value) => value >= least && value <= most)) return values;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: `1 to ${MAX_CONTOURS} numbers of ${unit}, ${least} to ${most}` });
}

const position = z.array(z.number());

export const routeIsochrone = endpoint({
  name: "isochrone",
  method: "GET",
  path: "/v1/route/isochrone",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the areas reachable from a point within a travel time or distance.",
  description:
    "GeoJSON, largest area first, so that you can draw them in order. The area of a longer limit contains that of a shorter one. An area may have holes and separate parts. A place is reachable if the nearest road is; times are those of directions. Roads in the areas to avoid are not reachable. Without a road near `origin`, `features` is empty.",
  query: z.object({
    origin: coordinate(),
    mode: modeField(),
    minutes: limits(1, MAX_MINUTES, "minutes"),
    metres: limits(50, MAX_METRES, "metres").meta({
      type: "string",
      description: `instead of minutes: 1 to ${MAX_CONTOURS} travel distances, 50 to ${MAX_METRES}, along the fastest`,
    }),
    avoid: avoidField(),
    avoidZones: avoidZonesField(),
    ...avoidAreasFields(),
    departureTime: departureField(),
    vehicle: vehicleField(),
    denoise: number({ min: 0, max: 1 })
      .default(0.02)
      .meta({ description: "holes smaller than this share of the largest part are omitted" }),
    generalise: number({ min: 0, max: 1000 })
      .optional()
      .meta({ description: "how far the outline may move outward to become simpler [m]; default: full resolution" }),
  }),
  response: z.object({
    type: z.literal("FeatureCollection"),
    features: z.array(
      z.object({
        type: z.literal("Feature"),
        properties: z.object({
          mode: z.string(),
          minutes: z.number().optional(),
          metres: z.number().optional(),
          area: z.number().meta({ description: "square meters" }),
        }),
        geometry: z.object({
          type: z.literal("MultiPolygon"),
          coordinates: z.array(z.array(z.array(position))),
        }),
      }),
    ),
  }),
  errors: [503],
  async handle(call) {
    const { mode, minutes, metres } = call.query;
    if (minutes && metres) throw invalid("metres", "Set minutes or metres, not both.");
    const asked = minutes ?? metres;
    if (!asked) throw invalid("minutes", "Set minutes or metres.");
    const vehicle = vehicleFor(call.query.vehicle, [mode]);
    const byLength = metres !== undefined;
    const perUnit = byLength ? 1 : 60;
    const question = { ...call.query, vehicle, byLength, limits: asked.map((limit) => limit * perUnit) };
    const found = await reachableAreas(call, question, byLength ? "metres" : "minutes");
    return {
      type: "FeatureCollection" as const,
      features: found.map(({ limit, polygons, area }) => ({
        type: "Feature" as const,
        properties: { mode, ...(byLength ? { metres: limit } : { minutes: limit / perUnit }), area: Math.round(area) },
        geometry: { type: "MultiPolygon" as const, coordinates: polygons },
      })),
    };
  },
});
