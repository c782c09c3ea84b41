import { describe, expect, it } from "vitest";
import { amount, streamReporter, timeSpan } from "../../../src/importer/report/reporter.ts";
import { type ImportEvent, jsonReporter } from "../../../src/importer/run/json-reporter.ts";

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

  it("elsewhere is a plain line soon, then every minute, without control characters", () => {
    const { written, reporter, pass } = stage(false);
    const progress = reporter.begin("places");
    progress.expect(40_000, "features");
    for (let i = 0; i < 200; i++) {
      pass(1);
      progress.advance(100);
      for (let k = 0; k < 255; k++) progress.advance(0);
    }
    progress.end();
    expect(written).toEqual([
      "  places          1 %  500 features  100 features/s  7 min left\n",
      "  places         16 %  6,500 features  100 features/s  6 min left\n",
      "  places         31 %  12,500 features  100 features/s  5 min left\n",
      "  places         46 %  18,500 features  100 features/s  4 min left\n",
      "  places         200.0 s  20,000 features, 100 features/s\n",
    ]);
  });

  it("tells which phase of how many it is", () => {
    const { written, reporter, pass } = stage(false);
    reporter.plan(["relations", "ways", "roads"]);
    reporter.skipped("relations");
    for (const phase of ["ways: 1 of 2", "ways: 2 of 2", "sorting", "roads"]) {
      const progress = reporter.begin(phase);
      pass(2);
      progress.end();
    }
    expect(written).toEqual([
      "  1/3 relations    done before the interruption\n",
      "  2/3 ways             2.0 s  1 of 2\n",
      "  2/3 ways             2.0 s  2 of 2\n",
      "  2/3 sorting          2.0 s\n",
      "  3/3 roads            2.0 s\n",
    ]);
  });

  it("of a layer that works in steps stays one line on a terminal, which names the step", () => {
    const { written, reporter, pass } = stage(true);
    reporter.plan(["roads"]);
    const layer = reporter.begin("roads", 100);
    const graph = reporter.begin("roads: graph");
    graph.expect(1000, "ways");
    pass(10);
    for (let i = 0; i < 256; i++) graph.advance(i === 255 ? 245 : 1);
    graph.end();
    const cells = reporter.begin("roads: cells");
    pass(15);
    cells.advance(1000);
    cells.end();
    pass(5);
    layer.end();
    expect(written.filter((text) => text.includes("\n"))).toEqual(["\n"]);
    const shown = written.map((text) => text.replace("\r\x1b[K", ""));
    // By its own count, then by the forecast of its layer.
    expect(shown).toContain("  1/1 roads         █████░░░░░   50 %  graph  500 ways  50 ways/s  10 s left");
    expect(shown).toContain("  1/1 roads         ███░░░░░░░   25 %  cells  75 s left");
    expect(shown.at(-2)).toBe("  1/1 roads           30.0 s");
  });

  it("of a layer that works in steps keeps those in a log that took their time", () => {
    const { written, reporter, pass } = stage(false);
    const layer = reporter.begin("roads");
    for (const [step, seconds] of [
      ["graph", 1],
      ["cells", 70],
    ] as const) {
      const progress = reporter.begin(`roads: ${step}`);
      pass(seconds);
      progress.advance(1000);
      progress.end();
    }
    layer.end();
    expect(written).toEqual([
      "  roads         cells  70 s so far\n",
      "  roads           70.0 s  cells\n",
      "  roads           71.0 s\n",
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
      "\r\x1b[K  roads         ███████████████████░   95 %",
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

describe("progress for scripts", () => {
  it("is an event a line: begin, progress at most once a second, end", () => {
    const events: ImportEvent[] = [];
    let now = 0;
    const reporter = jsonReporter(
      (event) => events.push(event),
      () => now,
    );
    reporter.plan(["ways", "roads"]);
    reporter.skipped("ways");
    const layer = reporter.begin("roads", 40);
    const step = reporter.begin("roads: graph");
    step.expect(4000, "ways");
    for (let i = 0; i < 4; i++) {
      now += 500;
      step.advance(1000);
    }
    step.end();
    layer.end();
    reporter.say("that was all");
    const place = { number: 2, of: 2 };
    const graph = { phase: "roads: graph", ...place };
    const ofAll = { total: 4000, unit: "ways", rate: 2000 };
    expect(events).toEqual([
      { event: "end", phase: "ways", number: 1, of: 2, seconds: 0, done: 0, unit: "", resumed: true },
      { event: "begin", phase: "roads", ...place, forecast: 40 },
      { event: "begin", ...graph },
      { event: "progress", ...graph, ...ofAll, seconds: 1, done: 2000, share: 0.5, left: 1 },
      { event: "progress", ...graph, ...ofAll, seconds: 2, done: 4000, share: 1 },
      { event: "end", ...graph, seconds: 2, done: 4000, unit: "ways" },
      { event: "end", phase: "roads", ...place, seconds: 2, done: 0, unit: "" },
      { event: "note", text: "that was all" },
    ]);
  });
});
