import type { LeftOut } from "../platform/reports.ts";
import type { ObjectBucket } from "./object-bucket.ts";

/** The bucket with geodata did not respond: nothing is known about the object. */
export class BucketAway extends Error {
  override name = "BucketAway";

  /** @param cause the platform's error, or that of the S3 service */
  constructor(key: string, cause: unknown) {
    super(`${key} could not be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** How long a response waits for data that it can do without; and while the bucket is known to be away: cached data is there at once [ms]. */
const PATIENCE_MS = 3000;
const SHORT_MS = 100;
/** Cached data is there after fewer turns of the queue of promises: it needs no timer, which would cost more than reading it. */
const CACHED_TURNS = 60;
/** After a failure, one caller waits the whole time again after this long [ms]. */
const AWAY_MS = 2000;

/** Until when the bucket is considered away [ms since 1970]; absent: it responds. */
const awayUntil = new WeakMap<ObjectBucket, number>();

/** Waits for a part of a response that may be absent. @returns undefined if the bucket did not respond, in time or at all */
export type Part = <T>(layer: string, work: () => Promise<T>) => Promise<T | undefined>;

interface Waiting {
  leftOut?: LeftOut | undefined;
  /** Work that others may wait for goes on after the response. */
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Runs work whose parts a response can do without while the bucket is away, such as the places around a tracked device. What is absent is
 * reported. All parts together wait for 3 s, and only one caller while the bucket is known to be away. Other errors are thrown.
 */
export async function whileAway<R>(
  bucket: ObjectBucket,
  { leftOut, waitUntil }: Waiting,
  run: (part: Part) => Promise<R>,
): Promise<R> {
  const known = awayUntil.get(bucket);
  const now = Date.now();
  const isShort = known !== undefined && now < known;
  // Until this caller has its answer, the others do not wait.
  if (known !== undefined && !isShort) awayUntil.set(bucket, now + PATIENCE_MS + AWAY_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timeout: Promise<"late"> | undefined;
  const late = () => {
    timeout ??= new Promise((resolve) => {
      timer = setTimeout(() => resolve("late"), isShort ? SHORT_MS : PATIENCE_MS);
    });
    return timeout;
  };
  let trouble: string | undefined;
  const part: Part = async (layer, work) => {
    let isDone = false;
    const done = work().then(
      (value) => {
        isDone = true;
        return { value };
      },
      (error: unknown) => {
        isDone = true;
        if (!(error instanceof BucketAway)) throw error;
        trouble = error.message;
        return "away" as const;
      },
    );
    for (let turn = 0; turn < CACHED_TURNS && !isDone; turn++) await undefined;
    const first = await (isDone ? done : Promise.race([done, late()]));
    if (typeof first === "object") return first.value;
    if (first === "late") waitUntil(done.catch(() => undefined));
    trouble ??= "The bucket with geodata does not respond.";
    leftOut?.(layer);
    return undefined;
  };
  try {
    return await run(part);
  } finally {
    clearTimeout(timer);
    if (trouble !== undefined && !isShort) {
      awayUntil.set(bucket, Date.now() + AWAY_MS);
      console.error(JSON.stringify({ what: "bucket", error: trouble }));
    } else if (known !== undefined && !isShort) awayUntil.delete(bucket);
  }
}
