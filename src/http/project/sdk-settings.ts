import { z } from "zod";
import type { ProjectSettings } from "../../db/projects/projects.ts";
import { flag, json, oneOf } from "../../wire/input/fields.ts";

/** The settings that every SDK requests at startup. */

const LOG_LEVELS = ["none", "error", "warning", "info", "debug"] as const;

export const sdkBody = json(
  z.object({
    logLevel: oneOf(LOG_LEVELS).optional(),
    startTrackingOnInitialize: flag().optional(),
    trackOnceOnAppOpen: flag().optional(),
  }),
)
  .optional()
  .meta({ description: "returned by GET /v1/config: {logLevel, startTrackingOnInitialize, trackOnceOnAppOpen}" });

export const sdkShape = z.object({
  logLevel: z.string(),
  startTrackingOnInitialize: z.boolean(),
  trackOnceOnAppOpen: z.boolean(),
});

export function wireSdkSettings(sdk: ProjectSettings["sdk"]): z.input<typeof sdkShape> {
  return { logLevel: "info", startTrackingOnInitialize: false, trackOnceOnAppOpen: false, ...sdk };
}
