import { ByteWriter } from "./byte-writer.ts";
import { type Box, boundsOf, clipLine, clipRing, grown, intersection, touches, within } from "./clip.ts";
import { parseColor, toHex } from "./color.ts";
import type { CompiledLayer, CompiledStyle } from "./style/compile-style.ts";
import type { Subject, Value } from "./style/expression.ts";
import type { Feature, Layer, Tile } from "./vector-tile.ts";
import type { TilePlace } from "./view.ts";

/** A decoded tile, and where it lies in the image. */
export interface PlacedTile extends TilePlace {
  tile: Tile;
}

export interface Canvas {
  /** The part of the image that is drawn, in pixels at scale 1. */
  window: Box;
  zoom: number;
  scale: number;
}

/** Coordinates are written as whole numbers of 1/Q pixel. */
const Q = 16;
/** Beyond the window lines are followed so far [pixels at scale 1]: wider than half of any road. */
const MARGIN = 40;

/** Fills, lines and circles of the style over the tiles, as SVG elements in 1/16 pixel; in the style's order. */
export function drawShapes(style: CompiledStyle, tiles: readonly PlacedTile[], canvas: Canvas, out: ByteWriter): void {
  for (const layer of style.layers) {
    if (canvas.zoom < layer.minzoom || canvas.zoom >= layer.maxzoom) continue;
    if (layer.type === "background") drawBackground(layer, canvas, out);
    else if (layer.type !== "symbol") new LayerDrawing(layer, canvas, out).draw(tiles);
  }
}

/** Opens the group in which `drawShapes` writes. */
export const SHAPES_GROUP = `<g transform="scale(${1 / Q})" fill="none">`;

function drawBackground(layer: CompiledLayer, { window, zoom }: Canvas, out: ByteWriter): void {
  const subject = { zoom, type: 0, tags: {} };
  const color = parseColor(String(layer.property("background-color").evaluate(subject) ?? "#000000"));
  const opacity = numberOr(layer.property("background-opacity").evaluate(subject), 1);
  if (!color) return;
  out.text(
    `<rect x="${window.left * Q}" y="${window.top * Q}" width="${(window.right - window.left) * Q}" height="${(window.bottom - window.top) * Q}" fill="${toHex(color)}"${opacityAttribute("fill", color[3] * opacity)}/>`,
  );
}

function opacityAttribute(of: "fill" | "stroke", opacity: number): string {
  return opacity >= 1 ? "" : ` ${of}-opacity="${Math.round(Math.max(0, opacity) * 1000) / 1000}"`;
}

export function numberOr(value: Value, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** One style layer: its features go into one path for each set of paint values. */
class LayerDrawing {
  readonly #layer: CompiledLayer;
  readonly #canvas: Canvas;
  readonly #out: ByteWriter;
  readonly #groups = new Map<string, ByteWriter>();
  readonly #step: number;
  #points = new Float64Array(8192);

  constructor(layer: CompiledLayer, canvas: Canvas, out: ByteWriter) {
    this.#layer = layer;
    this.#canvas = canvas;
    this.#out = out;
    // Half a pixel of the finished image is not seen.
    this.#step = 0.5 / canvas.scale;
  }

  draw(tiles: readonly PlacedTile[]): void {
    const layer = this.#layer;
    const subject: Subject = { zoom: this.#canvas.zoom, type: 0, tags: {} };
    const attributes =
      layer.type === "fill" ? fillAttributes : layer.type === "line" ? lineAttributes : circleAttributes;
    const names = PAINT[layer.type as "fill" | "line" | "circle"];
    const constant = names.every((name) => layer.property(name).constant);
    let shared: string | undefined;
    if (constant) {
      shared = attributes(layer, subject, this.#canvas);
      if (shared === undefined) return;
    }
    for (const placed of tiles) {
      const source = placed.tile.get(layer.sourceLayer);
      if (!source) continue;
      for (const feature of source.features) {
        subject.type = feature.type;
        subject.tags = feature.tags;
        if (!layer.filter(subject)) continue;
        const paint = shared ?? attributes(layer, subject, this.#canvas);
        if (paint !== undefined) this.#feature(feature, source, placed, paint);
      }
    }
    for (const [paint, path] of this.#groups) {
      if (path.length === 0) continue;
      if (layer.type === "circle") this.#out.append(path.bytes);
      else this.#out.text(`<path ${paint} d="`).append(path.bytes).text('"/>');
    }
  }

  #feature(feature: Feature, source: Layer, placed: PlacedTile, paint: string): void {
    const kind = this.#layer.type;
    if (kind === "fill" && feature.type !== 3) return;
    if (kind === "line" && feature.type === 1) return;
    if (kind === "circle" && feature.type !== 1) return;
    let path = this.#groups.get(paint);
    if (!path) {
      path = new ByteWriter();
      this.#groups.set(paint, path);
    }
    const { window } = this.#canvas;
    const tileBox = {
      left: placed.left,
      top: placed.top,
      right: placed.left + placed.size,
      bottom: placed.top + placed.size,
    };
    const dashed = paint.includes("dasharray");
    // What tiles share at their seam is drawn by both, so that no gap shows; dashes would fall out of step.
    const box = intersection(grown(tileBox, dashed ? 0 : 1), grown(window, MARGIN));
    for (let part = feature.first; part < feature.last; part++) {
      let count = this.#place(source, part, placed);
      const points = this.#points;
      if (kind === "circle") {
        for (let i = 0; i < count; i++) {
          const [x, y] = [points[2 * i], points[2 * i + 1]];
          if (x < tileBox.left || y < tileBox.top || x >= tileBox.right || y >= tileBox.bottom) continue;
          path.text(`<circle cx="${Math.round(x * Q)}" cy="${Math.round(y * Q)}" ${paint}/>`);
        }
        continue;
      }
      const bounds = boundsOf(points, count);
      if (!touches(bounds, grown(window, MARGIN))) continue;
      if (kind === "fill") {
        if (bounds.right - bounds.left < this.#step && bounds.bottom - bounds.top < this.#step) continue;
        const seen = grown(window, 2);
        if (within(bounds, seen)) this.#write(path, points, count, true);
        else {
          const ring = clipRing(points, count, seen);
          if (ring.count > 2) this.#write(path, ring.points, ring.count, true);
        }
        continue;
      }
      const ring = feature.type === 3;
      if (within(bounds, box)) {
        this.#write(path, points, count, ring);
        continue;
      }
      if (ring) {
        points[2 * count] = points[0];
        points[2 * count + 1] = points[1];
        count++;
      }
      // An outline is clipped to the tile as a line is: the edges along its buffer lie outside and fall away.
      clipLine(points, count, box, (piece, n) => this.#write(path, piece, n, false));
    }
  }

  /** A part's points in pixels at scale 1 → number of points. */
  #place(source: Layer, part: number, placed: PlacedTile): number {
    const from = part === 0 ? 0 : source.ends[part - 1];
    const to = source.ends[part];
    const count = to - from;
    if (this.#points.length < 2 * count + 2) this.#points = new Float64Array(4 * count + 2);
    const factor = placed.size / source.extent;
    for (let i = 0; i < count; i++) {
      this.#points[2 * i] = placed.left + source.points[2 * (from + i)] * factor;
      this.#points[2 * i + 1] = placed.top + source.points[2 * (from + i) + 1] * factor;
    }
    return count;
  }

  /** "M100 200l5-3 …": relative whole numbers; points nearer than half a pixel to the last are left out. */
  #write(path: ByteWriter, points: Float64Array, count: number, closed: boolean): void {
    const step = this.#step * Q;
    let x = Math.round(points[0] * Q);
    let y = Math.round(points[1] * Q);
    path.character(77);
    path.integer(x);
    path.character(32);
    path.integer(y);
    let first = true;
    for (let i = 1; i < count; i++) {
      const nx = Math.round(points[2 * i] * Q);
      const ny = Math.round(points[2 * i + 1] * Q);
      const dx = nx - x;
      const dy = ny - y;
      if (Math.abs(dx) + Math.abs(dy) < step && (closed || i < count - 1)) continue;
      if (first) path.character(108);
      else if (dx >= 0) path.character(32);
      first = false;
      path.integer(dx);
      if (dy >= 0) path.character(32);
      path.integer(dy);
      x = nx;
      y = ny;
    }
    // A line that stayed on the spot is a dot, if it has round caps.
    if (first) path.text("l0 0");
    if (closed) path.character(90);
  }
}

/** Words of a style go into the SVG: only these. */
const CAPS = ["butt", "round", "square"];
const JOINS = ["miter", "round", "bevel"];
const oneOf = (words: readonly string[], value: Value) => words.find((word) => word === value) ?? words[0];

const PAINT = {
  fill: ["fill-color", "fill-opacity", "fill-outline-color"],
  line: ["line-color", "line-opacity", "line-width", "line-gap-width", "line-dasharray", "line-cap", "line-join"],
  circle: ["circle-color", "circle-opacity", "circle-radius", "circle-stroke-color", "circle-stroke-width"],
} as const;

/** undefined: nothing would be seen. */
function fillAttributes(layer: CompiledLayer, subject: Subject): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const opacity = numberOr(value("fill-opacity"), 1);
  const color = colorOf(value("fill-color"));
  const outline = layer.property("fill-outline-color").given ? colorOf(value("fill-outline-color")) : undefined;
  if ((!color || color[3] * opacity <= 0) && !outline) return undefined;
  const fill = color ? `fill="${toHex(color)}"${opacityAttribute("fill", color[3] * opacity)}` : 'fill="none"';
  return outline
    ? `${fill} stroke="${toHex(outline)}" stroke-width="${Q / 2}"${opacityAttribute("stroke", outline[3] * opacity)}`
    : fill;
}

function lineAttributes(layer: CompiledLayer, subject: Subject, { scale }: Canvas): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const color = colorOf(value("line-color") ?? "#000000");
  let width = numberOr(value("line-width"), 1);
  const gap = numberOr(value("line-gap-width"), 0);
  // A line on both sides of a gap is a wider line; what fills the gap is drawn above it.
  if (gap > 0) width = gap + 2 * width;
  let opacity = numberOr(value("line-opacity"), 1) * (color?.[3] ?? 0);
  if (!color || width <= 0 || opacity <= 0) return undefined;
  // Thinner than half a pixel of the image a line is drawn fainter.
  const thinnest = 0.5 / scale;
  if (width < thinnest) {
    opacity *= width / thinnest;
    width = thinnest;
    if (opacity < 0.02) return undefined;
  }
  const dash = value("line-dasharray");
  const dashes =
    Array.isArray(dash) && dash.length > 0 ? dash.map((part) => round(numberOr(part, 1) * width * Q)) : undefined;
  return (
    `stroke="${toHex(color)}" stroke-width="${round(width * Q)}"${opacityAttribute("stroke", opacity)}` +
    ` stroke-linecap="${oneOf(CAPS, value("line-cap"))}" stroke-linejoin="${oneOf(JOINS, value("line-join"))}"` +
    // Dashes finer than half a pixel are a line, and would be millions.
    (dashes?.every((part) => part >= 0) && dashes.reduce((a, b) => a + b, 0) > Q / 2
      ? ` stroke-dasharray="${dashes.join(" ")}"`
      : "")
  );
}

function circleAttributes(layer: CompiledLayer, subject: Subject): string | undefined {
  const value = (name: string) => layer.property(name).evaluate(subject);
  const color = colorOf(value("circle-color") ?? "#000000");
  const opacity = numberOr(value("circle-opacity"), 1) * (color?.[3] ?? 0);
  if (!color || opacity <= 0) return undefined;
  const stroke = numberOr(value("circle-stroke-width"), 0);
  const edge = colorOf(value("circle-stroke-color") ?? "#000000");
  return (
    `r="${round(numberOr(value("circle-radius"), 5) * Q)}" fill="${toHex(color)}"${opacityAttribute("fill", opacity)}` +
    (stroke > 0 && edge ? ` stroke="${toHex(edge)}" stroke-width="${round(stroke * Q)}"` : "")
  );
}

const round = (value: number) => Math.round(value * 100) / 100;
const colorOf = (value: Value) => (typeof value === "string" ? parseColor(value) : undefined);
