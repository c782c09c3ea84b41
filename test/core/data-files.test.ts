import { expect, it } from "vitest";
import COUNTRIES from "../../src/core/geocoding/parse/countries.json" with { type: "json" };
import { PALETTES } from "../../src/core/maps/style/palettes.ts";

/** Data files of core. Biome finds keys that are there twice. */

it("every color of every palette is written as #rrggbb", () => {
  const colors = Object.values(PALETTES).flatMap(({ dark, lineColours, poi, ...others }) => [
    ...Object.values(others),
    ...Object.values(poi),
  ]);
  expect(colors.filter((color) => !/^#[0-9a-f]{6}$/.test(color))).toEqual([]);
});

it("codes and short names of countries are those of countries", () => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const codes = [
    ...COUNTRIES.codes.split(" "),
    ...Object.keys(COUNTRIES.languages),
    ...Object.values(COUNTRIES.shortNames),
  ];
  expect(codes.filter((code) => !/^[A-Z]{2}$/.test(code) || names.of(code) === undefined)).toEqual([]);
});
