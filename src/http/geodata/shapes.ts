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
  attribution: z.string().optional().meta({ description: "the words to show, where the licence asks for some" }),
  date: z.string().optional().meta({ description: "what the data is of" }),
  edition: z.string().optional(),
});

/** A live build; src/wire/geodata.ts makes it. */
export const buildShape = storedShape.extend({
  name: z.string(),
  liveSince: z.string().optional(),
  dataDate: z.string().optional().meta({ description: "how old its data is: of several extracts, the oldest" }),
  layers: z.array(z.string()),
  areas: z.array(bounds).meta({ description: "where it has data" }),
  layerAreas: z.record(z.string(), z.array(bounds)).optional().meta({ description: "of layers that lie elsewhere" }),
  sources: z.array(sourceShape),
  inputs: z
    .array(z.object({ name: z.string(), bytes: z.number(), timestamp: z.string().optional() }))
    .meta({ description: "the files it was made of; `timestamp` is how old their data is" }),
  previous: z.array(storedShape).meta({ description: "builds of the name that were live before, the latest first" }),
});
