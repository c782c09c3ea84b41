import { DAY_MS } from "../../../core/archive/part.ts";
import { ARCHIVED_AN_HOUR, HOT_DAYS } from "../../../core/limits/capacity.ts";
import { scopesToMerge } from "../../db/archive/archive-merges.ts";
import {
  archivedScopes,
  objectsDeleted,
  objectsToDelete,
  replacePart,
  scopesToMove,
} from "../../db/archive/archive-moves.ts";
import { dropDone, outlivedParts } from "../../db/archive/archive-pending.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { type MergeBudget, mergeMonths } from "./archive-merge.ts";
import { MAX_ROWS, moveEvents } from "./archive-move.ts";
import { KEPT_MS } from "./archive-part.ts";
import { cutMonths, rewriteParts } from "./archive-rewrite.ts";

/** Maximum scopes per run, which bounds its time and calls; the next run continues. */
const MAX_SCOPES = 200;
const MAX_MOVES = 200;
const MAX_REWRITTEN = 60;
const MAX_CUT = 60;
const MAX_OBJECTS = 1_000;
/** Maximum objects of months, groups read for them, and rows of an object. */
const MAX_MERGED: Readonly<MergeBudget> = { objects: 40, reads: 6_000, rows: MAX_ROWS };

/** Results of a run. */
interface ArchiveRound {
  moved: number;
  rewritten: number;
  outlived: number;
  /** Objects of months with expired days. */
  cut: number;
  /** Objects of months created from days. */
  merged: number;
  deleted: number;
  /** Scopes with a failure. */
  failed: number;
}

/**
 * Maintains the archive: removes deleted and expired events, adds events that are no longer hot, and merges the days of
 * finished months. Works scope by scope; a failure in one doesn't affect the others.
 * @param merging merge budget
 */
export async function archiveRound(env: Env, now: number, merging = MAX_MERGED): Promise<ArchiveRound> {
  const done: ArchiveRound = { moved: 0, rewritten: 0, outlived: 0, cut: 0, merged: 0, deleted: 0, failed: 0 };
  const moving = new MovingScopes(env);
  const guarded = async (scope: number, work: () => Promise<void>) => {
    try {
      await moving.unlessMoving(scope, work);
    } catch (error) {
      done.failed++;
      console.error(JSON.stringify({ what: "archive", scope, error: describeBriefly(error) }));
    }
  };
  for (const scope of await moving.leftOutOf((except) => archivedScopes(env.DB, except)))
    await guarded(scope, () => tidy(env, scope, now, done));
  const before = movedBefore(env, now);
  if (before !== undefined) {
    let moves = 0;
    for (const scope of await moving.leftOutOf((except) => scopesToMove(env.DB, before, MAX_SCOPES, except))) {
      await guarded(scope, async () => {
        while (moves < MAX_MOVES && done.moved < ARCHIVED_AN_HOUR) {
          const moved = await moveEvents(env, scope, before, now);
          if (moved === undefined) return;
          moves++;
          done.moved += moved;
        }
      });
    }
    const budget = { ...merging };
    for (const scope of await moving.leftOutOf((except) => scopesToMerge(env.DB, now, before, except))) {
      if (budget.objects <= 0 || budget.reads <= 0) break;
      await guarded(scope, async () => {
        done.merged += await mergeMonths(env, scope, now, before, budget);
      });
    }
  }
  if (Object.values(done).some((count) => count > 0)) console.log(JSON.stringify({ what: "archive", ...done }));
  return done;
}

async function tidy(env: Env, scope: number, now: number, done: ArchiveRound): Promise<void> {
  for (const part of await outlivedParts(env.DB, scope, now, MAX_OBJECTS)) {
    await replacePart(env.DB, part, undefined, now + KEPT_MS);
    done.outlived++;
  }
  if (done.cut < MAX_CUT) done.cut += await cutMonths(env, scope, now, MAX_CUT - done.cut);
  if (done.rewritten < MAX_REWRITTEN)
    done.rewritten += await rewriteParts(env, scope, now, MAX_REWRITTEN - done.rewritten);
  await dropDone(env.DB, scope, now - DAY_MS);
  const keys = await objectsToDelete(env.DB, scope, now, MAX_OBJECTS);
  if (keys.length === 0) return;
  await projectBucket(env).delete(keys);
  await objectsDeleted(env.DB, scope, keys);
  done.deleted += keys.length;
}

/** With less than a day, events are moved every minute: an hour between two runs would be too long. */
export function movesEachMinute(env: Pick<Env, "ARCHIVE_AFTER_DAYS">): boolean {
  const days = hotDays(env);
  return days !== undefined && days < 1;
}

/**
 * Events before this are moved [ms]: whole days (UTC), so that a day is moved in one go. Less than a day is exact.
 * undefined: nothing is moved.
 */
export function movedBefore(env: Pick<Env, "ARCHIVE_AFTER_DAYS">, now: number): number | undefined {
  const days = hotDays(env);
  if (days === undefined) return undefined;
  const before = now - days * DAY_MS;
  return days < 1 ? before : Math.floor(before / DAY_MS) * DAY_MS;
}

/**
 * undefined: never. A value that is not a number of days is ignored: otherwise events would be moved that the operator
 * wants to keep in D1.
 */
function hotDays({ ARCHIVE_AFTER_DAYS: text }: Pick<Env, "ARCHIVE_AFTER_DAYS">): number | undefined {
  if (text === undefined || text.trim() === "") return HOT_DAYS;
  const days = Number(text);
  return days >= 0 ? days : undefined;
}
