import type { EventRow } from "../../archive/event-row.ts";
import type { PlacedGroup } from "../../archive/part.ts";
import { rangeOf, readGroup } from "../../archive/read-group.ts";
import { BoundedCache } from "../../geo/bounded-cache.ts";

/** The bindings that events are read from. */
export interface EventStore {
  DB: D1Database;
  GEODATA: R2Bucket;
}

/** Reads at a time: Cloudflare opens no more than six connections for a request. */
export const AT_ONCE = 6;

/** Groups that were read last [characters of their docs]: whoever turns pages reads each once. Objects never change. */
const cache = new BoundedCache<readonly EventRow[]>(4_000_000);

/** An archived object is not there, or is damaged. */
export class UnreadableGroup extends Error {
  override name = "UnreadableGroup";
}

/** @throws UnreadableGroup */
export async function fetchGroup({ GEODATA }: EventStore, group: PlacedGroup): Promise<readonly EventRow[]> {
  const name = `${group.key} ${group.offset}`;
  const known = cache.get(name);
  if (known) return known.value;
  const object = await GEODATA.get(group.key, { range: rangeOf(group) });
  if (!object) throw new UnreadableGroup(`${group.key} is not there`);
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
 * Groups read side by side, some at a time. @param skip hears of one that cannot be read, which is then left out; absent: it throws
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
