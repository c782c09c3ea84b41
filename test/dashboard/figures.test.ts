import { describe, expect, it } from "vitest";
import {
  endpointRows,
  eventSeries,
  type Kind,
  SPANS,
  type Stats,
  totalOf,
} from "../../src/dashboard/pages/overview/figures.ts";

const DAY = SPANS[0];
/** A value in the last step and one in the step 24 hours before. */
const values = (now: number, before = 0) =>
  Array.from({ length: 48 }, (_, i) => (i === 47 ? now : i === 23 ? before : 0));
const series = (kind: Kind, name: string, now: number, before?: number) => ({
  kind,
  name,
  values: values(now, before),
});
const STATS: Stats = {
  step: "hour",
  times: values(0).map((_, i) => new Date(i * 3600_000).toISOString()),
  series: [
    series("calls", "track", 90, 10),
    series("errors", "track", 7, 5),
    series("failures", "track", 2, 1),
    series("errors", "getUser", 3),
  ],
};

describe("the figures of the overview", () => {
  it("count errors of clients and of the server apart", () => {
    expect(totalOf(STATS, "rejected", DAY)).toEqual({ now: 8, before: 4, of: "" });
    expect(totalOf(STATS, "failures", DAY)).toEqual({ now: 2, before: 1, of: "" });
    expect(totalOf({ ...STATS, series: [] }, "rejected", DAY)).toEqual({ now: 0, before: 0, of: "" });
  });

  it("show both beside the calls of each endpoint and in the chart, where red is for the server's", () => {
    expect(endpointRows(STATS, DAY)).toEqual([
      { name: "track", calls: 90, errors: 7, failures: 2 },
      { name: "getUser", calls: 0, errors: 3, failures: 0 },
    ]);
    const lines = eventSeries(STATS, DAY).calls.map((line) => [line.name, line.values.at(-1), "isError" in line]);
    expect(lines).toEqual([
      ["calls", 90, false],
      ["4xx", 8, false],
      ["5xx", 2, true],
    ]);
  });
});
