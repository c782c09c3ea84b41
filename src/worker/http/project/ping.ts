import { z } from "zod";
import { campaignEpochOf } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { sdkConfiguration, sdkShape } from "./sdk-settings.ts";

const chapter = "SDK";
const configShape = z.object({ featureSettings: z.record(z.string(), z.unknown()), sdkConfiguration: sdkShape });
const LOGS_RULE = "Must be a list of up to 1000 entries.";

export const ping = endpoint({
  name: "ping",
  method: "GET",
  path: "/v1/ping",
  level: "open",
  rate: "address",
  chapter,
  summary: "Checks that the service is available. Returns the caller's IP address.",
  response: z.object({ ip: z.string().optional() }),
  handle: ({ ip }) => ({ ip }),
});

function configurationOf({ caller, request }: Pick<Call, "caller" | "request">): z.input<typeof sdkShape> {
  const device = request.headers.get("x-radar-device-type") ?? undefined;
  return sdkConfiguration(caller.settings.sdk, device, campaignEpochOf(caller) > 0);
}

export const config = endpoint({
  name: "config",
  method: "GET",
  path: "/v1/config",
  level: "publishable",
  chapter,
  summary: "Returns the settings for the SDK; every SDK calls it at startup.",
  description:
    "`meta` repeats the settings, because the iOS and Android SDKs read them there. Set them with PATCH /v1/settings, `sdk`.",
  response: configShape,
  meta: configShape,
  handle(call) {
    const settings = { featureSettings: {}, sdkConfiguration: configurationOf(call) };
    return { meta: settings, ...settings };
  },
});

const none = () => z.array(z.never());

export const postConfig = endpoint({
  name: "postConfig",
  method: "POST",
  path: "/v1/config",
  level: "publishable",
  role: "read",
  chapter,
  summary: "Returns the same settings for newer iOS SDKs, which also request geofences for offline use.",
  description: "No offline geofences are returned: devices get nearby geofences from track and POST /v1/sync/region.",
  body: z.object({ usage: z.string().max(256).optional() }),
  response: configShape.extend({
    newGeofences: none(),
    removeGeofences: none(),
    inGeofenceTrackingTags: none(),
  }),
  meta: configShape,
  handle(call) {
    const settings = { featureSettings: {}, sdkConfiguration: configurationOf(call) };
    return { meta: settings, ...settings, newGeofences: [], removeGeofences: [], inGeofenceTrackingTags: [] };
  },
});

export const logs = endpoint({
  name: "logs",
  method: "POST",
  path: "/v1/logs",
  level: "publishable",
  role: "read",
  chapter,
  summary: "Accepts the SDK's own log lines. They are counted, not stored.",
  body: z.object({
    logs: z
      .array(z.unknown().meta({ type: "object" }), { error: LOGS_RULE })
      .max(1000, { error: LOGS_RULE })
      .optional(),
  }),
  handle: () => ({}),
});
