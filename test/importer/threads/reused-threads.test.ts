import { describe, expect, it } from "vitest";
import { reusingThreads } from "../../../src/importer/threads/reused-threads.ts";
import { ThreadPool } from "../../../src/importer/threads/thread-pool.ts";
import type { run, TestJob } from "./thread-jobs.ts";

type Result = Awaited<ReturnType<typeof run>>;

/** The thread that does a job. */
async function threadOf(): Promise<number> {
  const pool = new ThreadPool<TestJob, Result>(1, new URL("./thread-jobs.ts", import.meta.url));
  try {
    return (await pool.run({ do: "thread" })).value;
  } finally {
    await pool.close();
  }
}

describe("threads of a closed pool", () => {
  it("end with it", async () => {
    expect(await threadOf()).not.toBe(await threadOf());
  });

  it("work for the next one within an import, having forgotten the jobs before", async () => {
    const [first, second, kept] = await reusingThreads(async () => {
      const pool = new ThreadPool<TestJob, Result>(1, new URL("./thread-jobs.ts", import.meta.url));
      await pool.run({ do: "keep" });
      await pool.close();
      const next = new ThreadPool<TestJob, Result>(1, new URL("./thread-jobs.ts", import.meta.url));
      const { value } = await next.run({ do: "kept" });
      await next.close();
      return [await threadOf(), await threadOf(), value];
    });
    expect(second).toBe(first);
    expect(kept).toBe(0);
    expect(await threadOf()).not.toBe(first);
  });

  it("that still have jobs, or died, are not used again", async () => {
    const [busy, next] = await reusingThreads(async () => {
      const pool = new ThreadPool<TestJob, Result>(1, new URL("./thread-jobs.ts", import.meta.url));
      const { value } = await pool.run({ do: "thread" });
      const job = pool.run({ do: "double", value: 1, wait: 60_000 });
      job.catch(() => undefined);
      await pool.close();
      return [value, await threadOf()];
    });
    expect(next).not.toBe(busy);
    await reusingThreads(async () => {
      const pool = new ThreadPool<TestJob, Result>(1, new URL("./thread-jobs.ts", import.meta.url));
      await pool.run({ do: "die" }).catch(() => undefined);
      await pool.close();
      expect(await threadOf()).toBeGreaterThan(0);
    });
  });
});
