import type { OsmRelation, OsmWay } from "../../../osm/pbf/element.ts";
import { Column } from "./column.ts";
import type { WayNodes } from "./way-nodes.ts";

const CELL = 0.02;
/** Cells from one row to the next: more than the Earth is around. */
const ROW = 100_000;

/**
 * Where roads cross the border of a country: the ways of `boundary=administrative`, `admin_level=2`, on a grid of
 * 0.02° so that only lines near a road are looked at. Relations first, then ways.
 */
export class BorderLines {
  readonly #members = new Set<number>();
  /** Stretches: latitude and longitude of one end, then of the other. */
  readonly #stretches = new Column(Float64Array, "places of borders");
  /** Cell → numbers of the stretches that reach into it. */
  readonly #grid = new Map<number, number[]>();

  /** Member ways of a country's relation are included if their own tags make them boundaries. */
  addRelation({ members, tags }: OsmRelation): void {
    if (tags.boundary !== "administrative" || tags.admin_level !== "2") return;
    for (const { type, ref } of members) if (type === "way") this.#members.add(ref);
  }

  wants({ id, tags }: OsmWay): boolean {
    return tags.boundary === "administrative" && (tags.admin_level === "2" || this.#members.has(id));
  }

  addLine(nodes: WayNodes): void {
    const { latitude, longitude } = nodes;
    for (let i = 1; i < nodes.count; i++) {
      if (!nodes.has(i - 1) || !nodes.has(i)) continue;
      const stretch = this.#stretches.length / 4;
      for (const end of [i - 1, i]) {
        this.#stretches.push(latitude[end]);
        this.#stretches.push(longitude[end]);
      }
      forEachCell(latitude[i - 1], longitude[i - 1], latitude[i], longitude[i], (cell) => {
        const list = this.#grid.get(cell);
        if (list) list.push(stretch);
        else this.#grid.set(cell, [stretch]);
      });
    }
  }

  /** Does the stretch between two points cross a border? [degrees] */
  crosses(latA: number, lonA: number, latB: number, lonB: number): boolean {
    if (this.#grid.size === 0) return false;
    let crossed = false;
    forEachCell(latA, lonA, latB, lonB, (cell) => {
      crossed ||= this.#grid.get(cell)?.some((stretch) => this.#isCrossed(stretch, latA, lonA, latB, lonB)) ?? false;
    });
    return crossed;
  }

  #isCrossed(stretch: number, latA: number, lonA: number, latB: number, lonB: number): boolean {
    const y1 = this.#stretches.at(stretch * 4);
    const x1 = this.#stretches.at(stretch * 4 + 1);
    const y2 = this.#stretches.at(stretch * 4 + 2);
    const x2 = this.#stretches.at(stretch * 4 + 3);
    const a = side(lonA, latA, lonB, latB, x1, y1);
    const b = side(lonA, latA, lonB, latB, x2, y2);
    if (a > 0 === b > 0) return false;
    return side(x1, y1, x2, y2, lonA, latA) > 0 !== side(x1, y1, x2, y2, lonB, latB) > 0;
  }
}

function forEachCell(latA: number, lonA: number, latB: number, lonB: number, visit: (cell: number) => void): void {
  // A line that spans half the world would fill the grid; borders across the 180th meridian carry no roads.
  if (Math.abs(lonA - lonB) > 10 || Math.abs(latA - latB) > 10) return;
  const top = Math.floor(Math.max(latA, latB) / CELL);
  const right = Math.floor(Math.max(lonA, lonB) / CELL);
  for (let y = Math.floor(Math.min(latA, latB) / CELL); y <= top; y++) {
    for (let x = Math.floor(Math.min(lonA, lonB) / CELL); x <= right; x++) visit(y * ROW + x);
  }
}

const side = (ax: number, ay: number, bx: number, by: number, px: number, py: number) =>
  (bx - ax) * (py - ay) - (by - ay) * (px - ax);
