import { describe, expect, it } from "vitest";
import type { DataSource, LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import { sourcesOf } from "../../../src/core/geo/builds/manifest.ts";
import { attributionText } from "../../../src/core/maps/attribution.ts";
import { attributionHeader } from "../../../src/worker/http/serve/attribution.ts";

const source = (name: string, attribution?: string, licence = "CC BY 4.0"): DataSource => ({
  name,
  url: "",
  licence,
  ...(attribution !== undefined && { attribution }),
});
const OSM = source("OpenStreetMap", "© OpenStreetMap contributors", "ODbL-1.0");
const GEONAMES = source("GeoNames", "GeoNames");
const NATURAL_EARTH = source("Natural Earth", "Made with Natural Earth", "Public domain");

describe("the words that licences ask for", () => {
  it("go into a header as ASCII, each once, without those that ask for nothing", () => {
    const zurich = source("Zürich", "© Stadt Zürich");
    expect(attributionHeader([GEONAMES, OSM, { ...OSM, name: "again" }, source("Census"), zurich])).toBe(
      "(c) OpenStreetMap contributors; (c) Stadt Z%C3%BCrich; GeoNames",
    );
    expect(attributionHeader([source("Census")])).toBeUndefined();
  });

  it("never make a header too long for servers on its way", () => {
    const many = Array.from({ length: 500 }, (_, i) => source(`s${i}`, `© Town number ${i}`));
    const header = attributionHeader(many) ?? "";
    expect(header.length).toBeLessThan(1010);
    expect(header.endsWith("; ...")).toBe(true);
  });

  const all = [NATURAL_EARTH, GEONAMES, OSM];
  it.each([
    [
      "all of them, OpenStreetMap first, where there is room",
      all,
      600,
      "auto",
      "© OpenStreetMap contributors · Made with Natural Earth · GeoNames",
    ],
    ["only what must be shown where there is none", all, 200, "auto", "© OpenStreetMap · GeoNames"],
    [
      "all of them where they are asked for",
      all,
      100,
      "long",
      "© OpenStreetMap contributors · Made with Natural Earth · GeoNames",
    ],
    [
      "the world's own where nothing is imported",
      [NATURAL_EARTH, GEONAMES],
      600,
      "auto",
      "Made with Natural Earth · GeoNames",
    ],
    ["nothing where nothing is drawn", [], 600, "auto", ""],
  ] as const)("stand on a map: %s", (_, sources, width, form, words) => {
    expect(attributionText(sources, width, form, (text) => text.length * 6 < width)).toBe(words);
  });
});

describe("a live build", () => {
  it("names for a layer what went into that layer, in older builds everything", () => {
    const build = { sources: [OSM, GEONAMES], layerSources: { roads: ["OpenStreetMap"] } } as unknown as LiveBuild;
    expect(sourcesOf(build, "roads")).toEqual([OSM]);
    expect(sourcesOf(build, "addresses")).toEqual([OSM, GEONAMES]);
    expect(sourcesOf({ sources: [OSM] } as unknown as LiveBuild, "roads")).toEqual([OSM]);
  });
});
