import { describe, expect, it } from "vitest";
import { describeTimeZone, timeZoneAt } from "../../../src/core/regions/time-zone.ts";
import { zonesOf } from "../../../src/core/regions/zones-of-countries.ts";

const JULY = Date.UTC(2026, 6, 4, 12, 30, 15, 987);
const JANUARY = Date.UTC(2026, 0, 4, 12, 30, 15);

describe("the time zone of a point", () => {
  it.each([
    [40.7, -73.95, "America/New_York"],
    [33.45, -112.07, "America/Phoenix"],
    [48.85, 2.35, "Europe/Paris"],
    [27.7, 85.32, "Asia/Kathmandu"],
    [-18.12, 178.45, "Pacific/Fiji"],
    [0, -30, "Etc/GMT+2"],
  ])("at %f, %f is %s", (latitude, longitude, id) => {
    expect(timeZoneAt({ latitude, longitude })).toBe(id);
  });

  it.each([
    // 11 km inside of Montana, where the outlines of the zones have Alberta's.
    [48.9, -110.7, "US", "MT", "America/Denver"],
    [49.002, -110.7, "CA", "AB", "America/Edmonton"],
    [48.998, -116.3, "US", "ID", "America/Los_Angeles"],
    [48.998, -97.3, "US", "ND", "America/Chicago"],
    [49.002, -97.3, "CA", "MB", "America/Winnipeg"],
    // Gary keeps Chicago's time, the rest of Indiana mostly its own.
    [41.6, -87.33, "US", "IN", "America/Chicago"],
    [39.77, -86.16, "US", "IN", "America/Indiana/Indianapolis"],
    [43.735, 7.42, "MC", "", "Europe/Monaco"],
    [34.61, 32.97, "GB", "", "Asia/Nicosia"],
    [10.3, -109.22, "FR", "", "Etc/GMT+7"],
    [45.0, 34.1, "UA", "", "Europe/Simferopol"],
    [42.66, 21.16, "XK", "", "Europe/Belgrade"],
  ])("at %f, %f in %s %s is %s", (latitude, longitude, country, state, id) => {
    const regions = {
      country: { code: country, name: "", flag: "" },
      ...(state && { state: { code: state, name: "" } }),
    };
    expect(timeZoneAt({ latitude, longitude }, regions)).toBe(id);
  });

  it("is one of its country and its state wherever the two are known", () => {
    const country = { code: "US", name: "", flag: "" };
    for (let longitude = -122; longitude < -96; longitude += 0.1) {
      const id = timeZoneAt({ latitude: 48.999, longitude }, { country });
      expect(zonesOf("US"), `${longitude}`).toContain(id);
    }
  });

  it("is one the runtime knows in every country and state", () => {
    for (const area of ["US", "CA", "AR", "MC", "VA", "US IN", "US AK", "CA NU", "US HI"]) {
      expect(zonesOf(area)?.size, area).toBeGreaterThan(0);
      for (const id of zonesOf(area)!) expect(describeTimeZone(id, JULY).id).toBe(id);
    }
    expect(zonesOf("ZZ")).toBeUndefined();
  });

  it("is one the runtime knows, poles and the 180th meridian included", () => {
    for (const latitude of [-90, -60, 0, 60, 90]) {
      for (const longitude of [-180, -90, 0, 90, 180]) {
        const id = timeZoneAt({ latitude, longitude });
        expect(describeTimeZone(id, JULY).id).toBe(id);
      }
    }
  });
});

describe("a time zone's description", () => {
  it("has local time with offset and no milliseconds, and the share of daylight saving", () => {
    expect(describeTimeZone("America/New_York", JULY)).toEqual({
      id: "America/New_York",
      name: "Eastern Daylight Time",
      code: "EDT",
      currentTime: "2026-07-04T08:30:15-04:00",
      utcOffset: -14400,
      dstOffset: 3600,
    });
  });

  it.each([
    ["America/New_York", JANUARY, "EST", "2026-01-04T07:30:15-05:00", -18000, 0],
    ["America/Phoenix", JULY, "MST", "2026-07-04T05:30:15-07:00", -25200, 0],
    ["Europe/Berlin", JULY, "CEST", "2026-07-04T14:30:15+02:00", 7200, 3600],
    ["Europe/London", JANUARY, "GMT", "2026-01-04T12:30:15+00:00", 0, 0],
    ["Asia/Kathmandu", JULY, "GMT+5:45", "2026-07-04T18:15:15+05:45", 20700, 0],
    ["Asia/Kolkata", JULY, "IST", "2026-07-04T18:00:15+05:30", 19800, 0],
    ["Asia/Tokyo", JULY, "JST", "2026-07-04T21:30:15+09:00", 32400, 0],
    ["Australia/Lord_Howe", JANUARY, "LHDT", "2026-01-04T23:30:15+11:00", 39600, 1800],
    ["Australia/Sydney", JANUARY, "AEDT", "2026-01-04T23:30:15+11:00", 39600, 3600],
    ["Europe/Dublin", JULY, "IST", "2026-07-04T13:30:15+01:00", 3600, 3600],
  ])("of %s at %i says %s, %s", (id, now, code, currentTime, utcOffset, dstOffset) => {
    expect(describeTimeZone(id, now)).toMatchObject({ code, currentTime, utcOffset, dstOffset });
  });

  it("follows the clock over the hour that daylight saving skips", () => {
    const before = Date.UTC(2026, 2, 8, 6, 59, 59);
    expect(describeTimeZone("America/New_York", before).currentTime).toBe("2026-03-08T01:59:59-05:00");
    expect(describeTimeZone("America/New_York", before + 1000).currentTime).toBe("2026-03-08T03:00:00-04:00");
  });

  it("throws for a zone that does not exist", () => {
    expect(() => describeTimeZone("Atlantis/Capital", JULY)).toThrow(RangeError);
  });
});
