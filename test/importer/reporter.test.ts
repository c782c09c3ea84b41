import { describe, expect, it } from "vitest";
import { amount, streamReporter, timeSpan } from "../../src/importer/reporter.ts";

/** A stream and a clock that the test moves. */
function stage(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  return {
    written,
    reporter: streamReporter(stream, () => now),
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

describe("progress", () => {
  it("on a terminal is one line that moves, with rate and time left", () => {
    const { written, reporter, pass } = stage(true);
    const progress = reporter.begin("nodes");
    progress.expect(100e6, "B");
    for (let i = 0; i < 4; i++) {
      pass(1);
      progress.advance(10e6);
    }
    pass(6);
    progress.end();
    expect(written.at(-3)).toBe("\r\x1b[K  nodes         ████████░░░░░░░░░░░░   40 %  40.0 MB  10.0 MB/s  6 s left");
    expect(written.at(-2)).toContain("10.0 s  40.0 MB, 4.0 MB/s");
    expect(written.at(-1)).toBe("\n");
  });

  it("elsewhere is a plain line now and then, without control characters", () => {
    const { written, reporter, pass } = stage(false);
    const progress = reporter.begin("places");
    progress.expect(4000, "features");
    for (let i = 0; i < 20; i++) {
      pass(1);
      progress.advance(100);
      for (let k = 0; k < 255; k++) progress.advance(0);
    }
    progress.end();
    expect(written).toEqual([
      "  places         12 %  500 features  100 features/s  35 s left\n",
      "  places         25 %  1,000 features  100 features/s  30 s left\n",
      "  places         37 %  1,500 features  100 features/s  25 s left\n",
      "  places         50 %  2,000 features  100 features/s  20 s left\n",
      "  places          20.0 s  2,000 features, 100 features/s\n",
    ]);
  });

  it("of a phase that cannot count what lies ahead is told by what it took before, and never promises the end", () => {
    const { written, reporter, pass } = stage(true);
    const progress = reporter.begin("roads", 40);
    for (const seconds of [10, 20, 30]) {
      pass(seconds);
      progress.advance(1000);
    }
    progress.end();
    expect(written.slice(1, 4)).toEqual([
      "\r\x1b[K  roads         █████░░░░░░░░░░░░░░░   25 %  30 s left",
      "\r\x1b[K  roads         ███████████████░░░░░   75 %  10 s left",
      "\r\x1b[K  roads         ████████████████████   99 %",
    ]);
    expect(written.at(-2)).toBe("\r\x1b[K  roads           60.0 s");
  });

  it("of a phase nobody has measured says how long it has been at it", () => {
    const { written, reporter, pass } = stage(false);
    const progress = reporter.begin("rivers");
    pass(12);
    progress.advance(1000);
    progress.end();
    expect(written).toEqual(["  rivers        12 s so far\n", "  rivers          12.0 s\n"]);
  });

  it("says what an interrupted run had done", () => {
    const { written, reporter } = stage(false);
    reporter.skipped("ways");
    expect(written.join("")).toBe("  ways         done before the interruption\n");
  });

  it.each([
    [0, "B", "0 B"],
    [999, "B", "999 B"],
    [1234567, "B", "1.2 MB"],
    [85.9e9, "B", "85.9 GB"],
    [1234567, "ways", "1,234,567 ways"],
  ])("%s %s reads %s", (value, unit, text) => {
    expect(amount(value, unit)).toBe(text);
  });

  it.each([
    [3.2, "4 s"],
    [100, "2 min"],
    [6000, "1 h 40 min"],
  ])("%s seconds read %s", (seconds, text) => {
    expect(timeSpan(seconds)).toBe(text);
  });
});
