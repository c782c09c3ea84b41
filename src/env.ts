import type { DatabaseWriter } from "./objects/database-writer.ts";
import type { DeviceTracker } from "./objects/device-tracker.ts";
import type { GeofenceIndex } from "./objects/geofence-index.ts";
import type { RateLimiter } from "./objects/rate-limiter.ts";
import type { WebhookSender } from "./objects/webhook-sender.ts";

/** The bindings of wrangler.toml. */
export interface Env {
  DB: D1Database;
  GEODATA: R2Bucket;
  DATABASE_WRITER: DurableObjectNamespace<DatabaseWriter>;
  DEVICE_TRACKER: DurableObjectNamespace<DeviceTracker>;
  GEOFENCE_INDEX: DurableObjectNamespace<GeofenceIndex>;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
  WEBHOOK_SENDER: DurableObjectNamespace<WebhookSender>;
  /** "true": webhooks and icons may lie on this machine and its private network. `npm run dev` says so, a deployment never. */
  ALLOW_PRIVATE_HOSTS?: string;
  /** Seconds before each try of a webhook's message, such as "0 5 300"; absent = the schedule of src/webhooks. */
  WEBHOOK_SCHEDULE?: string;
  /** Key of a PMTiles archive in GEODATA that is drawn in place of the imports' own: "maps/planet.pmtiles". */
  BASEMAP_ARCHIVE?: string;
}
