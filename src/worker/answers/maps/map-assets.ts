import resvgModule from "@resvg/resvg-wasm/index_bg.wasm";
import webpModule from "icodec/webp-dec.wasm";
import { DEFAULT_FONT } from "../../../core/maps/fonts/fonts.ts";
import glyphBytes from "../../../core/maps/fonts/glyphs.bin";
import { startRasteriser } from "../../../core/maps/image/rasterise.ts";
import { startWebpDecoder } from "../../../core/maps/image/webp-decoder.ts";
import { FontSet, type KnownRanges } from "../../../core/maps/text/font-set.ts";
import { GlyphPack } from "../../../core/maps/text/glyph-pack.ts";
import type { Basemap } from "../../geodata/basemap.ts";

let pack: GlyphPack | undefined;
const ranges: KnownRanges = new Map();

/** The glyphs in the bundle, gzipped by ranges of 256. */
export function bundledGlyphs(): GlyphPack {
  pack ??= new GlyphPack(new Uint8Array(glyphBytes));
  return pack;
}

/**
 * Fonts for drawing a map of some tiles: bundled glyphs are decoded on demand and cached by the isolate, other scripts come from
 * the builds that the tiles show.
 */
export function mapFonts(basemap: Basemap, places: Parameters<Basemap["glyphs"]>[0]): FontSet {
  return new FontSet(
    {
      async range(font, first) {
        const gzipped = bundledGlyphs().range(font, first) ?? bundledGlyphs().range(DEFAULT_FONT, first);
        return gzipped && gunzip(gzipped);
      },
      units: (units) => basemap.glyphs(places, units),
    },
    ranges,
  );
}

/** Call before drawing or validating images. Modules are instantiated on first use. */
export function readyToDraw(): void {
  startRasteriser(resvgModule);
  startWebpDecoder(webpModule);
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(bytes as BufferSource).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
