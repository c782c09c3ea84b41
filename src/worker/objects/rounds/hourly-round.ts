import { everyDatabase } from "../../db/databases.ts";
import { deleteEndedGrants } from "../../db/projects/grants.ts";
import { copyProjects } from "../../db/projects/project-copies.ts";
import { deleteEndedSessions } from "../../db/projects/sessions.ts";
import { refreshStatistics } from "../../db/statistics.ts";
import type { Env } from "../../platform/env.ts";
import { archiveRounds } from "./archive-rounds.ts";
import { checkImages } from "./check-images.ts";
import { expireGeofences } from "./expire-geofences.ts";
import { expireTrips } from "./expire-trips.ts";
import { guarded } from "./guarded.ts";
import { forgetDisabledLearning, learningRound } from "./learning-round.ts";
import { retentionRound } from "./retention-round.ts";
import { segmentRound } from "./segment-round.ts";

/**
 * Runs hourly: deletes data past its `deleteAfter` or its project's retention, expires abandoned trips, checks the
 * images of campaigns, updates computed segments, collects learned speeds, and moves events into the archive.
 */
export async function hourlyRound(env: Env, now: number): Promise<void> {
  await guarded([
    () => deleteEndedSessions(env.DB, now),
    () => deleteEndedGrants(env.DB, now),
    () => copyProjects(env),
  ]);
  for (const one of everyDatabase(env)) {
    await guarded([
      () => refreshStatistics(one.DB),
      () => expireGeofences(one, now),
      () => expireTrips(one, now),
      () => checkImages(one, now),
      () => segmentRound(one, now),
      () => retentionRound(one, now),
      () => learningRound(one, now),
    ]);
  }
  await guarded([() => archiveRounds(env, now), () => forgetDisabledLearning(env)]);
}
