import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { STYLE_NAMES } from "../../src/core/maps/style/palettes.ts";
import { makeWorld, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { type MapReport, radarPage, type Stop, type TourReport, tourPage } from "./map-page.ts";
import { showPage } from "./show-page.ts";

/** Main Street of Meridale in the demo world. */
const MERIDALE = { center: [-111.2, 48.99] as [number, number], zoom: 15 };
const GERMANY = { center: [10, 50] as [number, number], zoom: 4 };
const ARABIA = { center: [47, 25] as [number, number], zoom: 4 };

let key: string;
const host = inject("baseUrl");

describe.skipIf(!CHROMIUM)(`an interactive map${CHROMIUM ? "" : " (skipped: no Chromium)"}`, AGAIN, () => {
  beforeAll(async () => {
    await withGeodata("world");
    await withGeodata("demo");
    key = (await makeWorld()).keys.testPublishable;
  }, 300_000);

  describe("of MapLibre GL, from the style's URL alone", () => {
    let tour: TourReport;

    // One map makes all stops: a page compiles its shaders in software for seconds.
    beforeAll(async () => {
      const stops: Stop[] = [
        ...STYLE_NAMES.map((style) => ({ name: style, style, ...MERIDALE })),
        { name: "german", style: "radar-light-v1", language: "de", ...GERMANY },
        { name: "unjoined", style: "radar-default-v1", language: "ar", ...ARABIA },
        { name: "arabic", style: "radar-default-v1", language: "ar", rtl: `${host}/dashboard/rtl-text.js`, ...ARABIA },
      ];
      tour = await showPage<TourReport>(tourPage({ host, key }, stops));
      const folder = process.env.LOOK;
      if (!folder) return;
      for (const [name, { image }] of Object.entries(tour.views))
        writeFileSync(`${folder}/maplibre-${name}.png`, Buffer.from(image.split(",")[1], "base64"));
    }, 180_000);

    it("is drawn without an error on the console and without an icon that is missing", () => {
      expect(tour.errors).toEqual([]);
      const { rendered, names, colors } = tour.views["radar-default-v1"];
      expect(Object.keys(rendered)).toEqual(expect.arrayContaining(["earth", "roads", "buildings"]));
      expect(names.length).toBeGreaterThan(3);
      expect(colors).toBeGreaterThan(50);
      expect(tour.attribution).toContain("OpenStreetMap");
      const paths = tour.requests.map(({ path }) => path);
      for (const part of ["/maps/styles/", "/maps/tiles/", "/maps/glyphs/", "/maps/sprites/"]) {
        expect(paths.some((path) => path.startsWith(part))).toBe(true);
      }
      expect(tour.requests.every((request) => request.key)).toBe(true);
    });

    it("is drawn in every style, each in its colors", () => {
      const views = STYLE_NAMES.map((name) => tour.views[name]);
      for (const [i, { rendered }] of views.entries())
        expect([STYLE_NAMES[i], rendered.roads > 5, rendered.buildings > 5]).toEqual([STYLE_NAMES[i], true, true]);
      expect(new Set(views.map(({ image }) => image)).size).toBe(STYLE_NAMES.length);
    });

    it("shows land, borders and names where nothing is imported, in the requested language", () => {
      const { rendered, names } = tour.views.german;
      expect(rendered.boundaries).toBeGreaterThan(0);
      expect(names).toEqual(expect.arrayContaining(["Deutschland", "Paris"]));
    });

    it("joins Arabic letters and sets them from the right with our script", () => {
      const { unjoined, arabic } = tour.views;
      expect(arabic.names).toContain("المملكة العربية السعودية");
      expect(arabic.image).not.toBe(unjoined.image);
    });
  });

  it("is drawn by the Radar maps plugin, whose key goes in a header", async () => {
    const report = await showPage<MapReport>(radarPage({ host, key, style: "radar-dark-v1", ...MERIDALE, zoom: 14 }));
    expect(report.errors).toEqual([]);
    expect(report.rendered.roads).toBeGreaterThan(5);
    expect(report.names.length).toBeGreaterThan(0);
    expect(report.colors).toBeGreaterThan(50);
  }, 120_000);
});
