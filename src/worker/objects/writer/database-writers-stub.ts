import { WRITERS } from "../../../core/limits/capacity.ts";
import { everyResidence } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import type { Jurisdiction } from "../../platform/jurisdiction.ts";
import { within } from "../../platform/within.ts";
import { type Remote, remoteObject } from "../remote.ts";
import { chooseWriter } from "./choose-writer.ts";
import type { DatabaseWriter } from "./database-writer.ts";
import { type GatheredWrite, GatheredWrites, type Handed } from "./gathered-writes.ts";
import type { LateFigures } from "./late-writes.ts";

/** Maximum time a reader waits for pending writes [ms]. */
const SETTLE_MS = 1_000;
/** How often a reader checks for them [ms]. */
const POLL_MS = 2;

type Writer = Remote<
  DatabaseWriter,
  "store" | "storeAll" | "take" | "settle" | "figures" | "webhooksChanged" | "viewersChanged"
>;

/** Writes of trackers by the jurisdiction of their project; undefined: none. */
const gathered = new Map<Jurisdiction | undefined, GatheredWrites>();
function gatheredIn({ JURISDICTION }: Env): GatheredWrites {
  let found = gathered.get(JURISDICTION);
  if (!found) {
    found = new GatheredWrites();
    gathered.set(JURISDICTION, found);
  }
  return found;
}
/** If all trackers share an isolate, one writer gets the gathered writes: larger batches. */
const GATHERED_BY = 0;
const sendGathered = (env: Env) => (writes: readonly GatheredWrite[], batch: number) =>
  writer(env, GATHERED_BY).storeAll(writes, batch);

/** Do trackers share an isolate, as WRITE_GATHER_MS indicates? */
export const shareIsolate = ({ WRITE_GATHER_MS }: Env) => WRITE_GATHER_MS !== undefined;

/** May their writes be sent together? Not if too many are queued. */
export const gathersWrites = (env: Env) => shareIsolate(env) && !gatheredIn(env).isFull;

/** Queues a write to be sent with those of other trackers. The returned object reports its outcome. */
export function gatherWrite(env: Env, write: GatheredWrite): Handed {
  return gatheredIn(env).add(
    write,
    Number(env.WRITE_GATHER_MS),
    sendGathered(env),
    (run, ms) => void setTimeout(run, ms),
  );
}

/**
 * Sends the writes gathered by this isolate. A later request to a writer finds them there. Doesn't wait for them to
 * arrive.
 */
export function sendWrites(env: Env): void {
  if (env.WRITE_GATHER_MS !== undefined) void gatheredIn(env).flush(sendGathered(env));
}

/** The same on behalf of a request, whose response may be sent before the outcome is known. */
async function sendForReader(env: Env): Promise<void> {
  if (env.WRITE_GATHER_MS === undefined || gatheredIn(env).isEmpty) return;
  // Imported here, not at the top: pure tests load the endpoints in Node, which lacks this module.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(gatheredIn(env).flush(sendGathered(env)));
}

/** Resolves when the writer has all pending writes of this isolate, no matter which request sent them. */
async function gatheredArrive(env: Env): Promise<void> {
  const isPending = gatheredIn(env).watch();
  const until = Date.now() + SETTLE_MS;
  while (isPending() && Date.now() < until) await new Promise((wake) => setTimeout(wake, POLL_MS));
}

/** The writer for a tracker, by the tracker's id (64 hex digits). */
export function databaseWriterOf(env: Env, trackerId: string): Pick<Writer, "store" | "take" | "settle"> {
  return writer(env, chooseWriter(trackerId, countOf(env)));
}

/**
 * Waits until the trackers' writes are in the database, so that a caller who got a track response finds the update in
 * lists. This costs the reader a hop to each writer, and a track call nothing.
 * @param figures also wait for the writers' statistics
 */
export async function settleWrites(env: Env, figures = false): Promise<void> {
  await sendForReader(env);
  await gatheredArrive(env);
  const settled = writers(env).map((one) => one.settle(figures));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SETTLE_MS);
  });
  await Promise.race([Promise.allSettled(settled), late]);
  clearTimeout(timer);
}

/**
 * Notifies every writer that a scope's webhooks have changed. A writer that can't be reached notices within ten
 * seconds.
 */
export async function announceWebhooks(env: Env, scope: number): Promise<void> {
  await Promise.allSettled(writers(env).map((one) => one.webhooksChanged(scope)));
}

/** Notifies every writer until when a scope has viewers; 0 = none. */
export async function announceViewers(env: Env, scope: number, until: number): Promise<void> {
  await Promise.allSettled(writers(env).map((one) => one.viewersChanged(scope, until)));
}

/** Maximum time for a writer to report its statistics [ms]. */
const FIGURES_MS = 1_000;

/**
 * Writes handed to all writers but not delivered yet; undefined if one of them doesn't respond, because the total is
 * then unknown.
 */
export async function lateWrites(env: Env): Promise<LateFigures | undefined> {
  const all = everyResidence(env).flatMap(writers);
  const asked = await within(FIGURES_MS, Promise.all(all.map((one) => one.figures())));
  if (!asked) return undefined;
  const oldest = new Map<number, number>();
  for (const [scope, since] of asked.flatMap((one) => one.oldest))
    oldest.set(scope, Math.min(since, oldest.get(scope) ?? since));
  return { trackers: asked.reduce((sum, one) => sum + one.trackers, 0), oldest: [...oldest] };
}

function writers(env: Env): Writer[] {
  return Array.from({ length: countOf(env) }, (_, shard) => writer(env, shard));
}

function countOf({ DATABASE_WRITERS }: Env): number {
  const asked = Number(DATABASE_WRITERS ?? WRITERS.usual);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, WRITERS.most) : WRITERS.usual;
}

function writer(env: Env, shard: number): Writer {
  return remoteObject(env, "DATABASE_WRITER", String(shard));
}
