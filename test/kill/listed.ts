import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../bench/support/load.ts";

/** An event as lists show it. */
export interface Listed {
  _id: string;
  type: string;
  createdAt: string;
  user: { _id: string; deviceId: string };
  geofence?: { _id: string };
  region?: { _id: string };
}

interface Page {
  events: Listed[];
  hasMore: boolean;
}

type Server = { url: string };

async function page(server: Server, key: string, query: string): Promise<Page> {
  const { status, text } = await send(server, { path: `/v1/events?${query}`, headers: { authorization: key } });
  if (status !== 200) throw new Error(text);
  const { events, meta } = JSON.parse(text);
  return { events, hasMore: meta.hasMore };
}

/** Every event that GET /v1/events tells of, newest first, wherever it lies. An event that is listed twice is in it twice. */
export async function listAll(server: Server, key: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let before = ""; ; before = `&createdBefore=${all[all.length - 1].createdAt}`) {
    const { events, hasMore } = await page(server, key, `limit=1000${before}`);
    all.push(...events);
    if (!hasMore) return all;
  }
}

export interface Watcher {
  /** Lists that were compared, while events moved and servers died. */
  lists: number;
  /** What was wrong with one: an event that had been listed before and was not, or one that was there twice. */
  complaints: string[];
  stop(): Promise<void>;
}

/**
 * Lists some stretch of time again and again: what has been listed once must be in every later list of its time, once. What moves
 * from the database into the archive just then is in both for a moment, or in neither, unless readers are careful.
 */
export function watchLists(server: () => Server, key: string, random: () => number): Watcher {
  const seen = new Map<string, number>();
  let stopped = false;
  const look = async (): Promise<void> => {
    const times = [...seen.values()];
    const from = random() < 0.5 || times.length === 0 ? undefined : times[Math.floor(random() * times.length)];
    const before = from === undefined ? "" : `&createdBefore=${new Date(from).toISOString()}`;
    const known = [...seen];
    const { events, hasMore } = await page(server(), key, `limit=200${before}`);
    const until = hasMore ? Date.parse(events[events.length - 1].createdAt) : Number.NEGATIVE_INFINITY;
    const listed = new Set<string>();
    for (const { _id, createdAt } of events) {
      if (listed.has(_id)) watcher.complaints.push(`${_id} twice`);
      listed.add(_id);
      seen.set(_id, Date.parse(createdAt));
    }
    for (const [id, time] of known)
      if (time >= until && (from === undefined || time < from) && !listed.has(id))
        watcher.complaints.push(`${id} no more`);
    watcher.lists++;
  };
  const looking = (async () => {
    while (!stopped) {
      // A server that is being killed tells nothing.
      await look().catch(() => {});
      await sleep(50);
    }
  })();
  const watcher: Watcher = {
    lists: 0,
    complaints: [],
    async stop() {
      stopped = true;
      await looking;
    },
  };
  return watcher;
}
