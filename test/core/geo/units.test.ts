import { describe, expect, it } from "vitest";
import { distanceQuantity, durationQuantity, speedQuantity } from "../../../src/core/geo/units.ts";

describe("a distance reads", () => {
  it.each([
    [0, "imperial", "0.0 ft"],
    [253, "imperial", "830.1 ft"],
    [304.7, "imperial", "999.7 ft"],
    [304.8, "imperial", "0.2 mi"],
    [2253, "imperial", "1.4 mi"],
    [100_000, "imperial", "62.1 mi"],
    [12, "metric", "12.0 m"],
    [999.94, "metric", "999.9 m"],
    [1000, "metric", "1.0 km"],
    [3149, "metric", "3.1 km"],
  ] as const)("%d m in %s units: %s", (metres, units, text) => {
    expect(distanceQuantity(metres, units).text).toBe(text);
  });

  it("and its value is in feet or metres, to a tenth", () => {
    expect(distanceQuantity(1000, "imperial").value).toBe(3280.8);
    expect(distanceQuantity(1234.5678, "metric").value).toBe(1234.6);
  });
});

describe("a duration reads", () => {
  it.each([
    [0, "0.0 min"],
    [18, "0.3 min"],
    [30, "1 min"],
    [60, "1 min"],
    [89, "1 min"],
    [91, "2 mins"],
    [300, "5 mins"],
    [3569, "59 mins"],
    [3570, "1 hr"],
    [3660, "1 hr 1 min"],
    [5880, "1 hr 38 mins"],
    [7200, "2 hr"],
    [90_000, "25 hr"],
  ])("%d s: %s", (seconds, text) => {
    expect(durationQuantity(seconds)).toEqual({ value: Math.round((seconds / 60) * 1000) / 1000, text });
  });

  it("and its value is in minutes, to a thousandth", () => {
    expect(durationQuantity(100).value).toBe(1.667);
  });
});

describe("a speed reads", () => {
  it.each([
    [40, "metric", { value: 40, text: "40 km/h" }],
    [40.2336, "imperial", { value: 25, text: "25 mph" }],
    [112.65, "imperial", { value: 70, text: "70 mph" }],
  ] as const)("%d km/h in %s units", (speedKmh, units, quantity) => {
    expect(speedQuantity(speedKmh, units)).toEqual(quantity);
  });
});
