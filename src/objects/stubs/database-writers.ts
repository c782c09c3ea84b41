import type { Env } from "../../env.ts";
import type { DatabaseWriter } from "../database-writer.ts";
import type { LateFigures } from "../late-writes.ts";
import { within } from "../within.ts";
import type { Remote } from "./remote.ts";

/** Trackers share a few writers: the more that share one, the larger the batches. */
const WRITERS = 4;

/** How long a reader waits for what is on its way [ms]. */
const SETTLE_MS = 1_000;

type Writer = Remote<DatabaseWriter, "store" | "settle" | "figures" | "webhooksChanged" | "viewersChanged">;

/** The writer for a tracker, by the tracker's id (64 hex digits). */
export function databaseWriterOf(env: Env, trackerId: string): Pick<Writer, "store"> {
  return writer(env, Number.parseInt(trackerId.slice(0, 4), 16) % WRITERS);
}

/**
 * Waits until what trackers have handed to the writers is in the database, so that a caller who has had the answer of a
 * track finds it in the lists. This costs the reader a hop to each writer, and a track nothing.
 */
export async function settleWrites(env: Env): Promise<void> {
  const settled = writers(env).map((one) => one.settle());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SETTLE_MS);
  });
  await Promise.race([Promise.allSettled(settled), late]);
  clearTimeout(timer);
}

/**
 * Tells every writer that a scope's webhooks have changed. A writer that cannot be reached notices within ten seconds.
 */
export async function announceWebhooks(env: Env, scope: number): Promise<void> {
  await Promise.allSettled(writers(env).map((one) => one.webhooksChanged(scope)));
}

/** Tells every writer until when somebody looks at a scope; 0 = nobody does. */
export async function announceViewers(env: Env, scope: number, until: number): Promise<void> {
  await Promise.allSettled(writers(env).map((one) => one.viewersChanged(scope, until)));
}

/** How long a writer may take to tell its figures [ms]. */
const FIGURES_MS = 1_000;

/**
 * What all writers have been handed and could not deliver yet; undefined where one of them does not answer: then
 * nobody knows.
 */
export async function lateWrites(env: Env): Promise<LateFigures | undefined> {
  const asked = await within(FIGURES_MS, Promise.all(writers(env).map((one) => one.figures())));
  if (!asked) return undefined;
  const oldest = new Map<number, number>();
  for (const [scope, since] of asked.flatMap((one) => one.oldest))
    oldest.set(scope, Math.min(since, oldest.get(scope) ?? since));
  return { trackers: asked.reduce((sum, one) => sum + one.trackers, 0), oldest: [...oldest] };
}

function writers(env: Env): Writer[] {
  return Array.from({ length: WRITERS }, (_, shard) => writer(env, shard));
}

function writer({ DATABASE_WRITER }: Env, shard: number): Writer {
  return DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))) as never;
}
