import { describe, expect, it } from "vitest";
import { readValues, type SettingGroup, writeValues } from "../../src/dashboard/pages/settings/setting-values.ts";

const GROUPS: SettingGroup[] = [
  {
    title: "Tracking",
    stack: [
      { name: "tracking[fraud]", label: "Fraud checks" },
      { name: "tracking[dwellThreshold]", label: "Dwell after", type: "number" },
    ],
    grid: [
      { name: "tracking[regions][state]", label: "States" },
      { name: "tracking[regions][dma]", label: "DMAs" },
    ],
  },
  {
    title: "Lists",
    grid: [
      { name: "beacons[uuids]", label: "UUIDs", lines: 6 },
      { name: "blockedCountries", label: "Blocked countries", lines: 5, isUpper: true },
    ],
  },
];

const SETTINGS = {
  tracking: { fraud: true, dwellThreshold: 0, places: true, regions: { state: true, dma: false, country: true } },
  beacons: { uuids: ["a", "b"], uids: [] },
  blockedCountries: ["KP"],
};

describe("the fields of settings", () => {
  it("write back what they read, and nothing that has no field; numbers are text until the server has checked them", () => {
    expect(writeValues(readValues(SETTINGS, GROUPS), GROUPS)).toEqual({
      tracking: { fraud: true, dwellThreshold: "0", regions: { state: true, dma: false } },
      beacons: { uuids: ["a", "b"] },
      blockedCountries: ["KP"],
    });
  });

  it("show lists one value to a line, and accept commas, spaces and repeated values", () => {
    const values = readValues(SETTINGS, GROUPS);
    expect(values["beacons[uuids]"]).toBe("a\nb");
    const typed = { ...values, "beacons[uuids]": " a, b\n\nb \n" };
    expect(writeValues(typed, GROUPS)).toMatchObject({ beacons: { uuids: ["a", "b"] } });
    expect(writeValues({ ...values, "beacons[uuids]": "" }, GROUPS)).toMatchObject({ beacons: { uuids: [] } });
  });

  it("write country codes in upper case", () => {
    const typed = { ...readValues(SETTINGS, GROUPS), blockedCountries: "kp, ir" };
    expect(writeValues(typed, GROUPS)).toMatchObject({ blockedCountries: ["KP", "IR"] });
  });
});
