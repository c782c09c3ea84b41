import { describe, expect, it } from "vitest";
import type { Drive } from "../../../../src/core/routing/learn/drives.ts";
import type { EdgeSums } from "../../../../src/core/routing/learn/edge-sums.ts";
import {
  addDrive,
  emptyReport,
  hasGrown,
  parseReport,
  summaryOf,
} from "../../../../src/core/routing/learn/eta-report.ts";
import { FEATURES } from "../../../../src/core/routing/learn/features.ts";
import { quietEdges } from "../../../../src/core/routing/learn/quiet-edges.ts";
import { readResidual, residualFactor, writeResidual } from "../../../../src/core/routing/learn/residual.ts";
import { type Example, trainResidual } from "../../../../src/core/routing/learn/train-residual.ts";
import { seeded } from "../graph/random-town.ts";

const HOUR = FEATURES.indexOf("hour");
const SIGNALS = FEATURES.indexOf("signals");

/** Journeys whose true time is the engine's × `factor(features)`, with some chance. */
function journeys(count: number, factor: (features: Float64Array) => number, spread = 0.05): Example[] {
  const random = seeded(11);
  return Array.from({ length: count }, () => {
    const features = Float64Array.from(FEATURES, () => random() * 10);
    features[HOUR] = Math.floor(random() * 24);
    const chance = Math.exp(spread * (random() + random() + random() - 1.5) * 2);
    return { features, predicted: 600, actual: 600 * factor(features) * chance };
  });
}

describe("the residual model", () => {
  it("learns what the engine gets wrong by hour and by signals, and is used", () => {
    const { model, engineError, modelError } = trainResidual(
      journeys(2000, (features) => (features[HOUR] < 10 ? 1.25 : 1) * (features[SIGNALS] > 5 ? 1.1 : 0.95)),
    );
    expect(engineError).toBeGreaterThan(0.1);
    expect(modelError).toBeLessThan(0.06);
    expect(model.isEnabled).toBe(true);
  });

  it("is not used if it is not clearly better, or if there are too few journeys to know", () => {
    expect(trainResidual(journeys(2000, () => 1)).model.isEnabled).toBe(false);
    expect(trainResidual(journeys(100, () => 1.3)).model.isEnabled).toBe(false);
    expect(trainResidual([]).model).toMatchObject({ isEnabled: false, trees: [], base: 0 });
  });

  it("never changes a time by more than half or twice", () => {
    const { model } = trainResidual(journeys(1000, () => 1.5));
    for (const base of [50, -50, 0.1]) {
      const factor = residualFactor({ ...model, base }, new Float64Array(FEATURES.length));
      expect(factor).toBeGreaterThanOrEqual(0.5);
      expect(factor).toBeLessThanOrEqual(2);
    }
  });

  it("gives the same factors after it was stored, in a few kilobytes", async () => {
    const examples = journeys(800, (features) => 1 + features[HOUR] / 50);
    const { model } = trainResidual(examples);
    const bytes = await writeResidual(model);
    expect(bytes.length).toBeLessThan(6000);
    const read = (await readResidual(bytes))!;
    for (const { features } of examples.slice(0, 50)) {
      expect(residualFactor(read, features)).toBeCloseTo(residualFactor(model, features), 6);
    }
  });
});

describe("the report", () => {
  const drive = (month: number, learned: number, actual = 600): Drive => ({
    ...{ day: 20_600 + month * 30, mode: "car", hour: 8, profile: 400, learned, actual },
    features: new Float64Array(FEATURES.length),
  });

  it("has the errors of the map and of what was learned, and the bias", () => {
    const report = emptyReport();
    for (const learned of [540, 600, 660, 600]) addDrive(report, drive(0, learned));
    const { trips, profile, learned } = report.months["2026-05"].car;
    expect(summaryOf(profile, trips)).toMatchObject({ biasPercent: -33.3, within2Minutes: 0, within10Percent: 0 });
    expect(summaryOf(profile, trips).medianPercent).toBeCloseTo(33.5, 0);
    expect(summaryOf(learned, trips)).toMatchObject({ biasPercent: 0, within2Minutes: 100, within10Percent: 100 });
    expect(summaryOf(learned, trips).biasByHour.filter((bias) => bias !== null)).toEqual([0]);
    expect(parseReport(JSON.stringify(report))).toEqual(report);
    expect(parseReport("{")).toEqual(emptyReport());
  });

  it("notices an error that grew, not one of a few journeys", () => {
    const report = emptyReport();
    for (let i = 0; i < 120; i++) addDrive(report, drive(0, 630));
    for (let i = 0; i < 90; i++) addDrive(report, drive(2, 720));
    expect(hasGrown(report, "car")).toBeUndefined();
    for (let i = 0; i < 30; i++) addDrive(report, drive(2, 720));
    expect(hasGrown(report, "car")?.now).toBeGreaterThan(15);
    for (let i = 0; i < 120; i++) addDrive(report, drive(4, 720));
    expect(hasGrown(report, "car")).toBeUndefined();
    expect(hasGrown(report, "bike")).toBeUndefined();
  });

  it("keeps two years", () => {
    const report = emptyReport();
    for (let month = 0; month < 40; month++) addDrive(report, drive(month, 600));
    expect(Object.keys(report.months)).toHaveLength(24);
  });
});

describe("a road that may be closed", () => {
  const week = (counts: Record<string, number>): EdgeSums =>
    new Map(
      Object.entries(counts).map(([key, count]) => [
        key,
        [{ hour: 8, count, logs: 0, squares: 0, waits: 0, devices: [1, 2, 3] }],
      ]),
    );

  it("had much traffic in each week before, and none in the last", () => {
    const busy = { a: 600, b: 600, c: 20 };
    expect(quietEdges([week(busy), week(busy), week({ b: 1 })])).toEqual(["a"]);
    expect(quietEdges([week(busy), week({ b: 600 }), week({ b: 1 })])).toEqual([]);
    expect(quietEdges([week(busy), week({ b: 1 })])).toEqual([]);
    expect(quietEdges([week(busy), week(busy), week({})])).toEqual([]);
  });
});
