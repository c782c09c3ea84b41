import { clipAxis, clipParts, type Rect } from "../../../../core/maps/tiles/clip.ts";
import { LINE, POINT, ringArea, type TileFeature } from "../../../../core/maps/tiles/mvt.ts";
import { EXTENT, MAX_ZOOM, WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { snapParts } from "../../../../core/maps/tiles/snap.ts";
import { type BasemapFeature, FINE_WATER, FINENESS, LAYERS } from "../features/feature.ts";
import type { PieceSink } from "./piece.ts";
import { simplify } from "./simplify.ts";

/** How far areas and lines reach beyond their tile [units], so that strokes at its edge are complete. Points do not. */
export const BUFFER = 64;
/**
 * How much of a corner may be lost to simplification [units]: half a pixel of a 512-pixel tile below the finest zoom.
 */
const TOLERANCE = 4;
const FINEST_TOLERANCE = 0.7;
/** What is magnified is so much more exact: to two pixels at zoom 12. */
const FINE_EXACTNESS = 2;
/** Areas smaller than this are skipped below the finest zoom [units²]: a pixel and a half. */
export const MIN_AREA = 100;

export interface TilerOptions {
  /** Nothing outside these is written; everything where there are none. */
  within?: readonly Rect[];
  minZoom: number;
  maxZoom: number;
  /** The finest tiles stand for all higher zooms, too: their waters are exact. */
  isMagnified?: boolean;
}

/** Cuts features into the tiles of every zoom that shows them, and hands the pieces to the spool. */
export class Tiler {
  readonly #spool: PieceSink;
  readonly #options: TilerOptions;

  constructor(spool: PieceSink, options: TilerOptions) {
    this.#spool = spool;
    this.#options = options;
  }

  add(feature: BasemapFeature): void {
    const { within } = this.#options;
    for (const parts of onTheSquare(feature)) {
      if (within && within.length === 1) this.#add(feature, clipParts(feature.type, parts, within[0]));
      else if (!within || within.some((rect) => clipParts(feature.type, parts, rect).length > 0)) {
        this.#add(feature, parts);
      }
    }
  }

  #add(feature: BasemapFeature, parts: number[][]): void {
    const { type } = feature;
    const order = feature.order ?? 0;
    const from = Math.max(feature.minZoom, this.#options.minZoom);
    const to = Math.min(feature.maxZoom ?? MAX_ZOOM, this.#options.maxZoom);
    const constant = typeof feature.properties !== "function" ? this.#spool.propertyId(feature.properties) : -1;
    let current = parts;
    const finest = this.#options.maxZoom;
    for (let zoom = to; zoom >= from && current.length > 0; zoom--) {
      // Each zoom starts from what the finer one kept.
      const isFine = this.#options.isMagnified === true && feature.layer === "water" && zoom === finest;
      const layer = isFine ? FINE_WATER : LAYERS.indexOf(feature.layer);
      const fineness = isFine ? FINENESS : 1;
      current = generalise(type, current, zoom, finest, toleranceAt(zoom, finest) / (isFine ? FINE_EXACTNESS : 1));
      if (current.length === 0) break;
      // Told only once a tile shows it.
      let properties = constant;
      cutIntoTiles(type, scaled(current, 2 ** (zoom - MAX_ZOOM)), zoom, (x, y, tileParts) => {
        const whole = snapParts(type, tileParts, x * EXTENT, y * EXTENT, fineness);
        if (whole.length === 0) return;
        if (properties < 0 && typeof feature.properties === "function") {
          properties = this.#spool.propertyId(feature.properties(zoom));
        }
        this.#spool.add({ zoom, x, y, layer, order, type, properties, parts: whole });
      });
    }
  }
}

function scaled(parts: number[][], scale: number): number[][] {
  if (scale === 1) return parts;
  const all: number[][] = [];
  for (const part of parts) {
    const one = new Array<number>(part.length);
    for (let i = 0; i < part.length; i++) one[i] = part[i] * scale;
    all.push(one);
  }
  return all;
}

/** The geometry within the square of the plane: what crossed the 180th meridian once on each side. */
function* onTheSquare({ type, parts }: BasemapFeature): Generator<number[][]> {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      if (part[i] < left) left = part[i];
      if (part[i] > right) right = part[i];
    }
  }
  if (left > right) return;
  if (left >= 0 && right <= WORLD_SIZE) {
    yield parts;
    return;
  }
  for (const shift of [-WORLD_SIZE, 0, WORLD_SIZE]) {
    const moved = parts.map((part) => part.map((value, i) => (i % 2 === 0 ? value + shift : value)));
    const inside = clipAxis(type, moved, 0, 0, WORLD_SIZE);
    if (inside.length > 0) yield inside;
  }
}

/** How far a zoom's lines may be from the original [units of the plane]. Readers magnify the finest zoom. */
export function toleranceAt(zoom: number, finest: number): number {
  return (zoom === finest ? FINEST_TOLERANCE : TOLERANCE) * 2 ** (MAX_ZOOM - zoom);
}

function generalise(
  type: TileFeature["type"],
  parts: number[][],
  zoom: number,
  finest: number,
  tolerance: number,
): number[][] {
  if (type === POINT) return parts;
  const unit = 2 ** (MAX_ZOOM - zoom);
  if (type === LINE) return parts.map((part) => simplify(part, tolerance, false));
  const smallest = zoom === finest ? 0 : MIN_AREA * unit * unit;
  const result: number[][] = [];
  let outerKept = false;
  for (const part of parts) {
    const area = ringArea(part);
    const large = Math.abs(area) / 2 > smallest;
    // Without its outer ring a hole would be an island.
    if (area > 0) outerKept = large;
    if (!large || !outerKept) continue;
    const simple = simplify(part, tolerance, true);
    if (simple.length >= 6) result.push(simple);
    else if (area > 0) outerKept = false;
  }
  return result;
}

type TakeTile = (x: number, y: number, parts: number[][]) => void;

/** Halves columns, then rows, until each piece is one tile with its buffer. */
function cutIntoTiles(type: TileFeature["type"], parts: number[][], zoom: number, take: TakeTile): void {
  const buffer = type === POINT ? 0 : BUFFER;
  const last = 2 ** zoom - 1;
  const [left, right] = tileRange(parts, 0, buffer, last);
  if (left === right) {
    const [top, bottom] = tileRange(parts, 1, buffer, last);
    // Most features are well within a tile: there is nothing to cut.
    if (top === bottom) {
      take(left, top, parts);
      return;
    }
  }
  const halve = (
    pieces: number[][],
    axis: 0 | 1,
    from: number,
    to: number,
    done: (tile: number, pieces: number[][]) => void,
  ): void => {
    const high = (to + 1) * EXTENT + buffer;
    // A point on the line between two tiles belongs to the latter.
    const inside = clipAxis(
      type,
      pieces,
      axis,
      from * EXTENT - buffer,
      type === POINT && to < last ? high - 1e-6 : high,
    );
    if (inside.length === 0) return;
    if (from === to) {
      done(from, inside);
      return;
    }
    const middle = (from + to) >> 1;
    halve(inside, axis, from, middle, done);
    halve(inside, axis, middle + 1, to, done);
  };
  halve(parts, 0, left, right, (x, column) => {
    const [top, bottom] = tileRange(column, 1, buffer, last);
    halve(column, 1, top, bottom, (y, pieces) => take(x, y, pieces));
  });
}

/** The first tile and the last along an axis that parts reach into with their buffer. */
function tileRange(
  parts: readonly (readonly number[])[],
  axis: 0 | 1,
  buffer: number,
  last: number,
): [first: number, last: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    for (let i = axis; i < part.length; i += 2) {
      if (part[i] < low) low = part[i];
      if (part[i] > high) high = part[i];
    }
  }
  const tileOf = (value: number) => Math.max(0, Math.min(last, Math.floor(value / EXTENT)));
  return [tileOf(low - buffer), tileOf(high + buffer)];
}
