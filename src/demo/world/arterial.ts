import type { Tags } from "../../importer/osm/pbf/element.ts";
import { type LineClass, lineTags, type Side, sideOf } from "./layout.ts";
import { type PlanPoint, walk } from "./plane.ts";
import type { MutableTags, Sheet } from "./sheet.ts";

interface Stretch {
  from: number;
  to: number;
  tags: MutableTags;
}

/**
 * A straight arterial across a township, gathered first and drawn last: streets attach themselves to it, bridges and
 * speed zones change its tags over a stretch, rivers and roundabouts leave gaps.
 */
export class Arterial {
  readonly axis: "ns" | "ew";
  /** The fixed coordinate: u of a north–south line, v of an east–west line. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly class: LineClass;
  readonly names: Record<Side, string>;
  readonly #more: Tags;
  readonly #positions = new Map<number, Tags | undefined>();
  readonly #stretches: Stretch[] = [];
  readonly #gaps: { from: number; to: number }[] = [];

  constructor(
    axis: "ns" | "ew",
    at: number,
    [from, to]: [number, number],
    kind: LineClass,
    names: Record<Side, string>,
    more: Tags = {},
  ) {
    this.axis = axis;
    this.at = at;
    this.from = from;
    this.to = to;
    this.class = kind;
    this.names = names;
    this.#more = more;
  }

  point(position: number): PlanPoint {
    return this.axis === "ns" ? [this.at, position] : [position, this.at];
  }

  nameAt(position: number): string {
    return this.names[sideOf(this.axis === "ns" ? position : this.at)];
  }

  /** A junction (or anything else on the road) at a position. Undefined where the line has a gap. */
  attach(position: number, tags?: Tags): PlanPoint | undefined {
    if (this.#gaps.some(({ from, to }) => position > from && position < to)) return undefined;
    this.#positions.set(position, { ...this.#positions.get(position), ...tags });
    return this.point(position);
  }

  gap(from: number, to: number): void {
    this.#gaps.push({ from, to });
  }

  stretch(from: number, to: number, tags: MutableTags): void {
    this.#stretches.push({ from, to, tags });
  }

  /** The stretches of road that exist, as [from, to] positions. */
  parts(): [number, number][] {
    let parts: [number, number][] = [[this.from, this.to]];
    for (const gap of this.#gaps) {
      parts = parts.flatMap(([from, to]): [number, number][] =>
        gap.to <= from || gap.from >= to
          ? [[from, to]]
          : [
              [from, gap.from],
              [gap.to, to],
            ],
      );
    }
    return parts.filter(([from, to]) => to - from > 1);
  }

  draw(sheet: Sheet): void {
    for (const [from, to] of this.parts()) {
      const breaks = new Set([from, to]);
      for (const stretch of this.#stretches) for (const end of [stretch.from, stretch.to]) breaks.add(end);
      if (this.axis === "ns" && from < 0 && to > 0) breaks.add(0);
      const inside = [...breaks].filter((at) => at >= from && at <= to).sort((a, b) => a - b);
      for (let i = 1; i < inside.length; i++) this.#drawPiece(sheet, inside[i - 1], inside[i]);
    }
  }

  #drawPiece(sheet: Sheet, from: number, to: number): void {
    const stops = [...this.#positions.keys()].filter((at) => at > from && at < to);
    stops.push(from, to);
    stops.sort((a, b) => a - b);
    const points: PlanPoint[] = [this.point(from)];
    for (let i = 1; i < stops.length; i++) points.push(...walk(this.point(stops[i - 1]), this.point(stops[i])));
    const middle = (from + to) / 2;
    const side = sideOf(this.axis === "ns" ? middle : this.at);
    const tags: MutableTags = { ...lineTags(this.class, side), name: this.names[side], ...this.#more };
    for (const stretch of this.#stretches) {
      if (stretch.from <= from && stretch.to >= to) Object.assign(tags, stretch.tags);
    }
    sheet.road(points, tags);
    for (const stop of stops) {
      const nodeTags = this.#positions.get(stop);
      if (nodeTags) sheet.node(this.point(stop), nodeTags);
    }
  }
}
