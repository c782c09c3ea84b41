import { describe, expect, it } from "vitest";
import { batteryCost } from "../../../src/core/engagement/battery.ts";
import {
  optionsFor,
  PRESETS,
  type RemoteOptions,
  resolveOptions,
} from "../../../src/core/engagement/tracking-options.ts";

/** The keys that the SDKs' own parsers read without a default that suits. */
const IOS = [
  ...["desiredStoppedUpdateInterval", "desiredMovingUpdateInterval", "desiredSyncInterval", "desiredAccuracy"],
  ...["stopDuration", "stopDistance", "sync", "replay", "showBlueBar", "useStoppedGeofence", "stoppedGeofenceRadius"],
  ...["useMovingGeofence", "movingGeofenceRadius", "syncGeofences", "useVisits", "useSignificantLocationChanges"],
  "beacons",
];
const ANDROID = [
  ...IOS.filter((key) => !["useVisits", "useSignificantLocationChanges", "showBlueBar"].includes(key)),
  ...["fastestStoppedUpdateInterval", "fastestMovingUpdateInterval", "syncGeofencesLimit", "foregroundServiceEnabled"],
];

describe("a preset", () => {
  it.each(PRESETS)("%s has all keys that each SDK reads", (preset) => {
    expect(IOS.filter((key) => !(key in resolveOptions(preset, "iOS")))).toEqual([]);
    expect(ANDROID.filter((key) => !(key in resolveOptions(preset, "Android")))).toEqual([]);
    const both = resolveOptions(preset, undefined);
    expect([...IOS, ...ANDROID].filter((key) => !(key in both))).toEqual([]);
  });

  it("has the values of the platform, and can be changed", () => {
    expect(resolveOptions("efficient", "iOS").desiredStoppedUpdateInterval).toBe(0);
    expect(resolveOptions("efficient", "android").desiredStoppedUpdateInterval).toBe(3600);
    const changed = resolveOptions({ preset: "continuous", desiredMovingUpdateInterval: 10 }, "iOS");
    expect([changed.desiredMovingUpdateInterval, changed.desiredStoppedUpdateInterval]).toEqual([10, 30]);
    expect(changed).not.toHaveProperty("preset");
    expect(resolveOptions({ beacons: true }, "iOS")).toEqual({ beacons: true });
    // Since the Swift version of 2026, as on Android.
    for (const device of ["iOS", "Android"])
      expect(resolveOptions("responsive", device)).toMatchObject({
        useMovingGeofence: true,
        movingGeofenceRadius: 100,
      });
  });
});

describe("the battery cost", () => {
  const hourly = (options: RemoteOptions["trackingOptions"], device: string) => {
    const { moving, stopped } = batteryCost(resolveOptions(options, device));
    return [moving.fixes, moving.uploads, stopped.fixes, stopped.uploads];
  };
  it("of a preset follows from its intervals, geofences and significant changes", () => {
    expect(hourly("continuous", "iOS")).toEqual([120, 120, 120, 120]);
    // A fix per 100 m at 5 km/h.
    expect(hourly("responsive", "iOS")).toEqual([50, 50, 0, 0]);
    expect(hourly("responsive", "Android")).toEqual([50, 50, 0, 0]);
    expect(hourly("efficient", "iOS")).toEqual([0, 0, 0, 0]);
    expect(hourly("efficient", "Android")).toEqual([3, 3, 1, 1]);
    expect(batteryCost(resolveOptions("efficient", "iOS")).wakes).toEqual(["visits"]);
  });
  it("is limited by the sync interval and by what is synced", () => {
    expect(hourly({ preset: "continuous", desiredSyncInterval: 60 }, "iOS")).toEqual([120, 60, 120, 60]);
    expect(hourly({ preset: "continuous", sync: "events" }, "iOS")).toEqual([120, 0, 120, 0]);
    expect(hourly({ useSignificantLocationChanges: true }, "iOS")).toEqual([12, 12, 0, 0]);
  });
});

describe("remote options", () => {
  const remote: RemoteOptions[] = [
    { type: "default", trackingOptions: "efficient" },
    { type: "onTrip", trackingOptions: "continuous" },
    { type: "inGeofence", trackingOptions: { beacons: true }, geofenceTags: ["store"] },
  ];
  it("prefer a geofence to a trip, and a trip to the default", () => {
    const ofPreset = (preset: "continuous" | "efficient", type: string) => ({ ...resolveOptions(preset, "iOS"), type });
    expect(optionsFor(remote, ["store"], true, "iOS")).toEqual({ beacons: true, type: "in-geofence" });
    expect(optionsFor(remote, ["home", undefined], true, "iOS")).toEqual(ofPreset("continuous", "on-trip"));
    expect(optionsFor(remote, [], false, "iOS")).toEqual(ofPreset("efficient", "default"));
    expect(optionsFor(remote.slice(1), [], false, "iOS")).toBeUndefined();
  });
});
