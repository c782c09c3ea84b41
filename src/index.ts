import { app } from "./app.ts";

export { DeviceTracker } from "./objects/device-tracker.ts";
export { GeofenceIndex } from "./objects/geofence-index.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";

export default {
  fetch: app.fetch,
};
