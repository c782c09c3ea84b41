import { clipAxis, type Rect } from "../../../../core/maps/tiles/clip.ts";
import { LINE, POLYGON, ringArea } from "../../../../core/maps/tiles/mvt.ts";
import { EXTENT, MAX_ZOOM } from "../../../../core/maps/tiles/plane.ts";
import { snapParts } from "../../../../core/maps/tiles/snap.ts";
import { FINE_WATER, FINENESS, LAYERS } from "../features/feature.ts";
import { simplify } from "../tiles/simplify.ts";
import type { PieceSpool } from "../tiles/spool.ts";
import { BUFFER, MIN_AREA, type TilerOptions, toleranceAt } from "../tiles/tiler.ts";
import { seaProbe, seaWithin } from "./coastline.ts";

export interface Sea {
  /** The part of the plane whose sea this is. */
  box: Rect;
  /** Coastlines on the plane, land on their left; a closed one repeats its first corner. */
  coastlines: readonly (readonly number[])[];
  /** The same sea as areas, to find on which side of the coast a place is. */
  rings: readonly (readonly number[])[];
}

const OCEAN = { kind: "ocean" };
const WATER = LAYERS.indexOf("water");
/** The sea is below all other water. */
const ORDER = -1_000_000;

/**
 * The sea of every tile. Coastlines are cut into tiles as lines and closed to areas in each: an area of the whole sea,
 * with continents for holes, would have to be cut where holes touch the edge of the tile, and what fills such areas
 * (earcut in MapLibre) then goes astray.
 */
export function addSea(
  sea: Sea,
  spool: PieceSpool,
  { minZoom, maxZoom, isMagnified }: Pick<TilerOptions, "minZoom" | "maxZoom" | "isMagnified">,
): void {
  const probe = seaProbe(sea.rings);
  let lines = sea.coastlines;
  for (let zoom = maxZoom; zoom >= minZoom; zoom--) {
    const isFine = isMagnified === true && zoom === maxZoom;
    // The world's coast has corners on a grid of three units.
    lines = generalise(lines, zoom, maxZoom, toleranceAt(zoom, maxZoom) * (isFine ? 2 : 1));
    const layer = isFine ? FINE_WATER : WATER;
    const scale = 2 ** (zoom - MAX_ZOOM);
    const box = scaled(sea.box, scale);
    const add = (x: number, y: number, parts: readonly (readonly number[])[]) => {
      const whole = snapParts(POLYGON, parts, x * EXTENT, y * EXTENT);
      if (whole.length === 0) return;
      // Coasts are no more exact than the coarse grid, and smaller on it.
      const moved = isFine ? whole.map((part) => part.map((value) => value * FINENESS)) : whole;
      const properties = spool.propertyId(OCEAN);
      spool.add({ zoom, x, y, layer, order: ORDER, type: POLYGON, properties, parts: moved });
      spool.rest();
    };
    const inSea = (x: number, y: number) => probe(x / scale, y / scale);
    const drawn = lines.map((line) => line.map((value) => value * scale));
    eachTile(box, drawn, zoom, inSea, add);
  }
}

/** Halves the box, columns and rows in turn, until a part is one tile or has no coast. */
function eachTile(
  box: Rect,
  lines: readonly (readonly number[])[],
  zoom: number,
  inSea: (x: number, y: number) => boolean,
  add: (x: number, y: number, parts: readonly (readonly number[])[]) => void,
): void {
  const last = 2 ** zoom - 1;
  const tileOf = (value: number) => Math.max(0, Math.min(last, Math.floor(value / EXTENT)));
  const visit = (
    left: number,
    top: number,
    right: number,
    bottom: number,
    coast: readonly (readonly number[])[],
  ): void => {
    const region: Rect = {
      left: Math.max(box.left, left * EXTENT - BUFFER),
      top: Math.max(box.top, top * EXTENT - BUFFER),
      right: Math.min(box.right, (right + 1) * EXTENT + BUFFER),
      bottom: Math.min(box.bottom, (bottom + 1) * EXTENT + BUFFER),
    };
    if (region.left >= region.right || region.top >= region.bottom) return;
    const columns = clipAxis(LINE, coast, 0, region.left, region.right);
    const inside = clipAxis(LINE, columns, 1, region.top, region.bottom);
    if (inside.length === 0) {
      if (!inSea((region.left + region.right) / 2, (region.top + region.bottom) / 2)) return;
      for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) add(x, y, [whole(box, x, y)]);
    } else if (left === right && top === bottom) {
      add(left, top, seaWithin(region, inside));
    } else if (right - left >= bottom - top) {
      const middle = (left + right) >> 1;
      visit(left, top, middle, bottom, inside);
      visit(middle + 1, top, right, bottom, inside);
    } else {
      const middle = (top + bottom) >> 1;
      visit(left, top, right, middle, inside);
      visit(left, middle + 1, right, bottom, inside);
    }
  };
  visit(tileOf(box.left), tileOf(box.top), tileOf(box.right), tileOf(box.bottom), lines);
}

/** A tile with its buffer, as far as the box reaches. */
function whole(box: Rect, x: number, y: number): number[] {
  const left = Math.max(box.left, x * EXTENT - BUFFER);
  const top = Math.max(box.top, y * EXTENT - BUFFER);
  const right = Math.min(box.right, (x + 1) * EXTENT + BUFFER);
  const bottom = Math.min(box.bottom, (y + 1) * EXTENT + BUFFER);
  return left < right && top < bottom ? [left, top, right, top, right, bottom, left, bottom] : [];
}

function generalise(
  lines: readonly (readonly number[])[],
  zoom: number,
  finest: number,
  tolerance: number,
): (readonly number[])[] {
  const unit = 2 ** (MAX_ZOOM - zoom);
  const result: (readonly number[])[] = [];
  for (const line of lines) {
    const n = line.length;
    if (line[0] !== line[n - 2] || line[1] !== line[n - 1]) {
      result.push(simplify(line, tolerance, false));
      continue;
    }
    const ring = line.slice(0, -2);
    if (zoom < finest && Math.abs(ringArea(ring)) / 2 < MIN_AREA * unit * unit) continue;
    const simple = simplify(ring, tolerance, true);
    if (simple.length >= 6) result.push([...simple, simple[0], simple[1]]);
  }
  return result;
}

function scaled({ left, top, right, bottom }: Rect, scale: number): Rect {
  return { left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale };
}
