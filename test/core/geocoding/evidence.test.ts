import { expect, it } from "vitest";
import { contradictionOf, type Feature, sumOf } from "../../../src/core/geocoding/search/sums.ts";
import weights from "../../../src/core/geocoding/search/weights.json" with { type: "json" };

/** Whether a feature speaks for a result, or against it. */
const SIGNS: Record<Feature, 1 | -1> = {
  unexplained: -1,
  misfit: -1,
  marks: -1,
  uncovered: -1,
  turned: -1,
  population: 1,
  airport: 1,
  place: -1,
  placeKnown: 1,
  wholeName: 1,
  street: -1,
  wide: 1,
  inLanguage: -1,
  otherName: -1,
  code: -1,
  minorCode: -1,
  confirmed: 1,
  codeAsCountry: -1,
  otherCountry: -1,
  otherState: -1,
  otherTown: -1,
  strayStreet: -1,
  nested: -1,
  distance: -1,
  countryRank: -1,
  house: 1,
  nearHouse: 1,
  noHouse: -1,
  finer: -1,
  misplaced: -1,
  looseCode: -1,
  looseState: -1,
  line: -1,
  minorState: -1,
  areaLine: -1,
  territory: -1,
  state: -1,
  stateSize: 1,
  island: 1,
  province: -1,
  shadowed: -1,
  foreignStreet: -1,
  foreignCode: -1,
};

it("each weight has the sign of its feature, and none is without a name", () => {
  expect(Object.keys(weights).sort()).toEqual(Object.keys(SIGNS).sort());
  for (const [feature, sign] of Object.entries(SIGNS))
    expect([feature, Math.sign(weights[feature as Feature])]).toEqual([feature, sign]);
});

it("a contradicted country costs more than a state, a state more than a town, and each more than the largest city can give", () => {
  expect(weights.otherCountry).toBeLessThan(weights.otherState);
  expect(weights.otherState).toBeLessThan(weights.otherTown);
  // Tokyo has 37 million people, a village 1,000.
  const largest = weights.population * (7.6 - 3);
  expect(-weights.otherState).toBeGreaterThan(largest);
  expect(-weights.minorCode).toBeGreaterThan(largest);
});

it("a sum is that of its features, and of none it is 0", () => {
  expect(sumOf({})).toBe(0);
  expect(sumOf({ unexplained: 2, population: 5 })).toBeCloseTo(2 * weights.unexplained + 5 * weights.population);
  expect(contradictionOf({ population: 9, unexplained: 3 })).toBe(0);
  expect(contradictionOf({ otherTown: 0.5 })).toBeCloseTo(-0.5 * weights.otherTown);
});
