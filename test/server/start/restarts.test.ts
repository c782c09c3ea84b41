import { afterEach, expect, it, vi } from "vitest";
import { Restarts } from "../../../src/server/start/restarts.ts";

afterEach(() => void vi.restoreAllMocks());

it("a crash is a sentence and a line of the log, is counted, and is forgotten as a repeated one after an hour", () => {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  let now = Date.UTC(2026, 11, 1);
  const restarts = new Restarts(() => now);
  restarts.watch.onCrashed(2);
  expect(lines[0]).toMatch(/^workerd \(process 2\) ended unexpectedly/);
  expect(JSON.parse(lines[1])).toEqual({ time: "2026-12-01T00:00:00.000Z", what: "crashed", process: 2, restarts: 1 });
  now += 1800_000;
  restarts.watch.onCrashed(1);
  restarts.watch.onStuck(12, false);
  expect(JSON.parse(lines[5])).toMatchObject({ what: "stuck", seconds: 12, isHalted: false, restarts: 1 });
  expect(restarts.figures()).toEqual({ stuckRestarts: 1, crashRestarts: 2, crashesLastHour: 2 });
  now += 1800_000;
  expect(restarts.figures()).toEqual({ stuckRestarts: 1, crashRestarts: 2, crashesLastHour: 1 });
});
