import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toBase64 } from "../../src/maps/image/base64.ts";
import { drawIcon } from "../../src/maps/image/marker-icon.ts";
import { examinePicture } from "../../src/maps/image/picture.ts";
import { encodePng } from "../../src/maps/image/png.ts";
import { rasterise } from "../../src/maps/image/rasterise.ts";
import type { Marker, MarkerIcon } from "../../src/maps/overlay.ts";
import { parseMarkers, parsePath } from "../../src/maps/overlay-parameters.ts";
import { renderPng } from "../../src/maps/render.ts";
import { renderSvg } from "../../src/maps/scene-svg.ts";
import { greyPng } from "./grey-png.ts";
import { difference, readPng } from "./read-png.ts";
import { at, ready, type TownMap, townScene } from "./town.ts";

/** Pictures that somebody has looked at. `UPDATE_GOLDEN=1 npm test -- test/maps/golden` draws them anew: look again. */
const FOLDER = join(import.meta.dirname, "golden");
/** Pixels that may differ: rounding, not a street. */
const TOLERANCE = 0.004;

const wire = ({ latitude, longitude }: { latitude: number; longitude: number }) => `${latitude},${longitude}`;
const markers = (...texts: string[]): Marker[] =>
  texts.flatMap((text) => {
    const { locations, color, small } = parseMarkers(text);
    return locations.map((place) => ({ at: place, color, small }));
  });
const A = wire(at(420, 400));
const B = wire(at(640, 600));
const C = wire(at(760, 420));
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
      const { width, height, pngs } = drawIcon(examinePicture(bytes));
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
    await compare("svg-shapes", await encodePng(pixels, width, height));
    expect(new TextDecoder().decode(svg).match(/<text /g)).toHaveLength(scene.labels.texts.length + 1);
    expect(fonts.covers("Noto Sans Regular", "Königstraße Ζωή Вокзал")).toBe(true);
  });
});
