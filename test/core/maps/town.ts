import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { project, tilesBehind, unproject, type View } from "../../../src/core/maps/base/view.ts";
import { DEFAULT_FONT } from "../../../src/core/maps/fonts/fonts.ts";
import { startRasteriser } from "../../../src/core/maps/image/rasterise.ts";
import { startWebpDecoder } from "../../../src/core/maps/image/webp-decoder.ts";
import type { Overlay } from "../../../src/core/maps/overlay.ts";
import { layOutScene, type Scene } from "../../../src/core/maps/scene.ts";
import type { PlacedTile } from "../../../src/core/maps/shapes/shapes.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import type { StyleName } from "../../../src/core/maps/style/palettes.ts";
import { FontSet } from "../../../src/core/maps/text/font-set.ts";
import { GlyphPack } from "../../../src/core/maps/text/glyph-pack.ts";
import {
  encodeTile,
  LINE,
  POINT,
  POLYGON,
  type TileFeature,
  type TileLayer,
} from "../../../src/core/maps/tiles/mvt.ts";
import { readTile } from "../../../src/core/maps/tiles/vector-tile.ts";

/**
 * A town drawn by hand, 1000 × 1000 units large, on one map tile of zoom 14:
 *
 *     sea in the west, a river from the north-east, a park, a grid of streets, a motorway on a bridge over the river,
 *     a tunnel, a railway, buildings, places and points of interest
 */
const TILE = { z: 14, x: 8560, y: 5892 };
const UNIT = 4.096;

type Properties = TileFeature["properties"];
const scaled = (points: number[]) => points.map((value) => Math.round(value * UNIT));
const area = (kind: string, points: number[], more: Properties = {}): TileFeature => {
  const ring = scaled(points);
  // Outer rings turn clockwise on the screen.
  let twice = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    twice += ring[j] * ring[i + 1] - ring[i] * ring[j + 1];
  if (twice < 0) {
    const back: number[] = [];
    for (let i = ring.length - 2; i >= 0; i -= 2) back.push(ring[i], ring[i + 1]);
    return { type: POLYGON, properties: { kind, ...more }, parts: [back] };
  }
  return { type: POLYGON, properties: { kind, ...more }, parts: [ring] };
};
const line = (kind: string, points: number[], more: Properties = {}): TileFeature => ({
  type: LINE,
  properties: { kind, ...more },
  parts: [scaled(points)],
});
const point = (kind: string, x: number, y: number, more: Properties = {}): TileFeature => ({
  type: POINT,
  properties: { kind, ...more },
  parts: [scaled([x, y])],
});

const street = (name: string, points: number[], more: Properties = {}) =>
  line("minor_road", points, { kind_detail: "residential", name, ...more });

export function townLayers(): TileLayer[] {
  const layer = (name: string, features: TileFeature[]): TileLayer => ({ name, extent: 4096, features });
  const buildings: TileFeature[] = [];
  for (let x = 340; x < 900; x += 60)
    for (let y = 340; y < 900; y += 60) buildings.push(area("building", [x, y, x + 38, y, x + 38, y + 30, x, y + 30]));
  return [
    layer("earth", [area("earth", [-20, -20, 1020, -20, 1020, 1020, -20, 1020])]),
    layer("landuse", [
      area("residential", [310, 310, 920, 310, 920, 920, 310, 920]),
      area("park", [520, 120, 760, 120, 760, 280, 520, 280], { name: "Stadtpark" }),
      area("hospital", [780, 700, 880, 700, 880, 800, 780, 800]),
    ]),
    layer("water", [
      area("ocean", [-20, -20, 180, -20, 220, 400, 150, 700, 200, 1020, -20, 1020]),
      line("river", [1020, 40, 850, 180, 500, 60, 210, 250], { name: "Mühlbach" }),
    ]),
    layer("roads", [
      street("Birkenweg", [310, 330, 920, 330]),
      street("Rathausgasse", [310, 450, 920, 450], { oneway: "yes" }),
      street("Königstraße", [310, 570, 920, 570], { kind: "major_road", kind_detail: "secondary" }),
      street("Übergang", [310, 690, 920, 690]),
      street("Rue de l’Église", [330, 310, 330, 920]),
      street("Ostweg", [630, 310, 640, 500, 610, 700, 630, 920]),
      line("highway", [260, -20, 280, 400, 260, 1020], { kind_detail: "motorway", shield_text: "A 5", name: "" }),
      line("highway", [262, 40, 272, 240], { kind_detail: "motorway", is_bridge: true }),
      line("major_road", [920, 570, 1020, 600], { kind_detail: "secondary", is_tunnel: true }),
      line("rail", [940, -20, 940, 1020], { kind_detail: "rail" }),
      line("path", [540, 130, 640, 200, 740, 270], { kind_detail: "footway" }),
      line("ferry", [-20, 500, 180, 480]),
    ]),
    layer("buildings", buildings),
    layer("boundaries", [line("country", [-20, 960, 1020, 940])]),
    layer("places", [
      point("locality", 600, 520, { name: "Meerstadt", "name:fr": "Ville-sur-Mer", population_rank: 10, min_zoom: 6 }),
      point("neighbourhood", 760, 830, { name: "Südviertel", min_zoom: 12 }),
    ]),
    layer("pois", [
      point("park", 640, 200, { name: "Stadtpark", min_zoom: 14 }),
      point("hospital", 830, 750, { name: "Klinik am Hang", min_zoom: 14 }),
      point("cafe", 420, 410, { name: "Café Ζωή", min_zoom: 15 }),
      point("station", 935, 400, { name: "Вокзал", min_zoom: 13 }),
    ]),
  ];
}

const town = encodeTile(townLayers());

/** The town with what a country has on top: roads of networks, stops, house numbers, lines of transit. */
export function networkLayers(): TileLayer[] {
  const more: Record<string, TileFeature[]> = {
    roads: [
      line("highway", [300, 330, 920, 350], { kind_detail: "motorway", shield_text: "80", network: "US:I" }),
      line("highway", [300, 410, 920, 400], { kind_detail: "motorway", shield_text: "280", network: "US:I" }),
      line("major_road", [310, 630, 920, 630], { kind_detail: "primary", shield_text: "101", network: "US:US" }),
      line("major_road", [310, 485, 920, 485], { kind_detail: "primary", shield_text: "1", network: "US:CA" }),
      line("major_road", [310, 750, 920, 760], { kind_detail: "primary", shield_text: "B37", network: "other" }),
      line("rail", [330, 360, 900, 880], { kind_detail: "tram" }),
      line("rail", [900, 360, 330, 880], { kind_detail: "subway", is_tunnel: true }),
      line("ferry", [-20, 620, 200, 640], { name: "Fähre Meerstadt–Insel" }),
    ],
    pois: ["bus_stop", "tram_stop", "station", "ferry_terminal", "aerodrome", "helipad"].map((kind, i) =>
      point(kind, 380 + 90 * i, 470 + 20 * (i % 2), { name: kind.replace("_", " "), min_zoom: 12 }),
    ),
    buildings: [12, 14, 16, 18].map((number, i) =>
      point("address", 540 + 30 * i, 590, { addr_housenumber: `${number}a` }),
    ),
    earth: [point("island", 80, 800, { name: "Möweninsel", min_zoom: 8 })],
  };
  return townLayers().map((layer) => ({ ...layer, features: [...layer.features, ...(more[layer.name] ?? [])] }));
}

/** The same where route relations tell networks and lines. */
export function routeLayers(): TileLayer[] {
  const routes = [
    line("highway", [430, 380, 440, 720], { kind_detail: "motorway", shield_text: "E45", network: "e-road" }),
    line("highway", [300, 690, 920, 700], { kind_detail: "motorway", shield_text: "A5", network: "BAB" }),
    line("rail", [350, 340, 900, 840], { kind_detail: "tram", colour: "#c2185b", ref: "1" }),
    line("rail", [880, 360, 310, 880], { kind_detail: "subway", colour: "#0b7a3b", ref: "U2", is_tunnel: true }),
    line("rail", [250, 440, 920, 460], { kind_detail: "rail", colour: "#e08a00", ref: "S1" }),
  ];
  return networkLayers().map((layer) =>
    layer.name === "roads" ? { ...layer, features: [...layer.features, ...routes] } : layer,
  );
}

/** A place in the town, by its units. */
export function at(x: number, y: number): { latitude: number; longitude: number } {
  return unproject((TILE.x + x / 1000) / 2 ** TILE.z, (TILE.y + y / 1000) / 2 ** TILE.z);
}

/** The town's tiles behind a view: zooms below 14 see it as it is, the way an overview would. */
export function townTiles(view: View, bytes = town): PlacedTile[] {
  return tilesBehind(view, TILE.z).flatMap((place): PlacedTile[] => {
    const [px, py] = project(at(500, 500)).map((value) => Math.floor(value * 2 ** place.z));
    if (place.x !== px || place.y !== py) return [];
    const shrink = 2 ** (TILE.z - place.z);
    const size = place.size / shrink;
    const left = place.left + ((TILE.x / shrink) % 1) * place.size;
    const top = place.top + ((TILE.y / shrink) % 1) * place.size;
    return [{ ...place, left, top, size, tile: readTile(bytes) }];
  });
}

const root = resolve(import.meta.dirname, "../../..");
let fonts: Promise<FontSet> | undefined;

/** Fonts, and a rasteriser that has started. */
export function ready(): Promise<FontSet> {
  fonts ??= (async () => {
    const wasm = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
    startRasteriser(await WebAssembly.compile(readFileSync(wasm)));
    const webp = createRequire(import.meta.url).resolve("icodec/webp-dec.wasm");
    startWebpDecoder(await WebAssembly.compile(readFileSync(webp)));
    return new FontSet({ range: shippedRange });
  })();
  return fonts;
}

let pack: GlyphPack | undefined;

/** Of the glyphs that ship with the Worker. */
export async function shippedRange(font: string, first: number): Promise<Uint8Array | undefined> {
  pack ??= new GlyphPack(readFileSync(resolve(root, "src/core/maps/fonts/glyphs.bin")));
  const gzipped = pack.range(font, first) ?? pack.range(DEFAULT_FONT, first);
  return gzipped && new Uint8Array(gunzipSync(gzipped));
}

export interface TownMap {
  center?: [x: number, y: number];
  zoom?: number;
  width?: number;
  height?: number;
  scale?: number;
  style?: StyleName;
  language?: string;
  overlay?: Overlay;
  beforeLayer?: string;
  networks?: boolean;
  routes?: boolean;
  attribution?: "auto" | "long" | "short" | "none";
}

const OSM = {
  name: "OpenStreetMap",
  url: "https://www.openstreetmap.org/copyright",
  licence: "ODbL-1.0",
  attribution: "© OpenStreetMap contributors",
};

export async function townScene({
  center = [560, 520],
  zoom = 14,
  width = 400,
  height = 300,
  scale = 1,
  style = "radar-default-v1",
  language,
  overlay = { markers: [], paths: [] },
  beforeLayer,
  networks = false,
  routes = false,
  attribution = "auto",
}: TownMap): Promise<Scene> {
  const view: View = { center: at(...center), zoom, width, height };
  return layOutScene(
    {
      view,
      scale,
      style: compileStyle(builtInStyle(style, language)),
      icons: builtInIcons(style),
      tiles: townTiles(view, routes ? encodeTile(routeLayers()) : networks ? encodeTile(networkLayers()) : town),
      overlay,
      ...(beforeLayer !== undefined && { beforeLayer }),
      attribution,
      sources: [OSM],
    },
    await ready(),
    unpaced(),
  );
}
