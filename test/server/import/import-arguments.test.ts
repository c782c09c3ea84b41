import { afterEach, describe, expect, it } from "vitest";
import { UsageError } from "../../../src/server/base/command.ts";
import { importArguments } from "../../../src/server/import/import-arguments.ts";

const { argv } = process;
afterEach(() => {
  process.argv = argv;
});

function read(...words: string[]) {
  process.argv = ["node", "import.ts", ...words];
  return importArguments();
}

describe("the box of an import", () => {
  it.each([
    [["--bbox", "-9,38,-8,39"]],
    [["--bbox=-9,38,-8,39"]],
    [["--bbox", "-9, 38, -8, 39"]],
    [["--bbox", "-9,", "38,", "-8,", "39"]],
    [["--bbox", "-9", "38", "-8", "39"]],
    [["--bbox", "\u22129,38,\u22128,39"]],
    [["--bbox", "-9.0,+38,-8,39.00"]],
  ])("may be typed as %j", (words) => {
    const bounds = [-9, 38, -8, 39];
    expect(read("--source", "elevation", ...words, "a.pmtiles")).toMatchObject({ elevation: { bounds } });
    expect(read("--source", "elevation", "a.pmtiles", ...words).sources).toEqual(["a.pmtiles"]);
    expect(read("--source", "overture-places", ...words, "--country", "PT", "a.parquet").overture).toEqual({
      kind: "places",
      country: "PT",
      bounds,
    });
  });

  it.each([
    [["--bbox"]],
    [["--bbox", "--country", "PT"]],
    [["--bbox", "-9,38,-8"]],
    [["--bbox", "-9,38,-8,39,40"]],
    [["--bbox", "8,38,-8,39"]],
    [["--bbox", "a,b,c,d"]],
    [["--bbox", "-9,,-8,39"]],
  ])("is rejected with a sentence when it is typed as %j", (words) => {
    expect(() => read("--source", "elevation", "a.pmtiles", ...words)).toThrow(UsageError);
  });

  it("takes no file whose name is a number", () => {
    expect(read("--source", "elevation", "--bbox", "-9,38,-8,39", "2026").sources).toEqual(["2026"]);
  });
});

it.each([
  ["malta-latest.osm.pbf", "malta"],
  ["malta.osm.gz", "malta"],
  ["malta.osm", "malta"],
  ["us/springfield-addresses-city.geojson.gz", "springfield-addresses-city"],
  ["table.csv", "table"],
])("a build of %s is named %s", (file, name) => {
  expect(read(file).name).toBe(name);
});
