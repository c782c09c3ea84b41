import {
  type Attribution,
  type AttributionForm,
  attributionSvg,
  attributionText,
  placeAttribution,
} from "./attribution.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { Box } from "./clip.ts";
import { parseColor } from "./color.ts";
import { DEFAULT_FONT } from "./fonts/fonts.ts";
import { encodePng, PngEncoder } from "./image/png.ts";
import { buildPalette } from "./image/quantise.ts";
import { rasterise } from "./image/rasterise.ts";
import { collectCandidates } from "./labels/candidates.ts";
import { Collision } from "./labels/collision.ts";
import type { Labels, PlacedIcon } from "./labels/label.ts";
import { placeLabels } from "./labels/place-labels.ts";
import { layOut, type Overlay, overlayBoxes, overlaySvg } from "./overlay.ts";
import { drawShapes, type PlacedTile, SHAPES_GROUP } from "./shapes.ts";
import type { CompiledStyle } from "./style/compile-style.ts";
import type { Icon } from "./style/icons.ts";
import { drawTexts } from "./text/draw-text.ts";
import type { FontSet } from "./text/font-set.ts";
import { textSvg } from "./text-svg.ts";
import type { View } from "./view.ts";

/** Changes with every change of what is drawn: it is part of a map's ETag. */
export const RENDERER_VERSION = 1;

export interface MapRequest {
  view: View;
  scale: number;
  style: CompiledStyle;
  icons: Readonly<Record<string, Icon>>;
  tiles: readonly PlacedTile[];
  overlay: Overlay;
  attribution: AttributionForm;
}

/** A map laid out: everything has its place, nothing is drawn yet. */
export interface Scene extends Omit<MapRequest, "attribution"> {
  labels: Labels;
  attribution: Attribution;
  drawn: ReturnType<typeof layOut>;
  dark: boolean;
}

/** Labels keep this far from the image's edge [pixels at scale 1]. */
const EDGE = 3;

/** Gives markers, path and attribution their places, then the labels what is left. */
export async function layOutScene(request: MapRequest, fonts: FontSet): Promise<Scene> {
  const { view, style, tiles, icons } = request;
  const { width, height, zoom } = view;
  const image = { left: 0, top: 0, right: width, bottom: height };
  const candidates = collectCandidates(style, tiles, zoom, image);
  const credit = attributionText(width, request.attribution);
  const fallbacks = candidates.map(({ font, fallback }) => ({ font, text: fallback }));
  await fonts.prepare([...candidates, ...fallbacks, { font: DEFAULT_FONT, text: credit }]);
  const dark = isDark(style, zoom);
  const attribution = placeAttribution(fonts, credit, view, dark);
  const drawn = layOut(request.overlay, view);
  const collision = new Collision({ left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE });
  collision.take(attribution.box);
  for (const box of overlayBoxes(drawn, view)) collision.take(box);
  const labels = placeLabels(candidates, fonts, icons, collision);
  return { ...request, labels, attribution, drawn, dark };
}

function isDark({ layers }: CompiledStyle, zoom: number): boolean {
  const background = layers.find(({ type }) => type === "background");
  const color = parseColor(
    String(background?.property("background-color").evaluate({ zoom, type: 0, tags: {} }) ?? "#fff"),
  );
  return color !== undefined && color[0] * 0.3 + color[1] * 0.59 + color[2] * 0.11 < 110;
}

/** The scene as PNG. */
export async function renderPng(scene: Scene, fonts: FontSet): Promise<Uint8Array> {
  const { view, scale } = scene;
  const width = view.width * scale;
  const height = view.height * scale;
  if (width * height <= WHOLE_PIXELS) {
    const pixels = drawWindow(scene, fonts, whole(view), scale);
    return encodePng(pixels, width, height);
  }
  return renderInStrips(scene, fonts);
}

const whole = ({ width, height }: View): Box => ({ left: 0, top: 0, right: width, bottom: height });

/**
 * An image of more pixels is drawn in strips: 2048 × 2048 at scale 3 would be 151 MB as RGBA, twice, where an isolate has 128 MB.
 */
const STRIP_PIXELS = 1_000_000;
/** Up to here an image is drawn at once. */
const WHOLE_PIXELS = 2_400_000;

async function renderInStrips(scene: Scene, fonts: FontSet): Promise<Uint8Array> {
  const { view, scale } = scene;
  const width = view.width * scale;
  const height = view.height * scale;
  // The palette of the whole from a small picture of it, which has the same colours in about the same shares.
  const small = Math.min(1, Math.sqrt(STRIP_PIXELS / (view.width * view.height)));
  const palette = buildPalette(drawWindow(scene, fonts, whole(view), small));
  const encoder = new PngEncoder(width, height, palette);
  // Whole pixels at scale 1, so that every strip is a whole number of rows.
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width / scale));
  for (let top = 0; top < view.height; top += rows) {
    const bottom = Math.min(view.height, top + rows);
    const pixels = drawWindow(scene, fonts, { left: 0, top, right: view.width, bottom }, scale);
    await encoder.write(pixels, (bottom - top) * scale);
  }
  return encoder.finish();
}

/** Everything but the texts, as the rasteriser takes it. */
export function sceneSvg(scene: Scene, window = whole(scene.view), scale = scene.scale): Uint8Array {
  const svg = new ByteWriter(1 << 18);
  writeShapes(scene, window, scale, svg);
  return svg.text("</svg>").bytes;
}

/** RGBA pixels of a part of the image. */
function drawWindow(scene: Scene, fonts: FontSet, window: Box, scale: number): Uint8Array {
  const { pixels, width, height } = rasterise(sceneSvg(scene, window, scale));
  const top = Math.round(window.top * scale);
  drawTexts({ pixels, width, height, top }, [...scene.labels.texts, scene.attribution.text], fonts, scale);
  return pixels;
}

/** The scene as one SVG document, with texts as text. */
export function renderSvg(scene: Scene): Uint8Array {
  const svg = new ByteWriter(1 << 18);
  writeShapes(scene, whole(scene.view), scene.scale, svg);
  for (const text of [...scene.labels.texts, scene.attribution.text]) svg.text(textSvg(text));
  svg.text("</svg>");
  return svg.bytes.slice();
}

/** Everything but texts, up to before the closing tag. */
function writeShapes(scene: Scene, window: Box, scale: number, svg: ByteWriter): void {
  const { view, style, tiles, icons, labels, drawn } = scene;
  const [w, h] = [window.right - window.left, window.bottom - window.top];
  svg.text(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(w * scale)}" height="${Math.round(h * scale)}" viewBox="${window.left} ${window.top} ${w} ${h}" preserveAspectRatio="none">`,
  );
  svg.text(SHAPES_GROUP);
  drawShapes(style, tiles, { window, zoom: view.zoom, scale }, svg);
  svg.text("</g>");
  for (const icon of labels.icons) svg.text(iconSvg(icon, icons));
  svg.text(overlaySvg(drawn)).text(attributionSvg(scene.attribution, scene.dark));
}

function iconSvg({ name, x, y, rotation, scale }: PlacedIcon, icons: Readonly<Record<string, Icon>>): string {
  const { width, height, svg } = icons[name];
  const round = (value: number) => Math.round(value * 100) / 100;
  const turn = rotation === 0 ? "" : ` rotate(${round(rotation)})`;
  const size = scale === 1 ? "" : ` scale(${scale})`;
  return `<g transform="translate(${round(x)} ${round(y)})${turn}${size} translate(${-width / 2} ${-height / 2})">${svg}</g>`;
}
