import { answerRows, app, openRouteWork } from "./app.ts";
import { deleteExpiredGeofences } from "./db/geofences.ts";
import { deleteEndedSessions } from "./db/sessions.ts";
import type { Env } from "./env.ts";
import { expireTrips } from "./objects/expire-trips.ts";
import { JobsObject } from "./objects/jobs-object.ts";
import { retentionRound } from "./objects/retention-round.ts";
import { alertWatchOf } from "./objects/stubs/alert-watch.ts";

/** Jobs answer rows and questions as the endpoints do; here the two meet, as objects enter no handlers. Deployments know the class by its first task. */
export class GeocodeJobs extends JobsObject {
  protected override readonly answerRows = answerRows;
  protected override readonly openWork = openRouteWork;
}

export { AlertWatch } from "./objects/alert-watch.ts";
export { DatabaseWriter } from "./objects/database-writer.ts";
export { DeviceTracker } from "./objects/device-tracker.ts";
export { GeofenceIndex } from "./objects/geofence-index.ts";
export { LiveFeed } from "./objects/live-feed.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";
export { WebhookSender } from "./objects/webhook-sender.ts";

/** The cron of wrangler.toml that looks whether something is wrong. */
const EVERY_MINUTE = "* * * * *";

export default {
  fetch: app.fetch,
  /** Each minute the look for alerts; the hourly round (wrangler.toml): what has outlived its `deleteAfter`, or the time its project keeps it, goes; trips left lying expire. */
  async scheduled(controller, env) {
    const now = controller.scheduledTime;
    // Each by itself: what fails must not keep the others from their round.
    const hourly = [
      () => deleteExpiredGeofences(env.DB, now),
      () => expireTrips(env, now),
      () => retentionRound(env, now),
      () => deleteEndedSessions(env.DB, now),
    ];
    const rounds = controller.cron === EVERY_MINUTE ? [() => alertWatchOf(env).round(now)] : hourly;
    for (const round of rounds) {
      try {
        await round();
      } catch (error) {
        console.error(JSON.stringify({ what: "scheduled", error: String(error).slice(0, 300) }));
      }
    }
  },
} satisfies ExportedHandler<Env>;
