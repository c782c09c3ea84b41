import { expect, it } from "vitest";
import { fitsState } from "../../../src/core/addresses/postal-areas.ts";
import { stateCodesOf } from "../../../src/core/geocoding/parse/states.ts";

it.each([
  ["11201", "NY", true],
  ["90210", "CA", true],
  ["90210", "NY", false],
  ["00901", "PR", true],
  ["06390", "CT", true],
  ["20500", "DC", true],
  ["09012", "AE", true],
  ["99501", "AK", true],
  ["00000", "NY", false],
])("a ZIP code %s in %s: %s", (code, state, fits) => expect(fitsState(code, state, "US")).toBe(fits));

it.each([
  ["M5V 2T6", "ON", true],
  ["H2X 1Y4", "QC", true],
  ["H2X 1Y4", "ON", false],
  ["V6B 1A1", "BC", true],
  ["X0A 0H0", "NU", true],
  ["X1A 2B3", "NT", true],
])("a postal code %s in %s: %s", (code, province, fits) => expect(fitsState(code, province, "CA")).toBe(fits));

it("every state and province has codes of its own", () => {
  for (const state of stateCodesOf("US")) {
    const some = Array.from({ length: 1000 }, (_, i) => `${i}`.padStart(3, "0")).some((zip) =>
      fitsState(`${zip}01`, state, "US"),
    );
    expect([state, some]).toEqual([state, true]);
  }
  for (const province of stateCodesOf("CA")) {
    const some = [..."ABCEGHJKLMNPRSTVXY"].some((letter) => fitsState(`${letter}1A 1A1`, province, "CA"));
    expect([province, some]).toEqual([province, true]);
  }
});
