import { answerRequest } from "./app.ts";
import { deleteExpiredGeofences } from "./db/customers/geofences.ts";
import { deleteEndedGrants } from "./db/projects/grants.ts";
import { copyProjects, databasesForRounds } from "./db/projects/project-copies.ts";
import { deleteEndedSessions } from "./db/projects/sessions.ts";
import { refreshStatistics } from "./db/statistics.ts";
import { JobsObject } from "./objects/jobs/jobs-object.ts";
import { moveRound } from "./objects/moves/move-round.ts";
import { movesEachMinute } from "./objects/rounds/archive-round.ts";
import { archiveRounds } from "./objects/rounds/archive-rounds.ts";
import { checkImages } from "./objects/rounds/check-images.ts";
import { expireTrips } from "./objects/rounds/expire-trips.ts";
import { forgetDisabledLearning, learningRound } from "./objects/rounds/learning-round.ts";
import { retentionRound } from "./objects/rounds/retention-round.ts";
import { segmentRound } from "./objects/rounds/segment-round.ts";
import { alertWatchOf } from "./objects/stubs/alert-watch.ts";
import { DeviceTracker as DeviceTrackerObject } from "./objects/tracker/device-tracker.ts";
import { AlertWatch as AlertWatchObject } from "./objects/webhooks/alert-watch.ts";
import { WebhookSender as WebhookSenderObject } from "./objects/webhooks/webhook-sender.ts";
import { describeBriefly } from "./platform/describe-error.ts";
import type { Env } from "./platform/env.ts";
import { withStorage } from "./storage/with-storage.ts";

/** Sets the bucket's location for objects that use it, as for requests. */

export class AlertWatch extends AlertWatchObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export class DeviceTracker extends DeviceTrackerObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export class WebhookSender extends WebhookSenderObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

/** Deployments know the class by its first purpose. */
export class GeocodeJobs extends JobsObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export { CampaignIndex } from "./objects/campaigns/campaign-index.ts";
export { GeofenceIndex } from "./objects/fences/geofence-index.ts";
export { LiveFeed } from "./objects/live/live-feed.ts";
export { RateLimiter } from "./objects/rate-limiter.ts";
export { DatabaseWriter } from "./objects/writer/database-writer.ts";

/** The cron of wrangler.toml that checks for alerts. */
const EVERY_MINUTE = "* * * * *";

export default {
  fetch: (request, env, context) => answerRequest(request, withStorage(env), context),
  /**
   * Every minute checks for alerts; the hourly run (wrangler.toml) deletes data past its `deleteAfter` or its project's
   * retention, expires abandoned trips, checks the images of campaigns, and updates computed segments.
   */
  async scheduled(controller, env) {
    const now = controller.scheduledTime;
    const all = withStorage(env);
    const archive = () => archiveRounds(all, now);
    if (controller.cron === EVERY_MINUTE)
      return guarded([
        () => alertWatchOf(env).round(now),
        () => moveRound(env),
        ...(movesEachMinute(env) ? [archive] : []),
      ]);
    await guarded([
      () => deleteEndedSessions(env.DB, now),
      () => deleteEndedGrants(env.DB, now),
      () => copyProjects(env),
    ]);
    for (const one of await databasesForRounds(all)) {
      await guarded([
        () => refreshStatistics(one.DB),
        () => deleteExpiredGeofences(one.DB, now),
        () => expireTrips(one, now),
        () => checkImages(one, now),
        () => segmentRound(one, now),
        () => retentionRound(one, now),
        () => learningRound(one, now),
      ]);
    }
    await guarded([archive, () => forgetDisabledLearning(all)]);
  },
} satisfies ExportedHandler<Env>;

/** Separately: a failure must not prevent the other runs. */
async function guarded(rounds: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const round of rounds) {
    try {
      await round();
    } catch (error) {
      console.error(JSON.stringify({ what: "scheduled", error: describeBriefly(error) }));
    }
  }
}
