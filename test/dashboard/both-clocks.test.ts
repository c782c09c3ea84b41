import { describe, expect, it } from "vitest";
import { bothClocks } from "../../src/dashboard/share/both-clocks.ts";

const AT = Date.parse("2026-11-26T23:30:00Z");
const now = Date.parse("2026-11-26T22:00:00Z");

describe("the times of a shared trip", () => {
  it("are in both zones if the clocks of the destination differ, with its day if that differs too", () => {
    expect(bothClocks(AT, "America/Denver", { now, viewer: "Europe/London" })).toEqual({
      here: "23:30 GMT",
      there: "16:30 GMT-7",
    });
    expect(bothClocks(AT, "Asia/Tokyo", { now, viewer: "Europe/London" }).there).toBe("08:30 GMT+9");
    expect(bothClocks(AT, "America/Denver", { now, viewer: "Europe/Vienna" }).here).toBe("Fri 27 Nov, 00:30 CET");
  });

  it("are shown once if the clocks agree, or if the destination is not known", () => {
    expect(bothClocks(AT, "Europe/Lisbon", { now, viewer: "Europe/London" })).toEqual({ here: "23:30" });
    expect(bothClocks(AT, undefined, { now, viewer: "Europe/London" })).toEqual({ here: "23:30" });
  });
});
