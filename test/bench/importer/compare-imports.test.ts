import { describe, expect, it } from "vitest";
import type { Row } from "../bench.ts";
import { amdahl, compareImports, type Measured } from "./compare-imports.ts";

const measured = (
  label: string,
  threads: number,
  seconds: number,
  more: Partial<Measured["figures"]> = {},
): Measured => ({
  label,
  megabytes: Number(label.split(" ")[1]),
  memory: "1GB",
  threads,
  figures: {
    build: label,
    seconds,
    cpuSeconds: 100,
    peak: 1e9,
    workFolder: 0,
    published: 0,
    phases: [],
    steps: [],
    ...more,
  },
});

describe("imports beside each other", () => {
  it("tell what is done by one thread alone, and what is shared", () => {
    const found = amdahl(measured("demo 100", 1, 300), measured("demo 100", 2, 200));
    // 300 = serial + parallel, 200 = serial + parallel / 2, of 100 MB.
    expect(found).toEqual({ serial: 1, parallel: 2 });
  });

  it("show growth with size, gain by threads, Germany, and builds that differ", () => {
    const rows: Omit<Row, "baseline">[] = [];
    compareImports(
      (row) => rows.push(row),
      [
        measured("demo 50", 1, 150),
        measured("demo 50", 2, 100),
        measured("demo 500", 2, 1000, { cpuSeconds: 1100, peak: 1.04e9 }),
        measured("demo 500", 1, 1500, { build: "another" }),
        measured("grid 500", 2, 1000),
      ],
    );
    const value = (of: string, metric: RegExp) => rows.find((row) => row.case === of && metric.test(row.metric))?.value;
    expect(value("demo 500, 1GB, 2 threads", /resident peak, more than demo 50's/)).toBeCloseTo(4);
    expect(value("demo 500, 1GB, 2 threads", /CPU per MB/)).toBeCloseTo(1.1);
    expect(value("demo 500, 1GB, 2 threads", /faster than one/)).toBe(1.5);
    // 1 s/MB by one, 2 s/MB shared by four: 4,500 × 1.5 s.
    expect(value("demo 500, 1GB, 2 threads", /Germany, by walls: 4500 MB × \(1\.000 \+ 2\.000 \/ 4\)/)).toBeCloseTo(
      1.875,
    );
    expect(value("demo 500", /different builds/)).toBe(2);
    // 2.2 CPU seconds for each of 4,500 MB.
    expect(value("demo 500, 1GB, 2 threads", /Germany, all cores busy/)).toBeCloseTo(0.6875);
    expect(rows.filter((row) => row.case.startsWith("grid")).map(({ metric }) => metric)).toEqual([
      expect.stringContaining("all cores busy"),
    ]);
  });
});
