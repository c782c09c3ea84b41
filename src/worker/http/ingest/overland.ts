import { z } from "zod";
import { overlandFixes } from "../../../core/ingest/overland.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";
import { ingest, readFixes } from "./ingest.ts";

/** The app's largest batch has 1,000 points. */
const MAX_LOCATIONS = 2000;
const RULE = `Must be a list of at most ${MAX_LOCATIONS} GeoJSON features.`;

export const ingestOverland = endpoint({
  name: "ingestOverland",
  method: "POST",
  path: "/v1/ingest/overland",
  level: "publishable",
  audited: false,
  chapter: "Other apps",
  summary: "Accepts the batches of Overland for iOS and Android.",
  description:
    "Positions use the device's own time. Entries that are not a valid position are skipped and counted (`skipped`), because the app resends a batch until it is accepted. The app's Device ID becomes the deviceId; without one, the response is 400.",
  query: z.object({
    userId: optionalText().meta({ description: "user of the device" }),
    deviceId: optionalText().meta({ description: "used if the app's own Device ID is empty" }),
  }),
  body: z.object({
    locations: z
      .array(z.unknown().meta({ type: "object" }), { error: RULE })
      .max(MAX_LOCATIONS, { error: RULE })
      .meta({
        description: "features with a Point, and timestamp, horizontal_accuracy, speed, motion … as properties",
      }),
  }),
  bodyLimit: 2 * 1024 * 1024,
  rate: "device",
  response: z.object({
    result: z.literal("ok"),
    taken: z.number().meta({ description: "positions stored" }),
    skipped: z.number().meta({ description: "entries without a valid position" }),
  }),
  errors: [451],
  async handle(call) {
    const { body, query } = call;
    const fixes = overlandFixes(body.locations).map((fix) => ({ ...fix, deviceId: fix.deviceId ?? query.deviceId }));
    const { updates } = readFixes(call, fixes, query.userId);
    await ingest(call, "ingestOverland", updates);
    return { result: "ok" as const, taken: updates.length, skipped: body.locations.length - updates.length };
  },
});
