import type { Pace } from "../../geo/pace.ts";
import { type Box, boundsOf, clipLine, clipRing, grown, intersection, touches, within } from "../base/clip.ts";
import { type Color, parseColor } from "../base/color.ts";
import type { TilePlace } from "../base/view.ts";
import type { CompiledLayer, CompiledStyle } from "../style/compile-style.ts";
import type { Subject } from "../style/expression.ts";
import { matchingFeatures } from "../style/matching-features.ts";
import { CONTOUR_LAYER } from "../terrain/terrain-tile.ts";
import type { Feature, Layer, Tile } from "../tiles/vector-tile.ts";
import { LINE_MARGIN, RING_MARGIN, ShapeGroup } from "./shape-group.ts";
import { circlePaint, fillPaint, linePaint, numberOr, PAINT, Q, type ShapePaint } from "./shape-paint.ts";

/** A decoded tile and its position in the image. */
export interface PlacedTile extends TilePlace {
  tile: Tile;
}

interface Canvas {
  /** The whole image, in pixels at scale 1. */
  image: Box;
  zoom: number;
  scale: number;
}

/** A layer of the style over all tiles: a color everywhere, or shapes grouped by their paint. */
export type PreparedLayer = ({ background: Color } | { groups: readonly ShapeGroup[] }) & {
  /** Its place among the style's layers. */
  order: number;
};

/** Cost of evaluation [µs]: the filter and paint of a feature, and placing and clipping a point. */
const FEATURE_COST = 0.8;
const POINT_COST = 0.05;

/**
 * Fills, lines and circles of the style over the tiles, in the style's order: filters and paint evaluated, points
 * placed and thinned once, so that any number of windows of the image can be written from them.
 */
export async function prepareShapes(
  style: CompiledStyle,
  tiles: readonly PlacedTile[],
  canvas: Canvas,
  pace: Pace,
): Promise<PreparedLayer[]> {
  const prepared: PreparedLayer[] = [];
  const scratch = new Scratch();
  for (const [order, layer] of style.layers.entries()) {
    if (canvas.zoom < layer.minzoom || canvas.zoom >= layer.maxzoom) continue;
    if (layer.type === "background") {
      const background = backgroundOf(layer, canvas.zoom);
      if (background) prepared.push({ background, order });
    } else if (layer.type !== "symbol") {
      const groups = await new LayerShapes(layer, canvas, scratch).of(tiles, pace);
      if (groups.length > 0) prepared.push({ groups, order });
    }
  }
  return prepared;
}

function backgroundOf(layer: CompiledLayer, zoom: number): Color | undefined {
  const subject = { zoom, type: 0, tags: {} };
  const color = parseColor(String(layer.property("background-color").evaluate(subject) ?? "#000000"));
  const opacity = numberOr(layer.property("background-opacity").evaluate(subject), 1);
  return color && [color[0], color[1], color[2], color[3] * opacity];
}

/** Points of the part that is being placed: one array for all layers, because most of the hundred layers of a style are empty on a map. */
class Scratch {
  points = new Float64Array(8192);

  fit(count: number): Float64Array {
    if (this.points.length < 2 * count + 2) this.points = new Float64Array(4 * count + 2);
    return this.points;
  }
}

/** One style layer: its features go into one group for each set of paint values. */
class LayerShapes {
  readonly #layer: CompiledLayer;
  readonly #kind: "fill" | "line" | "circle";
  readonly #canvas: Canvas;
  readonly #groups = new Map<string, ShapeGroup>();
  /** Less than half a pixel of the finished image cannot be seen. */
  readonly #step: number;
  readonly #scratch: Scratch;

  constructor(layer: CompiledLayer, canvas: Canvas, scratch: Scratch) {
    this.#layer = layer;
    this.#kind = layer.type as "fill" | "line" | "circle";
    this.#canvas = canvas;
    this.#step = 0.5 / canvas.scale;
    this.#scratch = scratch;
  }

  async of(tiles: readonly PlacedTile[], pace: Pace): Promise<ShapeGroup[]> {
    const layer = this.#layer;
    const subject: Subject = { zoom: this.#canvas.zoom, type: 0, tags: {} };
    const constant = PAINT[this.#kind].every((name) => layer.property(name).constant);
    const shared = constant ? this.#paint(subject) : undefined;
    if (constant && shared === undefined) return [];
    for (const placed of tiles) {
      const source = placed.tile.get(layer.sourceLayer);
      if (!source) continue;
      const before = this.#placed;
      const matching = matchingFeatures(layer, source, this.#canvas.zoom);
      for (const index of matching) {
        const feature = source.features[index];
        subject.type = feature.type;
        subject.tags = feature.tags;
        const paint = shared ?? this.#paint(subject);
        if (paint !== undefined) this.#feature(feature, source, placed, paint);
      }
      const turn = pace.spend(source.features.length * FEATURE_COST + (this.#placed - before) * POINT_COST);
      if (turn) await turn;
    }
    return [...this.#groups.values()];
  }

  #paint(subject: Subject): ShapePaint | undefined {
    if (this.#kind === "fill") return fillPaint(this.#layer, subject);
    if (this.#kind === "circle") return circlePaint(this.#layer, subject);
    return linePaint(this.#layer, subject, this.#canvas.scale);
  }

  #feature(feature: Feature, source: Layer, placed: PlacedTile, paint: ShapePaint): void {
    const kind = this.#kind;
    if (kind === "fill" && feature.type !== 3) return;
    if (kind === "line" && feature.type === 1) return;
    if (kind === "circle" && feature.type !== 1) return;
    let group = this.#groups.get(paint.attributes);
    if (!group) {
      group = new ShapeGroup(kind, paint, this.#step * Q);
      this.#groups.set(paint.attributes, group);
    }
    const { image } = this.#canvas;
    const { left, top, size } = placed;
    const tileBox = { left, top, right: left + size, bottom: top + size };
    const seen = grown(image, kind === "fill" ? RING_MARGIN : LINE_MARGIN);
    // Both tiles draw the shared part at their seam, so that no gap shows, except for dashes, which would get out of
    // phase, and for lines of less than a pixel, which would be darker there.
    const overlap = group.dashed || this.#layer.sourceLayer === CONTOUR_LAYER ? 0 : 1;
    const box = intersection(grown(tileBox, overlap), seen);
    for (let part = feature.first; part < feature.last; part++) {
      let count = this.#place(source, part, placed);
      const { points } = this.#scratch;
      if (kind === "circle") {
        for (let i = 0; i < count; i++) {
          const [x, y] = [points[2 * i], points[2 * i + 1]];
          if (x < tileBox.left || y < tileBox.top || x >= tileBox.right || y >= tileBox.bottom) continue;
          group.add(points.subarray(2 * i, 2 * i + 2), 1, false);
        }
        continue;
      }
      if (kind === "fill") leavePlane(points, count, placed, image);
      const bounds = boundsOf(points, count);
      if (!touches(bounds, seen)) continue;
      if (kind === "fill") {
        if (bounds.right - bounds.left < this.#step && bounds.bottom - bounds.top < this.#step) continue;
        if (within(bounds, seen)) group.add(points, count, true);
        else {
          const ring = clipRing(points, count, seen);
          if (ring.count > 2) group.add(ring.points, ring.count, true);
        }
        continue;
      }
      const ring = feature.type === 3;
      if (within(bounds, box)) {
        group.add(points, count, ring);
        continue;
      }
      if (ring) {
        points[2 * count] = points[0];
        points[2 * count + 1] = points[1];
        count++;
      }
      // An outline is clipped to the tile as a line is: the edges along its buffer are outside and are dropped.
      clipLine(points, count, box, (piece, n) => group.add(piece, n, false));
    }
  }

  #placed = 0;

  /** A part's points in pixels at scale 1 → number of points. */
  #place(source: Layer, part: number, placed: PlacedTile): number {
    const from = part === 0 ? 0 : source.ends[part - 1];
    const to = source.ends[part];
    const count = to - from;
    this.#placed += count;
    const points = this.#scratch.fit(count);
    const { left, top } = placed;
    const factor = placed.size / source.extent;
    for (let i = 0; i < count; i++) {
      points[2 * i] = left + source.points[2 * (from + i)] * factor;
      points[2 * i + 1] = top + source.points[2 * (from + i) + 1] * factor;
    }
    return count;
  }
}

/**
 * Areas at the northern or southern edge of the map's plane continue beyond it: half of an area's edge over another's
 * would show as a line, and Antarctica would end.
 */
function leavePlane(points: Float64Array, count: number, { z, y, top, size }: PlacedTile, image: Box): void {
  const isLast = y === 2 ** z - 1;
  if (y > 0 && !isLast) return;
  for (let i = 1; i < 2 * count; i += 2) {
    if (y === 0 && points[i] <= top) points[i] = Math.min(top, image.top) - BEYOND;
    else if (isLast && points[i] >= top + size) points[i] = Math.max(top + size, image.bottom) + BEYOND;
  }
}

/** Out of sight [pixels at scale 1]. */
const BEYOND = 8;
