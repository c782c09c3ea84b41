import type { DrawnPath } from "./overlay.ts";
import type { Painter } from "./raster/painter.ts";

/** A long line is drawn in pieces, with other work between them [points]. */
const PIECE = 256;

/**
 * Draws a path over some rows of the image: the area first; over it the border, which is a wider line beneath the stroke:
 * `width + 2 × borderWidth`. Yields now and then, as a path may cross an image thousands of times.
 */
export function* paintPath(painter: Painter, { path, lines, areas }: DrawnPath): Generator<void> {
  if (path.fill) {
    for (const rings of areas) {
      for (const ring of rings) painter.ring(ring, 0, ring.length / 2);
      yield;
    }
    painter.lay(path.fill, "evenodd");
  }
  const strokes = [
    { color: path.border, width: path.borderWidth > 0 ? path.width + 2 * path.borderWidth : 0 },
    { color: path.stroke, width: path.width },
  ];
  for (const { color, width } of strokes) {
    if (width === 0) continue;
    const stroker = painter.stroker({ width, cap: "round", join: "round" });
    for (const line of lines) {
      const count = line.length / 2;
      // Pieces share a point: there their round ends overlap.
      for (let first = 0; first === 0 || first < count - 1; first += PIECE) {
        painter.line(stroker, line, first, Math.min(PIECE + 1, count - first), false);
        yield;
      }
    }
    painter.lay(color);
  }
}
