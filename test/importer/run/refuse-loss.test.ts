import { describe, expect, it } from "vitest";
import type { Manifest } from "../../../src/core/geo/builds/manifest.ts";
import { lostLayers, refuseLoss } from "../../../src/importer/run/refuse-loss.ts";
import { named } from "../../../src/server/import/import-report.ts";

const build = (layers: Record<string, Record<string, number>>): Manifest =>
  ({
    name: "live",
    layers: Object.fromEntries(Object.entries(layers).map(([name, counts]) => [name, { counts }])),
  }) as unknown as Manifest;

const WORLD = { regions: { country: 250 }, basemap: { earth: 4_000 } };
const CITY = {
  ...WORLD,
  roads: { junctions: 50_000, ways: 90_000, tiles: 900 },
  addresses: { addresses: 40_000, "addresses in US": 40_000 },
  places: { places: 9_000 },
};
const scaled = (share: number) =>
  Object.fromEntries(
    Object.entries(CITY).map(([name, counts]) => [
      name,
      Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, Math.floor(count * share)])),
    ]),
  );

describe("an import in place of a live build", () => {
  it.each<[string, Manifest, string[]]>([
    [
      "a file of two roads",
      build({ ...WORLD, roads: { ways: 2 }, addresses: {}, places: {} }),
      ["roads", "addresses", "places"],
    ],
    // Its storage and what it left out are nothing of a map.
    [
      "a file cut after its nodes",
      build({ ...CITY, roads: { tiles: 900, "left out: no geometry": 90_000 } }),
      ["roads"],
    ],
    ["the same without its OpenAddresses", build({ ...CITY, addresses: { addresses: 90 } }), ["addresses"]],
    [
      "OpenAddresses alone",
      build({ ...WORLD, roads: {}, addresses: { addresses: 60_000 }, places: {} }),
      ["roads", "places"],
    ],
    ["elevations", build({ elevation: { blocks: 900 } }), ["roads", "addresses", "places"]],
    ["a town of a hundredth", build(scaled(0.011)), []],
    ["a village of less", build(scaled(0.009)), ["roads", "addresses", "places"]],
    ["the layers of --layers", build({ roads: CITY.roads }), []],
    ["more", build(scaled(3)), []],
  ])("loses what %s lacks", (_, next, expected) => {
    expect(lostLayers(build(CITY), next).map(({ layer }) => layer)).toEqual(expected);
  });

  it("of a few things loses nothing", () => {
    expect(lostLayers(build(scaled(0.0005)), build({ ...WORLD, roads: {}, addresses: {}, places: {} }))).toEqual([]);
  });

  it("is refused with figures, and what to do", () => {
    const next = build({ ...CITY, roads: { ways: 2 } });
    expect(() => refuseLoss(build(CITY), next)).toThrow(
      "This import has nearly nothing of what is live as live: roads 2 instead of 140,000. What is live did not change. Use another --name, or --force to replace it.",
    );
    expect(() => refuseLoss(build(CITY), build(CITY))).not.toThrow();
  });
});

it.each([
  ["addresses", "address", "addresses"],
  ["addresses in US", "address in US", "addresses in US"],
  ["postal codes", "postal code", "postal codes"],
  ["turn restrictions", "turn restriction", "turn restrictions"],
  ["pieces of road with slopes", "piece of road with slopes", "pieces of road with slopes"],
  ["localities", "town", "towns"],
  ["county around a point", "county around a point", "counties around a point"],
  ["town or part of a city", "town or part of a city", "towns and parts of cities"],
  ["ways", "way", "ways"],
])("counts one and two of %s", (what, one, two) => {
  expect([named(what, 1), named(what, 2)]).toEqual([one, two]);
});
