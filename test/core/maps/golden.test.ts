import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toBase64 } from "../../../src/core/maps/image/base64.ts";
import { examineImage } from "../../../src/core/maps/image/examine-image.ts";
import { drawIcon } from "../../../src/core/maps/image/marker-icon.ts";
import { rasterise } from "../../../src/core/maps/image/rasterise.ts";
import type { Marker, MarkerIcon } from "../../../src/core/maps/overlay.ts";
import { parseMarkers, parsePath } from "../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import { renderSvg } from "../../../src/core/maps/scene-svg.ts";
import { STYLE_NAMES } from "../../../src/core/maps/style/palettes.ts";
import { encodePng } from "../../support/png.ts";
import { greyPng } from "./grey-png.ts";
import { difference, readPng } from "./read-png.ts";
import { at, ready, type TownMap, townScene } from "./town.ts";

/** Pictures that somebody has looked at. `UPDATE_GOLDEN=1 npm test -- test/core/maps/golden` draws them anew: look again. */
const FOLDER = join(import.meta.dirname, "golden");
/** Pixels that may differ: rounding, not a street. */
const TOLERANCE = 0.004;

const wire = ({ latitude, longitude }: { latitude: number; longitude: number }) => `${latitude},${longitude}`;
const markers = (...texts: string[]): Marker[] =>
  texts.flatMap((text) => {
    const { locations, icon: _, ...look } = parseMarkers(text);
    return locations.map((place) => ({ ...look, at: place }));
  });
const A = wire(at(420, 400));
const B = wire(at(640, 600));
const C = wire(at(760, 420));
const ring = (...corners: [number, number][]) => corners.map((corner) => wire(at(...corner))).join("|");
const none = { markers: [], paths: [] };

const MAPS: Record<string, TownMap> = {
  "default-z14": {},
  "default-z12": { zoom: 12 },
  "default-z13.5": { zoom: 13.5, width: 300, height: 200 },
  "default-z15": { zoom: 15 },
  "default-z16@2x": { zoom: 16, width: 250, height: 180, scale: 2, center: [400, 430] },
  "default-z14@3x": { width: 150, height: 120, scale: 3, center: [300, 400] },
  "light-z14": { style: "radar-light-v1" },
  "dark-z14": { style: "radar-dark-v1" },
  "dark-z15": { style: "radar-dark-v1", zoom: 15 },
  "language-fr": { language: "fr", width: 240, height: 160, zoom: 13 },
  "attribution-short": { attribution: "short", width: 200, height: 120 },
  "attribution-narrow": { attribution: "long", width: 100, height: 100 },
  "markers-colors": { overlay: { ...none, markers: markers(A, `color:red|${B}`, `color:white|${C}`) } },
  "markers-small": { overlay: { ...none, markers: markers(`size:small|${A}|${B}`, `size:small|color:0x2e9e44|${C}`) } },
  "path-default": { overlay: { ...none, paths: [parsePath(`${A}|${B}|${C}`)] } },
  "path-border": {
    overlay: { ...none, paths: [parsePath(`stroke:0xff5a00|width:8|border:black|borderWidth:3|${A}|${B}|${C}`)] },
  },
  "path-without-border": {
    overlay: { ...none, paths: [parsePath(`stroke:0x0000ff80|width:6|borderWidth:0|${A}|${B}`)] },
  },
  "markers-heads": {
    overlay: {
      ...none,
      markers: markers(
        `label:A|color:0xd5432e|${A}`,
        `label:12|size:large|${B}`,
        `label:B7x|color:white|${C}`,
        `symbol:bus|color:0x1f7a4d|${wire(at(500, 480))}`,
        `symbol:airport|size:large|color:0x7a4ab8|${wire(at(560, 380))}`,
        `symbol:home|size:small|color:gold|${wire(at(700, 560))}`,
      ),
    },
  },
  "markers-heads@2x": {
    scale: 2,
    style: "radar-dark-v1",
    overlay: {
      ...none,
      markers: markers(
        `label:A|color:0xd5432e|text:Rathaus|${A}`,
        `label:12|size:large|text:Zwölf|${B}`,
        `symbol:ferry|anchor:center|color:0x2a6fb0|text:Нева|${C}`,
      ),
    },
  },
  "markers-text": {
    overlay: {
      ...none,
      markers: markers(`text:Café Müller|${A}`, `anchor:center|text:Mitte|${B}`, `size:large|label:7|text:سوق|${C}`),
    },
  },
  "area-with-hole": {
    overlay: {
      ...none,
      paths: [
        parsePath(
          `fill:0x2a9d8f80|stroke:0x1d6f65|width:2|borderWidth:0|${ring([380, 360], [760, 380], [740, 640], [420, 660])}|hole:|${ring([500, 450], [620, 450], [560, 560])}`,
        ),
      ],
    },
  },
  "area-below-roads": {
    beforeLayer: "road-minor-ground-casing",
    overlay: {
      ...none,
      paths: [parsePath(`fill:gold|width:0|borderWidth:0|${ring([400, 360], [740, 360], [560, 680])}`)],
    },
  },
  ...Object.fromEntries(
    STYLE_NAMES.map((style) => [`networks-${style}@2x`, { style, networks: true, scale: 2, zoom: 14.6, width: 420 }]),
  ),
  ...Object.fromEntries(
    (["radar-default-v1", "radar-dark-v1", "black"] as const).map((style) => [
      `routes-${style}@2x`,
      { style, routes: true, scale: 2, zoom: 14.6, width: 420 },
    ]),
  ),
  "house-numbers": { networks: true, zoom: 17, width: 300, height: 200, center: [580, 590] },
  "path-and-markers-dark": {
    style: "radar-dark-v1",
    overlay: { paths: [parsePath(`${A}|${B}|${C}`)], markers: markers(A, `color:orange|${C}`) },
  },
};

async function compare(name: string, bytes: Uint8Array): Promise<void> {
  const file = join(FOLDER, `${name}.png`);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, bytes);
  expect(existsSync(file)).toBe(true);
  expect([name, difference(readPng(bytes), readPng(readFileSync(file)))]).toEqual([
    name,
    expect.toSatisfy((share: number) => share <= TOLERANCE),
  ]);
}

describe("the town is drawn as it was looked at", () => {
  it.each(Object.keys(MAPS))("%s", async (name) => {
    await compare(name, await renderPng(await townScene(MAPS[name]), await ready()));
  });

  it("with pictures for markers", async () => {
    await ready();
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100"><path d="M0 0h200v100H0z" fill="#b0f"/></svg>';
    const iconOf = (bytes: Uint8Array): MarkerIcon => {
      const { width, height, pngs } = drawIcon(examineImage(bytes));
      return { width, height, href: `data:image/png;base64,${toBase64(pngs[0])}` };
    };
    const wide = iconOf(new TextEncoder().encode(svg));
    expect([wide.width, wide.height]).toEqual([64, 32]);
    const small = iconOf(greyPng(20, 30));
    expect([small.width, small.height]).toEqual([20, 30]);
    const [a, b, c] = markers(A, B, `size:small|${C}`);
    const overlay = {
      paths: [],
      markers: [
        { ...a, icon: wide },
        { ...b, icon: small },
        { ...c, icon: wide },
      ],
    };
    await compare("markers-icons", await renderPng(await townScene({ overlay }), await ready()));
  });

  it("as SVG, by a renderer that has no fonts: everything but the texts", async () => {
    const fonts = await ready();
    const scene = await townScene({ overlay: { paths: [parsePath(`${A}|${B}`)], markers: markers(A) } });
    const svg = renderSvg(scene);
    const { pixels, width, height } = rasterise(svg);
    await compare("svg-shapes", encodePng(pixels, width, height));
    expect(new TextDecoder().decode(svg).match(/<text /g)).toHaveLength(scene.labels.texts.length + 1);
    expect(fonts.covers("Noto Sans Regular", "Königstraße Ζωή Вокзал")).toBe(true);
  });
});
