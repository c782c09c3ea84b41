import { LEARNED_AN_HOUR } from "../../../core/limits/capacity.ts";
import type { TimedPoint } from "../../../core/routing/learn/clean.ts";
import { emptyContribution, readContribution, writeContribution } from "../../../core/routing/learn/contribution.ts";
import { addDrive, type EtaReport, emptyReport, parseReport } from "../../../core/routing/learn/eta-report.ts";
import {
  contributionKey,
  type LearningState,
  nameOfUser,
  newState,
  parseState,
  reportKey,
  STATES_PREFIX,
  scopePrefix,
  stateKey,
  weekPrefix,
} from "../../../core/routing/learn/keys.ts";
import { MAX_WEEKS } from "../../../core/routing/learn/week-tile.ts";
import {
  dayOf,
  isCollectedWith,
  LATE_DAYS,
  LATE_MS,
  startOfDay,
  weekday,
  weekOfDay,
} from "../../../core/routing/learn/weeks.ts";
import { observeDay } from "../../answers/learn/observe-day.ts";
import { type RecentUser, usersSince } from "../../db/customers/recent-users.ts";
import { everyResidence } from "../../db/databases.ts";
import { MovingScopes, pausedScopes } from "../../db/moves/moving-scopes.ts";
import { type LearningScope, learningProjects, learningScopes, usersThere } from "../../db/projects/learning.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { workOnEach } from "./guarded.ts";
import { updatesOf } from "./updates-of.ts";

const HOUR_MS = 3600_000;
/** Work of one run, which bounds its time; the next run continues. */
const USERS_AT_ONCE = 100;

/** Collects the finished days of the devices of projects that enabled learning. */
export async function learningRound(env: Env, now: number, mostUpdates = LEARNED_AN_HOUR): Promise<void> {
  let left = mostUpdates;
  const moving = new MovingScopes(env);
  const scopes = await moving.leftOutOf((except) => learningScopes(env.DB, except));
  // Each run begins with another one: a project with more updates than fit in a day's runs must not stop the others.
  const first = Math.floor(now / HOUR_MS) % Math.max(1, scopes.length);
  for (const one of [...scopes.slice(first), ...scopes.slice(0, first)]) {
    if (left <= 0) return;
    try {
      left -= (await moving.unlessMoving(one.scope, () => collectScope(env, one, now, left, moving))) ?? 0;
    } catch (error) {
      console.error(JSON.stringify({ what: "learning", scope: one.scope, error: describeBriefly(error) }));
    }
  }
}

/** Deletes what was collected of projects that disabled learning since. */
export async function forgetDisabledLearning(env: Env): Promise<void> {
  const [enabled, paused] = [await learningProjects(env.COMMON_DB ?? env.DB), await pausedScopes(env)];
  for (const one of everyResidence(env)) {
    await workOnEach(await keysBelow(one, STATES_PREFIX), async (key) => {
      const scope = Number(key.slice(STATES_PREFIX.length));
      // A file that is just being copied would come back.
      if (paused.has(scope)) return;
      const isEnabled = enabled.has((scope - 1) / 2);
      if (isEnabled && !(await readState(one, scope))?.disabled) return;
      await deleteBelow(one, scopePrefix(scope));
      await projectBucket(one).delete(key);
    });
  }
}

async function readState(env: Env, scope: number): Promise<LearningState | undefined> {
  const stored = await projectBucket(env).get(stateKey(scope));
  return stored ? parseState(await stored.text()) : undefined;
}

/** Returns how many updates were read. */
async function collectScope(
  env: Env,
  { scope, minimumDevices }: LearningScope,
  now: number,
  most: number,
  moving: MovingScopes,
): Promise<number> {
  const last = dayOf(now - LATE_MS) - 1;
  // Nothing from before it was enabled is used.
  const state = (await readState(env, scope)) ?? newState(dayOf(now) - 1, minimumDevices);
  // Enabled again, before what was collected earlier is deleted.
  if (state.disabled) return 0;
  state.minimumDevices = minimumDevices;
  let read = 0;
  if (state.day < last) {
    const geodata = await openGeodata(env.GEODATA, { now, waitUntil: undefined });
    const report = await readReport(env, scope);
    while (state.day < last && read < most) {
      const some = await moving.unlessMoving(scope, () => collectUsers(env, geodata, scope, state, report));
      // The run in the new database continues.
      if (some === undefined) break;
      read += some;
    }
    await projectBucket(env).put(reportKey(scope), JSON.stringify(report));
    for (; state.oldest < weekOfDay(last) - MAX_WEEKS; state.oldest++) {
      await deleteBelow(env, weekPrefix(scope, state.oldest));
    }
  }
  // Learning may have been disabled while updates were read: the mark stays, and the next run deletes what was collected.
  if (!(await readState(env, scope))?.disabled) await projectBucket(env).put(stateKey(scope), JSON.stringify(state));
  return read;
}

async function readReport(env: Env, scope: number): Promise<EtaReport> {
  const stored = await projectBucket(env).get(reportKey(scope));
  return stored ? parseReport(await stored.text()) : emptyReport();
}

/** Collects the next users of the day after `state.day`; moves the state. Returns how many updates were read. */
async function collectUsers(
  env: Env,
  geodata: Geodata,
  scope: number,
  state: LearningState,
  report: EtaReport,
): Promise<number> {
  const day = state.day + 1;
  const users = await usersSince(env.DB, scope, { ...state, day: day - LATE_DAYS }, USERS_AT_ONCE);
  let read = 0;
  for (const user of users) {
    try {
      read += await collectUser(env, geodata, scope, user, day, report);
    } catch (error) {
      // One trace must not stop all others.
      console.error(JSON.stringify({ what: "learning", scope, error: describeBriefly(error) }));
    }
    state.after = user.updatedAt;
    state.afterId = user.id;
  }
  await forgetDeleted(env, scope, users, day);
  if (users.length < USERS_AT_ONCE) {
    state.day = day;
    state.after = 0;
    delete state.afterId;
  }
  return read + users.length;
}

/** A user that was deleted while the updates were read: what was stored since is deleted as well. */
async function forgetDeleted(env: Env, scope: number, users: readonly RecentUser[], day: number): Promise<void> {
  const there = await usersThere(env.DB, scope, users);
  for (const { id, deviceId } of users) {
    if (there.has(id)) continue;
    await projectBucket(env).delete(contributionKey(scope, weekOfDay(day), await nameOfUser(scope, deviceId, id)));
  }
}

async function collectUser(
  env: Env,
  geodata: Geodata,
  scope: number,
  { id, deviceId }: { id: string; deviceId: string },
  day: number,
  report: EtaReport,
): Promise<number> {
  const name = await nameOfUser(scope, deviceId, id);
  const key = contributionKey(scope, weekOfDay(day), name);
  const trace = await traceOf(env, scope, { id, deviceId }, day);
  if (trace.length === 0) return 0;
  const before = await projectBucket(env).get(key);
  const contribution = before
    ? await readContribution(new Uint8Array(await before.arrayBuffer()))
    : emptyContribution();
  const bit = 1 << weekday(day);
  // A run that ended after writing comes here again.
  if ((contribution.days & bit) !== 0) return trace.length;
  const earlier = contribution.drives.length;
  const lastWeek = contributionKey(scope, weekOfDay(day) - 1, name);
  const isDriver = before !== null || (await projectBucket(env).head(lastWeek)) !== null;
  const { traversals } = await observeDay(geodata, trace, contribution, isDriver);
  if (traversals === 0) return trace.length;
  contribution.days |= bit;
  await projectBucket(env).put(key, await writeContribution(contribution));
  for (const drive of contribution.drives.slice(earlier)) addDrive(report, drive);
  return trace.length;
}

/** The updates of a day, and those of the days before that were not there when they were collected. */
async function traceOf(env: Env, scope: number, user: { id: string; deviceId: string }, day: number) {
  const trace: TimedPoint[] = [];
  const span = { from: startOfDay(day - LATE_DAYS), to: startOfDay(day + 1) - 1 };
  for await (const { update, at } of updatesOf(env, scope, user, span)) {
    const { location, accuracy, receivedAt, activityType: activity } = update;
    if (isCollectedWith(day, at, receivedAt)) trace.push({ ...location, time: at / 1000, accuracy, activity });
  }
  return trace;
}

async function keysBelow(env: Env, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const listed: R2Objects = await projectBucket(env).list({ prefix, ...(cursor && { cursor }) });
    keys.push(...listed.objects.map(({ key }) => key));
    if (!listed.truncated) return keys;
    cursor = listed.cursor;
  }
}

async function deleteBelow(env: Env, prefix: string): Promise<void> {
  for (;;) {
    // Without a cursor: what was listed is gone.
    const { objects } = await projectBucket(env).list({ prefix });
    if (objects.length === 0) return;
    await projectBucket(env).delete(objects.map(({ key }) => key));
  }
}
