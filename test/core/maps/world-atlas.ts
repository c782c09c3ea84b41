import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Bounds, LIVE_KEY, type LiveBuild, parseLiveList } from "../../../src/core/geo/builds/manifest.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import { layOutScene, type Scene } from "../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { type CompiledStyle, compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import type { StyleName } from "../../../src/core/maps/style/palettes.ts";
import { FontSet } from "../../../src/core/maps/text/font-set.ts";
import { HAN_FORMS } from "../../../src/core/maps/text/units.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import { basemapLayer } from "../../../src/importer/layers/basemap/basemap-layer.ts";
import { worldBasemap } from "../../../src/importer/layers/basemap/world-basemap.ts";
import { type Basemap, openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import { mapTiles } from "../../../src/worker/geodata/map-tiles.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { ManyImports } from "../../worker/geodata/many-imports.ts";
import { ready, shippedRange } from "./town.ts";

const compiled = new Map<string, CompiledStyle>();

/** Compiled once, as the Worker does: what a tile's features match is kept with the compiled layer. */
function compiledStyle(name: StyleName, language: string | undefined): CompiledStyle {
  const key = `${name}/${language}`;
  const style = compiled.get(key) ?? compileStyle(builtInStyle(name, language));
  compiled.set(key, style);
  return style;
}

/** The world base as it is built for everybody, in memory, and pictures of it. */
export class WorldAtlas {
  readonly bucket: FakeBucket;
  readonly basemap: Basemap;
  readonly #geodata: Geodata;

  private constructor(bucket: FakeBucket, geodata: Geodata, basemap: Basemap) {
    this.bucket = bucket;
    this.#geodata = geodata;
    this.basemap = basemap;
  }

  /**
   * @param kept a file with the objects of an earlier call, for who looks at pictures again and again
   * @param towns extracts above the world; "demo" is the demo world
   * @param base the layers of the world base; none for maps of towns
   */
  static async build(
    kept?: string,
    towns: readonly string[] = [],
    base: readonly Layer[] = [worldBasemap],
  ): Promise<WorldAtlas> {
    const imports = await ManyImports.open();
    let bucket = imports.bucket;
    if (kept && existsSync(kept)) {
      bucket = new FakeBucket();
      const list: [string, string][] = JSON.parse(readFileSync(kept, "utf8"));
      for (const [key, text] of list) bucket.objects.set(key, new Uint8Array(Buffer.from(text, "base64")));
    } else {
      if (base.length > 0) await imports.world(base);
      for (const [i, town] of towns.entries()) {
        if (town === "demo") await imports.demo("demo", {}, [basemapLayer]);
        else await imports.files(`town-${i}`, [town], [basemapLayer]);
      }
      if (kept) {
        mkdirSync(dirname(kept), { recursive: true });
        const list = [...bucket.objects].map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]);
        writeFileSync(kept, JSON.stringify(list));
      }
    }
    await imports.close();
    const text = new TextDecoder().decode(bucket.objects.get("live.json"));
    const geodata = Geodata.of(bucket, JSON.parse(text).builds);
    return new WorldAtlas(bucket, geodata, await openBasemap(geodata, bucket));
  }

  /** The world base alone, and the areas of what was imported above it. */
  async base(): Promise<{ atlas: WorldAtlas; areas: readonly Bounds[] }> {
    const { builds } = parseLiveList(new TextDecoder().decode(this.bucket.objects.get(LIVE_KEY)));
    const isTown = ({ name }: LiveBuild) => name.startsWith("town-") || name === "demo";
    const geodata = Geodata.of(
      this.bucket,
      builds.filter((build) => !isTown(build)),
    );
    const atlas = new WorldAtlas(this.bucket, geodata, await openBasemap(geodata, this.bucket));
    return { atlas, areas: builds.filter(isTown).flatMap(({ areas }) => areas) };
  }

  async scene(
    { latitude = 0, longitude = 0, zoom = 1, width = 600, height = 400, scale = 1, language }: AtlasMap,
    style: StyleName = "radar-default-v1",
  ) {
    await ready();
    const view = { center: { latitude, longitude }, zoom, width, height };
    const basemap = await openBasemap(this.#geodata, this.bucket);
    const tiles = await mapTiles(basemap, view, unpaced());
    const fonts = new FontSet({ range: shippedRange, units: (units) => basemap.glyphs(tiles, units) });
    const scene = await layOutScene(
      {
        view,
        scale,
        style: compiledStyle(style, language),
        icons: builtInIcons(style),
        tiles,
        overlay: { markers: [], paths: [] },
        attribution: "auto",
        sources: basemap.sources,
        form: HAN_FORMS.find((form) => form === language),
      },
      fonts,
      unpaced(),
    );
    return { scene, fonts };
  }

  async png(map: AtlasMap, style?: StyleName): Promise<{ bytes: Uint8Array; scene: Scene }> {
    const { scene, fonts } = await this.scene(map, style);
    return { bytes: await renderPng(scene, fonts), scene };
  }
}

export interface AtlasMap {
  latitude?: number;
  longitude?: number;
  zoom?: number;
  width?: number;
  height?: number;
  scale?: number;
  language?: string;
}
