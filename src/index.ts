import { app } from "./app.ts";

export { DatabaseWriter } from "./objects/database-writer.ts";
export { DeviceTracker } from "./objects/device-tracker.ts";
export { GeofenceIndex } from "./objects/geofence-index.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";

export default {
  fetch: app.fetch,
};
