import type { EventRow } from "../../../core/archive/event-row.ts";
import { fetchGroups } from "../../db/archive/archive-groups.ts";
import { beginMove, commitMove, dropArrivedAgain, eventsToMove } from "../../db/archive/archive-moves.ts";
import { listParts } from "../../db/archive/archive-parts.ts";
import type { Env } from "../../platform/env.ts";
import { newPartId, storePart } from "./archive-part.ts";

/**
 * Maximum rows of a part. It is in memory twice while it is compared, of an isolate's 128 MB. A list that reads one
 * event of it reads a directory of about 5 KB.
 */
export const MAX_ROWS = 16_000;
export const MAX_CHARACTERS = 12_000_000;

/**
 * Moves the oldest events of a scope, at most one day's. An interrupted move has either happened or left unreferenced
 * objects that a later run deletes.
 * @returns number of events removed from D1; undefined: nothing to move, or not now
 */
export async function moveEvents(env: Env, scope: number, before: number, now: number): Promise<number | undefined> {
  const move = await beginMove(env.DB, scope, before);
  if (!move) return undefined;
  const rows = await eventsToMove(env.DB, move, before, { rows: MAX_ROWS, characters: MAX_CHARACTERS });
  if (rows.length === 0) return undefined;
  const again = await archivedAlready(env, scope, rows);
  if (again.size > 0) {
    await dropArrivedAgain(env.DB, scope, [...again]);
    return again.size;
  }
  const part = await storePart(env, { scope, id: newPartId(), day: move.day }, move.seq, rows, now);
  return (await commitMove(env.DB, move, part, rows)) ? rows.length : undefined;
}

/**
 * Of some events of one day, those already archived: a tracker that missed the confirmation of events sends them again.
 */
async function archivedAlready(env: Env, scope: number, rows: readonly EventRow[]): Promise<Set<string>> {
  const [first, last] = [rows[0].time, rows[rows.length - 1].time];
  const ids = new Set(rows.map(({ id }) => id));
  const users = [...new Set(rows.map(({ user }) => user))];
  const found = new Set<string>();
  const filter = { createdAfter: first - 1, ...(users.length <= MAX_FILTERED_USERS && { users }) };
  let behind: { to: number; id: string } | undefined;
  for (;;) {
    const parts = await listParts(env.DB, scope, filter, { from: last, behind, limit: 16 });
    for (const { groups } of parts) {
      const some = groups.filter(({ from, to }) => from <= last && to >= first);
      // Group by group: a whole day's events would fill the memory.
      for (const group of some) {
        const [rows] = await fetchGroups(env, [group]);
        for (const { id } of rows) if (ids.has(id)) found.add(id);
      }
    }
    behind = parts[parts.length - 1];
    if (parts.length < 16) return found;
  }
}

/** Maximum users looked up in the parts' filters; larger sets match every part. */
const MAX_FILTERED_USERS = 200;
