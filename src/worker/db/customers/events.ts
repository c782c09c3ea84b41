import { and, eq, sql } from "drizzle-orm";
import type { EventRow } from "../../../core/archive/event-row.ts";
import { changeArchived } from "../archive/archive-changes.ts";
import { findArchived } from "../archive/archive-find.ts";
import type { EventStore } from "../archive/archive-groups.ts";
import { batch, oneOf, open } from "../database.ts";
import { archive, event } from "../schema.ts";
import { EventReader } from "./event-reader.ts";
import type { EventQuery } from "./events-where.ts";

interface EventFilter extends EventQuery {
  limit: number;
}

/** Maximum rows of one millisecond returned together if they exceed a page. */
const MAX_AT_ONCE = 5000;

/**
 * Events of a scope, newest first, from D1 and the archive. Each doc is a JSON TrackEvent. Events of one millisecond
 * stay together, see `pageOf` (page.ts).
 * @param leftOut called for events that can't be read
 */
export async function listEvents(
  store: EventStore,
  scope: number,
  { limit, ...query }: EventFilter,
  leftOut?: () => void,
): Promise<{ docs: string[]; hasMore: boolean }> {
  const reader = new EventReader(store, scope, query, leftOut);
  const rows = await reader.next(limit + 1);
  if (rows.length <= limit) return { docs: docsOf(rows), hasMore: false };
  const next = rows[limit].time;
  const whole = rows.filter(({ time }) => time > next);
  if (whole.length > 0) return { docs: docsOf(whole), hasMore: true };
  const more = await reader.next(MAX_AT_ONCE - rows.length);
  const together = more.filter(({ time }) => time === next);
  const isEnd = together.length === more.length && more.length < MAX_AT_ONCE - rows.length;
  return { docs: docsOf([...rows, ...together]), hasMore: !isEnd };
}

const docsOf = (rows: readonly EventRow[]) => rows.map(({ doc }) => doc);

const named = (scope: number, id: string) => and(eq(event.scope, scope), eq(event.id, id));

export async function findEvent(store: EventStore, scope: number, id: string): Promise<string | undefined> {
  const row = await open(store.DB).select({ doc: event.doc }).from(event).where(named(scope, id)).get();
  return row?.doc ?? (await findArchived(store, scope, id))?.doc;
}

/** The docs of some events, by _id. Events that do not exist are missing. */
export async function findEvents(
  store: EventStore,
  scope: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const some = and(eq(event.scope, scope), oneOf(event.id, ids));
  const rows = await open(store.DB).select({ id: event.id, doc: event.doc }).from(event).where(some).all();
  const found = new Map(rows.map(({ id, doc }) => [id, doc]));
  for (const id of ids) {
    if (found.has(id)) continue;
    const archived = await findArchived(store, scope, id);
    if (archived) found.set(id, archived.doc);
  }
  return found;
}

/** Deletes an event, from both places if it arrived twice. Returns whether there was one. */
export async function deleteEvent(store: EventStore, scope: number, id: string): Promise<boolean> {
  const { meta } = await open(store.DB).delete(event).where(named(scope, id));
  const archived = await findArchived(store, scope, id);
  if (archived) await changeArchived(store.DB, scope, archived, null);
  return meta.changes > 0 || archived !== undefined;
}

/** Stores in an event whether it was confirmed or rejected. Returns whether the event exists. */
export async function verifyEvent(
  store: EventStore,
  scope: number,
  id: string,
  verification: number,
  verifiedPlaceId: string | undefined,
): Promise<boolean> {
  const { DB } = store;
  const place = verifiedPlaceId === undefined ? sql`` : sql`, '$.verifiedPlaceId', ${verifiedPlaceId}`;
  const [, updated] = await batch(DB, [
    // A move that read the event before this must not store it.
    sql`UPDATE ${archive} SET edits = edits + 1 WHERE ${eq(archive.scope, scope)}
          AND moving = (SELECT created_at / 86400000 FROM ${event} WHERE ${named(scope, id)})`,
    sql`UPDATE ${event} SET doc = json_set(doc, '$.verification', ${verification}${place}) WHERE ${named(scope, id)}`,
  ]);
  if (updated.meta.changes > 0) return true;
  const archived = await findArchived(store, scope, id);
  if (!archived) return false;
  const doc = { ...(JSON.parse(archived.doc) as object), verification, ...(verifiedPlaceId && { verifiedPlaceId }) };
  await changeArchived(DB, scope, archived, JSON.stringify(doc));
  return true;
}
