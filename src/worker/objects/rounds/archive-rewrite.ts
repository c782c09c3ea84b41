import type { EventRow } from "../../../core/archive/event-row.ts";
import type { MonthPart, Part, PlacedGroup } from "../../../core/archive/part.ts";
import { applyChanges } from "../../db/archive/archive-changes.ts";
import { fetchGroups } from "../../db/archive/archive-groups.ts";
import { monthById, replaceMonth } from "../../db/archive/archive-months.ts";
import { replacePart } from "../../db/archive/archive-moves.ts";
import { partById } from "../../db/archive/archive-parts.ts";
import {
  noteClean,
  noteDone,
  outlivedMonths,
  type Pending,
  partsToRewrite,
  pendingChanges,
} from "../../db/archive/archive-pending.ts";
import type { Env } from "../../platform/env.ts";
import { KEPT_MS, newPartId, storeMonth, storePart } from "./archive-part.ts";

/**
 * Maximum notes that one run processes per scope. Normally the number of parts is the limit, not the number of users.
 */
const MAX_NOTES = 500;

/**
 * Rewrites the parts that contain deleted users, or deleted or changed events.
 * @param most maximum number of parts to write
 * @returns number of parts checked
 */
export async function rewriteParts(env: Env, scope: number, now: number, most: number): Promise<number> {
  const pending = await pendingChanges(env.DB, scope, MAX_NOTES);
  let written = 0;
  const done: Pending["about"] = [];
  for (const note of pending.about) {
    const parts = await partsToRewrite(env.DB, scope, note, most - written + 1);
    for (const part of parts.slice(0, most - written)) {
      await rewrite(env, part, pending, now);
      written++;
    }
    if (written >= most && parts.length > 0) break;
    // If another run was faster, its object may lack this note: leave it for the next run.
    if (parts.length === 0 || (await partsToRewrite(env.DB, scope, note, 1)).length === 0) done.push(note);
  }
  if (done.length > 0) await noteDone(env.DB, scope, done, now);
  return written;
}

async function rewrite(env: Env, old: Part | MonthPart, pending: Pending, now: number): Promise<void> {
  return "day" in old ? rewriteDay(env, old, pending, now) : rewriteMonth(env, old, pending, now);
}

async function rewriteDay(env: Env, old: Part, pending: Pending, now: number): Promise<void> {
  const listed = await partById(env.DB, old);
  if (!listed) return;
  const rows = await eventsOf(env, listed.groups);
  const left = applyChanges(rows, pending);
  if (isSame(left, rows)) return noteClean(env.DB, old, pending.seq);
  if (left.length === 0) return replacePart(env.DB, old, undefined, now + KEPT_MS);
  const part = await storePart(env, { ...old, id: newPartId() }, pending.seq, left, now, listed.isMerged);
  await replacePart(env.DB, old, part, now + KEPT_MS);
}

/** @param retainFrom events before this are deleted as well [ms] */
async function rewriteMonth(env: Env, old: MonthPart, pending: Pending, now: number, retainFrom = 0): Promise<void> {
  const listed = await monthById(env.DB, old);
  if (!listed) return;
  const rows = await eventsOf(env, listed.groups);
  const left = applyChanges(rows, pending).filter(({ time }) => time >= retainFrom);
  if (isSame(left, rows)) return noteClean(env.DB, old, pending.seq);
  if (left.length === 0) return replaceMonth(env.DB, old, undefined, listed.merge, now + KEPT_MS);
  const part = await storeMonth(env, { ...old, id: newPartId() }, pending.seq, left, now);
  await replaceMonth(env.DB, old, part, listed.merge, now + KEPT_MS);
}

/**
 * Removes expired days from objects of months.
 * @returns number of objects written
 */
export async function cutMonths(env: Env, scope: number, now: number, most: number): Promise<number> {
  const outlived = await outlivedMonths(env.DB, scope, now, most);
  if (outlived.length === 0) return 0;
  const pending = await pendingChanges(env.DB, scope, MAX_NOTES);
  for (const { retainFrom, id, month } of outlived)
    await rewriteMonth(env, { scope, id, month }, pending, now, retainFrom);
  return outlived.length;
}

/** Group by group, because the bytes of all groups would otherwise be in memory together. */
async function eventsOf(env: Env, groups: readonly PlacedGroup[]): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  for (const group of groups) rows.push(...(await fetchGroups(env, [group]))[0]);
  return rows;
}

const isSame = (left: readonly EventRow[], rows: readonly EventRow[]) =>
  left.length === rows.length && left.every((row, i) => row === rows[i]);
