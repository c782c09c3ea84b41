import type { EventRow } from "../archive/event-row.ts";
import type { Part } from "../archive/part.ts";
import { applyChanges } from "../db/archive-changes.ts";
import { fetchGroups } from "../db/archive-groups.ts";
import { replacePart } from "../db/archive-moves.ts";
import { partById } from "../db/archive-parts.ts";
import { noteClean, noteDone, type Pending, partsToRewrite, pendingChanges } from "../db/archive-pending.ts";
import type { Env } from "../env.ts";
import { KEPT_MS, newPartId, storePart } from "./archive-part.ts";

/** Notes that one round takes of a scope: more parts than users are the usual limit. */
const MOST_NOTES = 500;

/**
 * Writes the parts anew that have deleted users, or deleted or changed events. @param most parts that may be written
 * @returns how many were looked through
 */
export async function rewriteParts(env: Env, scope: number, now: number, most: number): Promise<number> {
  const pending = await pendingChanges(env.DB, scope, MOST_NOTES);
  let written = 0;
  const done: Pending["about"] = [];
  for (const note of pending.about) {
    const parts = await partsToRewrite(env.DB, scope, note, most - written + 1);
    for (const part of parts.slice(0, most - written)) {
      await rewrite(env, part, pending, now);
      written++;
    }
    if (written >= most && parts.length > 0) break;
    // Where another round was faster, what it wrote may lack this note: it stays for the next.
    if (parts.length === 0 || (await partsToRewrite(env.DB, scope, note, 1)).length === 0) done.push(note);
  }
  if (done.length > 0) await noteDone(env.DB, scope, done, now);
  return written;
}

async function rewrite(env: Env, old: Part, pending: Pending, now: number): Promise<void> {
  const listed = await partById(env.DB, old, "types");
  if (!listed) return;
  const rows: EventRow[] = [];
  for (const group of listed.groups) rows.push(...(await fetchGroups(env, [group]))[0]);
  const left = applyChanges(rows, pending);
  const isSame = left.length === rows.length && left.every((row, i) => row === rows[i]);
  if (isSame) return noteClean(env.DB, old, pending.seq);
  if (left.length === 0) return replacePart(env.DB, old, undefined, now + KEPT_MS);
  const part = await storePart(env, { ...old, id: newPartId() }, pending.seq, left, now);
  await replacePart(env.DB, old, part, now + KEPT_MS);
}
