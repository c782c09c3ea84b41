import { BoundedMap } from "../../geo/bounded-map.ts";
import { cellToBoundary, gridDisk, latLngToCell } from "../../geo/cells/h3.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { EARTH_RADIUS, RADIANS } from "../../geo/distance.ts";
import { SAFE_METRES } from "./messages.ts";

/** Cells of about 250 km². */
const RESOLUTION = 5;
/** Edges are not quite great circles where a cell crosses two faces of the icosahedron [m]. */
const MARGIN = 50;

type Vector = readonly [number, number, number];

interface Edges {
  cell: string;
  /** Normals of the great circles of the edges, to the outside. */
  normals: readonly Vector[];
}

const disks = new BoundedMap<string, readonly Edges[]>(64);

/** The cells within reach of a point [m, at most 11,000], at corners a few more. */
export function coarseCellsAround({ latitude, longitude }: Coordinate, reach: number): string[] {
  const home = latLngToCell(latitude, longitude, RESOLUTION);
  let disk = disks.get(home);
  if (!disk) {
    disk = gridDisk(home, 2).map((cell) => ({ cell, normals: normalsOf(cell) }));
    disks.set(home, disk);
  }
  const point = vectorOf(latitude, longitude);
  const limit = Math.sin((reach + MARGIN) / EARTH_RADIUS);
  return disk.filter(({ normals }) => normals.every((normal) => dot(normal, point) <= limit)).map(({ cell }) => cell);
}

/** The cells that must have a device of these rules. */
export function coveringCells(at: Coordinate, rules: readonly { radius: number }[]): string[] {
  if (rules.length === 0) return [];
  return coarseCellsAround(at, Math.max(...rules.map(({ radius }) => radius)) + 2 * SAFE_METRES);
}

function normalsOf(cell: string): Vector[] {
  const corners = cellToBoundary(cell).map(([lat, lon]) => vectorOf(lat, lon));
  return corners.map((a, i) => {
    const [[ax, ay, az], [bx, by, bz]] = [a, corners[(i + 1) % corners.length]];
    // Corners are counterclockwise: the inside is to the left.
    const [x, y, z] = [az * by - ay * bz, ax * bz - az * bx, ay * bx - ax * by];
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
}

const dot = ([ax, ay, az]: Vector, [bx, by, bz]: Vector) => ax * bx + ay * by + az * bz;

function vectorOf(latitude: number, longitude: number): Vector {
  const ring = Math.cos(latitude * RADIANS);
  return [ring * Math.cos(longitude * RADIANS), ring * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)];
}
