import { app } from "./app.ts";
import { deleteExpiredGeofences } from "./db/geofences.ts";
import type { Env } from "./env.ts";

import { expireTrips } from "./objects/expire-trips.ts";

export { DatabaseWriter } from "./objects/database-writer.ts";
export { DeviceTracker } from "./objects/device-tracker.ts";
export { GeofenceIndex } from "./objects/geofence-index.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";

export default {
  fetch: app.fetch,
  /** The hourly round (wrangler.toml): what has outlived its `deleteAfter` goes, trips that were left lying expire. */
  async scheduled(controller, env) {
    await deleteExpiredGeofences(env.DB, controller.scheduledTime);
    await expireTrips(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
