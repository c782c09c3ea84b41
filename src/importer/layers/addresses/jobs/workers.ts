import { deserialize, serialize } from "node:v8";
import type { CachedParts, LayerResources } from "../../../frame/layer.ts";
import { ThreadPool } from "../../../threads/thread-pool.ts";
import { type Job, type Result, run } from "./jobs.ts";
import type { Resolved } from "./resolve-bucket.ts";
import { joinDigests, SurroundingsDigest } from "./surroundings-digest.ts";

/** Below this many bytes of jobs, starting threads takes longer than what they save. */
const MIN_BYTES_FOR_THREADS = 3_000_000;

/** Share of the layer's memory for the heaps of threads. */
const HEAP_SHARE = 0.4;

type ResolveJob = Job & { kind: "resolve" };

/** The threads of a layer, which start when there is enough to do. */
export class Workers {
  readonly #pool: ThreadPool<Job, Result>;
  readonly #parts: CachedParts | undefined;
  #seen: number;
  /** Input that all jobs of this object share. */
  #common: Uint8Array | undefined;
  #around: SurroundingsDigest | undefined;

  /** @param ahead bytes that will surely be handed over */
  constructor({ threads, memory, parts }: LayerResources, ahead = 0) {
    this.#parts = parts;
    this.#pool = new ThreadPool(threads, new URL("./jobs.ts", import.meta.url), { heap: memory * HEAP_SHARE });
    this.#seen = ahead;
  }

  get size(): number {
    return this.#pool.size;
  }

  run(job: Job, transfer: ArrayBuffer[] = []): Promise<Result> {
    if (this.#parts?.isEmpty && job.kind === "resolve") return this.#makeFirst(job, this.#parts, transfer);
    const key = this.#parts && this.#keyOf(job, this.#parts);
    if (!key || !this.#parts) return this.#make(job, transfer);
    const known = this.#parts.find(key);
    if (known) return Promise.resolve(deserialize(known) as Result);
    return this.#make(job, transfer).then((result) => {
      this.#parts?.put(key, serialize(result));
      return result;
    });
  }

  /** Of a bucket that cannot be known: what its records see is found with it, not before. */
  async #makeFirst(job: ResolveJob, parts: CachedParts, transfer: ArrayBuffer[]): Promise<Resolved> {
    const around = this.#digest(job);
    const own = parts.key("bucket", job.bytes);
    const [quick, towns] = [around.around(job.box), around.towns(job.box)];
    const result = (await this.#make({ ...job, notes: true }, transfer)) as Resolved;
    const seen = Buffer.from(joinDigests(towns, result.seen ?? ""));
    parts.put(parts.key("around", quick, own), seen);
    parts.put(parts.key("resolve", seen, own), serialize(result));
    return result;
  }

  #digest({ around }: ResolveJob): SurroundingsDigest {
    this.#around ??= new SurroundingsDigest(around);
    return this.#around;
  }

  /** Names a bucket by all that goes into it. */
  #keyOf(job: Job, parts: CachedParts): Uint8Array | undefined {
    if (job.kind === "resolve") {
      const around = this.#digest(job);
      const own = parts.key("bucket", job.bytes);
      const quick = parts.key("around", around.around(job.box), own);
      let seen = parts.find(quick);
      if (!seen) {
        seen = Buffer.from(around.within(job.box, job.bytes));
        parts.put(quick, seen);
      }
      return parts.key("resolve", seen, own);
    }
    if (job.kind !== "pack") return undefined;
    const { hashes, starts, bytes } = job.families;
    // Copies: memory that threads share is not hashed everywhere.
    this.#common ??= parts.key(
      ...[hashes, starts, bytes].map((c) => Uint8Array.from(new Uint8Array(c.buffer, c.byteOffset, c.byteLength))),
    );
    return parts.key("pack", this.#common, job.range.join(), job.bytes, job.more);
  }

  #make(job: Job, transfer: ArrayBuffer[]): Promise<Result> {
    this.#seen += job.bytes.length;
    if (this.#pool.size === 0 || this.#seen < MIN_BYTES_FOR_THREADS) return inPlace(job);
    return this.#pool.run(job, transfer);
  }

  /** The results in the order of the jobs. */
  async *inOrder<R extends Result>(jobs: Iterable<Job>): AsyncGenerator<R> {
    const underWay: Promise<Result>[] = [];
    try {
      for (const job of jobs) {
        const result = this.run(job, [job.bytes.buffer]);
        result.catch(() => undefined);
        underWay.push(result);
        if (underWay.length > this.#pool.size * 2) yield (await underWay.shift()) as R;
      }
      while (underWay.length > 0) yield (await underWay.shift()) as R;
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

async function inPlace(job: Job): Promise<Result> {
  return run(job);
}
