import type { Coordinate } from "../coordinate.ts";
import { haversine } from "../distance.ts";
import { type Ring, ringCentroid } from "../shapes/polygon.ts";
import { circleProbe, type Probe, ringProbe } from "../shapes/probe.ts";
import { ringReach } from "../shapes/reach.ts";
import {
  ancestorOf,
  DESCENDANT_REACH,
  MAX_RESOLUTION,
  type PackedCell,
  packCell,
  resolutionOf,
  unpackCell,
} from "./cells.ts";
import {
  cellToBoundary,
  cellToChildren,
  cellToLatLng,
  getRes0Cells,
  gridDisk,
  isPentagon,
  latLngToCell,
} from "./h3.ts";

/**
 * Coverings of shapes by H3 cells, for an index: for every point p inside the shape, cellAt(p) or one of its ancestors
 * (`ancestors`, all the way to resolution 0) is in the covering.
 *
 * H3's hierarchy is not geometric: a cell's descendants extend beyond it and leave gaps inside it. Here a cell is
 * treated as the disc that contains its descendants (`DESCENDANT_REACH`), and only the hierarchy itself is relied upon.
 */

/** A child's circumradius times √7 over its parent's is at most 1.245, around the pentagons. */
const CHILD_RADIUS = 1.26 / Math.sqrt(7);

/**
 * Lower bound of circumradii [m] at resolution 0; √7 less with every resolution. Smallest seen: 1,036 km and 0.87 of
 * the rule.
 */
const MIN_RADIUS = 881_000;

/**
 * A covering is refined while it has at most this many cells; a shape larger than a quarter of the Earth may need more.
 */
const MAX_CELLS = 24;

interface Node {
  h3: string;
  radius: number;
  probe: Probe;
}

/** Covering of the circle of `radius` meters; few cells for a coarse covering, more for a tight one. */
export function coverCircle(center: Coordinate, radius: number, maxCells = MAX_CELLS): PackedCell[] {
  return cover(center, radius, circleProbe(center, radius), maxCells);
}

/** Cover of the inside (even-odd) and the edge of a ring that does not wind around a pole. */
export function coverPolygon(ring: Ring, maxCells = MAX_CELLS): PackedCell[] {
  const center = ringCentroid(ring);
  return cover(center, ringReach(ring, center), ringProbe(ring), maxCells);
}

/**
 * Refines level by level, dropping cells that are outside and keeping cells that are inside, while there are few cells.
 */
function cover(center: Coordinate, reach: number, probe: Probe, maxCells: number): PackedCell[] {
  const seeds = seedCells(center, reach);
  let inside: PackedCell[] = [];
  let edge: Node[] = [];
  for (const h3 of seeds.cells) sort(h3, Number.POSITIVE_INFINITY, probe, inside, edge);
  let best = compact(inside, edge);
  for (let resolution = seeds.resolution; resolution < MAX_RESOLUTION && edge.length > 0; resolution++) {
    const within = [...inside];
    const finer: Node[] = [];
    for (const node of edge) {
      for (const h3 of cellToChildren(node.h3, resolution + 1)) {
        sort(h3, node.radius * CHILD_RADIUS, node.probe, within, finer);
      }
    }
    const cells = compact(within, finer);
    if (cells.length > maxCells) break;
    best = cells;
    inside = within;
    edge = finer;
  }
  return best;
}

/**
 * Queries the probe for a cell; `radius` is an upper bound of its circumradius, which is computed exactly only for
 * cells that stay.
 */
function sort(h3: string, radius: number, probe: Probe, inside: PackedCell[], edge: Node[]): void {
  const [latitude, longitude] = cellToLatLng(h3);
  if (radius !== Number.POSITIVE_INFINITY && probe(latitude, longitude, radius * DESCENDANT_REACH) === "outside")
    return;
  let exact = 0;
  for (const [lat, lon] of cellToBoundary(h3)) exact = Math.max(exact, haversine(latitude, longitude, lat, lon));
  const verdict = probe(latitude, longitude, exact * DESCENDANT_REACH);
  if (verdict === "inside") inside.push(packCell(h3));
  else if (verdict !== "outside") edge.push({ h3, radius: exact, probe: verdict });
}

/**
 * All cells, at the finest resolution with cells at least four times as wide as the shape, that could hold points of
 * it. A point of the shape is within half a circumradius of the center, its cell's center within DESCENDANT_REACH more.
 * The nearest centers outside two rings around the center's own cell are 3.5 circumradii away.
 */
function seedCells(center: Coordinate, reach: number): { cells: string[]; resolution: number } {
  const resolution = Math.min(MAX_RESOLUTION, Math.floor(Math.log(MIN_RADIUS / (2 * reach)) / Math.log(Math.sqrt(7))));
  if (!(resolution >= 0)) return { cells: getRes0Cells(), resolution: 0 };
  return { cells: gridDisk(latLngToCell(center.latitude, center.longitude, resolution), 2), resolution };
}

/** The same covering with full families of siblings replaced by their parents. */
function compact(inside: readonly PackedCell[], edge: readonly Node[]): PackedCell[] {
  const levels: Set<PackedCell>[] = Array.from({ length: MAX_RESOLUTION + 1 }, () => new Set());
  for (const cell of inside) levels[resolutionOf(cell)].add(cell);
  for (const { h3 } of edge) {
    const cell = packCell(h3);
    levels[resolutionOf(cell)].add(cell);
  }
  const out: PackedCell[] = [];
  for (let resolution = MAX_RESOLUTION; resolution > 0; resolution--) {
    if (levels[resolution].size === 0) continue;
    const families = new Map<PackedCell, PackedCell[]>();
    for (const cell of levels[resolution]) {
      const parent = ancestorOf(cell, resolution - 1);
      const family = families.get(parent);
      if (family) family.push(cell);
      else families.set(parent, [cell]);
    }
    for (const [parent, family] of families) {
      if (family.length === 7 || (family.length === 6 && isPentagon(unpackCell(parent))))
        levels[resolution - 1].add(parent);
      else out.push(...family);
    }
  }
  out.push(...levels[0]);
  return out.sort((a, b) => a - b);
}
