import type { Coordinate } from "../../geo/coordinate.ts";
import { type EdgeKey, pointKey } from "./edge-key.ts";

/** Nodes at one position: more than a few are an error of the map. */
const MAX_NODES_AT_POINT = 3;

/** Finds the OSM ids of the nodes along edges, of which only the positions are known. */
export class SegmentIds {
  readonly #lines = new Map<EdgeKey, string[]>();
  readonly #ids = new Map<string, number[]>();

  /** An edge whose nodes are needed. */
  need(key: EdgeKey, line: readonly Coordinate[]): void {
    if (this.#lines.has(key)) return;
    const points = line.map(pointKey);
    this.#lines.set(key, points);
    for (const point of points) this.#ids.set(point, []);
  }

  addNode(node: Coordinate & { id: number }): void {
    const ids = this.#ids.get(pointKey(node));
    if (ids && ids.length < MAX_NODES_AT_POINT) ids.push(node.id);
  }

  /** Pairs of nodes that follow one another; of several nodes at one position all. */
  *of(key: EdgeKey): Generator<readonly [number, number]> {
    const points = this.#lines.get(key) ?? [];
    for (let i = 1; i < points.length; i++) {
      if (points[i] === points[i - 1]) continue;
      for (const from of this.#ids.get(points[i - 1])!) for (const to of this.#ids.get(points[i])!) yield [from, to];
    }
  }
}
