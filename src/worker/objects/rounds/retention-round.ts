import { FORGOTTEN_AN_HOUR, SILENT_AN_HOUR } from "../../../core/limits/capacity.ts";
import { noteHistoryRound, silentDevices, silentScopes } from "../../db/customers/history-round.ts";
import { deleteOldStats } from "../../db/customers/stats.ts";
import { deleteOldShares } from "../../db/customers/trip-shares.ts";
import { repairUsers } from "../../db/customers/users.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import {
  deleteOldDeadLetters,
  deleteOldEvents,
  deleteOldLocations,
  deleteOldTrips,
  oldUnlocatedUsers,
  oldUsers,
  scopesWithOutlived,
} from "../../db/projects/retention.ts";
import type { Env } from "../../platform/env.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";
import { forgetUsers } from "./forget-users.ts";
import { workOnEach } from "./guarded.ts";

/** Maximum scopes per run, which bounds its statements and calls; the next run continues. */
const MAX_SCOPES = 100;
const MAX_EVENTS = 100_000;
const MAX_LOCATIONS = 100_000;
const MAX_TRIPS = 2_000;
/** Number of devices queried concurrently. */
const DEVICES_AT_A_TIME = 20;
const MAX_DEAD_LETTERS = 20_000;
const DEAD_LETTERS_AT_ONCE = 1_000;
const MAX_SHARES = 1_000;

/**
 * Deletes data past its project's retention time. The oldest goes first, so a run may stop anywhere and the next one
 * continues there.
 * @throws the first failure, after all steps: one that fails each time must not keep the data of the others
 */
export async function retentionRound(env: Env, now: number): Promise<void> {
  const moving = new MovingScopes(env);
  const steps = [
    () => deleteOutlived(env, now, moving),
    () => moving.leftOutOf((except) => repairUsers(env.DB, now, except)),
    () => deleteOldUsers(env, now, moving),
    () => forgetSilentDevices(env, now, moving),
    () => deleteDeadLetters(env, now, moving),
    () => moving.leftOutOf((except) => deleteOldStats(env.DB, now, except)),
    () => moving.leftOutOf((except) => deleteOldShares(env.DB, now, MAX_SHARES, except)),
  ];
  await workOnEach(steps, (step) => step());
}

async function deleteOutlived({ DB }: Env, now: number, moving: MovingScopes): Promise<void> {
  const subjects = [
    ["events", MAX_EVENTS, deleteOldEvents],
    ["locations", MAX_LOCATIONS, deleteOldLocations],
    ["trips", MAX_TRIPS, deleteOldTrips],
  ] as const;
  await workOnEach(subjects, async ([subject, most, deleteOld]) => {
    let left: number = most;
    const scopes = await moving.leftOutOf((except) => scopesWithOutlived(DB, subject, now, MAX_SCOPES, except));
    await workOnEach(scopes, async (outlived) => {
      if (left > 0) left -= (await moving.unlessMoving(outlived.scope, () => deleteOld(DB, outlived, left))) ?? 0;
    });
  });
}

async function deleteOldUsers(env: Env, now: number, moving: MovingScopes): Promise<void> {
  let left = FORGOTTEN_AN_HOUR;
  const subjects = [
    ["users", oldUsers],
    ["unlocatedUsers", oldUnlocatedUsers],
  ] as const;
  await workOnEach(subjects, async ([subject, oldest]) => {
    const scopes = await moving.leftOutOf((except) => scopesWithOutlived(env.DB, subject, now, MAX_SCOPES, except));
    await workOnEach(scopes, async (outlived) => {
      if (left <= 0) return;
      await moving.unlessMoving(outlived.scope, async () => {
        const some = await oldest(env.DB, outlived, left);
        left -= some.length;
        await forgetUsers(env, outlived.scope, some);
      });
    });
  });
}

async function deleteDeadLetters({ DB }: Env, now: number, moving: MovingScopes): Promise<void> {
  for (let left = MAX_DEAD_LETTERS; left > 0; left -= DEAD_LETTERS_AT_ONCE) {
    const deleted = await moving.leftOutOf((except) => deleteOldDeadLetters(DB, now, DEAD_LETTERS_AT_ONCE, except));
    if (deleted < DEAD_LETTERS_AT_ONCE) return;
  }
}

/**
 * A device that sends updates deletes its old ones itself, page by page. This deletes those of silent devices, once per
 * silence. A device whose last position is missing in the database looks silent, too: its tracker sends it now.
 */
async function forgetSilentDevices(env: Env, now: number, moving: MovingScopes): Promise<void> {
  let left = SILENT_AN_HOUR;
  const scopes = await moving.leftOutOf((except) => silentScopes(env.DB, now, MAX_SCOPES, except));
  await workOnEach(scopes, async (silent) => {
    if (left <= 0) return;
    await moving.unlessMoving(silent.scope, async () => {
      const { devices, reached } = await silentDevices(env.DB, silent, left);
      left -= devices.length;
      const ask = (device: string) => deviceTrackerOf(env, silent.scope, device).forgetUpdates(silent.before);
      let failure: unknown;
      let answered = 0;
      for (let i = 0; i < devices.length; i += DEVICES_AT_A_TIME)
        for (const asked of await Promise.allSettled(devices.slice(i, i + DEVICES_AT_A_TIME).map(ask)))
          if (asked.status === "fulfilled") answered++;
          else failure = asked.reason;
      // One device that never answers must not stop the round of the others. If none does, it is not the device.
      if (failure !== undefined && answered === 0) throw failure;
      await noteHistoryRound(env.DB, silent.scope, reached);
      if (failure !== undefined) throw failure;
    });
  });
}
