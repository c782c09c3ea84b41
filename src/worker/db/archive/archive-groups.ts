import type { EventRow } from "../../../core/archive/event-row.ts";
import type { PlacedGroup } from "../../../core/archive/part.ts";
import { rangeOf, readGroup } from "../../../core/archive/read-group.ts";
import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { projectBucket } from "../../platform/residence.ts";

/** The bindings for reading events. */
export interface EventStore {
  DB: D1Database;
  GEODATA: R2Bucket;
  /** The bucket of the project, if it is another. */
  BUCKET?: R2Bucket;
}

/** Concurrent reads: Cloudflare opens up to six connections per request. */
export const AT_ONCE = 6;

/** Recently read groups [characters of their docs]: paging reads each only once. Objects never change. */
const cache = new BoundedCache<readonly EventRow[]>(4_000_000);

/** An archived object is missing or damaged. */
export class UnreadableGroup extends Error {
  override name = "UnreadableGroup";
}

/** @throws UnreadableGroup */
async function fetchGroup(store: EventStore, group: PlacedGroup): Promise<readonly EventRow[]> {
  const name = `${group.key} ${group.offset}`;
  const known = cache.get(name);
  if (known) return known.value;
  const object = await projectBucket(store).get(group.key, { range: rangeOf(group) });
  if (!object) throw new UnreadableGroup(`${group.key} is missing`);
  const bytes = new Uint8Array(await object.arrayBuffer());
  try {
    const rows = await readGroup(group, bytes);
    cache.put(
      name,
      rows,
      rows.reduce((sum, { doc }) => sum + doc.length + 200, 0),
    );
    return rows;
  } catch (error) {
    throw new UnreadableGroup(`${group.key} at ${group.offset}: ${String(error)}`);
  }
}

/**
 * Reads groups concurrently, some at a time.
 * @param skip called for a group that can't be read, which is then omitted; absent: it throws
 */
export async function fetchGroups(
  store: EventStore,
  groups: readonly PlacedGroup[],
  skip?: (error: UnreadableGroup) => void,
): Promise<(readonly EventRow[])[]> {
  const read: (readonly EventRow[])[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < groups.length; n = next++) {
      read[n] = await fetchGroup(store, groups[n]).catch((error: unknown) => {
        if (!skip || !(error instanceof UnreadableGroup)) throw error;
        skip(error);
        return [];
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, groups.length) }, lane));
  return read;
}
