import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Effect } from "./effects/effect.ts";
import { EFFECTS } from "./effects/index.ts";
import { PARAMETERS } from "./parameters.ts";

/** Endpoints whose effects other tests prove: maps, geocoding, validation and routing. */
const ELSEWHERE = [
  ...["forwardGeocode", "reverseGeocode", "ipGeocode", "autocomplete", "validateAddress"],
  ...["distance", "matrix", "match", "directions", "optimize", "staticMap"],
];

const effectsOf = (endpoint: string, name: string): readonly Effect[] =>
  EFFECTS.find((table) => table.endpoint === endpoint)?.effects.filter(({ parameter }) => parameter === name) ?? [];

const rows = PARAMETERS.filter(({ endpoint }) => !ELSEWHERE.includes(endpoint)).flatMap(({ endpoint, parameters }) =>
  parameters.map((parameter) => ({
    row: `parameter.${endpoint}.${parameter.name}`,
    parameter,
    effects: effectsOf(endpoint, parameter.name),
  })),
);

const isAmong = (list: readonly unknown[], value: unknown) => list.some((one) => isDeepStrictEqual(one, value));

describe("every row parameter.*", () => {
  it("has an effect: values that show different things", () => {
    expect(rows.length).toBeGreaterThan(30);
    const without = rows.filter(({ effects }) => effects.length === 0);
    expect(without.map(({ row }) => row)).toEqual([]);
    for (const { row, effects } of rows) {
      for (const { changes, shows } of effects) {
        const [first, ...others] = shows.map(([, seen]) => seen);
        const differ = others.filter((seen) => !isDeepStrictEqual(seen, first));
        expect([row, changes, differ.length > 0]).toEqual([row, changes, true]);
      }
    }
  });

  it("has each value that must be accepted among them", () => {
    const missing = rows.flatMap(({ row, parameter, effects }) => {
      const sent = effects.flatMap(({ shows }) => shows.map(([value]) => value));
      return (parameter.takes ?? []).filter((value) => !isAmong(sent, value)).map((value) => [row, value]);
    });
    expect(missing).toEqual([]);
  });

  it("shows the same without the parameter as with its default, and something else with another value", () => {
    for (const { row, parameter, effects } of rows.filter(({ parameter }) => parameter.default !== undefined)) {
      const seen = (one: Effect, value: unknown) => one.shows.find(([sent]) => sent === value);
      const both = effects.find((one) => seen(one, undefined) && seen(one, parameter.default));
      expect([row, both !== undefined]).toEqual([row, true]);
      const [absent, given] = [undefined, parameter.default].map((value) => seen(both as Effect, value)?.[1]);
      expect([row, given]).toEqual([row, absent]);
      expect([row, isAmong([absent], both?.shows.find(([, one]) => !isAmong([absent], one))?.[1])]).toEqual([
        row,
        false,
      ]);
    }
  });
});

it("every effect is of a row", () => {
  const all = EFFECTS.flatMap(({ endpoint, effects }) =>
    effects.map(({ parameter }) => `parameter.${endpoint}.${parameter}`),
  );
  expect(all.filter((one) => !rows.some(({ row }) => row === one))).toEqual([]);
});
