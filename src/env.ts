import type { DatabaseWriter } from "./objects/database-writer.ts";
import type { DeviceTracker } from "./objects/device-tracker.ts";
import type { GeofenceIndex } from "./objects/geofence-index.ts";
import type { RateLimiter } from "./objects/rate-limiter.ts";

/** The bindings of wrangler.toml. */
export interface Env {
  DB: D1Database;
  GEODATA: R2Bucket;
  DATABASE_WRITER: DurableObjectNamespace<DatabaseWriter>;
  DEVICE_TRACKER: DurableObjectNamespace<DeviceTracker>;
  GEOFENCE_INDEX: DurableObjectNamespace<GeofenceIndex>;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
  /** Key of a PMTiles archive in GEODATA that is drawn in place of the imports' own: "maps/planet.pmtiles". */
  BASEMAP_ARCHIVE?: string;
}
