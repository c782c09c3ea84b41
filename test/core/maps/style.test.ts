import { namedFlavor, layers as protomapsLayers } from "@protomaps/basemaps";
import { describe, expect, it } from "vitest";
import { parseColor, toHex } from "../../../src/core/maps/base/color.ts";
import CSS_COLORS from "../../../src/core/maps/base/css-colors.json" with { type: "json" };
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { compile, compileFilter, type Json, type Subject } from "../../../src/core/maps/style/expression.ts";
import { STYLE_NAMES } from "../../../src/core/maps/style/palettes.ts";
import { readStyle } from "../../../src/core/maps/style/read-style.ts";
import type { MapStyle, StyleLayer } from "../../../src/core/maps/style/style.ts";

const park: Subject = {
  zoom: 10,
  type: 3,
  tags: { kind: "park", name: "Bois", "name:de": "Wald", rank: 7, open: true },
};

describe("an expression", () => {
  it.each<[Json, unknown]>([
    [["get", "kind"], "park"],
    [["get", "none"], undefined],
    [["has", "none"], false],
    [["coalesce", ["get", "name:fr"], ["get", "name:de"], ["get", "name"]], "Wald"],
    [["match", ["get", "kind"], ["wood", "park"], "green", "lake", "blue", "grey"], "green"],
    [["match", ["get", "kind"], "lake", "blue", "grey"], "grey"],
    [["case", ["==", ["get", "rank"], 7], 1, 2], 1],
    [["step", ["zoom"], "a", 5, "b", 10, "c", 15, "d"], "c"],
    [["interpolate", ["linear"], ["zoom"], 5, 0, 15, 10], 5],
    [["interpolate", ["exponential", 2], ["zoom"], 9, 0, 11, 3], 1],
    [["interpolate", ["linear"], ["zoom"], 12, 3, 15, 10], 3],
    [["interpolate", ["linear"], ["zoom"], 8, "#000000", 12, "#ffffff"], "rgba(128,128,128,1)"],
    [["interpolate", ["linear"], ["get", "rank"], 0, 0, 14, 2], 1],
    [["concat", "shield-", ["length", "A 5"]], "shield-3"],
    [["in", ["get", "kind"], ["literal", ["park", "wood"]]], true],
    [["in", "ar", ["get", "kind"]], true],
    [["<=", ["get", "none"], 5], false],
    [["to-string", ["get", "open"]], "true"],
    [["to-number", "x", "12"], 12],
    [["-", ["*", 2, 3], 1], 5],
    [["%", 7, 4], 3],
    [["upcase", ["get", "name"]], "BOIS"],
    [["slice", ["get", "name"], 1, 3], "oi"],
    [["geometry-type"], "Polygon"],
    [["all", true, ["!", false]], true],
    [["format", ["get", "name"], { "font-scale": 0.8 }, "\n"], "Bois\n"],
  ])("%j", (json, value) => {
    expect(compile(json)(park)).toEqual(value);
  });

  it("that nobody knows is refused when the style is read", () => {
    expect(() => compile(["toString"])).toThrow('"toString" is not supported');
    expect(() => compile(["interpolate", ["cubic-bezier", 0, 0, 1, 1], ["zoom"], 0, 1])).toThrow("cubic-bezier");
  });
});

describe("a filter in the older form", () => {
  it.each<[Json, boolean]>([
    [["==", "kind", "park"], true],
    [["!=", "kind", "park"], false],
    [["in", "kind", "wood", "park"], true],
    [["!in", "kind", "wood", "park"], false],
    [["==", "$type", "Polygon"], true],
    [["has", "name"], true],
    [["!has", "name"], false],
    [[">", "rank", 6], true],
    [["all", ["==", "kind", "park"], ["none", ["has", "x"], ["==", "open", false]]], true],
    [["any", ["==", "kind", "x"], ["in", ["get", "kind"], ["literal", ["park"]]]], true],
  ])("%j", (json, value) => {
    expect(compileFilter(json)(park)).toBe(value);
  });
});

describe("colors", () => {
  it("have 148 names, and are written in hex, rgb and hsl", () => {
    expect(Object.keys(CSS_COLORS)).toHaveLength(148);
    for (const [name, hex] of Object.entries(CSS_COLORS))
      expect(toHex(parseColor(name) ?? [0, 0, 0, 0])).toBe(`#${hex}`);
    for (const text of ["#f80", "#ff8800", "rgb(255, 136, 0)", "rgb(100% 53.4% 0%)", "hsl(32, 100%, 50%)"])
      expect([text, toHex(parseColor(text) ?? [0, 0, 0, 0])]).toEqual([text, "#ff8800"]);
    expect(parseColor("rgba(0, 0, 0, 0.5)")).toEqual([0, 0, 0, 0.5]);
    for (const text of ["", "#12", "rgb(1,2)", "blurple", "constructor", "url(#a)"])
      expect(parseColor(text)).toBeUndefined();
  });
});

describe("the built-in styles", () => {
  it.each(STYLE_NAMES)("%s reads, and names only icons that there are", (name) => {
    const style = builtInStyle(name, "de");
    expect(compileStyle(style).layers).toHaveLength(style.layers.length);
    expect(new Set(style.layers.map(({ id }) => id)).size).toBe(style.layers.length);
    const icons = builtInIcons(name);
    const images = JSON.stringify(style.layers.map(({ layout }) => layout?.["icon-image"] ?? null));
    for (const [icon] of images.matchAll(/(?:poi-\w+|arrow|town|capital)(?=")/g)) expect(icons).toHaveProperty([icon]);
    expect(icons).toHaveProperty(["shield-3"]);
  });

  it.each(STYLE_NAMES)("%s draws ferries with dashes, and transit in tunnels pale and without", (name) => {
    const { layers } = builtInStyle(name);
    const paintOf = (id: string) => layers.find((layer) => layer.id === id)?.paint;
    expect(paintOf("road-ferry")).toHaveProperty(["line-dasharray"]);
    for (const storey of ["tunnel", "ground", "bridge"])
      expect(paintOf(`road-transit-${storey}`)).not.toHaveProperty(["line-dasharray"]);
    expect(Number(paintOf("road-transit-tunnel")?.["line-opacity"])).toBeLessThan(0.5);
  });

  it("differ in their colours, not in what they show", () => {
    const [first, ...others] = STYLE_NAMES.map((name) =>
      builtInStyle(name).layers.map(({ id, minzoom }) => [id, minzoom]),
    );
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("styles made for Protomaps tiles", () => {
  it.each(["light", "dark", "white", "grayscale", "black"])("%s reads with every layer it has", (name) => {
    const layers = protomapsLayers("protomaps", namedFlavor(name), { lang: "en" }) as unknown as StyleLayer[];
    const style: MapStyle = { version: 8, layers };
    expect(layers.length).toBeGreaterThan(60);
    expect(readStyle(style).layers).toHaveLength(layers.length);
  });
});
