import { childrenOf, rootCells } from "../geo/cells/cell-tree.ts";
import type { PackedCell } from "../geo/cells/cells.ts";
import { type CellBox, cellBox, meetsBox } from "./cell-box.ts";
import { crosses, secondTurn, shorterWay } from "./crossing.ts";
import type { Region } from "./region.ts";
import { type EdgeTable, edgeTable, inTileOrder, type RegionShape, regionsHolding } from "./region-shape.ts";
import { encodeTile, NOTHING, SPLIT } from "./tile-format.ts";
import { chainsOf, SetTable } from "./tile-parts.ts";

/**
 * A cell with at most this many edges nearby is not split further: testing them is cheaper than finding a smaller cell.
 */
const LEAF_EDGES = 20;
/** Cells are not split below this resolution (edges of about 24 m) however many edges meet. */
const FINEST_LEAF = 11;

export interface BuiltTile {
  cell: PackedCell;
  bytes: Uint8Array;
}

/** State of a cell during the tree walk: the regions that contain its center, and the edges that pass near it. */
interface Visit {
  cell: PackedCell;
  box: CellBox;
  inside: ReadonlySet<number>;
  edges: Int32Array;
}

type Tree = undefined | { inside: ReadonlySet<number>; border: boolean } | Tree[];

/**
 * Cuts regions into tiles of one H3 resolution, in the order of their cells. The entire Earth is walked from the 122
 * coarsest cells down. The regions of a center are computed once for those cells, and then carried from center to
 * center across the edges between. `wanted` may omit cells at any resolution down to the tiles'. Tiles that no region
 * touches are not generated.
 */
export function* buildTiles(
  shapes: readonly RegionShape[],
  tileResolution: number,
  wanted: (box: CellBox) => boolean = () => true,
): Generator<BuiltTile> {
  const ordered = inTileOrder(shapes);
  const roots = rootCells()
    .map((cell) => ({ cell, box: cellBox(cell) }))
    .filter(({ box }) => wanted(box));
  const table = edgeTable(
    ordered,
    roots.map(({ box }) => box),
  );
  const all = Int32Array.from({ length: table.length }, (_, i) => i);
  for (const { cell, box } of roots) {
    const edges = edgesIn(table, all, box);
    const inside = regionsHolding(table, box.x, box.y);
    yield* tilesBelow({ cell, box, inside, edges });
  }

  function* tilesBelow(visit: Visit): Generator<BuiltTile> {
    if (isEmpty(visit) || !wanted(visit.box)) return;
    if (visit.cell % 16 === tileResolution) {
      const bytes = tileBytes(table, ordered, visit);
      if (bytes) yield { cell: visit.cell, bytes };
      return;
    }
    for (const child of childrenOf(visit.cell)) if (child !== undefined) yield* tilesBelow(step(table, visit, child));
  }
}

const isEmpty = ({ inside, edges }: Visit) => inside.size === 0 && edges.length === 0;

/** Visits a child: selects the edges near it, and carries the sides over from the parent's center to its own. */
function step(table: EdgeTable, { box: from, inside, edges }: Visit, cell: PackedCell): Visit {
  const box = cellBox(cell);
  const px = shorterWay(box.x - from.x);
  let there: Set<number> | undefined;
  for (const i of edges) {
    const x1 = shorterWay(table.x[i] - from.x);
    const x2 = x1 + table.dx[i];
    const y1 = table.y[i];
    const y2 = y1 + table.dy[i];
    let odd = crosses(x1, y1, x2, y2, from.y, px, box.y);
    const turn = secondTurn(x1, x2);
    if (turn !== 0 && crosses(x1 + turn, y1, x2 + turn, y2, from.y, px, box.y)) odd = !odd;
    if (!odd) continue;
    there ??= new Set(inside);
    if (!there.delete(table.region[i])) there.add(table.region[i]);
  }
  return { cell, box, inside: there ?? inside, edges: edgesIn(table, edges, box) };
}

/** Room for the edges of a cell while they are counted. */
let near = new Int32Array(0);

function edgesIn(table: EdgeTable, edges: Int32Array, box: CellBox): Int32Array {
  const { x, y, dx, dy } = table;
  if (near.length < edges.length) near = new Int32Array(edges.length);
  let count = 0;
  for (const i of edges) {
    const y1 = y[i];
    const y2 = y1 + dy[i];
    if (y1 < box.south ? y2 < box.south : y1 > box.north && y2 > box.north) continue;
    const x1 = shorterWay(x[i] - box.x);
    const x2 = x1 + dx[i];
    const turn = secondTurn(x1, x2);
    if (meetsBox(box, x1, y1, x2, y2) || (turn !== 0 && meetsBox(box, x1 + turn, y1, x2 + turn, y2))) near[count++] = i;
  }
  return near.slice(0, count);
}

/** One tile, or undefined if it turns out to be empty. */
function tileBytes(table: EdgeTable, regions: readonly Region[], root: Visit): Uint8Array | undefined {
  const used = new Set<number>();
  const tree = split(root);
  if (!tree) return undefined;
  const sets = new SetTable();
  const values: number[] = [];
  const write = (node: Tree) => {
    if (!node) values.push(NOTHING);
    else if (Array.isArray(node)) {
      values.push(SPLIT);
      node.forEach(write);
    } else values.push((node.border ? 3 : 2) + 2 * sets.numberOf(node.inside));
  };
  write(tree);
  const chains = chainsOf(
    table,
    [...used].sort((a, b) => a - b),
    sets,
  );
  const local = sets.compact();
  return encodeTile({
    cell: root.cell,
    regions: local.regions.map((region) => regions[region]),
    sets: local.sets,
    tree: values,
    chains,
  });

  function split(visit: Visit): Tree {
    if (isEmpty(visit)) return undefined;
    const { edges, inside, cell } = visit;
    if (edges.length === 0) return { inside, border: false };
    if (edges.length <= LEAF_EDGES || cell % 16 >= FINEST_LEAF) {
      for (const edge of edges) used.add(edge);
      return { inside, border: true };
    }
    return merged(
      childrenOf(cell).map((child) => (child === undefined ? undefined : split(step(table, visit, child)))),
    );
  }
}

/** Seven equal whole cells are stored as their parent. */
function merged(children: Tree[]): Tree {
  const [first] = children;
  if (children.every((child) => child === undefined)) return undefined;
  if (!first || Array.isArray(first) || first.border) return children;
  const same = children.every(
    (child) => child && !Array.isArray(child) && !child.border && equal(child.inside, first.inside),
  );
  return same ? first : children;
}

function equal(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((region) => b.has(region));
}
