import { describe, expect, it } from "vitest";
import { DIFFERENCES } from "./differences/index.ts";
import { rows } from "./document.ts";
import { PARAMETERS } from "./parameters.ts";

const ENDPOINTS = [
  ...["forwardGeocode", "reverseGeocode", "autocomplete", "validateAddress"],
  ...["distance", "matrix", "match", "directions", "optimize", "staticMap"],
];
/** Rows whose effect other tests prove. */
const ELSEWHERE: readonly string[] = [
  "parameter.forwardGeocode.layers",
  "parameter.validateAddress.postalCode",
  "parameter.distance.avoid",
  "parameter.directions.heading",
  "parameter.directions.alternatives",
];

describe("every row parameter.* of geocoding, validation, routes and maps", () => {
  it("has a case that shows its effect", () => {
    const all = PARAMETERS.filter(({ endpoint }) => ENDPOINTS.includes(endpoint)).flatMap(({ endpoint, parameters }) =>
      parameters.map(({ name }) => `parameter.${endpoint}.${name}`),
    );
    expect(all.length).toBeGreaterThan(50);
    const shown = new Set([...ELSEWHERE, ...DIFFERENCES.map(({ id }) => id)]);
    expect(all.filter((id) => !shown.has(id))).toEqual([]);
  });

  it("is a row, and no two cases have the same title", () => {
    const ids = new Set(rows().map(({ id }) => id));
    expect(DIFFERENCES.filter(({ id }) => !ids.has(id))).toEqual([]);
    const titles = DIFFERENCES.map(({ id, effect }) => `${id}: ${effect}`);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  });
});
