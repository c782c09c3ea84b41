import type { TileGrid } from "../../routing/write-manifest.ts";
import type { TileLayout } from "./tile-layout.ts";

/** Size of a cell of the grid that finds tiles [1e-6 degrees]: about 100 m. */
const GRID_STEP = 1000;

/** Which tiles have roads in which cell of the grid, as runs along its rows. */
export function tileGrid(layout: TileLayout): TileGrid {
  const cells = new Map<number, Map<number, Set<number>>>();
  const touch = (row: number, column: number, tile: number) => {
    let columns = cells.get(row);
    if (!columns) {
      columns = new Map();
      cells.set(row, columns);
    }
    const tiles = columns.get(column);
    if (tiles) tiles.add(tile);
    else columns.set(column, new Set([tile]));
  };
  layout.tiles.forEach((plan, tile) => {
    for (const piece of plan.pieces) {
      forEachSegment(layout, piece, (latA, lonA, latB, lonB) => {
        const bottom = Math.floor(Math.min(latA, latB) / GRID_STEP);
        const top = Math.floor(Math.max(latA, latB) / GRID_STEP);
        const left = Math.floor(Math.min(lonA, lonB) / GRID_STEP);
        const right = Math.floor(Math.max(lonA, lonB) / GRID_STEP);
        // A long ferry fills its box only along its line: step along rows, cross the columns that the row meets.
        for (let row = bottom; row <= top; row++) {
          const share = (edge: number) =>
            latA === latB ? 0 : Math.max(0, Math.min(1, (edge * GRID_STEP - latA) / (latB - latA)));
          const low = latA === latB ? lonA : lonA + (lonB - lonA) * share(row);
          const high = latA === latB ? lonB : lonA + (lonB - lonA) * share(row + 1);
          const from = Math.max(left, Math.floor(Math.min(low, high) / GRID_STEP));
          const to = Math.min(right, Math.floor(Math.max(low, high) / GRID_STEP));
          for (let column = from; column <= to; column++) touch(row, column, tile);
        }
      });
    }
  });
  const rows = [...cells.keys()].sort((a, b) => a - b);
  const firstRow = rows[0] ?? 0;
  let firstColumn = Number.POSITIVE_INFINITY;
  for (const columns of cells.values())
    for (const column of columns.keys()) firstColumn = Math.min(firstColumn, column);
  if (rows.length === 0) firstColumn = 0;
  const lists = new Map<string, number>();
  const rowRuns: [length: number, list: number][][] = [];
  for (let row = firstRow; row <= (rows[rows.length - 1] ?? -1); row++) {
    const columns = cells.get(row);
    const runs: [number, number][] = [];
    let end = firstColumn;
    for (const column of [...(columns?.keys() ?? [])].sort((a, b) => a - b)) {
      const key = [...columns!.get(column)!].sort((a, b) => a - b).join();
      let list = lists.get(key);
      if (list === undefined) {
        list = lists.size;
        lists.set(key, list);
      }
      const last = runs[runs.length - 1];
      if (last && last[1] === list) last[0] += column + 1 - end;
      else runs.push([column + 1 - end, list]);
      end = column + 1;
    }
    rowRuns.push(runs);
  }
  return {
    step: GRID_STEP,
    firstRow,
    firstColumn,
    lists: [...lists.keys()].map((key) => key.split(",").map(Number)),
    rows: rowRuns,
  };
}

function forEachSegment(
  { graph }: TileLayout,
  piece: number,
  visit: (latA: number, lonA: number, latB: number, lonB: number) => void,
): void {
  let lat = graph.nodeLatitude[graph.pieceStart[piece]];
  let lon = graph.nodeLongitude[graph.pieceStart[piece]];
  for (let i = graph.shapeFirst[piece]; i < graph.shapeFirst[piece + 1]; i++) {
    visit(lat, lon, graph.shapeLatitude[i], graph.shapeLongitude[i]);
    lat = graph.shapeLatitude[i];
    lon = graph.shapeLongitude[i];
  }
  const end = graph.pieceEnd[piece];
  visit(lat, lon, graph.nodeLatitude[end], graph.nodeLongitude[end]);
}
