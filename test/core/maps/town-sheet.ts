import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { STYLE_NAMES, type StyleName } from "../../../src/core/maps/style/palettes.ts";
import { encodePng } from "../../support/png.ts";
import { extract } from "../places/import-places.ts";
import { SCRIPT_TOWNS, writeScriptTown } from "./labels/script-town.ts";
import { readPng } from "./read-png.ts";
import { type AtlasMap, WorldAtlas } from "./world-atlas.ts";

/**
 * Sheets of maps of towns, for people to look at: a row for each zoom from 10 to 19, a column for each style.
 *
 *     node test/core/maps/town-sheet.ts FOLDER [town …] [--styles black,white] [--zooms 14,16] [--at 49.4,8.7] [--again]
 *
 * The imports are stored in FOLDER; `--again` replaces them.
 */
interface Town extends Pick<AtlasMap, "latitude" | "longitude" | "language"> {
  file: () => Promise<string | undefined> | string | undefined;
}

const TOWNS: Record<string, Town> = {
  heidelberg: { file: () => extract("heidelberg.osm.pbf"), latitude: 49.4118, longitude: 8.7085 },
  malta: { file: () => extract("malta.osm.pbf"), latitude: 35.8985, longitude: 14.5125 },
  porto: { file: () => extract("porto.osm.pbf"), latitude: 41.1465, longitude: -8.6125 },
  vancouver: { file: () => extract("vancouver.osm.pbf"), latitude: 49.2835, longitude: -123.111 },
  monaco: { file: () => extract("monaco.osm.pbf"), latitude: 43.7314, longitude: 7.4205 },
  milan: { file: () => extract("milan-small.osm.pbf"), latitude: 45.4645, longitude: 9.19 },
  queens: { file: () => extract("queens-village-ny.osm.pbf"), latitude: 40.7175, longitude: -73.736 },
  ...Object.fromEntries(
    Object.entries(SCRIPT_TOWNS).map(([name, names]): [string, Town] => {
      const file = async () => {
        const path = resolve(folder, `${name}.osm.pbf`);
        await writeScriptTown(path, names);
        return path;
      };
      const north = names.latitude + 0.0016;
      return [name, { file, latitude: north, longitude: names.longitude }];
    }),
  ),
};

const ZOOMS = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
const SIZE = { width: 258, height: 204 };
const GAP = 4;
/** Zooms on one sheet: more would be too small to look at. */
const ROWS = 5;

interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    styles: { type: "string" },
    zooms: { type: "string" },
    at: { type: "string" },
    again: { type: "boolean" },
  },
});
const [folder, ...only] = positionals;
if (!folder) throw new Error("Specify a folder: node test/core/maps/town-sheet.ts FOLDER");
mkdirSync(folder, { recursive: true });
const zooms = values.zooms?.split(",").map(Number) ?? ZOOMS;
const styles = (values.styles?.split(",") ?? [...STYLE_NAMES]) as StyleName[];
const [latitude, longitude] = values.at?.split(",").map(Number) ?? [];

for (const [name, { file, ...town }] of Object.entries(TOWNS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const kept = resolve(folder, `${name}.json`);
  if (values.again) rmSync(kept, { force: true });
  const path = await file();
  if (!path) {
    console.log(`${name}: no extract`);
    continue;
  }
  const cpu = process.cpuUsage();
  const atlas = await WorldAtlas.build(kept, [path], []);
  const { user, system } = process.cpuUsage(cpu);
  const archive = [...atlas.bucket.objects].find(([key]) => key.endsWith(".pmtiles"));
  console.log(
    `${name}: ${archive?.[1].length} bytes of tiles, built with ${((user + system) / 1e6).toFixed(1)} s of CPU`,
  );
  for (let first = 0; first < zooms.length; first += ROWS) {
    const rows = zooms.slice(first, first + ROWS);
    const pictures: Picture[] = [];
    for (const zoom of rows) {
      for (const style of styles) {
        const map = { ...SIZE, ...town, ...(latitude !== undefined && { latitude, longitude }), zoom };
        pictures.push(readPng((await atlas.png(map, style)).bytes));
      }
    }
    writeFileSync(join(folder, `${name}-z${rows[0]}-${rows.at(-1)}.png`), sheetOf(pictures, styles.length));
  }
}

function sheetOf(pictures: readonly Picture[], columns: number): Uint8Array {
  const [width, height] = [SIZE.width + GAP, SIZE.height + GAP];
  const rows = Math.ceil(pictures.length / columns);
  const sheet = new Uint8Array(4 * columns * width * rows * height).fill(255);
  pictures.forEach(({ pixels }, i) => {
    const [left, top] = [(i % columns) * width, Math.floor(i / columns) * height];
    for (let y = 0; y < SIZE.height; y++) {
      for (let x = 0; x < SIZE.width; x++) {
        const to = 4 * ((top + y) * columns * width + left + x);
        sheet.set(pixels.subarray(3 * (y * SIZE.width + x), 3 * (y * SIZE.width + x) + 3), to);
      }
    }
  });
  return encodePng(sheet, columns * width, rows * height);
}
