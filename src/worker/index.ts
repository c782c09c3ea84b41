import { env as bindings, WorkerEntrypoint } from "cloudflare:workers";
import { answerProcess, answerRequest } from "./app.ts";
import { everyDatabase } from "./db/databases.ts";
import { withLocalDatabases } from "./db/local-databases.ts";
import { setCacheSize } from "./geodata/isolate-cache.ts";
import { AlertWatch as AlertWatchObject } from "./objects/alerts/alert-watch.ts";
import { alertWatchOf } from "./objects/alerts/alert-watch-stub.ts";
import { CampaignIndex as CampaignIndexObject } from "./objects/campaigns/campaign-index.ts";
import { GeofenceIndex as GeofenceIndexObject } from "./objects/fences/geofence-index.ts";
import { JobsObject } from "./objects/jobs/jobs-object.ts";
import { LiveFeed as LiveFeedObject } from "./objects/live/live-feed.ts";
import { MeetingCell as MeetingCellObject } from "./objects/meetings/meeting-cell.ts";
import { moveRound } from "./objects/moves/move-round.ts";
import { ownEnv, resident } from "./objects/residence/resident.ts";
import { movesEachMinute } from "./objects/rounds/archive-round.ts";
import { archiveRounds } from "./objects/rounds/archive-rounds.ts";
import { guarded } from "./objects/rounds/guarded.ts";
import { hourlyRound } from "./objects/rounds/hourly-round.ts";
import { liveTrafficRound } from "./objects/rounds/live-traffic-round.ts";
import { DeviceTracker as DeviceTrackerObject } from "./objects/tracker/device-tracker.ts";
import { WebhookSender as WebhookSenderObject } from "./objects/webhooks/webhook-sender.ts";
import { DatabaseWriter as DatabaseWriterObject } from "./objects/writer/database-writer.ts";
import type { Env } from "./platform/env.ts";
import { HOLD_CRON, heldRequest, holdRequests, isStopping } from "./platform/hold.ts";
import { withStorage } from "./storage/with-storage.ts";

setCacheSize(Reflect.get(bindings, "GEODATA_CACHE_MB"));

/**
 * The classes of Durable Objects, with the bucket of the server. Those with a project's state move with it to another
 * jurisdiction; the others only reach objects in their own.
 */

export class AlertWatch extends AlertWatchObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export class DeviceTracker extends resident(DeviceTrackerObject, { namespace: "DEVICE_TRACKER" }) {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export class WebhookSender extends resident(WebhookSenderObject, { namespace: "WEBHOOK_SENDER" }) {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

/** Deployments know the class by its first purpose. */
export class GeocodeJobs extends resident(JobsObject, { namespace: "GEOCODE_JOBS" }) {
  constructor(context: DurableObjectState, env: Env) {
    super(context, withStorage(env));
  }
}

export class CampaignIndex extends resident(CampaignIndexObject, { namespace: "CAMPAIGN_INDEX" }) {}

export class GeofenceIndex extends resident(GeofenceIndexObject, { namespace: "GEOFENCE_INDEX", isCopy: true }) {}

export class MeetingCell extends resident(MeetingCellObject, { namespace: "MEETING_CELL" }) {}

export class DatabaseWriter extends DatabaseWriterObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, ownEnv(context, env));
  }
}

export class LiveFeed extends LiveFeedObject {
  constructor(context: DurableObjectState, env: Env) {
    super(context, ownEnv(context, env));
  }
}

export { RateLimiter } from "./objects/rate-limiter.ts";

/** The environment of requests. */
const handlerEnv = (env: Env): Env => withLocalDatabases(withStorage(env));

/** The socket on which a process of `npm start` is reached by the others (platform/processes.ts). Not bound on Cloudflare. */
export class Processes extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Response | Promise<Response> {
    return isStopping() ? heldRequest(request) : answerProcess(request, handlerEnv(this.env), this.ctx);
  }
}

/** The cron of wrangler.toml that checks for alerts. */
const EVERY_MINUTE = "* * * * *";

export default {
  fetch: (request, env, context) =>
    isStopping() ? heldRequest(request) : answerRequest(request, handlerEnv(env), context),
  /** Every minute checks for alerts, continues moves of projects and collects live speeds; hourly runs everything else (wrangler.toml). */
  async scheduled(controller, env) {
    if (controller.cron === HOLD_CRON) return holdRequests(env);
    const now = controller.scheduledTime;
    const all = withStorage(env);
    if (controller.cron !== EVERY_MINUTE) return hourlyRound(all, now);
    await guarded([
      () => alertWatchOf(env).round(now),
      () => moveRound(env),
      ...everyDatabase(all).map((one) => () => liveTrafficRound(one, now)),
      ...(movesEachMinute(env) ? [() => archiveRounds(all, now)] : []),
    ]);
  },
} satisfies ExportedHandler<Env>;
