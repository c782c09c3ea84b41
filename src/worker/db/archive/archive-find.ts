import type { EventRow } from "../../../core/archive/event-row.ts";
import { applyChanges, changesOf } from "./archive-changes.ts";
import { AT_ONCE, type EventStore, fetchGroups } from "./archive-groups.ts";
import { type ListedPart, listByUsers } from "./archive-parts.ts";

/** Parts whose directories are requested at a time. */
const PARTS = 32;
/** An event's _id is its user's _id and eight hexadecimal digits that count the user's events. */
const DIGITS = 8;

/**
 * Finds an archived event by _id. It searches the user's events from the newest on. They are numbered at creation, so a
 * list of parts whose oldest events were created later is skipped; the few events created out of order are found by a
 * second search.
 */
export async function findArchived(store: EventStore, scope: number, id: string): Promise<EventRow | undefined> {
  const user = id.slice(0, -DIGITS);
  if (user === "") return undefined;
  let passed: ListedPart[] = [];
  let behind: ListedPart | undefined;
  let known: number | undefined;
  for (;;) {
    const { parts, merged } = await listByUsers(store.DB, scope, { users: [user] }, { behind, limit: PARTS });
    if (behind && merged !== known) {
      behind = undefined;
      passed = [];
      continue;
    }
    known = merged;
    const last = parts[parts.length - 1];
    if (!last) break;
    behind = last;
    const oldest = (await eventsOf(store, [last], user))[0];
    if (parts.length === PARTS && oldest && isLater(oldest, id)) passed.push(...parts);
    else {
      const row = await among(store, scope, parts, user, id);
      if (row !== null) return row;
    }
    if (parts.length < PARTS) break;
  }
  return (await among(store, scope, passed, user, id)) ?? undefined;
}

function isLater({ id }: EventRow, than: string): boolean {
  return id.slice(-DIGITS) > than.slice(-DIGITS);
}

/** null: not in these parts; undefined: found, but deleted. */
async function among(
  store: EventStore,
  scope: number,
  parts: readonly ListedPart[],
  user: string,
  id: string,
): Promise<EventRow | undefined | null> {
  for (let first = 0; first < parts.length; first += AT_ONCE) {
    const found = (await eventsOf(store, parts.slice(first, first + AT_ONCE), user)).find((row) => row.id === id);
    if (found) return applyChanges([found], await changesOf(store.DB, scope, [found]))[0];
  }
  return null;
}

async function eventsOf(store: EventStore, parts: readonly ListedPart[], user: string): Promise<EventRow[]> {
  const groups = parts.flatMap(({ groups }) =>
    groups.filter(({ users }) => users !== undefined && users[0] <= user && user <= users[1]),
  );
  return (await fetchGroups(store, groups)).flat().filter((row) => row.user === user);
}
