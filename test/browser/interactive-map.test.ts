import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { STYLE_NAMES } from "../../src/maps/style/palettes.ts";
import { makeWorld, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { everyStylePage, type MapReport, mapLibrePage, radarPage, type StylesReport } from "./map-page.ts";
import { showPage } from "./show-page.ts";

/** Main Street of Meridale in the demo world. */
const MERIDALE: [number, number] = [-111.2, 48.99];

let key: string;
const host = inject("baseUrl");

describe.skipIf(!CHROMIUM)(`an interactive map${CHROMIUM ? "" : " (skipped: no Chromium)"}`, AGAIN, () => {
  beforeAll(async () => {
    await withGeodata("world");
    await withGeodata("demo");
    key = (await makeWorld()).keys.testPublishable;
  }, 300_000);

  it("is drawn by MapLibre GL from the style's URL alone", async () => {
    const report = await showPage<MapReport>(mapLibrePage({ host, key, center: MERIDALE, zoom: 15 }));
    expect(report.errors).toEqual([]);
    expect(Object.keys(report.rendered)).toEqual(expect.arrayContaining(["earth", "roads", "buildings"]));
    expect(report.names.length).toBeGreaterThan(3);
    expect(report.colours).toBeGreaterThan(50);
    expect(report.attribution).toContain("OpenStreetMap");
    const paths = report.requests.map(({ path }) => path);
    for (const part of ["/maps/styles/", "/maps/tiles/", "/maps/glyphs/", "/maps/sprites/"]) {
      expect(paths.some((path) => path.startsWith(part))).toBe(true);
    }
    expect(report.requests.every((request) => request.key)).toBe(true);
  }, 120_000);

  it("is drawn by the Radar maps plugin, whose key goes in a header", async () => {
    const report = await showPage<MapReport>(
      radarPage({ host, key, style: "radar-dark-v1", center: MERIDALE, zoom: 14 }),
    );
    expect(report.errors).toEqual([]);
    expect(report.rendered.roads).toBeGreaterThan(5);
    expect(report.names.length).toBeGreaterThan(0);
    expect(report.colours).toBeGreaterThan(50);
  }, 120_000);

  it("is drawn in every style without an error on the console and without an icon that is missing", async () => {
    const report = await showPage<StylesReport>(everyStylePage({ host, key, center: MERIDALE, zoom: 15 }, STYLE_NAMES));
    expect(report.errors).toEqual([]);
    expect(Object.keys(report.styles)).toEqual([...STYLE_NAMES]);
    const folder = process.env.LOOK;
    for (const [name, { rendered, image }] of Object.entries(report.styles)) {
      expect([name, rendered.roads > 5, rendered.buildings > 5]).toEqual([name, true, true]);
      if (folder) writeFileSync(`${folder}/maplibre-${name}.png`, Buffer.from(image.split(",")[1], "base64"));
    }
    expect(new Set(Object.values(report.styles).map(({ image }) => image)).size).toBe(STYLE_NAMES.length);
  }, 120_000);

  it("shows land, borders and names where nothing is imported, in the language asked for", async () => {
    const page = mapLibrePage({ host, key, style: "radar-light-v1", center: [10, 50], zoom: 4, language: "de" });
    const report = await showPage<MapReport>(page);
    expect(report.errors).toEqual([]);
    expect(report.rendered.boundaries).toBeGreaterThan(0);
    expect(report.names).toEqual(expect.arrayContaining(["Deutschland", "Paris"]));
  }, 120_000);

  it("joins Arabic letters and sets them from the right with the script of ours", async () => {
    const options = { host, key, center: [47, 25] as [number, number], zoom: 4, language: "ar" };
    const plain = await showPage<MapReport>(mapLibrePage(options));
    const report = await showPage<MapReport>(mapLibrePage({ ...options, rtl: `${host}/dashboard/rtl-text.js` }));
    expect(report.errors).toEqual([]);
    expect(report.names).toContain("المملكة العربية السعودية");
    const folder = process.env.LOOK;
    for (const [name, { image }] of Object.entries({ plain, arabic: report }))
      if (folder) writeFileSync(`${folder}/maplibre-${name}.png`, Buffer.from(image.split(",")[1], "base64"));
    expect(report.image).not.toBe(plain.image);
  }, 120_000);
});
