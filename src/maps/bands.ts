import type { Pace } from "../geo/pace.ts";
import { layVeil } from "./attribution.ts";
import { rasterise } from "./image/rasterise.ts";
import { put, type Raster } from "./image/sprite.ts";
import { MarkerSprites } from "./marker-sprites.ts";
import { pathWork } from "./path-work.ts";
import type { Scene } from "./scene.ts";
import { windowSvg } from "./scene-svg.ts";
import { drawTexts } from "./text/draw-text.ts";
import type { FontSet } from "./text/font-set.ts";

/**
 * Rows that are in memory at once: an image of 2048 × 2048 at scale 3 would be 151 MB as RGBA [pixels of the image].
 */
const BAND_PIXELS = 1_500_000;
/** The most the rasteriser draws at once without yielding: about 20 ms [pixels of the image]. */
const WINDOW_PIXELS = 262_144;
/**
 * A window with more to draw than this is halved, down to the least width [bytes of SVG; µs of paths; pixels at scale
 * 1].
 */
const WINDOW_SVG = 60_000;
const WINDOW_PATHS = 25_000;
const LEAST_WIDTH = 32;

/** Measured with resvg-wasm on a core of 2.5 GHz [µs]. */
const PIXEL_COST = 0.08;
const SVG_COST = 0.5;
/** Cost of a pixel of a marker or text that is laid on the image [µs]. */
const LAID_COST = 0.01;

/**
 * Draws the image from top to bottom in bands of rows, each assembled from windows side by side. Between two windows
 * other requests get a turn. Windows end at whole pixels, and shapes are drawn far enough beyond them, so that they
 * join without a seam.
 */
export async function* drawBands(scene: Scene, fonts: FontSet, scale: number, pace: Pace): AsyncGenerator<Raster> {
  const { view, drawn, labels, attribution, dark } = scene;
  const sprites = new MarkerSprites(scale);
  const texts = [...labels.texts, attribution.text];
  // Edges lie at whole pixels both at scale 1 and of the image: at half the scale that is every second one.
  const step = Math.max(1, Math.round(1 / scale));
  const pixels = (from: number, to: number) => Math.round(to * scale) - Math.round(from * scale);
  const width = pixels(0, view.width);
  const rows = wholeSteps(BAND_PIXELS / width / scale, step);
  for (let top = 0; top < view.height; top += rows) {
    const bottom = Math.min(view.height, top + rows);
    const height = pixels(top, bottom);
    const raster: Raster = { pixels: new Uint8Array(4 * width * height), width, height, top: Math.round(top * scale) };
    const columns = Math.ceil((width * height) / WINDOW_PIXELS);
    const across = wholeSteps(Math.ceil(view.width / columns), step);
    const windows: [left: number, right: number][] = [];
    for (let left = 0; left < view.width; left += across) windows.push([left, Math.min(view.width, left + across)]);
    while (windows.length > 0) {
      const [left, right] = windows.shift() as [number, number];
      const window = { left, top, right, bottom };
      const svg = windowSvg(scene, window, pixels(left, right), height);
      const paths = pathWork(drawn.paths, window, scale);
      if ((svg.length > WINDOW_SVG || paths > WINDOW_PATHS) && right - left >= 2 * LEAST_WIDTH) {
        const middle = left + wholeSteps((right - left) / 2, step);
        windows.unshift([left, middle], [middle, right]);
        continue;
      }
      const picture = rasterise(svg);
      if (picture.width === width) raster.pixels = picture.pixels;
      else put(raster, picture, Math.round(left * scale));
      const turn = pace.spend(picture.width * height * PIXEL_COST + svg.length * SVG_COST + paths);
      if (turn) await turn;
    }
    const laid = sprites.draw(drawn.markers, raster);
    layVeil(raster, attribution, dark, scale);
    drawTexts(raster, texts, fonts, scale);
    const turn = pace.spend((laid + width * height * 0.2) * LAID_COST);
    if (turn) await turn;
    yield raster;
  }
}

const wholeSteps = (value: number, step: number): number => Math.max(1, Math.floor(value / step)) * step;
