import type { Env } from "../../env.ts";
import { within } from "../within.ts";
import type { DatabaseWriter } from "../writer/database-writer.ts";
import { type GatheredWrite, GatheredWrites, type Handed } from "../writer/gathered-writes.ts";
import type { LateFigures } from "../writer/late-writes.ts";
import type { Remote } from "./remote.ts";

/**
 * Trackers share a writer: the more that share it, the larger the batches. It may take a thousand calls a second, and is paid
 * for as long as it is awake, which is always. DATABASE_WRITERS says how many there are instead.
 */
const [WRITERS, MAX_WRITERS] = [1, 16];

/** How long a reader waits for what is on its way [ms]. */
const SETTLE_MS = 1_000;
/** How often a reader looks whether it is there [ms]. */
const POLL_MS = 2;

type Writer = Remote<
  DatabaseWriter,
  "store" | "storeAll" | "take" | "settle" | "figures" | "webhooksChanged" | "viewersChanged"
>;

const gathered = new GatheredWrites();
/** Where all trackers share an isolate, one writer gets what they gather: larger batches. */
const GATHERED_BY = 0;
const sendGathered = (env: Env) => (writes: readonly GatheredWrite[]) => writer(env, GATHERED_BY).storeAll(writes);

/** Do trackers share an isolate, as WRITE_GATHER_MS says? */
export const shareIsolate = ({ WRITE_GATHER_MS }: Env) => WRITE_GATHER_MS !== undefined;

/** May their writes travel together? Not where too many wait already. */
export const gathersWrites = (env: Env) => shareIsolate(env) && !gathered.isFull;

/** Hands a write over together with those of other trackers; what became of it is told in what is returned. */
export function gatherWrite(env: Env, write: GatheredWrite): Handed {
  return gathered.add(write, Number(env.WRITE_GATHER_MS), sendGathered(env), (run, ms) => void setTimeout(run, ms));
}

/** Sends what this isolate has gathered. Whoever asks a writer afterwards finds it there; not waited for: it is on its way. */
export function sendWrites(env: Env): void {
  if (env.WRITE_GATHER_MS !== undefined) void gathered.flush(sendGathered(env));
}

/** The same in the name of a request, which may be answered before it is known what became of them. */
async function sendForReader(env: Env): Promise<void> {
  if (env.WRITE_GATHER_MS === undefined || gathered.isEmpty) return;
  // Here and not above: pure tests read the endpoints in Node, which has no such module.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(gathered.flush(sendGathered(env)));
}

/** Resolves when what this isolate was sending has arrived, whoever has sent it. */
async function gatheredArrive(): Promise<void> {
  const isUnderWay = gathered.watch();
  const until = Date.now() + SETTLE_MS;
  while (isUnderWay() && Date.now() < until) await new Promise((wake) => setTimeout(wake, POLL_MS));
}

/** The writer for a tracker, by the tracker's id (64 hex digits). */
export function databaseWriterOf(env: Env, trackerId: string): Pick<Writer, "store" | "take" | "settle"> {
  return writer(env, Number.parseInt(trackerId.slice(0, 4), 16) % countOf(env));
}

/**
 * Waits until what trackers have handed to the writers is in the database, so that a caller who has had the answer of a
 * track finds it in the lists. This costs the reader a hop to each writer, and a track nothing.
 * @param figures what the writers have counted is to be there, too
 */
export async function settleWrites(env: Env, figures = false): Promise<void> {
  await sendForReader(env);
  await gatheredArrive();
  const settled = writers(env).map((one) => one.settle(figures));
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
  return Array.from({ length: countOf(env) }, (_, shard) => writer(env, shard));
}

function countOf({ DATABASE_WRITERS }: Env): number {
  const asked = Number(DATABASE_WRITERS ?? WRITERS);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX_WRITERS) : WRITERS;
}

function writer({ DATABASE_WRITER }: Env, shard: number): Writer {
  return DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))) as never;
}
