import { z } from "zod";
import { climbShape } from "../directions.ts";
import { coordinateShape, geometryShape, quantityShape } from "../quantities.ts";

const partShape = z.object({
  roadClass: z.string().optional(),
  speedLimit: quantityShape.optional(),
  speed: quantityShape.optional().meta({ description: "travel speed over at least 60 m, if the trace has times" }),
  names: z.array(z.string()).optional(),
  startLocation: coordinateShape,
  endLocation: coordinateShape,
  originalIndex: z.number().optional(),
});

export const matchShape = z.object({
  matchedPath: z.array(coordinateShape.extend({ originalIndex: z.number() })),
  roadAttributes: z.array(partShape).optional(),
  geometry: geometryShape,
  distance: quantityShape,
  ...climbShape,
  type: z.literal("FeatureCollection").optional().meta({ description: "with `format=geojson`" }),
  features: z
    .array(
      z.object({
        type: z.literal("Feature"),
        properties: z.record(z.string(), z.unknown()),
        geometry: z.object({ type: z.literal("LineString"), coordinates: z.array(z.array(z.number())) }),
      }),
    )
    .optional(),
});

/** The response to a trace, as JSON. */
export type MatchAnswer = z.input<typeof matchShape>;
