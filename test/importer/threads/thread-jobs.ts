import { ImportError } from "../../../src/importer/common/import-error.ts";

/** Jobs for the tests of ThreadPool, run in its threads. */
export type TestJob =
  | { do: "double"; value: number; wait?: number }
  | { do: "sum"; bytes: Uint8Array<ArrayBuffer> }
  | { do: "refuse" | "fail" | "fill the heap" | "die" };

export async function run(job: TestJob): Promise<{ value: number; bytes?: Uint8Array<ArrayBuffer> }> {
  switch (job.do) {
    case "double":
      if (job.wait) await new Promise((resolve) => setTimeout(resolve, job.wait));
      return { value: job.value * 2 };
    case "sum":
      return { value: job.bytes.reduce((sum, byte) => sum + byte, 0), bytes: job.bytes };
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
