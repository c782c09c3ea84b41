import { z } from "zod";

const bounds = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .meta({ description: "[west, south, east, north]" });

const storedShape = z.object({
  id: z.string(),
  importedAt: z.string().optional(),
  bytes: z.number().optional(),
});

const sourceShape = z.object({
  name: z.string(),
  url: z.string(),
  licence: z.string(),
  licenceUrl: z.string().optional(),
  attribution: z.string().optional().meta({ description: "attribution to show, if the license requires it" }),
  date: z.string().optional().meta({ description: "subject of the data" }),
  edition: z.string().optional(),
});

/** A live build, created by src/worker/wire/geodata.ts. */
export const buildShape = storedShape.extend({
  name: z.string(),
  liveSince: z.string().optional(),
  dataDate: z
    .string()
    .optional()
    .meta({ description: "timestamp of its data; the oldest if there are several extracts" }),
  layers: z.array(z.string()),
  areas: z.array(bounds).meta({ description: "area with data" }),
  layerAreas: z.record(z.string(), z.array(bounds)).optional().meta({ description: "of layers stored elsewhere" }),
  sources: z.array(sourceShape),
  inputs: z
    .array(z.object({ name: z.string(), bytes: z.number(), timestamp: z.string().optional() }))
    .meta({ description: "source files; `timestamp` is the time of their data" }),
  previous: z.array(storedShape).meta({ description: "previously live builds of this name, latest first" }),
});
