import { inFlatRing } from "../../geo/shapes/in-ring.ts";
import { LINE, POLYGON, ringArea, type TileFeature, type TileLayer } from "../tiles/mvt.ts";
import { type Grid, type Isoline, IsolineTracer } from "./isolines.ts";
import { simplifyLine } from "./simplify-line.ts";

/** Increased with every change of the layers: it is part of the ETag of maps and tiles with terrain. */
export const TERRAIN_VERSION = 1;
/** Hills are drawn from this zoom on; the last one with tiles is that of the basemap. */
export const MIN_TERRAIN_ZOOM = 8;
/** Points of a grid beyond the edge of its tile: lines reach into the neighbors, and slopes are those of the ground. */
export const MARGIN_CELLS = 3;

export const CONTOUR_LAYER = "contour";
const EXTENT = 4096;
/** Rings smaller than this are noise: some pixels of an image [square units, twice]. */
const MIN_RING_AREA = 2 * 40 * 40;
/** Contours shorter than this are noise [points]. */
const MIN_CONTOUR_POINTS = 6;

/** By zoom: meters between contours, and between those that are emphasized and labeled. */
const INTERVALS: Readonly<Record<number, readonly [interval: number, index: number]>> = {
  9: [500, 1000],
  10: [200, 1000],
  11: [100, 500],
  12: [50, 200],
  13: [20, 100],
  14: [20, 100],
  15: [10, 50],
};

/** How much darker or brighter than flat ground the slopes of a level are: shares of its brightness. */
export const SHADOWS: readonly number[] = [0.07, 0.16, 0.26, 0.37, 0.49, 0.62, 0.76, 0.9];
export const HIGHLIGHTS: readonly number[] = [0.07, 0.16, 0.25];

/** Hills of low zooms are flatter than they appear from the ground: heights are multiplied by this. */
const exaggeration = (zoom: number): number => Math.max(1.5, 2.5 - 0.2 * (zoom - MIN_TERRAIN_ZOOM));

/** The light comes from the northwest, as on most maps, from 45° above the horizon. */
const LIGHT_NORTH = Math.SQRT1_2;
const LIGHT_EAST = -Math.SQRT1_2;
const LIGHT_UP = Math.SQRT1_2;

/** The ground of a tile. */
export interface TerrainGround extends Grid {
  zoom: number;
  /** Of a cell of the grid [m]. */
  cellMeters: number;
}

/**
 * Hills as layers of a vector tile: `hillshade` (areas that are darker or brighter than flat ground, one feature per level, each within the one
 * before) and `contour` (lines of equal elevation with `ele` in meters and `kind`: index or normal).
 */
export function terrainLayers(ground: TerrainGround): TileLayer[] {
  const scale = EXTENT / (ground.columns - 1 - 2 * MARGIN_CELLS);
  const layers = [
    { name: "hillshade", extent: EXTENT, features: hillshade(ground, scale) },
    { name: CONTOUR_LAYER, extent: EXTENT, features: contours(ground, scale) },
  ];
  return layers.filter(({ features }) => features.length > 0);
}

/** Points of the grid → units of the tile. */
const placed = (line: Isoline, scale: number): number[] => line.map((value) => (value - MARGIN_CELLS) * scale);

function hillshade(ground: TerrainGround, scale: number): TileFeature[] {
  const shade = shades(ground);
  const features: TileFeature[] = [];
  for (const [kind, levels, sign] of [
    ["shadow", SHADOWS, -1],
    ["highlight", HIGHLIGHTS, 1],
  ] as const) {
    const grid = { ...ground, values: framed(shade, ground, sign) };
    const tracer = new IsolineTracer(grid);
    const cells = cellsByLevel(grid, levels);
    for (const [i, level] of levels.entries()) {
      const parts = polygons(tracer.trace(level, cells[i]), scale);
      if (parts.length > 0) features.push({ type: POLYGON, properties: { kind, level: i + 1 }, parts });
    }
  }
  return features;
}

/** The cells that each level crosses; `levels` ascend. */
function cellsByLevel({ columns, rows, values }: Grid, levels: readonly number[]): number[][] {
  const cells = levels.map((): number[] => []);
  for (let row = 0; row < rows - 1; row++) {
    for (let cell = row * columns; cell < (row + 1) * columns - 1; cell++) {
      const a = values[cell];
      const b = values[cell + 1];
      const c = values[cell + columns];
      const d = values[cell + columns + 1];
      const most = Math.max(a, b, c, d);
      if (most < levels[0]) continue;
      const least = Math.min(a, b, c, d);
      for (let i = 0; i < levels.length && levels[i] <= most; i++) if (levels[i] > least) cells[i].push(cell);
    }
  }
  return cells;
}

/** How much brighter than flat ground each point is: −1 in the shadow, 0 flat. Slopes as of Horn (1981). */
function shades({ columns, rows, values, cellMeters, zoom }: TerrainGround): Float32Array {
  const out = new Float32Array(values.length);
  const factor = exaggeration(zoom) / (8 * cellMeters);
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const i = row * columns + column;
      const [n, s] = [i - columns, i + columns];
      const [nw, ne, sw, se] = [values[n - 1], values[n + 1], values[s - 1], values[s + 1]];
      const east = (ne + 2 * values[i + 1] + se - nw - 2 * values[i - 1] - sw) * factor;
      const north = (nw + 2 * values[n] + ne - sw - 2 * values[s] - se) * factor;
      const light = (LIGHT_UP - LIGHT_EAST * east - LIGHT_NORTH * north) / Math.sqrt(1 + east * east + north * north);
      const shade = light / LIGHT_UP - 1;
      out[i] = Number.isNaN(shade) ? 0 : shade;
    }
  }
  return blurred(out, columns, rows);
}

/** Means of three by three points, so that single bumps do not become specks. */
function blurred(values: Float32Array, columns: number, rows: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let row = 1; row < rows - 1; row++) {
    for (let i = row * columns + 1; i < (row + 1) * columns - 1; i++) {
      const [n, s] = [i - columns, i + columns];
      const sides = values[n] + values[s] + values[i - 1] + values[i + 1];
      const corners = values[n - 1] + values[n + 1] + values[s - 1] + values[s + 1];
      out[i] = (4 * values[i] + 2 * sides + corners) / 16;
    }
  }
  return out;
}

/** Values × sign with a frame below every level, so that areas end inside the grid. */
function framed(shade: Float32Array, { columns, rows }: Grid, sign: number): Float32Array {
  const values = new Float32Array(shade.length).fill(-10);
  for (let row = 1; row < rows - 1; row++)
    for (let i = row * columns + 1; i < (row + 1) * columns - 1; i++) values[i] = sign * shade[i];
  return values;
}

/** Rings of a polygon, each outer one before its holes. */
function polygons(lines: readonly Isoline[], scale: number): number[][] {
  const outer: { ring: number[]; area: number; holes: number[][]; box: Box }[] = [];
  const holes: number[][] = [];
  for (const line of lines) {
    const ring = simplifyLine(placed(line, scale), SHADE_TOLERANCE).map(Math.round).slice(0, -2);
    const area = ring.length >= 6 ? ringArea(ring) : 0;
    if (Math.abs(area) < MIN_RING_AREA) continue;
    if (area > 0) outer.push({ ring, area, holes: [], box: boxOf(ring) });
    else holes.push(ring);
  }
  // A hole is in the smallest ring around it.
  outer.sort((a, b) => a.area - b.area);
  for (const hole of holes) {
    const [x, y] = hole;
    outer.find(({ ring, box }) => isInBox(box, x, y) && inFlatRing(ring, x, y))?.holes.push(hole);
  }
  return outer.flatMap(({ ring, holes: own }) => [ring, ...own]);
}

/** Of contours and of shadows, which have no sharp edge [units]: eighths of a pixel of an image. */
const TOLERANCE = 2;
const SHADE_TOLERANCE = 5;

type Box = [left: number, top: number, right: number, bottom: number];

function boxOf(ring: readonly number[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    box[0] = Math.min(box[0], ring[i]);
    box[1] = Math.min(box[1], ring[i + 1]);
    box[2] = Math.max(box[2], ring[i]);
    box[3] = Math.max(box[3], ring[i + 1]);
  }
  return box;
}

const isInBox = ([left, top, right, bottom]: Box, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

function contours(ground: TerrainGround, scale: number): TileFeature[] {
  const [interval, index] = INTERVALS[ground.zoom] ?? [];
  if (interval === undefined || index === undefined) return [];
  const tracer = new IsolineTracer(ground);
  const features: TileFeature[] = [];
  for (const [step, cells] of cellsByStep(ground, interval)) {
    const ele = step * interval;
    // The sea and its shore.
    if (ele === 0) continue;
    const parts = tracer
      .trace(ele, cells)
      .filter((line) => line.length >= 2 * MIN_CONTOUR_POINTS)
      .map((line) => simplifyLine(placed(line, scale), TOLERANCE).map(Math.round));
    if (parts.length > 0)
      features.push({ type: LINE, properties: { ele, kind: ele % index === 0 ? "index" : "normal" }, parts });
  }
  return features;
}

/** The cells that each contour crosses, by its number. */
function cellsByStep({ columns, rows, values }: Grid, interval: number): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  for (let row = 0; row < rows - 1; row++) {
    for (let cell = row * columns; cell < (row + 1) * columns - 1; cell++) {
      const [a, b, c, d] = [values[cell], values[cell + 1], values[cell + columns], values[cell + columns + 1]];
      const low = Math.min(a, b, c, d) / interval;
      const high = Math.max(a, b, c, d) / interval;
      // Also of unknown values: no number is between them.
      for (let step = Math.ceil(low); step <= high; step++) {
        const known = cells.get(step);
        if (known) known.push(cell);
        else cells.set(step, [cell]);
      }
    }
  }
  return cells;
}
