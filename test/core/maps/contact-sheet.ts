import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_STYLE, STYLE_NAMES, type StyleName } from "../../../src/core/maps/style/palettes.ts";
import { extract as extractOf } from "../places/import-places.ts";
import { type AtlasMap, WorldAtlas } from "./world-atlas.ts";

/**
 * Pictures of the world base and of a town by language, zoom (0 to 18) and style, for people to look at, and a page with all of them:
 *
 *     node test/core/maps/contact-sheet.ts FOLDER [name or beginning of names …]
 *
 * What they are drawn from is built once and kept in FOLDER; remove world.json to have it built anew.
 */
const LANGUAGES: Record<string, Pick<AtlasMap, "latitude" | "longitude" | "zoom">> = {
  ja: { latitude: 36, longitude: 132, zoom: 3.2 },
  zh: { latitude: 32, longitude: 110, zoom: 3.2 },
  ko: { latitude: 36, longitude: 127, zoom: 3.6 },
  th: { latitude: 13, longitude: 102, zoom: 3.8 },
  lo: { latitude: 17, longitude: 104, zoom: 3.8 },
  km: { latitude: 12, longitude: 105, zoom: 3.8 },
  my: { latitude: 20, longitude: 97, zoom: 3.6 },
  hi: { latitude: 23, longitude: 79, zoom: 3.4 },
  bn: { latitude: 24, longitude: 88, zoom: 3.6 },
  ta: { latitude: 12, longitude: 79, zoom: 3.6 },
  te: { latitude: 16, longitude: 79, zoom: 3.6 },
  si: { latitude: 9, longitude: 80, zoom: 3.6 },
  ka: { latitude: 42, longitude: 43, zoom: 3.6 },
  hy: { latitude: 41, longitude: 44, zoom: 3.6 },
  am: { latitude: 9, longitude: 40, zoom: 3.4 },
  el: { latitude: 38, longitude: 20, zoom: 3.4 },
  ar: { latitude: 28, longitude: 40, zoom: 3.2 },
  fa: { latitude: 33, longitude: 53, zoom: 3.4 },
  ur: { latitude: 30, longitude: 70, zoom: 3.4 },
  he: { latitude: 33, longitude: 32, zoom: 3.6 },
};
const ZOOMS: Record<string, AtlasMap> = {
  z0: { zoom: 0, width: 512, height: 512 },
  z1: { zoom: 1, latitude: 20 },
  "z2-europe": { zoom: 2, latitude: 50, longitude: 10 },
  "z3-europe": { zoom: 3, latitude: 48, longitude: 8 },
  "z3-america": { zoom: 3, latitude: 39, longitude: -97 },
  "z4-iberia": { zoom: 4, latitude: 42, longitude: -1 },
  "z4-california": { zoom: 4, latitude: 38, longitude: -118 },
  "z4-india": { zoom: 4, latitude: 21, longitude: 78 },
  "z5-london": { zoom: 5, latitude: 52, longitude: -1 },
  "z5-de": { zoom: 5, latitude: 52, longitude: 16, language: "de" },
  "z1.5-africa": { zoom: 1.5, latitude: 15, longitude: 20 },
  "z2-asia": { zoom: 2, latitude: 35, longitude: 95 },
  "z3-asia": { zoom: 3, latitude: 32, longitude: 105 },
  "z4-germany": { zoom: 4.4, latitude: 51, longitude: 10 },
  "z5-japan": { zoom: 5, latitude: 36.5, longitude: 138 },
  "z6-alps": { zoom: 6, latitude: 46.8, longitude: 9 },
  "z2-south-pole": { zoom: 2, latitude: -84, longitude: 0 },
  "z2-north-pole": { zoom: 2, latitude: 84, longitude: 0 },
};

/** A town from far to near: in Heidelberg, or where there are no extracts in the demo world. */
const extract = extractOf("heidelberg.osm.pbf");
const TOWN = extract ? { latitude: 49.4095, longitude: 8.692 } : { latitude: 48.99, longitude: -111.2 };
const NEAR: Record<string, AtlasMap> = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`town-z${String(i + 7).padStart(2, "0")}`, { ...TOWN, zoom: i + 7 }]),
);
/** What every style shows. */
const IN_STYLES = ["z1", "z3-europe", "z4-india", "town-z09", "town-z12", "town-z14", "town-z16", "town-z18"];

const [folder = "", ...only] = process.argv.slice(2);
if (!folder) throw new Error("Where to? node test/core/maps/contact-sheet.ts FOLDER");
mkdirSync(folder, { recursive: true });
const atlas = await WorldAtlas.build(resolve(folder, "world.json"), [extract ?? "demo"]);
const views: Record<string, AtlasMap> = { ...ZOOMS, ...NEAR };
const maps: [name: string, map: AtlasMap, style: StyleName][] = [
  ...Object.entries(LANGUAGES).map(([language, map]): [string, AtlasMap, StyleName] => [
    ...([language, { ...map, language }, DEFAULT_STYLE] as const),
  ]),
  ...Object.entries(views).map(([name, map]): [string, AtlasMap, StyleName] => [name, map, DEFAULT_STYLE]),
  ...STYLE_NAMES.filter((style) => style !== DEFAULT_STYLE).flatMap((style) =>
    IN_STYLES.map((name): [string, AtlasMap, StyleName] => [`${style}-${name}`, views[name], style]),
  ),
];
const drawn: string[] = [];
for (const [name, map, style] of maps) {
  if (only.length > 0 && !only.some((one) => name === one || name.startsWith(`${one}-`))) continue;
  const { bytes, scene } = await atlas.png({ width: 500, height: 360, scale: 2, ...map }, style);
  writeFileSync(join(folder, `${name}.png`), bytes);
  drawn.push(name);
  console.log(
    `${name}: ${bytes.length} bytes, ${scene.labels.texts.length} names${scene.lacksGlyphs ? ", lacks glyphs" : ""}`,
  );
}
const figures = drawn.map((name) => `<figure><img src="${name}.png"><figcaption>${name}</figcaption></figure>`);
writeFileSync(
  join(folder, "index.html"),
  `<!doctype html><meta charset="utf-8"><title>Maps</title><style>body{display:flex;flex-wrap:wrap;gap:8px;margin:8px;font:12px sans-serif}
figure{margin:0}img{width:500px;display:block}</style>${figures.join("\n")}`,
);
console.log(`file://${resolve(folder, "index.html")}`);
