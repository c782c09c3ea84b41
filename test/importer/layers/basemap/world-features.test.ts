import { beforeAll, describe, expect, it } from "vitest";
import { ringArea } from "../../../../src/core/maps/tiles/mvt.ts";
import { planeX, planeY, WORLD_SIZE } from "../../../../src/core/maps/tiles/plane.ts";
import { watersForMaps } from "../../../../src/importer/world/lists.ts";
import { type ToldFeature, worldTold } from "./world-told.ts";

let world: ToldFeature[];
beforeAll(async () => {
  world = await worldTold();
});

const named = (kind: string, name: string) =>
  world.filter(({ told }) => told.kind === kind && told.name === name).map(({ feature }) => feature);
const onlyPoint = (kind: string, name: string) => named(kind, name).find(({ parts }) => parts[0].length === 2);
const degrees = ([x, y]: readonly number[]) => [
  (x / WORLD_SIZE) * 360 - 180,
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD_SIZE))) * 180) / Math.PI,
];

describe("the map of the whole world", () => {
  it("names seas, lakes and islands where they are, in the languages of the platform", () => {
    const baltic = world.find(({ told }) => told.name === "Baltic Sea");
    expect(baltic?.told).toMatchObject({ kind: "ocean", "name:de": "Ostsee", "name:zh": "波罗的海" });
    const [longitude, latitude] = degrees(onlyPoint("lake", "Lake Victoria")?.parts[0] ?? []);
    expect(longitude).toBeGreaterThan(31.6);
    expect(longitude).toBeLessThan(34.4);
    expect(latitude).toBeGreaterThan(-3);
    expect(latitude).toBeLessThan(0.5);
    expect(onlyPoint("island", "Sicily")?.layer).toBe("earth");
  });

  it("gives a river's name to its line and to no other", () => {
    // Of ten countries, in seven languages.
    const lines = world.filter(({ told }) => told.kind === "river" && told["name:en"] === "Danube");
    for (const name of ["Donau", "Duna", "Дунав", "Dunărea"])
      expect(lines.map(({ told }) => told.name)).toContain(name);
    expect(lines.length).toBeGreaterThan(0);
    const corners = lines.flatMap(({ feature }) => feature.parts.flat());
    const xs = corners.filter((_, i) => i % 2 === 0);
    expect(Math.min(...xs)).toBeGreaterThan(planeX(7.5));
    expect(Math.max(...xs)).toBeLessThan(planeX(30.5));
    expect(named("river", "Rio Amazonas").length + named("river", "Amazonas").length).toBeGreaterThan(0);
    expect(named("river", "Rhein").flatMap(({ parts }) => parts).length).toBeGreaterThan(0);
  });

  it("has a water for every name of its list", () => {
    const names = new Set(world.flatMap(({ told }) => [told.name, told["name:en"]]));
    for (const { names: own } of watersForMaps()) expect(names, own.name).toContain(own.name);
    for (const kind of ["ocean", "lake", "river", "island", "country", "region", "locality"]) {
      expect(world.some(({ told }) => told.kind === kind && told.name !== undefined)).toBe(true);
    }
  });

  it("names rivers, lakes, islands and regions as their countries do, with the English name beside it", () => {
    const told = (kind: string, english: string) =>
      world.find(({ told }) => told.kind === kind && (told["name:en"] ?? told.name) === english)?.told;
    expect(told("river", "Rhine")).toMatchObject({ name: "Rhein", "name:fr": "Rhin", "name:ja": "ライン川" });
    expect(told("river", "Rhine")).not.toHaveProperty("name:de");
    expect(told("river", "Nile")).toMatchObject({ name: "النيل" });
    expect(told("lake", "Lake Baikal")).toMatchObject({ name: "озеро Байкал", "name:de": "Baikalsee" });
    expect(told("lake", "Lake Victoria")).not.toHaveProperty("name:en");
    expect(told("region", "Lower Silesia")).toMatchObject({ name: "Dolnośląskie" });
    // Adjectives of an atlas in English.
    expect(world.filter(({ told }) => told.iso_code === "PL" && /n$/.test(String(told.name)))).toEqual([]);
  });

  it("puts a country's name beside its capital where its middle is", () => {
    const pixel = WORLD_SIZE / (512 * 8);
    for (const [country, capital, longitude, latitude] of [
      ["España", "Madrid", -3.70256, 40.4165],
      ["Polska", "Warszawa", 21.01178, 52.22977],
      ["Беларусь", "Мінск", 27.56667, 53.9],
    ] as const) {
      const [x, y] = onlyPoint("country", country)?.parts[0] ?? [Number.NaN, Number.NaN];
      const apart = Math.max(Math.abs(x - planeX(longitude)) / 75, Math.abs(y - planeY(latitude)) / 25) / pixel;
      expect(apart, `${country} and ${capital}`).toBeGreaterThanOrEqual(1);
    }
  });

  it("draws lakes, rivers and the ground of cities with their shapes", () => {
    const kindsAt = (latitude: number, longitude: number) =>
      world
        .filter(({ told }) => told.kind === "lake" || told.kind === "urban_area")
        .filter(({ feature: { parts } }) => holds(parts[0], planeX(longitude), planeY(latitude)))
        .map(({ told }) => told.kind);
    const places: [string, number, number, string[]][] = [
      ["Bodensee", 47.63, 9.35, ["lake"]],
      ["a hill 20 km from it", 47.85, 9.5, []],
      ["Lake Michigan", 43.5, -87, ["lake"]],
      ["Lake Neuchâtel", 46.9, 6.85, ["lake"]],
      ["Cairo", 30.05, 31.25, ["urban_area"]],
      ["Vienna", 48.2, 16.37, ["urban_area"]],
    ];
    for (const [name, latitude, longitude, kinds] of places)
      expect([name, kindsAt(latitude, longitude)]).toEqual([name, kinds]);
  });

  it("names and divides the states of all large countries", () => {
    const regions = world.filter(({ told }) => told.kind === "region" && told.name !== undefined);
    for (const country of ["AR", "AU", "BR", "CA", "CD", "CN", "DE", "DZ", "IN", "KZ", "MX", "RU", "SA", "US"]) {
      expect(
        regions.some(({ told }) => told.iso_code === country),
        country,
      ).toBe(true);
    }
    expect(regions.some(({ told }) => told.name === "Bayern")).toBe(true);
    expect(regions.some(({ told }) => told.name === "Maharashtra")).toBe(true);
    const borders = world.filter(({ told }) => told.kind === "region" && told.kind_detail === 4);
    expect(borders.length).toBeGreaterThan(5000);
    expect(borders.some(({ feature }) => feature.minZoom >= 5)).toBe(true);
  });

  it("tells land cover in the kinds of the schema, and no nearer than its pixels of 20 km allow", () => {
    const covers = world.filter(({ feature }) => feature.layer === "landcover");
    const kinds = ["barren", "forest", "grassland", "scrub"];
    expect(new Set(covers.map(({ told }) => told.kind))).toEqual(new Set(kinds));
    for (const { feature, told } of covers) expect([feature.maxZoom, told.coarse]).toEqual([6, true]);
  });

  it("tints deserts, forests, grass and ice where they are, and draws each hole behind its outline", () => {
    const kindsAt = (latitude: number, longitude: number) => {
      const [x, y] = [planeX(longitude), planeY(latitude)];
      return world
        .filter(({ feature, told }) => feature.layer === "landcover" || told.kind === "glacier")
        .filter(({ feature }) => feature.parts.reduce((inside, part) => inside !== holds(part, x, y), false))
        .map(({ told }) => told.kind);
    };
    const places: [string, number, number, string][] = [
      ["Sahara", 23, 10, "barren"],
      ["Gobi", 42.5, 103, "barren"],
      ["Amazon", -5, -63, "forest"],
      ["Congo", 0, 22, "forest"],
      ["taiga", 60, 90, "forest"],
      ["Greenland", 72, -40, "glacier"],
      ["South Pole", -84, 60, "glacier"],
      ["pampas", -36, -62, "grassland"],
      ["Vanua Levu, which the pixels miss", -16.6, 179.3, "grassland"],
    ];
    for (const [name, latitude, longitude, kind] of places)
      expect([name, kindsAt(latitude, longitude)]).toEqual([name, [kind]]);
    for (const { feature } of world.filter(({ feature }) => feature.layer === "landcover")) {
      const [outer, ...holes] = feature.parts.map(ringArea);
      expect(outer).toBeGreaterThan(0);
      expect(holes.every((area) => area < 0)).toBe(true);
    }
  });
});

function holds(part: readonly number[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i < part.length; i += 2) {
    const j = (i + 2) % part.length;
    const [ax, ay, bx, by] = [part[i], part[i + 1], part[j], part[j + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
