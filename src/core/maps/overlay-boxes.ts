import type { Box } from "./base/clip.ts";
import type { View } from "./base/view.ts";
import { type DrawnMarker, type DrawnPath, markerExtent } from "./overlay.ts";

/** The boxes of paths and markers, which are reserved before labels. */
export function overlayBoxes(
  { paths, markers }: { paths: readonly DrawnPath[]; markers: readonly DrawnMarker[] },
  view: View,
): Box[] {
  const boxes: Box[] = [];
  for (const { path, lines } of paths) {
    const taken = new Squares(path.width / 2 + path.borderWidth + 1, view, boxes);
    for (const line of lines) taken.follow(line);
  }
  for (const { marker, x, y } of markers) {
    const { left, right, above, below } = markerExtent(marker);
    boxes.push({ left: x - left - 1, top: y - above - 1, right: x + right + 1, bottom: y + below });
  }
  return boxes;
}

/**
 * Squares along a path's lines, each next to the last: a long segment's own box would cover half the map. A square is
 * added only once per position, however often the path passes it.
 */
class Squares {
  readonly #reach: number;
  readonly #view: View;
  readonly #boxes: Box[];
  readonly #columns: number;
  readonly #taken: Uint8Array;

  constructor(reach: number, view: View, boxes: Box[]) {
    this.#reach = reach;
    this.#view = view;
    this.#boxes = boxes;
    this.#columns = Math.ceil(view.width / reach) + 3;
    this.#taken = new Uint8Array(this.#columns * (Math.ceil(view.height / reach) + 3));
  }

  #put(x: number, y: number): void {
    const { width, height } = this.#view;
    const reach = this.#reach;
    if (x < -reach || y < -reach || x > width + reach || y > height + reach) return;
    const cell = Math.floor((y + reach) / reach) * this.#columns + Math.floor((x + reach) / reach);
    if (this.#taken[cell]) return;
    this.#taken[cell] = 1;
    this.#boxes.push({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
  }

  follow(line: readonly number[]): void {
    const reach = this.#reach;
    const view = this.#view;
    let since = Infinity;
    for (let i = 0; i < line.length; i += 2) {
      if (i > 0) {
        const [x0, y0, x1, y1] = [line[i - 2], line[i - 1], line[i], line[i + 1]];
        const length = Math.hypot(x1 - x0, y1 - y0);
        // Segments far outside the image are skipped, however long they are.
        const seen =
          Math.min(x0, x1) <= view.width + reach &&
          Math.max(x0, x1) >= -reach &&
          Math.min(y0, y1) <= view.height + reach &&
          Math.max(y0, y1) >= -reach;
        if (seen && length > 0) {
          const [from, to] = visiblePart(x0, y0, x1, y1, reach, view);
          for (let at = Math.max(from * length, reach - since); at <= to * length; at += reach)
            this.#put(x0 + ((x1 - x0) * at) / length, y0 + ((y1 - y0) * at) / length);
        }
        since = 0;
      }
      this.#put(line[i], line[i + 1]);
    }
  }
}

/** The part of a segment, as shares of its length, that is within `reach` of the image. */
function visiblePart(x0: number, y0: number, x1: number, y1: number, reach: number, view: View): [number, number] {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [
    [x0, x1 - x0, -reach, view.width + reach],
    [y0, y1 - y0, -reach, view.height + reach],
  ]) {
    if (delta === 0) continue;
    const [a, b] = [(low - start) / delta, (high - start) / delta];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return [from, to];
}
