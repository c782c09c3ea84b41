import { type Block, metersOf, NO_SAMPLE, PackedBlock, STEPS_PER_METER } from "../../core/elevation/block.ts";
import {
  BLOCKS_PER_DEGREE,
  type BlockId,
  columnsOf,
  columnsOfOverview,
  OVERVIEW_BLOCKS,
  overviewKey,
  ROWS,
} from "../../core/elevation/grid.ts";
import { areasOf, type Bounds, type DataSource, sourcesOf } from "../../core/geo/builds/manifest.ts";
import { boundsMeet } from "../../core/geo/builds/neighbours.ts";
import { RADIANS } from "../../core/geo/distance.ts";
import type { Pace } from "../../core/geo/pace.ts";
import { project, TILE_SIZE, tilesBehind, unproject, type View } from "../../core/maps/base/view.ts";
import type { PlacedTile } from "../../core/maps/shapes/shapes.ts";
import {
  MARGIN_CELLS,
  MIN_TERRAIN_ZOOM,
  TERRAIN_VERSION,
  type TerrainGround,
  terrainLayers,
} from "../../core/maps/terrain/terrain-tile.ts";
import { encodeTile } from "../../core/maps/tiles/mvt.ts";
import { MAX_ZOOM } from "../../core/maps/tiles/plane.ts";
import { readTile, type Tile, tileWeight } from "../../core/maps/tiles/vector-tile.ts";
import { doingWithout } from "./do-without.ts";
import { ELEVATION_LAYER, openBlock } from "./elevation.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { Geodata } from "./live.ts";

/** Up to this zoom the overview blocks are fine enough. */
const OVERVIEW_ZOOM = 10;
/** Cells of a tile's grid along its side: a pixel or two of an image, or a third of a sample where these are farther apart. */
const CELLS = 192;
const CELLS_NEAR = 128;
/** From this zoom on CELLS_NEAR are enough. */
const NEAR_ZOOM = 13;
/** Length of the equator in the Mercator projection [m]. */
const EQUATOR_METERS = 40_075_016.7;
/** Costs of opening a block and of a cell of the grid [units of about a microsecond]. */
const BLOCK_UNITS = 2000;
const CELL_UNITS = 0.4;
const NO_TILE_BYTES = 100;
const COLUMNS_OF_EARTH = 360 * BLOCKS_PER_DEGREE;

/** Identifies the hills of maps: changes with the live builds that have elevations. */
export function terrainVersion(geodata: Geodata): string {
  const ids = geodata.with(ELEVATION_LAYER).map(({ build }) => build.id);
  return `terrain${TERRAIN_VERSION}.${ids.sort().join(".")}`;
}

/** Sources of the hills in a view or a tile. */
export function terrainSources(geodata: Geodata, shown: View | TileId): DataSource[] {
  if (("zoom" in shown ? shown.zoom : shown.z) < MIN_TERRAIN_ZOOM) return [];
  const area = "zoom" in shown ? areaOfView(shown) : areaOf(shown);
  return geodata
    .with(ELEVATION_LAYER)
    .filter(({ build }) => areasOf(build, ELEVATION_LAYER).some((one) => boundsMeet(one, area, 0)))
    .flatMap(({ build }) => sourcesOf(build, ELEVATION_LAYER));
}

/** West, south, east, north. */
function areaOfView({ center, zoom, width, height }: View): Bounds {
  const [x, y] = project(center);
  const pixels = TILE_SIZE * 2 ** zoom;
  const [wide, high] = [width / 2 / pixels, height / 2 / pixels];
  const [upper, lower] = [unproject(x - wide, y - high), unproject(x + wide, y + high)];
  return [upper.longitude, lower.latitude, lower.longitude, upper.latitude];
}

/** What was drawn of the hills; `isWhole` is false if a damaged block was left out: then it must not be cached. */
interface Hills<T> {
  drawn: T;
  isWhole: boolean;
}

/** The tiles of hills behind a view; none below MIN_TERRAIN_ZOOM. */
export async function terrainTiles(geodata: Geodata, view: View, pace: Pace): Promise<Hills<PlacedTile[]>> {
  const all: Hills<PlacedTile[]> = { drawn: [], isWhole: true };
  if (geodata.with(ELEVATION_LAYER).length === 0 || view.zoom < MIN_TERRAIN_ZOOM) return all;
  for (const place of tilesBehind(view, MAX_ZOOM)) {
    const { drawn: tile, isWhole } = await terrainTile(geodata, place, pace);
    if (tile) all.drawn.push({ ...place, tile });
    all.isWhole &&= isWhole;
  }
  return all;
}

export interface TileId {
  z: number;
  x: number;
  y: number;
}

async function terrainTile(geodata: Geodata, id: TileId, pace: Pace): Promise<Hills<Tile | undefined>> {
  const key = `${terrainVersion(geodata)}/${id.z}/${id.x}/${id.y}#drawn`;
  const known = cache.get(key);
  if (known) return { drawn: known.value as Tile | undefined, isWhole: true };
  const { drawn: bytes, isWhole } = await terrainBytes(geodata, id, pace);
  const tile = bytes && readTile(bytes);
  if (isWhole) cache.put(key, tile, tile ? tileWeight(tile) : NO_TILE_BYTES);
  return { drawn: tile, isWhole };
}

/** The layers `hillshade` and `contour` as a vector tile; undefined where no ground is known, or the zoom has no hills. */
export async function terrainBytes(geodata: Geodata, id: TileId, pace: Pace): Promise<Hills<Uint8Array | undefined>> {
  const none = { drawn: undefined, isWhole: true };
  if (id.z < MIN_TERRAIN_ZOOM || !hasElevations(geodata, areaOf(id))) return none;
  let isWhole = true;
  // Its sources are credited by the area (`terrainSources`).
  const watched = geodata.reportingTo((layer) => {
    isWhole = false;
    geodata.leftOut(layer);
  });
  const ground = await groundOf(watched, id, pace);
  if (!ground) return { drawn: undefined, isWhole };
  const turn = pace.spend(CELL_UNITS * ground.values.length);
  if (turn) await turn;
  const bytes = encodeTile(terrainLayers(ground));
  return { drawn: bytes.length > 0 ? bytes : undefined, isWhole };
}

const hasElevations = (geodata: Geodata, area: Bounds): boolean =>
  geodata
    .with(ELEVATION_LAYER)
    .some(({ build }) => areasOf(build, ELEVATION_LAYER).some((one) => boundsMeet(one, area, 0)));

/** West, south, east, north of a tile. */
function areaOf({ z, x, y }: TileId): Bounds {
  const [upper, lower] = [unproject(x / 2 ** z, y / 2 ** z), unproject((x + 1) / 2 ** z, (y + 1) / 2 ** z)];
  return [upper.longitude, lower.latitude, lower.longitude, upper.latitude];
}

/** The samples of all blocks around a tile on one grid. */
interface Mosaic {
  /** Of its south-western sample, counted from the South Pole and the date line. */
  firstRow: number;
  firstColumn: number;
  rows: number;
  columns: number;
  /** Row by row from the south [m]. */
  meters: Float32Array;
  perDegree: { rows: number; columns: number };
}

async function groundOf(geodata: Geodata, id: TileId, pace: Pace): Promise<TerrainGround | undefined> {
  const cells = id.z < NEAR_ZOOM ? CELLS : CELLS_NEAR;
  const count = cells + 1 + 2 * MARGIN_CELLS;
  const world = cells * 2 ** id.z;
  const at = (i: number) =>
    unproject((id.x * cells + i - MARGIN_CELLS) / world, (id.y * cells + i - MARGIN_CELLS) / world);
  const places = Array.from({ length: count }, (_, i) => at(i));
  const [first, last] = [places[0], places[count - 1]];
  const mosaic = await mosaicOf(geodata, [first.longitude, last.latitude, last.longitude, first.latitude], id.z, pace);
  if (!mosaic) return undefined;
  const { perDegree, firstRow, firstColumn } = mosaic;
  const columns = places.map(({ longitude }) => (longitude + 180) * perDegree.columns - firstColumn);
  const rows = places.map(({ latitude }) => (latitude + 90) * perDegree.rows - firstRow);
  const middle = (first.latitude + last.latitude) / 2;
  const cellMeters = (EQUATOR_METERS * Math.cos(middle * RADIANS)) / world;
  return { zoom: id.z, cellMeters, columns: count, rows: count, values: smoothSamples(mosaic, rows, columns) };
}

async function mosaicOf(
  geodata: Geodata,
  [west, south, east, north]: Bounds,
  zoom: number,
  pace: Pace,
): Promise<Mosaic | undefined> {
  const isOverview = zoom <= OVERVIEW_ZOOM;
  const blocksPerDegree = isOverview ? BLOCKS_PER_DEGREE / OVERVIEW_BLOCKS : BLOCKS_PER_DEGREE;
  const ofEarth = isOverview ? COLUMNS_OF_EARTH / OVERVIEW_BLOCKS : COLUMNS_OF_EARTH;
  // Blocks share the samples of their edges.
  const [high, wide] = [ROWS - 1, perBlockIn(south, north, isOverview)];
  const perDegree = { rows: high * blocksPerDegree, columns: wide * blocksPerDegree };
  // Splines reach two samples beyond the points.
  const [firstRow, lastRow] = [
    Math.floor((south + 90) * perDegree.rows) - 2,
    Math.ceil((north + 90) * perDegree.rows) + 2,
  ];
  const firstColumn = Math.floor((west + 180) * perDegree.columns) - 2;
  const lastColumn = Math.ceil((east + 180) * perDegree.columns) + 2;
  const [rows, columns] = [lastRow - firstRow + 1, lastColumn - firstColumn + 1];
  const mosaic = {
    firstRow,
    firstColumn,
    rows,
    columns,
    meters: new Float32Array(rows * columns).fill(Number.NaN),
    perDegree,
  };
  let isKnown = false;
  for (let row = Math.floor(firstRow / high); row * high <= lastRow; row++) {
    for (let column = Math.floor(firstColumn / wide); column * wide <= lastColumn; column++) {
      const id = { row, column: (column + ofEarth) % ofEarth };
      await pace.spend(BLOCK_UNITS);
      const block = await (isOverview ? openOverview(geodata, id) : openBlock(geodata, id));
      if (!block) continue;
      isKnown = true;
      copySamples(block, mosaic, row * high, column * wide, wide);
    }
  }
  return isKnown ? mosaic : undefined;
}

/** Steps between the samples of a block from west to east, at the latitude where they are nearest to each other. */
function perBlockIn(south: number, north: number, isOverview: boolean): number {
  const perDegree = isOverview ? BLOCKS_PER_DEGREE / OVERVIEW_BLOCKS : BLOCKS_PER_DEGREE;
  const steps = [south, north].map((latitude) => {
    const id = { row: Math.floor((latitude + 90) * perDegree), column: 0 };
    return (isOverview ? columnsOfOverview(id) : columnsOf(id)) - 1;
  });
  return Math.max(...steps);
}

/** Toward the poles blocks have fewer samples in a row: those between are interpolated. `top` and `left`: of the block on the mosaic's grid. */
function copySamples(block: Block, mosaic: Mosaic, top: number, left: number, wide: number): void {
  const { firstRow, firstColumn, rows, columns, meters } = mosaic;
  const step = (block.columns - 1) / wide;
  const { base, samples } = block;
  const metersAt = (i: number) => (samples[i] === NO_SAMPLE ? Number.NaN : base + samples[i] / STEPS_PER_METER);
  for (let row = Math.max(0, firstRow - top); row < Math.min(ROWS, firstRow + rows - top); row++) {
    const to = (row + top - firstRow) * columns + left - firstColumn;
    for (let i = Math.max(0, firstColumn - left); i <= Math.min(wide, firstColumn + columns - 1 - left); i++) {
      const at = i * step;
      const before = Math.min(block.columns - 2, Math.floor(at));
      const first = row * block.columns + before;
      const share = at - before;
      const value = share === 0 ? metersAt(first) : metersAt(first) * (1 - share) + metersAt(first + 1) * share;
      // On shared edges a known sample is better than none.
      if (!Number.isNaN(value)) meters[to + i] = value;
    }
  }
}

/** The first build that has the block counts; where it is unknown, the next. */
async function openOverview(geodata: Geodata, id: BlockId): Promise<Block | undefined> {
  const side = OVERVIEW_BLOCKS / BLOCKS_PER_DEGREE;
  const [west, south] = [id.column * side - 180, id.row * side - 90];
  const columns = columnsOfOverview(id);
  let merged: Block | undefined;
  for (const source of geodata.with(ELEVATION_LAYER)) {
    if (
      !areasOf(source.build, ELEVATION_LAYER).some((one) =>
        boundsMeet(one, [west, south, west + side, south + side], 0),
      )
    )
      continue;
    const objects = doingWithout(geodata, source, ELEVATION_LAYER);
    const packed = await objects.cached(overviewKey(id), (bytes) => new PackedBlock(id, bytes, columns), {
      weight: ({ weight }: PackedBlock) => weight,
    });
    if (!packed) continue;
    const block = await packed.open();
    merged = merged ? joined(merged, block) : block;
  }
  return merged;
}

function joined(block: Block, other: Block): Block {
  const meters = Float32Array.from(block.samples, (_, i) => metersOf(block, i) ?? metersOf(other, i) ?? Number.NaN);
  const base = Math.floor(meters.reduce((least, one) => (one < least ? one : least), Number.POSITIVE_INFINITY));
  const samples = Uint16Array.from(meters, (one) =>
    Number.isNaN(one) ? NO_SAMPLE : Math.round((one - base) * STEPS_PER_METER),
  );
  return { columns: block.columns, base, samples };
}

/**
 * Values at rows × columns of a mosaic by cubic B-splines: smooth, and without the noise of single samples, so that contours are neither
 * angular nor ragged. First along all rows, then along the columns of the result.
 */
function smoothSamples({ columns, rows, meters }: Mosaic, ys: readonly number[], xs: readonly number[]): Float32Array {
  const across = new Float32Array(rows * xs.length);
  const spline = (value: number, most: number) => {
    const at = Math.max(1, Math.min(most - 3, Math.floor(value)));
    const t = Math.max(0, Math.min(1, value - at));
    const [t2, t3] = [t * t, t * t * t];
    const weights = [
      (1 - 3 * t + 3 * t2 - t3) / 6,
      (4 - 6 * t2 + 3 * t3) / 6,
      (1 + 3 * t + 3 * t2 - 3 * t3) / 6,
      t3 / 6,
    ];
    return { at: at - 1, weights };
  };
  const sx = xs.map((x) => spline(x, columns));
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < xs.length; i++) {
      const { at, weights } = sx[i];
      const first = row * columns + at;
      across[row * xs.length + i] =
        meters[first] * weights[0] +
        meters[first + 1] * weights[1] +
        meters[first + 2] * weights[2] +
        meters[first + 3] * weights[3];
    }
  }
  const out = new Float32Array(ys.length * xs.length);
  for (const [j, y] of ys.entries()) {
    const { at, weights } = spline(y, rows);
    for (let i = 0; i < xs.length; i++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += across[(at + k) * xs.length + i] * weights[k];
      out[j * xs.length + i] = sum;
    }
  }
  return out;
}
