import { TooMuchWork } from "../geo/pace.ts";
import type { Box } from "./base/clip.ts";
import type { DrawnPath } from "./overlay.ts";

/**
 * The work of drawing a stroked path in addition to its pixels: for every row of the image that a segment crosses, its
 * two edges. Measured with 2,000 segments across the largest image [µs per segment, stroke and row of the image].
 */
const ROW_COST = 0.1;
/** Paths that would take longer than this are rejected [µs]. */
const MAX_PATH_WORK = 6_000_000;

/** @throws TooMuchWork for paths that cross a large image thousands of times */
export function checkPathWork(paths: readonly DrawnPath[], image: Box, scale: number): void {
  const work = pathWork(paths, image, scale);
  if (work > MAX_PATH_WORK) throw new TooMuchWork("the paths cross the image too often");
}

/** Work of drawing paths in a window [µs]; `scale`: pixels of the image per pixel at scale 1. */
function pathWork(paths: readonly DrawnPath[], window: Box, scale: number): number {
  let rows = 0;
  for (const { path, lines, areas } of paths) {
    for (const ring of areas.flat()) rows += rowsOf(ring, window, 0) / 2;
    const strokes = (path.width > 0 ? 1 : 0) + (path.borderWidth > 0 ? 1 : 0);
    const reach = path.width / 2 + path.borderWidth;
    for (const line of lines) rows += strokes * rowsOf(line, window, reach);
  }
  return rows * scale * ROW_COST;
}

/** Rows that all segments of a line share with a window, according to their bounding boxes [pixels at scale 1]. */
function rowsOf(line: readonly number[], { left, top, right, bottom }: Box, reach: number): number {
  let rows = 0;
  for (let i = 2; i < line.length; i += 2) {
    if (Math.min(line[i - 2], line[i]) - reach > right || Math.max(line[i - 2], line[i]) + reach < left) continue;
    const from = Math.max(top, Math.min(line[i - 1], line[i + 1]) - reach);
    const to = Math.min(bottom, Math.max(line[i - 1], line[i + 1]) + reach);
    if (to > from) rows += to - from;
  }
  return rows;
}
