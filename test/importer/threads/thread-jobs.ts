import { threadId } from "node:worker_threads";
import { ImportError } from "../../../src/importer/common/import-error.ts";

/** Jobs for the tests of ThreadPool, run in its threads. */
export type TestJob =
  | { do: "double"; value: number; wait?: number }
  | { do: "sum"; bytes: Uint8Array<ArrayBuffer> }
  | { do: "thread" | "keep" | "kept" }
  | { do: "refuse" | "fail" | "fill the heap" | "die" };

let kept = 0;

export function release(): void {
  kept = 0;
}

export async function run(job: TestJob): Promise<{ value: number; bytes?: Uint8Array<ArrayBuffer> }> {
  switch (job.do) {
    case "double":
      if (job.wait) await new Promise((resolve) => setTimeout(resolve, job.wait));
      return { value: job.value * 2 };
    case "sum":
      return { value: job.bytes.reduce((sum, byte) => sum + byte, 0), bytes: job.bytes };
    case "thread":
      return { value: threadId };
    case "keep":
      kept = 1;
      return { value: kept };
    case "kept":
      return { value: kept };
    case "refuse":
      throw new ImportError("The file is damaged. Download it again.");
    case "fail":
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC", path: "/full/disk" });
    case "fill the heap": {
      const held: number[][] = [];
      for (;;) held.push(new Array(50_000).fill(held.length + 0.5));
    }
    case "die":
      return process.exit(3);
  }
}

export const transfers = ({ bytes }: { bytes?: Uint8Array<ArrayBuffer> }) => (bytes ? [bytes.buffer] : []);
