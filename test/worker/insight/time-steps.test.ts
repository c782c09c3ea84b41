import { describe, expect, it } from "vitest";
import { isTimeZone } from "../../../src/core/tracking/types/operating-hours.ts";
import { runsOf, timeSteps } from "../../../src/worker/http/insight/time-steps.ts";

const HOUR = 3600_000;
const at = (text: string) => Date.parse(text);
const lengths = (from: string, to: string, timeZone: string) =>
  timeSteps(at(from), at(to), "day", timeZone).map((step) => step.to - step.from);

describe("the steps of a series", () => {
  it("are whole hours that share a moment with the span", () => {
    const steps = timeSteps(at("2026-11-22T10:59:00Z"), at("2026-11-22T12:00:00Z"), "hour", "UTC");
    expect(steps.map((step) => new Date(step.at).toISOString().slice(11, 16))).toEqual(["10:00", "11:00"]);
    expect(steps[0].to - steps[0].from).toBe(1);
    expect(steps[0].from).toBe(at("2026-11-22T10:00:00Z") / HOUR);
  });

  it("are days from midnight to midnight in a time zone", () => {
    const steps = timeSteps(at("2026-11-22T04:00:00Z"), at("2026-11-24T00:00:00Z"), "day", "America/New_York");
    expect(steps.map((step) => new Date(step.at).toISOString())).toEqual([
      "2026-11-21T05:00:00.000Z",
      "2026-11-22T05:00:00.000Z",
      "2026-11-23T05:00:00.000Z",
    ]);
  });

  it("have 23 hours when the clock is put forward and 25 when it is put back, and join without a gap", () => {
    expect(lengths("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", "Europe/Berlin")).toEqual([24, 23, 24]);
    expect(lengths("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z", "Europe/Berlin")).toEqual([24, 25, 24]);
    for (const zone of ["Africa/Cairo", "America/Santiago", "Asia/Beirut", "Asia/Kolkata", "Pacific/Apia", "UTC"]) {
      const steps = timeSteps(at("2025-01-01T00:00:00Z"), at("2026-02-01T00:00:00Z"), "day", zone);
      expect([zone, steps.length >= 396]).toEqual([zone, true]);
      for (let i = 1; i < steps.length; i++) {
        expect([zone, steps[i].from]).toEqual([zone, steps[i - 1].to]);
        const length = steps[i].to - steps[i].from;
        expect([zone, steps[i].at, length >= 23 && length <= 25]).toEqual([zone, steps[i].at, true]);
      }
    }
  });

  it("are added up in runs of the same length, a day with a change of the clock by itself", () => {
    const steps = timeSteps(at("2026-10-20T00:00:00Z"), at("2026-10-28T00:00:00Z"), "day", "Europe/Berlin");
    const runs = runsOf(steps);
    expect(runs.map(({ first, from, to, length }) => [first, (to - from) / length, length])).toEqual([
      [0, 5, 24],
      [5, 1, 25],
      [6, 3, 24],
    ]);
    expect([runs[0].from, runs[2].to]).toEqual([steps[0].from, steps[8].to]);
  });

  it("know time zones by their IANA names", () => {
    expect([isTimeZone("Europe/Berlin"), isTimeZone("Mars/Base"), isTimeZone("")]).toEqual([true, false, false]);
  });
});
