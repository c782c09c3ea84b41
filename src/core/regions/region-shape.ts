import type { CellBox } from "./cell-box.ts";
import { FULL_TURN, GRID, HALF_TURN, normalLongitude, shorterWay } from "./crossing.ts";
import { REGION_KINDS, REGION_RANKS, type Region } from "./region.ts";

type Ring = readonly (readonly number[])[];

/**
 * A region and its outline as input of a build: closed rings of [longitude, latitude] pairs, outer ones and holes in
 * any order and direction (even-odd). Edges take the shorter direction; a ring may cross the 180th meridian or wind
 * around a pole.
 */
export interface RegionShape extends Region {
  readonly rings: readonly Ring[];
  /** The same, where it stands for the rings of several shapes (packed-shape.ts). */
  readonly packed?: object;
}

/**
 * Edges of many regions in columns [grid units]: a corner within ±180°, the step to the next one, the region's number.
 */
export interface EdgeTable {
  length: number;
  x: Int32Array;
  y: Int32Array;
  dx: Int32Array;
  dy: Int32Array;
  region: Int32Array;
  /**
   * Regions that contain the south pole, by number: 1. Starting there, every edge that a meridian crosses changes the
   * side.
   */
  holdsSouthPole: Uint8Array;
}

/**
 * The rings that overlap one of the boxes, as edges; corners are rounded to the grid, edges without length and along a
 * pole are omitted. A ring that does not overlap a box neither contains its center nor has an edge in it.
 */
export function edgeTable(shapes: readonly RegionShape[], boxes: readonly CellBox[]): EdgeTable {
  // Rings of packed shapes are recomputed on each access, so only one shape's rings are held.
  let size = 0;
  const near = shapes.map(({ rings }) =>
    Uint8Array.from(rings, (ring) => {
      const isNear = ring.length >= 3 && boxes.some((box) => reachesInto(extentOf(ring), box));
      if (isNear) size += ring.length;
      return isNear ? 1 : 0;
    }),
  );
  const table: EdgeTable = {
    length: 0,
    x: new Int32Array(size),
    y: new Int32Array(size),
    dx: new Int32Array(size),
    dy: new Int32Array(size),
    region: new Int32Array(size),
    holdsSouthPole: new Uint8Array(shapes.length),
  };
  for (const [region, shape] of shapes.entries()) {
    if (!near[region].includes(1)) continue;
    for (const [i, ring] of shape.rings.entries()) if (near[region][i] === 1) addRing(table, ring, region);
  }
  return table;
}

/** The box around a ring [grid units]: `west` to `west + width` eastwards. A ring around a pole spans all longitudes to it. */
interface Extent {
  west: number;
  width: number;
  south: number;
  north: number;
}

/** Shapes of the world base data are used by every import of a process. */
const extents = new WeakMap<Ring, Extent>();

function extentOf(ring: Ring): Extent {
  const known = extents.get(ring);
  if (known) return known;
  const [start] = onGrid(ring[ring.length - 1]);
  let [last, at] = [start, start];
  let [west, east] = [start, start];
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const corner of ring) {
    const [x, y] = onGrid(corner);
    at += shorterWay(x - last);
    last = x;
    west = Math.min(west, at);
    east = Math.max(east, at);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const polar = Math.abs(at - start) > HALF_TURN;
  const extent = polar
    ? { west: -HALF_TURN, width: FULL_TURN, south: -90 * GRID, north: 90 * GRID }
    : { west, width: east - west, south, north };
  extents.set(ring, extent);
  return extent;
}

function reachesInto({ west, width, south, north }: Extent, box: CellBox): boolean {
  if (south > box.north || north < box.south) return false;
  const beyond = (((box.x + box.halfWidth - west) % FULL_TURN) + FULL_TURN) % FULL_TURN;
  return beyond <= width + 2 * box.halfWidth;
}

function addRing(table: EdgeTable, ring: Ring, region: number): void {
  let [x, y] = onGrid(ring[ring.length - 1]);
  let turned = 0;
  let south = 0;
  for (const corner of ring) {
    const [nextX, nextY] = onGrid(corner);
    const dx = shorterWay(nextX - x);
    const dy = nextY - y;
    turned += dx;
    south += nextY < 0 ? 1 : -1;
    const alongPole = dy === 0 && Math.abs(y) >= 9_000_000;
    if ((dx !== 0 || dy !== 0) && !alongPole) {
      const i = table.length++;
      table.x[i] = x;
      table.y[i] = y;
      table.dx[i] = dx;
      table.dy[i] = dy;
      table.region[i] = region;
    }
    x = nextX;
    y = nextY;
  }
  // A ring that ends a whole turn from its start goes round a pole: the nearer pole is inside.
  if (Math.abs(turned) > HALF_TURN && south > 0) table.holdsSouthPole[region] ^= 1;
}

function onGrid(corner: readonly number[]): [x: number, y: number] {
  const x = Math.round(corner[0] * GRID);
  return [normalLongitude(x), Math.round(Math.max(-90, Math.min(90, corner[1])) * GRID)];
}

/**
 * Shapes in the order of tiles: by kind and rank, smaller areas first, so that of two overlapping regions the inner one
 * is found first; equal ones by country and code.
 */
export function inTileOrder(shapes: readonly RegionShape[]): RegionShape[] {
  return shapes
    .map((shape) => ({ shape, area: area(shape) }))
    .sort(
      (a, b) =>
        REGION_KINDS.indexOf(a.shape.kind) - REGION_KINDS.indexOf(b.shape.kind) ||
        REGION_RANKS.indexOf(a.shape.rank) - REGION_RANKS.indexOf(b.shape.rank) ||
        a.area - b.area ||
        order(a.shape.country, b.shape.country) ||
        order(a.shape.code, b.shape.code) ||
        order(a.shape.name, b.shape.name),
    )
    .map(({ shape }) => shape);
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const areas = new WeakMap<object, number>();

/** Sum of the rings' areas [square degrees at the equator's scale]: exact enough to order regions by size. */
export function area(shape: RegionShape): number {
  const outline = shape.packed ?? shape.rings;
  const known = areas.get(outline);
  if (known !== undefined) return known;
  const { rings } = shape;
  let sum = 0;
  for (const ring of rings) {
    let twice = 0;
    for (let i = 0; i < ring.length; i++) {
      const [x1, y1] = ring[i];
      const [x2, y2] = ring[(i + 1) % ring.length];
      const step = shorterWay((x2 - x1) * GRID) / GRID;
      twice += step * (Math.sin((y1 * Math.PI) / 180) + Math.sin((y2 * Math.PI) / 180));
    }
    sum += Math.abs(twice);
  }
  areas.set(outline, sum);
  return sum;
}

/**
 * Returns the regions that contain the point [grid units]. Counts the edges that its meridian crosses on the way to the
 * south pole.
 */
export function regionsHolding(table: EdgeTable, qx: number, qy: number): Set<number> {
  const inside = new Set<number>();
  table.holdsSouthPole.forEach((holds, region) => {
    if (holds) inside.add(region);
  });
  for (let i = 0; i < table.length; i++) {
    let x1 = table.x[i] - qx;
    if (x1 >= HALF_TURN) x1 -= FULL_TURN;
    else if (x1 < -HALF_TURN) x1 += FULL_TURN;
    const x2 = x1 + table.dx[i];
    if (x1 > 0 === x2 > 0) continue;
    if (table.y[i] - (x1 * table.dy[i]) / table.dx[i] >= qy) continue;
    const region = table.region[i];
    if (!inside.delete(region)) inside.add(region);
  }
  return inside;
}
