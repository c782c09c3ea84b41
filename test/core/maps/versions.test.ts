import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../../src/core/geo/bytes/crc32c.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { drawBands } from "../../../src/core/maps/bands.ts";
import { encodeIcon, ICON_VERSION } from "../../../src/core/maps/image/stored-icon.ts";
import { parseMarkers, parsePath } from "../../../src/core/maps/overlay-parameters.ts";
import { RENDERER_VERSION } from "../../../src/core/maps/render.ts";
import { renderSvg } from "../../../src/core/maps/scene-svg.ts";
import { builtInIcons, builtInStyle, styleVersion } from "../../../src/core/maps/style/built-in.ts";
import { PALETTES, STYLE_NAMES } from "../../../src/core/maps/style/palettes.ts";
import { GlyphPack, PACK_VERSION, writeGlyphPack } from "../../../src/core/maps/text/glyph-pack.ts";
import { readGlyphs, writeGlyphs } from "../../../src/core/maps/text/glyphs.ts";
import { BASEMAP_VERSION } from "../../../src/core/maps/tiles/archive-writer.ts";
import { COMPOSITION_VERSION, composeTile } from "../../../src/core/maps/tiles/compose.ts";
import { decodeTile, encodeTile, type TileLayer } from "../../../src/core/maps/tiles/mvt.ts";
import { VECTOR_LAYERS } from "../../../src/core/maps/tiles/schema.ts";
import { NODE_PACKING } from "../../../src/importer/layers/basemap/tiles/packing.ts";
import { WholeArchive } from "./tiles/whole-archive.ts";
import { at, ready, type TownMap, townLayers, townScene } from "./town.ts";

/**
 * What stands behind a version, as a hash of bytes made of a fixed input. Whoever has the bytes of a version answers from a
 * cache or with 304: other bytes need another version. `UPDATE_GOLDEN=1 npm test -- test/core/maps/versions` notes the hash of a
 * version that is not in the table yet; it never changes one that is.
 */
const FILE = join(import.meta.dirname, "versions.json");
const STYLES_FILE = join(import.meta.dirname, "../../../src/core/maps/style/versions.json");
const UPDATE_STYLES = "A style has changed: UPDATE_GOLDEN=1 npm test -- test/core/maps/versions.";

function expectVersion(name: string, version: number, bytes: Uint8Array, constant: string): void {
  const table = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Record<string, string>>;
  const known = table[name] ?? {};
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  if (process.env.UPDATE_GOLDEN && known[version] === undefined) {
    table[name] = { ...known, [version]: hash };
    writeFileSync(FILE, `${JSON.stringify(table, null, 2)}\n`);
    return;
  }
  const rule = `What ${name} makes has changed: raise ${constant}, then UPDATE_GOLDEN=1 npm test -- test/core/maps/versions.`;
  expect(known[version], rule).toBe(hash);
}

const wire = ({ latitude, longitude }: { latitude: number; longitude: number }) => `${latitude},${longitude}`;

function markersAt(...places: [number, number][]) {
  const {
    locations,
    icon: _,
    ...look
  } = parseMarkers(`color:red|${places.map((place) => wire(at(...place))).join("|")}`);
  return locations.map((place) => ({ ...look, at: place }));
}

const SCENES: TownMap[] = [
  {},
  { zoom: 15, scale: 2, style: "radar-dark-v1", language: "fr" },
  {
    zoom: 13.4,
    width: 300,
    overlay: {
      markers: markersAt([420, 400], [640, 600]),
      paths: [
        parsePath(`${wire(at(420, 400))}|${wire(at(700, 500))}`),
        parsePath(`fill:0xff880080|${wire(at(420, 400))}|${wire(at(700, 500))}|${wire(at(500, 650))}`),
      ],
    },
  },
];

describe("a version stands for what is made", () => {
  it("the renderer's, for pixels and SVG of three maps", async () => {
    const hash = createHash("sha256");
    for (const map of SCENES) {
      const scene = await townScene(map);
      for await (const { pixels } of drawBands(scene, await ready(), scene.scale, unpaced())) hash.update(pixels);
      hash.update(renderSvg(scene));
    }
    expectVersion("renderer", RENDERER_VERSION, hash.digest(), "RENDERER_VERSION in src/core/maps/render.ts");
  });

  it("a style's, by itself: it is made of the style", () => {
    const hashes = STYLE_NAMES.map((name) => {
      const output = [builtInStyle(name), builtInStyle(name, "xx", true), builtInIcons(name)];
      return [name, crc32c(new TextEncoder().encode(JSON.stringify(output))).toString(16)];
    });
    const table = Object.fromEntries(hashes);
    if (process.env.UPDATE_GOLDEN) writeFileSync(STYLES_FILE, `${JSON.stringify(table, null, 2)}\n`);
    else
      expect(Object.fromEntries(STYLE_NAMES.map((name) => [name, styleVersion(name)])), UPDATE_STYLES).toEqual(table);
    expect(new Set(Object.values(table)).size).toBe(STYLE_NAMES.length);
    const before = JSON.stringify(builtInStyle("radar-light-v1"));
    expect(JSON.stringify(builtInStyle("radar-light-v1"))).toBe(before);
    expect(before).toContain(PALETTES["radar-light-v1"].water);
  });

  it("the basemap archive's, for its layout and the layers it promises", async () => {
    const writer = new WholeArchive({ ...NODE_PACKING, gzip: async (bytes) => bytes });
    for (let id = 0; id < 300; id += 2) await writer.add(id, Uint8Array.of(id % 7, 1, 2, 3));
    const { bytes } = await writer.finish({
      bounds: [1, 2, 3, 4],
      minZoom: 0,
      maxZoom: 5,
      metadata: { vector_layers: VECTOR_LAYERS },
    });
    expectVersion("basemap", BASEMAP_VERSION, bytes, "BASEMAP_VERSION in src/core/maps/tiles/archive-writer.ts");
  });

  it("a composed tile's, for a town over a coarser one", () => {
    const layers: readonly TileLayer[] = townLayers();
    const hole = { left: -64, top: -64, right: 2000, bottom: 4160 };
    const holes = { earth: [hole], ocean: [hole], water: [hole], details: [hole], places: [hole] };
    const town = { layers, zoom: 14, holes: {} };
    const { layers: composed } = composeTile(14, 1, 1, [town, { layers, zoom: 13, holes }]);
    expectVersion(
      "composition",
      COMPOSITION_VERSION,
      encodeTile(composed),
      "COMPOSITION_VERSION in src/core/maps/tiles/compose.ts",
    );
    expect(decodeTile(encodeTile(composed)).length).toBe(composed.length);
  });

  it("the glyph pack's, for its layout", () => {
    const field = new Uint8Array(9 * 8).fill(7);
    const glyph = { id: 65, width: 3, height: 2, left: -1, top: 4, advance: 9, field };
    const gzipped = writeGlyphs("Noto Sans Regular", "0-255", [glyph]);
    expect(readGlyphs(gzipped)).toEqual([glyph]);
    const pack = writeGlyphPack(["Noto Sans Regular", "Noto"], [{ font: "Noto", first: 256, gzipped }]);
    expect(new GlyphPack(pack).range("Noto", 256)).toEqual(gzipped);
    expectVersion("glyph pack", PACK_VERSION, pack, "PACK_VERSION in src/core/maps/text/glyph-pack.ts");
  });

  it("an uploaded icon's, for its layout", () => {
    const icon = { width: 64, height: 21.5, pngs: [1, 2, 3].map((byte) => new Uint8Array(byte * 5).fill(byte)) };
    expectVersion("icon", ICON_VERSION, encodeIcon(icon), "ICON_VERSION in src/core/maps/image/stored-icon.ts");
  });
});
