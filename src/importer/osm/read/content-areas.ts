import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { isCoordinate } from "../../../core/geo/coordinate.ts";
import { RADIANS } from "../../../core/geo/distance.ts";

/**
 * Where the nodes of an extract are, in cells of one degree. A node that stands alone and far away (at 0, 0, at a pole, with its axes
 * swapped) is a mistake in the data, and must not stretch what the extract covers over half of the Earth.
 */

/** In a cell: how many nodes, and the box around them [1e-7 degrees]. */
export type CellBox = [cell: number, nodes: number, west: number, south: number, east: number, north: number];

const COLUMNS = 360;
const ROWS = 180;
/** Cells besides those of the grid: within 100 m of 0, 0, where broken data gathers, and not on Earth. */
const NULL_ISLAND = COLUMNS * ROWS;
const OFF_EARTH = NULL_ISLAND + 1;
const NULL_ISLAND_E7 = 10_000;

/** Nodes further apart than so many cells, with nothing between them, are in different clusters: some 330 km. */
const LINK = 3;
/** A cluster of at most so many nodes may be a mistake: a building with swapped axes. */
const MAX_FAR_NODES = 8;
/** It is one if the largest cluster has so many times its nodes; and all such clusters together. */
const FAR_SHARE = 20;
/** More clusters are covered by one box: each layer looks at each. */
const MAX_AREAS = 32;
/** Marks numbers of clusters that are left out. */
const FAR = 0x8000;

export function cellOf(latitudeE7: number, longitudeE7: number): number {
  if (!isCoordinate(latitudeE7 / 1e7, longitudeE7 / 1e7)) return OFF_EARTH;
  if (Math.abs(latitudeE7) < NULL_ISLAND_E7 && Math.abs(longitudeE7) < NULL_ISLAND_E7) return NULL_ISLAND;
  const row = Math.min(ROWS - 1, Math.floor(latitudeE7 / 1e7) + 90);
  return row * COLUMNS + ((Math.floor(longitudeE7 / 1e7) + 180) % COLUMNS);
}

/** Counts the nodes of a blob. */
export class CellCounter {
  readonly #cells = new Map<number, CellBox>();
  #last: CellBox | undefined;

  /** Returns whether it is on Earth. */
  add(latitudeE7: number, longitudeE7: number): boolean {
    const cell = cellOf(latitudeE7, longitudeE7);
    let box = this.#last;
    if (box?.[0] !== cell) {
      box = this.#cells.get(cell) ?? [cell, 0, longitudeE7, latitudeE7, longitudeE7, latitudeE7];
      this.#cells.set(cell, box);
      this.#last = box;
    }
    box[1]++;
    if (longitudeE7 < box[2]) box[2] = longitudeE7;
    if (latitudeE7 < box[3]) box[3] = latitudeE7;
    if (longitudeE7 > box[4]) box[4] = longitudeE7;
    if (latitudeE7 > box[5]) box[5] = latitudeE7;
    return cell !== OFF_EARTH;
  }

  join(counted: readonly CellBox[]): this {
    for (const [cell, nodes, west, south, east, north] of counted) {
      const known = this.#cells.get(cell) ?? [cell, 0, west, south, east, north];
      this.#cells.set(cell, [
        cell,
        known[1] + nodes,
        Math.min(known[2], west),
        Math.min(known[3], south),
        Math.max(known[4], east),
        Math.max(known[5], north),
      ]);
    }
    return this;
  }

  get cells(): CellBox[] {
    return [...this.#cells.values()].sort((a, b) => a[0] - b[0]);
  }
}

interface Cluster {
  cells: CellBox[];
  nodes: number;
}

/** What the nodes of extracts cover. */
interface Content {
  /**
   * Of each extract, the boxes around the clusters of its nodes that are not left out, and the box around all of them; none without
   * nodes. West > east across the 180th meridian.
   */
  files: { areas: Bounds[]; bounds: Bounds | undefined }[];
  /** Per cell the number of its cluster, FAR added for those that are left out; undefined where there is nothing to look for. */
  clusters: Uint16Array<SharedArrayBuffer> | undefined;
}

/** Whether a cluster's number says that it is left out. */
export const isFar = (cluster: number): boolean => cluster >= FAR;

/** @param counted the cells of each extract */
export function contentOf(counted: readonly (readonly CellBox[])[]): Content {
  const onEarth = counted.map((cells) => cells.filter(([cell]) => cell !== OFF_EARTH));
  // A town that is imported with a country is no mistake in the country: it is at home in its own file.
  const home = new Set<number>();
  const files = onEarth.map((cells) => {
    const found = clustersOf(cells);
    const far = farOf(found);
    const kept = found.filter((cluster) => !far.has(cluster)).map((cluster) => cluster.cells);
    for (const [cell] of kept.flat()) home.add(cell);
    const bounds = kept.length === 0 ? undefined : boxOf(kept.flat());
    return { bounds, areas: kept.length > MAX_AREAS && bounds ? [bounds] : kept.map(boxOf) };
  });
  const all = clustersOf(onEarth.reduce((sum, cells) => sum.join(cells), new CellCounter()).cells);
  if (all.length < 2) return { files, clusters: undefined };
  const clusters = new Uint16Array(new SharedArrayBuffer(2 * (OFF_EARTH + 1)));
  clusters[OFF_EARTH] = FAR;
  for (const [i, { cells }] of all.entries()) {
    const far = cells.every(([cell]) => !home.has(cell));
    for (const [cell] of cells) clusters[cell] = Math.min(i + 1, FAR - 1) + (far ? FAR : 0);
  }
  return { files, clusters };
}

/** Cells that are linked, by way of others or directly; the largest cluster first, then in the order of their cells. */
function clustersOf(cells: readonly CellBox[]): Cluster[] {
  const byCell = new Map(cells.map((box) => [box[0], box]));
  const zero = byCell.get(NULL_ISLAND);
  // Real data around 0, 0 also has nodes in the neighboring cells.
  const alone =
    zero &&
    ![
      [0, 0],
      [0, -1],
      [-1, 0],
      [-1, -1],
    ].some(([y, x]) => byCell.has((y + 90) * COLUMNS + x + 180));
  const clusters: Cluster[] = [];
  const open = new Set(byCell.keys());
  for (const start of byCell.keys()) {
    if (!open.delete(start)) continue;
    const cluster: Cluster = { cells: [], nodes: 0 };
    clusters.push(cluster);
    for (const queue = [start]; queue.length > 0; ) {
      const cell = queue.pop() as number;
      const box = byCell.get(cell) as CellBox;
      cluster.cells.push(box);
      cluster.nodes += box[1];
      if (cell === NULL_ISLAND && alone) continue;
      for (const near of around(cell)) if (!(near === NULL_ISLAND && alone) && open.delete(near)) queue.push(near);
    }
  }
  return clusters.sort((a, b) => b.nodes - a.nodes || a.cells[0][0] - b.cells[0][0]);
}

function* around(cell: number): Generator<number> {
  if (cell === NULL_ISLAND) {
    for (const row of [89, 90]) for (const column of [179, 180]) yield row * COLUMNS + column;
    return;
  }
  const [row, column] = [Math.floor(cell / COLUMNS), cell % COLUMNS];
  if ((row === 89 || row === 90) && (column === 179 || column === 180)) yield NULL_ISLAND;
  for (let y = Math.max(0, row - LINK); y <= Math.min(ROWS - 1, row + LINK); y++) {
    const reach = Math.max(columnsOf(row), columnsOf(y));
    for (let x = column - reach; x <= column + reach; x++) yield y * COLUMNS + ((x + COLUMNS) % COLUMNS);
  }
}

/** As far to the east as LINK to the north. */
const columnsOf = (row: number) => Math.min(COLUMNS / 2, Math.ceil(LINK / Math.cos((row + 0.5 - ROWS / 2) * RADIANS)));

/** The clusters that are mistakes. */
function farOf(found: readonly Cluster[]): Set<Cluster> {
  const content = found.find((cluster) => !isUnlikely(cluster)) ?? found[0];
  // Nothing real is at 0, 0 alone: a program may write it for any number of nodes.
  const isZero = ({ cells }: Cluster) => cells.every(([cell]) => cell === NULL_ISLAND);
  const small = found.filter((one) => one !== content && (one.nodes <= MAX_FAR_NODES || isZero(one)));
  const total = found.reduce((sum, { nodes }) => sum + nodes, 0);
  // Lighthouses of the world are a few here and a few there: none of them is a mistake.
  const likely = small.filter((cluster) => !isUnlikely(cluster));
  const few = likely.reduce((sum, { nodes }) => sum + nodes, 0) * FAR_SHARE <= total;
  const kept = likely.filter(({ nodes }) => !(few && nodes * FAR_SHARE <= content.nodes));
  return new Set(small.filter((cluster) => !kept.includes(cluster)));
}

/** At 0, 0, at a pole, or on the 180th meridian: where a number was missing, or the largest there is. */
function isUnlikely({ cells }: Cluster): boolean {
  return cells.every(
    ([cell, , west, south, east, north]) =>
      cell === NULL_ISLAND ||
      Math.min(Math.abs(south), Math.abs(north)) > 89.9e7 ||
      (west === east && Math.abs(west) > 179.99e7),
  );
}

/** The box around cells: the one that leaves out the widest gap between them, which may be across the 180th meridian or not. */
function boxOf(cells: readonly CellBox[]): Bounds {
  const south = Math.min(...cells.map((box) => box[3])) / 1e7;
  const north = Math.max(...cells.map((box) => box[5])) / 1e7;
  const spans = cells.map(([, , west, , east]) => [west / 1e7, east / 1e7]).sort((a, b) => a[0] - b[0]);
  let [west, east] = [spans[0][0], Math.max(...spans.map((span) => span[1]))];
  // A gap counts against that of the plain box: what is around the back of the Earth.
  let widest = 360 - (east - west);
  let reached = spans[0][1];
  for (const [from, to] of spans) {
    if (from - reached > Math.max(widest, 180)) {
      widest = from - reached;
      [west, east] = [from, reached];
    }
    reached = Math.max(reached, to);
  }
  return [west, south, east, north];
}
