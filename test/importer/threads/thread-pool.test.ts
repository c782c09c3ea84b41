import { describe, expect, it } from "vitest";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { explainWriteFailure } from "../../../src/importer/common/write-failure.ts";
import { ThreadPool } from "../../../src/importer/threads/thread-pool.ts";
import type { run, TestJob } from "./thread-jobs.ts";

type Result = Awaited<ReturnType<typeof run>>;

const module = new URL("./thread-jobs.ts", import.meta.url);

async function withPool<T>(size: number, use: (pool: ThreadPool<TestJob, Result>) => Promise<T>, heap?: number) {
  const pool = new ThreadPool<TestJob, Result>(size, module, { heap });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

const failureOf = (size: number, job: TestJob, heap?: number) =>
  withPool(size, (pool) => pool.run(job), heap).then(
    () => undefined,
    (error: unknown) => error as Error,
  );

describe.each([0, 1, 2])("with %i threads", (size) => {
  it("results come in the order of the items, however long each takes", async () => {
    const items = Array.from({ length: 40 }, (_, i) => i);
    const values = await withPool(size, async (pool) => {
      const seen: number[] = [];
      const job = (value: number): TestJob => ({ do: "double", value, wait: value % 3 === 0 ? 5 : 0 });
      for await (const result of pool.inOrder(items, job)) seen.push(result.value);
      return seen;
    });
    expect(values).toEqual(items.map((value) => value * 2));
  });

  it("a refusal keeps its sentence", async () => {
    const error = await failureOf(size, { do: "refuse" });
    expect(error).toBeInstanceOf(ImportError);
    expect(error?.message).toBe("The file is damaged. Download it again.");
  });

  it("a full disk is told as one, with the path", async () => {
    const explained = explainWriteFailure(await failureOf(size, { do: "fail" })) as Error;
    expect(explained.message).toMatch(/could not write \/full\/disk: the disk is full/);
  });

  it("one job that fails does not end the others", async () => {
    const value = await withPool(size, async (pool) => {
      const failing = pool.run({ do: "fail" }).catch(() => undefined);
      const good = await pool.run({ do: "double", value: 4 });
      await failing;
      return good.value;
    });
    expect(value).toBe(8);
  });
});

describe("a thread", () => {
  it("gets buffers without a copy, and gives its own back the same way", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const result = await withPool(1, (pool) => pool.run({ do: "sum", bytes }, [bytes.buffer]));
    expect(result).toEqual({ value: 6, bytes: new Uint8Array([1, 2, 3]) });
    expect(bytes.length).toBe(0);
  });

  it("that runs out of memory ends the import with a sentence that says how to go on", async () => {
    const error = await failureOf(2, { do: "fill the heap" }, 1);
    expect(error).toBeInstanceOf(ImportError);
    expect(error?.message).toMatch(/ran out of memory \(it may hold 48 MB\).*--memory/);
  });

  it("that dies ends every job of the pool with a sentence", async () => {
    const errors = await withPool(1, async (pool) => {
      const jobs = [pool.run({ do: "die" }), pool.run({ do: "double", value: 1 })];
      const before = await Promise.all(jobs.map((job) => job.catch((error: Error) => error)));
      return [...before, await pool.run({ do: "double", value: 1 }).catch((error: Error) => error)];
    });
    for (const error of errors) {
      expect(error).toBeInstanceOf(ImportError);
      expect((error as Error).message).toMatch(/thread of the import ended unexpectedly/);
    }
  });

  it("is not waited for once the pool is closed", async () => {
    const pool = new ThreadPool<TestJob, Result>(1, module);
    const job = pool.run({ do: "double", value: 1, wait: 60_000 });
    job.catch(() => undefined);
    await pool.close();
    await expect(job).rejects.toThrow("the threads were closed");
  });
});
