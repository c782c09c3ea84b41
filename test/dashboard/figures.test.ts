import { describe, expect, it } from "vitest";
import {
  changeSentence,
  endpointRows,
  eventSeries,
  type Kind,
  SPANS,
  type Stats,
  totalOf,
} from "../../src/dashboard/pages/overview/figures.ts";
import { typeWords, withoutTypes } from "../../src/dashboard/parts/values/type-words.ts";

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

describe("what changed since the period before", () => {
  const of = (tracks: [number, number], events: [number, number]): Stats => ({
    ...STATS,
    series: [series("tracks", "", ...tracks), series("events", "user.entered_geofence", ...events)],
  });
  const IN_BOTH = "compared with the 24 hours before.";

  it.each([
    [[110, 100], [90, 100], `Location updates: 10 % more, events: 10 % fewer, ${IN_BOTH}`],
    [[101, 100], [100, 100], `Location updates and events: about as many, ${IN_BOTH}`],
    [[299, 100], [300, 100], `Location updates: 199 % more, events: 3 times as many, ${IN_BOTH}`],
    [[8317, 42], [0, 100], `Location updates: 198 times as many, events: none, ${IN_BOTH}`],
    [[5, 0], [0, 0], "The first data came within the last 24 hours."],
    [[0, 1], [0, 0], "No location updates in 24 hours; there was 1 in the 24 hours before."],
    [[0, 20], [0, 9], "No location updates in 24 hours; there were 20 in the 24 hours before."],
  ] as const)("%j updates and %j events are one sentence", (tracks, events, sentence) => {
    expect(changeSentence(of([...tracks], [...events]), DAY)).toBe(sentence);
  });

  it("counts the users of the busiest step", () => {
    const users = { ...STATS, series: [series("users", "", 3, 9)] };
    expect(totalOf(users, "users", DAY).of).toBe("this hour, 3 in the busiest hour");
    expect(totalOf({ ...users, step: "day" }, "users", DAY).of).toBe("today, 3 on the busiest day");
  });
});

describe("types of events in words", () => {
  it.each([
    ["user.entered_geofence", "entered geofence"],
    ["user.exited_region_postal_code", "exited postal code"],
    ["user.entered_region_dma", "entered DMA"],
    ["campaign.sent", "was sent campaign"],
    ["bought", "bought"],
  ])("%s is “%s”", (type, words) => {
    expect(typeWords(type)).toBe(words);
    expect(withoutTypes(`Events of the type ${type}: none.`)).toBe(
      `Events of the type ${type === "bought" ? type : `“${words}”`}: none.`,
    );
  });
});
