import { LIVE_TRAFFIC_USERS } from "../../../core/limits/capacity.ts";
import type { TimedPoint } from "../../../core/routing/learn/clean.ts";
import { emptyContribution } from "../../../core/routing/learn/contribution.ts";
import { liveKey, nameOfUser, type UserName } from "../../../core/routing/learn/keys.ts";
import { LiveSpeeds } from "../../../core/routing/learn/live-speeds.ts";
import { dayOf } from "../../../core/routing/learn/weeks.ts";
import { observeDay } from "../../answers/learn/observe-day.ts";
import { type RecentUser, usersSince } from "../../db/customers/recent-users.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { learningScopes } from "../../db/projects/learning.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { updatesOf } from "./updates-of.ts";

/** Users that moved in this time are read [ms], … */
const RECENT_MS = 15 * 60_000;
/** … and so much of their traces, by which a drive is known from a walk. */
const TRACE_MS = 60 * 60_000;
/** Of which those with new updates are read, as many as a run may. */
const MAX_MOVED = 4 * LIVE_TRAFFIC_USERS;
/** An update every second. */
const MAX_UPDATES = 3600;
/** Greater than all ids, which are hexadecimal digits. */
const AFTER_IDS = "~";

/** Adds what the devices of projects that learn saw in the last minutes to their live speeds. */
export async function liveTrafficRound(env: Env, now: number): Promise<void> {
  const moving = new MovingScopes(env);
  for (const { scope } of await moving.leftOutOf((except) => learningScopes(env.DB, except))) {
    try {
      await moving.unlessMoving(scope, () => refresh(env, scope, now));
    } catch (error) {
      console.error(JSON.stringify({ what: "live traffic", scope, error: describeBriefly(error) }));
    }
  }
}

async function refresh(env: Env, scope: number, now: number): Promise<void> {
  const bucket = projectBucket(env);
  const stored = await bucket.get(liveKey(scope));
  const live = stored ? LiveSpeeds.read(await stored.text()) : new LiveSpeeds();
  const begin = now - RECENT_MS;
  const position = { day: dayOf(begin), after: begin, afterId: AFTER_IDS };
  const moved = await usersSince(env.DB, scope, position, MAX_MOVED);
  const users: (RecentUser & { name: UserName })[] = [];
  for (const user of moved) {
    if (users.length === LIVE_TRAFFIC_USERS) break;
    const name = await nameOfUser(scope, user.deviceId, user.id);
    if (live.isNew(name, user.updatedAt)) users.push({ ...user, name });
  }
  if (users.length === 0 && live.size === 0) return;
  const geodata = users.length > 0 ? await openGeodata(env.GEODATA, { now, waitUntil: undefined }) : undefined;
  for (const user of geodata ? users : []) {
    await addUser(env, geodata!, scope, user, live, now).catch((error: unknown) => {
      // One trace must not stop all others.
      console.error(JSON.stringify({ what: "live traffic", scope, error: describeBriefly(error) }));
    });
    live.note(user.name, user.updatedAt);
  }
  live.forget(now / 1000);
  await bucket.put(liveKey(scope), live.write());
}

async function addUser(
  env: Env,
  geodata: Geodata,
  scope: number,
  user: { id: string; deviceId: string; name: UserName },
  live: LiveSpeeds,
  now: number,
): Promise<void> {
  const trace: TimedPoint[] = [];
  for await (const { update, at } of updatesOf(env, scope, user, { from: now - TRACE_MS, to: now })) {
    const { location, accuracy, activityType: activity } = update;
    trace.push({ ...location, time: at / 1000, accuracy, activity });
    if (trace.length === MAX_UPDATES) break;
  }
  await observeDay(geodata, trace, emptyContribution(), false, (passage) => live.add(user.name.device, passage));
}
