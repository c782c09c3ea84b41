import { type Pace, unpaced } from "../geo/pace.ts";
import { drawBands } from "./bands.ts";
import { JpegEncoder } from "./image/jpeg.ts";
import { CHUNK_PIXELS, PngEncoder } from "./image/png.ts";
import { ColorCounts, type Palette } from "./image/quantise.ts";
import type { Raster } from "./image/sprite.ts";
import { WebpEncoder } from "./image/webp-encoder.ts";
import { checkPathWork } from "./path-work.ts";
import type { Scene } from "./scene.ts";
import { whole } from "./scene-svg.ts";
import type { FontSet } from "./text/font-set.ts";

/** Increased with every change of the output: it is part of a map's ETag. */
export const RENDERER_VERSION = 12;

/** Up to this size the entire image is in memory, and its palette is computed from all its pixels. */
const WHOLE_PIXELS = 2_400_000;
/** From this size on the palette is computed from an image of half the scale [pixels at scale 1]. */
const SAMPLE_PIXELS = 1_000_000;
/** Costs of a pixel: counting its color; finding and compressing its index [µs]. */
const COUNT_COST = 0.005;
const ENCODE_COST = 0.03;

/** Accepts rows of an image incrementally. */
interface Encoder {
  write(pixels: Uint8Array, rows: number): void | Promise<void>;
  finish(): Uint8Array | Promise<Uint8Array>;
}

/** A larger WebP would have to be held in memory and compressed in one step. */
export const MAX_WEBP_PIXELS = 6_000_000;

/**
 * The scene as PNG. The same scene gives the same bytes, however often the work yielded.
 * @throws TooMuchWork
 */
export function renderPng(scene: Scene, fonts: FontSet, pace: Pace = unpaced()): Promise<Uint8Array> {
  return renderIndexed(scene, fonts, pace, (width, height, palette) => new PngEncoder(width, height, palette));
}

/** The same colors as WebP, up to MAX_WEBP_PIXELS. @throws TooMuchWork */
export function renderWebp(scene: Scene, fonts: FontSet, pace: Pace = unpaced()): Promise<Uint8Array> {
  return renderIndexed(scene, fonts, pace, (width, height, palette) => new WebpEncoder(width, height, palette));
}

/** @throws TooMuchWork */
export function renderJpeg(scene: Scene, fonts: FontSet, pace: Pace = unpaced()): Promise<Uint8Array> {
  const { view, scale } = scene;
  checkPathWork(scene.drawn.paths, whole(view), scale);
  const encoder = new JpegEncoder(view.width * scale, view.height * scale);
  return encode(drawBands(scene, fonts, scale, pace), encoder, pace);
}

async function renderIndexed(
  scene: Scene,
  fonts: FontSet,
  pace: Pace,
  encoderOf: (width: number, height: number, palette: Palette) => Encoder,
): Promise<Uint8Array> {
  const { view, scale } = scene;
  const width = view.width * scale;
  const height = view.height * scale;
  checkPathWork(scene.drawn.paths, whole(view), scale);
  const counts = new ColorCounts();
  const count = async (band: Raster) => {
    counts.add(band.pixels);
    const turn = pace.spend(band.width * band.height * COUNT_COST);
    if (turn) await turn;
  };
  if (width * height <= WHOLE_PIXELS) {
    const bands: Raster[] = [];
    for await (const band of drawBands(scene, fonts, scale, pace)) {
      await count(band);
      // Nothing is drawn over the last band, often the only one.
      bands.push(band.top + band.height >= height ? band : { ...band, pixels: band.pixels.slice() });
    }
    return encode(bands, encoderOf(width, height, counts.palette()), pace);
  }
  // A smaller version of the image has the same colors in about the same shares.
  const sample = view.width * view.height > SAMPLE_PIXELS ? 0.5 : 1;
  for await (const band of drawBands(scene, fonts, sample, pace)) await count(band);
  return encode(drawBands(scene, fonts, scale, pace), encoderOf(width, height, counts.palette()), pace);
}

async function encode(
  bands: Iterable<Raster> | AsyncIterable<Raster>,
  encoder: Encoder,
  pace: Pace,
): Promise<Uint8Array> {
  for await (const { pixels, width, height } of bands) {
    const rows = Math.max(1, Math.floor(CHUNK_PIXELS / width));
    for (let y = 0; y < height; y += rows) {
      const count = Math.min(rows, height - y);
      await encoder.write(pixels.subarray(4 * y * width, 4 * (y + count) * width), count);
      const turn = pace.spend(width * count * ENCODE_COST);
      if (turn) await turn;
    }
  }
  return encoder.finish();
}
