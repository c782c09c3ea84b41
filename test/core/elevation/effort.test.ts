import { describe, expect, it } from "vitest";
import { ridingDelay, walkingTime } from "../../../src/core/elevation/effort.ts";

describe("the time on foot on a slope", () => {
  it("follows Tobler's function: 6 km/h at 5 % down, 5.04 on the flat, 3.55 at 10 % up", () => {
    const speed = (grade: number) => (6 * Math.exp(-3.5 * 0.05)) / walkingTime(grade);
    expect(walkingTime(0)).toBe(1);
    for (const [grade, kmh] of [
      [-0.05, 6],
      [0, 5.037],
      [0.1, 3.549],
      [-0.15, 4.228],
      [0.3, 1.763],
    ])
      expect(speed(grade)).toBeCloseTo(kmh, 2);
    expect(walkingTime(5)).toBe(walkingTime(0.6));
  });
});

describe("the time by bike on a slope", () => {
  /** On the flat the model has 23.1 km/h. */
  const flat = 23.1;
  const speed = (grade: number) => 3.6 / (3.6 / flat + ridingDelay(grade));

  it("is what 150 W on the flat and 250 W from 5 % on achieve against slope, tires and air", () => {
    expect(ridingDelay(0)).toBe(0);
    for (const [grade, watts] of [
      [0, 150],
      [0.02, 190],
      [0.05, 250],
      [0.1, 250],
    ]) {
      const v = speed(grade) / 3.6;
      const force = 90 * 9.81 * (0.008 + grade) * Math.cos(Math.atan(grade)) + 0.5 * 1.225 * 0.6 * v * v;
      expect(Math.abs(force * v - 0.95 * watts)).toBeLessThan(2);
    }
    // Of a bike with 15 km/h on the flat, as most roads have it.
    expect(3.6 / (3.6 / 15 + ridingDelay(0.05))).toBeCloseTo(11.1, 0);
  });

  it("grows with every tenth of a percent uphill, and is that of pushing where riding is too slow", () => {
    for (let grade = 0.001; grade < 0.6; grade += 0.001)
      expect(ridingDelay(grade)).toBeGreaterThan(ridingDelay(grade - 0.001) - 1e-9);
    expect(speed(0.3)).toBeCloseTo(4 / walkingTime(0.3), 1);
    expect(speed(0.15)).toBeGreaterThan(5);
  });

  it("shrinks downhill to that of 25 km/h, at which riders brake", () => {
    expect(speed(-0.003)).toBeGreaterThan(speed(0));
    expect(speed(-0.04)).toBeCloseTo(25, 0);
    expect(ridingDelay(-0.2)).toBe(ridingDelay(-0.1));
  });
});
