import type { Pace } from "../geo/pace.ts";
import { layVeil } from "./attribution.ts";
import { Ground } from "./ground.ts";
import type { Raster } from "./image/sprite.ts";
import { MarkerSprites } from "./marker-sprites.ts";
import type { Scene } from "./scene.ts";
import { drawTexts } from "./text/draw-text.ts";
import type { FontSet } from "./text/font-set.ts";

/**
 * Rows that are drawn together: few enough that they and their coverage stay in a processor's cache. An image of 2048 ×
 * 2048 at scale 3 would be 151 MB as RGBA [pixels of the image].
 */
const BAND_PIXELS = 262_144;
/** Cost of a pixel of a marker or text drawn on the image [µs]. */
const LAID_COST = 0.01;

/**
 * Draws the image from top to bottom in bands of rows. Between the layers of a band other requests get a turn. Bands
 * end at whole pixels, and the value of a pixel does not depend on its band. A band is valid until the next is
 * requested.
 */
export async function* drawBands(scene: Scene, fonts: FontSet, scale: number, pace: Pace): AsyncGenerator<Raster> {
  const { view, drawn, labels, corners, dark } = scene;
  const sprites = new MarkerSprites(scale, fonts);
  const ground = new Ground(scene, scale);
  const texts = [...labels.texts, ...corners.map(({ text }) => text)];
  // Edges are at whole pixels both at scale 1 and of the image: at half the scale that is every second one.
  const step = Math.max(1, Math.round(1 / scale));
  const pixels = (from: number, to: number) => Math.round(to * scale) - Math.round(from * scale);
  const width = pixels(0, view.width);
  const rows = wholeSteps(BAND_PIXELS / width / scale, step);
  const buffer = new Uint8Array(4 * width * pixels(0, Math.min(rows, view.height)));
  for (let top = 0; top < view.height; top += rows) {
    const bottom = Math.min(view.height, top + rows);
    const height = pixels(top, bottom);
    const raster: Raster = {
      pixels: buffer.subarray(0, 4 * width * height),
      width,
      height,
      top: Math.round(top * scale),
    };
    await ground.draw(raster, pace);
    const laid = sprites.draw(drawn.markers, raster);
    for (const corner of corners) layVeil(raster, corner, dark, scale);
    drawTexts(raster, texts, fonts, scale);
    const turn = pace.spend((laid + width * height * 0.2) * LAID_COST);
    if (turn) await turn;
    yield raster;
  }
}

const wholeSteps = (value: number, step: number): number => Math.max(1, Math.floor(value / step)) * step;
